"""How BIND really answers UPDATEs, row by row of the tables in the project's notes, and what we make of it.

Each test is named after its row. Where BIND is silent, the test shows that our client is not.
"""

import dataclasses
import socket
import subprocess
import time
from functools import partial

import dns.flags
import dns.message
import dns.query
import dns.rdatatype as rt
import pytest

from reconcilers.ddns import (
    Change,
    DnsError,
    FormatError,
    Ignored,
    NotAuthoritative,
    NotZone,
    Prerequisite,
    PrerequisiteFailed,
    Refused,
    RRset,
    RRsetKey,
    ServerFailure,
    TsigFailed,
    parse_name,
    parse_zone,
    serial_gt,
)
from reconcilers.ddns.update import rrset_exists
from testbed.named import NameServer
from tests.support.ddns import client_of, rejected
from zonewright.testing import eventually


class TestSemanticsThatBite:
    """The first table."""

    def test_a_added_where_a_cname_stands_is_ignored_and_found_out(self, make_zone):
        zone = make_zone("alias CNAME ns1")
        result = zone.update(zone.change("alias", "A", "192.0.2.1"), zone.change("other", "A", "192.0.2.2"))
        assert rejected(result) == {f"alias.{zone.name} A": "NOERROR"}
        assert isinstance(result.rejected[0][1], Ignored)
        assert zone.served("other", "A") == {"192.0.2.2"}

    def test_cname_where_other_data_stands_is_ignored_and_found_out(self, make_zone):
        zone = make_zone("www A 192.0.2.1")
        result = zone.update(zone.change("www", "CNAME", "ns1.ZONE"))
        assert rejected(result) == {f"www.{zone.name} CNAME": "NOERROR"}
        assert zone.served("www", "A") == {"192.0.2.1"}

    def test_replace_is_one_update_one_serial_and_no_gap(self, make_zone):
        zone = make_zone("www A 192.0.2.1\nwww A 192.0.2.2")
        before = zone.serial
        result = zone.update(zone.change("www", "A", "192.0.2.3", "192.0.2.4", before=["192.0.2.1", "192.0.2.2"]))
        assert result.messages == 1
        assert zone.serial == before + 1
        assert zone.served("www", "A") == {"192.0.2.3", "192.0.2.4"}

    @pytest.mark.parametrize(("name", "rdtype", "value"), [("@", "NS", "target.ZONE"), ("sub", "MX", "10 target.ZONE")])
    def test_in_zone_target_without_address_is_refused_alone_and_accepted_together(self, zone, name, rdtype, value):
        pointing = zone.change(name, rdtype, value)
        assert list(rejected(zone.update(pointing, verify=False)).values()) == ["REFUSED"]
        together = zone.update(pointing, zone.change("target", "A", "192.0.2.9"), verify=False)
        assert not together.rejected
        assert together.messages == 1

    def test_a_target_in_the_other_half_of_a_bisected_batch_still_counts(self, zone):
        changes = [
            zone.change("aa", "MX", "10 zz.ZONE"),
            zone.change("bad_name", "A", "192.0.2.1"),
            zone.change("zz", "A", "192.0.2.2"),
        ]
        result = zone.update(*changes)
        assert rejected(result) == {f"bad_name.{zone.name} A": "REFUSED"}
        assert zone.served("aa", "MX") == {f"10 zz.{zone.name}"}

    def test_removing_the_last_apex_ns_is_ignored_and_found_out(self, zone):
        result = zone.update(zone.change("@", "NS", before=["ns1.ZONE"]))
        assert rejected(result) == {f"{zone.name} NS": "NOERROR"}
        assert "last NS" in str(result.rejected[0][1])

    def test_apex_ns_can_be_replaced_completely(self, zone):
        result = zone.update(zone.change("@", "NS", "a.example.net", "b.example.net", before=["ns1.ZONE"]))
        assert not result.rejected
        assert zone.served("@", "NS") == {"a.example.net.", "b.example.net."}

    def test_one_name_outside_the_zone_blocks_no_other(self, zone):
        good = [zone.change(f"h{i}", "A", "192.0.2.1") for i in range(19)]
        result = zone.update(*good[:7], zone.change(f"x.not{zone.name}", "A", "192.0.2.1"), *good[7:])
        assert list(rejected(result).values()) == ["NOTZONE"]
        assert isinstance(result.rejected[0][1], NotZone)
        assert len(result.applied) == 19

    def test_two_contributors_make_one_rrset(self, zone):
        union = zone.change("@", "MX", "10 mx1.example.net", "20 mx2.example.net")
        assert not zone.update(union).rejected
        assert zone.served("@", "MX") == {"10 mx1.example.net.", "20 mx2.example.net."}
        one = zone.change("@", "MX", "10 mx1.example.net", before=["10 mx1.example.net", "20 mx2.example.net"])
        assert not zone.update(one).rejected
        assert zone.served("@", "MX") == {"10 mx1.example.net."}

    def test_a_zone_recreated_with_a_lower_serial_is_ignored_by_secondaries(
        self, make_zone, primary, secondary, client
    ):
        zone = make_zone("www A 192.0.2.1", serial=100)
        name = str(zone.name).rstrip(".")
        secondary.add_zone(name, primaries=[primary])
        copy = client(secondary)
        eventually(lambda: copy.soa(zone.name).serial == 100, ignoring=DnsError)
        primary.delete_zone(name)
        primary.add_zone(name, "www A 192.0.2.2", serial=50)
        secondary.rndc("refresh", name)
        eventually(partial(lines, secondary, f"zone {name}/IN: serial number (50) received from"), what="a refusal")
        assert copy.soa(zone.name).serial == 100
        # So the serial only rises, also on a zone that was made again.
        zone.update(soa=zone.soa.at(101))
        copy.notify(zone.name)
        eventually(lambda: copy.soa(zone.name).serial == 101)

    def test_the_serial_that_we_choose_is_taken(self, zone):
        result = zone.update(zone.change("www", "A", "192.0.2.1"), soa=zone.soa.at(2_000_000_000))
        assert result.serial == 2_000_000_000
        assert result.serials == (2_000_000_000,)

    @pytest.mark.parametrize("lower", [1, 5])
    def test_a_serial_that_does_not_grow_is_ignored_and_the_result_says_so(self, make_zone, lower):
        zone = make_zone(serial=5)
        result = zone.update(zone.change("www", "A", "192.0.2.1"), soa=zone.soa.at(lower))
        assert result.serial == 6, "BIND added one to its own"

    def test_serials_wrap_around(self, make_zone):
        zone = make_zone(serial=4_294_967_290)
        assert zone.update(zone.change("www", "A", "192.0.2.1"), soa=zone.soa.at(3)).serial == 3

    def test_without_an_soa_a_blind_resync_is_a_no_op(self, zone):
        zone.update(zone.change("www", "A", "192.0.2.1"))
        before = zone.serial
        again = zone.change("www", "A", "192.0.2.1", before=["192.0.2.1"])
        result = zone.update(again)
        assert not result.rejected
        assert result.serial == before, "no serial, no journal, no NOTIFY"

    def test_with_an_soa_it_is_not(self, zone):
        zone.update(zone.change("www", "A", "192.0.2.1"))
        result = zone.update(
            zone.change("www", "A", "192.0.2.1", before=["192.0.2.1"]), soa=zone.soa.at(zone.serial + 5)
        )
        assert result.serial == zone.serial

    def test_an_soa_only_update_raises_the_serial(self, zone):
        content = zone.content.rrsets
        result = zone.update(soa=zone.soa.at(77))
        assert result.serial == 77
        assert zone.content.rrsets == content

    def test_soa_edits_on_an_existing_zone_are_applied(self, zone):
        wanted = dataclasses.replace(
            zone.soa.at(9), refresh=111, retry=22, expire=3333, minimum=44, admin=parse_zone("me.example.net")
        )
        zone.update(soa=wanted)
        assert zone.soa == wanted

    def test_delzone_without_clean_leaves_a_journal_that_spoils_the_next_zone(self, make_zone, primary):
        zone = make_zone()
        name = str(zone.name).rstrip(".")
        zone.update(zone.change("www", "A", "192.0.2.1"), soa=zone.soa.at(1000))
        primary.rndc("delzone", name)
        assert (primary.directory / "data" / f"{name}.zone.jnl").exists()
        with pytest.raises(RuntimeError, match=r"out of sync|failed"):
            primary.add_zone(name, serial=5)

    def test_delzone_clean_leaves_nothing(self, make_zone, primary):
        zone = make_zone()
        name = str(zone.name).rstrip(".")
        zone.update(zone.change("www", "A", "192.0.2.1"))
        primary.rndc("delzone", "-clean", name)
        eventually(lambda: not list((primary.directory / "data").glob(f"{name}.zone*")))
        primary.add_zone(name, serial=5)
        assert zone.serial == 5

    def test_retransfer_is_a_full_transfer_and_refresh_at_an_equal_serial_is_none(
        self, make_zone, primary, secondary, client
    ):
        zone = make_zone("www A 192.0.2.1")
        name = str(zone.name).rstrip(".")
        secondary.add_zone(name, primaries=[primary])
        copy = client(secondary)
        eventually(lambda: copy.soa(zone.name).serial == 1, ignoring=DnsError)
        transfers = partial(lines, primary, f"transfer of '{name}/IN': AXFR started")
        eventually(lambda: transfers() == 1)
        primary.rndc("querylog", "on")
        secondary.rndc("refresh", name)
        eventually(partial(lines, primary, f"query: {name} IN SOA"), what="a question for the serial")
        primary.rndc("querylog", "off")
        secondary.rndc("retransfer", name)
        completed = partial(lines, secondary, f"transfer of '{name}/IN' from", "Transfer completed")
        eventually(lambda: completed() >= 2, what="the end of the second transfer")
        assert transfers() == 2

    def test_80_addresses_are_truncated_over_udp_and_complete_over_tcp(self, make_zone):
        zone = make_zone("\n".join(f"many A 192.0.2.{i}" for i in range(1, 81)))
        name = parse_name("many", zone.name)
        short = dns.query.udp(
            dns.message.make_query(name, "A"),
            zone.server.address,
            port=zone.server.port,
            timeout=60,
            ignore_unexpected=True,
        )
        assert short.flags & dns.flags.TC
        assert len(zone.served("many", "A")) == 80

    def test_case_and_final_dot_of_a_target_make_no_difference(self, make_zone):
        zone = make_zone("@ MX 10 Mail.Example.com.")
        assert zone.content.rrsets[RRsetKey(zone.name, rt.MX)] == zone.rrset("@", "MX", "10 mail.example.com")
        exact = zone.change(
            "@", "MX", "10 mail.example.com", before=["10 MAIL.example.com"], prerequisite=Prerequisite.EXACT
        )
        assert not zone.update(exact).rejected

    def test_a_long_txt_is_published_in_pieces(self, zone):
        key = "v=DKIM1; p=" + "A" * 500
        assert not zone.update(zone.change("dkim", "TXT", f'"{key}"')).rejected
        [text] = zone.served("dkim", "TXT")
        assert text.replace('" "', "").strip('"') == key.replace(";", ";")

    def test_a_clock_beyond_the_fudge_is_badtime_and_named_so(self, zone):
        class Late:
            monotonic = staticmethod(time.monotonic)
            time = staticmethod(lambda: time.time() - 400)

        with client_of(zone.server, clock=Late()) as late, pytest.raises(TsigFailed, match="BADTIME") as failed:
            late.soa(zone.name)
        assert failed.value.reason == "TsigVerificationFailed"
        assert zone.server.key.secret not in str(failed.value)

    def test_listen_on_an_address_that_nobody_has_listens_nowhere(self, background):
        server = NameServer(background, bindcar=False)
        server._write_configuration()
        path = server.directory / "named.conf"
        path.write_text(
            path.read_text().replace("{ 127.0.0.1; };\n    listen-on-v6", "{ 192.0.2.77; };\n    listen-on-v6")
        )
        process = subprocess.Popen(
            ["/usr/sbin/named", "-f", "-n", "1", "-c", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            eventually(lambda: "running" in server.rndc("status"), ignoring=RuntimeError)
            with client_of(server) as client, pytest.raises(Exception, match="no connection"):
                client.soa(parse_zone("example.org"))
        finally:
            process.kill()
            process.wait()
            server.close()

    def test_tests_reserve_udp_ports_so_that_two_servers_never_share_one(self, primary, secondary):
        assert primary.port != secondary.port
        assert not _udp_free(primary.port)


class TestABadRecordInABatch:
    """The second table: refused as a whole, silently dropped, altered."""

    @pytest.mark.parametrize(
        ("row", "name", "rdtype", "values", "rcode"),
        [
            ("a name outside the zone", "www.example.net.", "A", ["192.0.2.1"], "NOTZONE"),
            ("check-names: _ in an A owner", "a_b", "A", ["192.0.2.1"], "REFUSED"),
            ("check-names: _ in an MX target", "mx", "MX", ["10 a_b.example.net"], "REFUSED"),
            (
                "the 101st record of an RRset",
                "big",
                "A",
                [f"192.0.{i // 250}.{i % 250}" for i in range(101)],
                "SERVFAIL",
            ),
        ],
        ids=lambda value: value if isinstance(value, str) and " " in value else "",
    )
    def test_refused_as_a_whole_and_isolated(self, zone, row, name, rdtype, values, rcode):
        good = [zone.change(f"h{i}", "A", "192.0.2.1") for i in range(6)]
        result = zone.update(*good[:3], zone.change(name, rdtype, *values), *good[3:])
        assert list(rejected(result).values()) == [rcode]
        assert len(result.applied) == 6

    def test_update_policy_refuses_and_is_isolated(self, primary, make_zone):
        zone = make_zone()
        name = str(zone.name).rstrip(".")
        policy = f"update-policy {{ grant {primary.key.name} subdomain ok.{name} A; }};"
        clause = f'{{ type primary; file "{name}.zone"; {policy} }};'
        primary.rndc("modzone", name, clause)
        result = zone.update(
            zone.change("a.ok", "A", "192.0.2.1"), zone.change("b.not", "A", "192.0.2.1"), verify=False
        )
        assert rejected(result) == {f"b.not.{zone.name} A": "REFUSED"}
        assert zone.served("a.ok", "A") == {"192.0.2.1"}

    def test_a_malformed_update_is_formerr(self, zone):
        broken = RRset(parse_name("x", zone.name), rt.A, 300, frozenset({b"\1\2\3"}))  # an address of three bytes
        result = zone.update(Change(broken.key, None, broken), zone.change("ok", "A", "192.0.2.1"))
        [(_, error)] = result.rejected
        assert isinstance(error, FormatError)
        assert zone.served("ok", "A") == {"192.0.2.1"}

    def test_a_failed_prerequisite_refuses_and_is_isolated(self, make_zone):
        zone = make_zone("taken A 192.0.2.9")
        result = zone.update(
            zone.change("taken", "A", "192.0.2.1", prerequisite=Prerequisite.ABSENT),
            zone.change("free", "A", "192.0.2.1", prerequisite=Prerequisite.ABSENT),
        )
        assert rejected(result) == {f"taken.{zone.name} A": "YXRRSET"}
        assert result.rejected[0][1].reason == "RecordConflict"
        assert zone.served("taken", "A") == {"192.0.2.9"}, "somebody else's stays"
        assert zone.served("free", "A") == {"192.0.2.1"}

    @pytest.mark.parametrize(
        ("rdtype", "values", "others"),
        [
            ("A", ["192.0.2.1", "192.0.2.2"], ["192.0.2.1"]),
            ("AAAA", ["2001:DB8::1"], ["2001:db8::2"]),
            ("CNAME", ["Www.Example.COM."], ["other.example.com."]),
            ("MX", ["10 Mail.Example.com.", "20 mail.example.com."], ["10 mail.example.com."]),
            ("NS", ["Ns.Example.com."], ["ns.example.net."]),
            ("SRV", ["1 2 5060 Www.Example.com."], ["1 2 5061 www.example.com."]),
            ("PTR", ["Www.Example.com."], ["www.example.net."]),
            ("NAPTR", ['10 10 "U" "E2U+sip" "!^.*$!sip:info@Example.com!" .'], ['10 10 "u" "E2U+sip" "" .']),
            (
                "TXT",
                ['"heritage=external-dns,external-dns/owner=us"'],
                ['"heritage=external-dns,external-dns/owner=x"'],
            ),
            ("DNAME", ["Example.COM."], ["example.net."]),
            ("CAA", ['0 issue "ca.example.net"'], ['0 issue "ca.example.com"']),
        ],
    )
    def test_a_change_of_exactly_what_was_read_goes_in_and_of_anything_else_does_not(
        self, make_zone, rdtype, values, others
    ):
        zone = make_zone()
        zone.update(zone.change("x", rdtype, *values))
        read = zone.content.rrsets[zone.change("x", rdtype, *values).key]
        guess = zone.change("x", rdtype, before=others, prerequisite=Prerequisite.EXACT)
        nothing = zone.change("x", rdtype, *others, prerequisite=Prerequisite.EXACT)
        for wrong in (guess, nothing):
            [(_, error)] = zone.update(wrong).rejected
            assert error.reason == "RecordConflict"
        assert zone.content.rrsets[read.key] == read
        change = dataclasses.replace(zone.change("x", rdtype, *others, prerequisite=Prerequisite.EXACT), before=read)
        assert not zone.update(change).rejected
        removal = zone.change("x", rdtype, before=others, prerequisite=Prerequisite.EXACT)
        assert not zone.update(removal).rejected
        assert read.key not in zone.content.rrsets

    def test_one_of_many_changes_that_finds_something_else_than_was_read_fails_alone(self, make_zone):
        """Over several messages, and with what belongs together with it: in another message it would be made."""
        zone = make_zone("h700 A 192.0.2.9")
        many = [
            change
            for number in range(800)
            for change in (
                zone.change(f"h{number}", "A", "192.0.2.1", prerequisite=Prerequisite.EXACT, together=number),
                zone.change(f"a-h{number}", "TXT", "ours", prerequisite=Prerequisite.EXACT, together=number),
            )
        ]
        soa = zone.content.soa
        result = zone.client.update(zone.name, many, soa=soa.at(soa.serial + 1), expect=soa)
        assert rejected(result) == dict.fromkeys((f"h700.{zone.name} A", f"a-h700.{zone.name} TXT"), "YXRRSET")
        assert zone.served("h700", "A") == {"192.0.2.9"}
        assert zone.served("a-h700", "TXT") == set()
        assert zone.served("h799", "A") == {"192.0.2.1"}
        assert len(zone.content.rrsets) == 2 + 1 + 2 * 799

    @pytest.mark.parametrize(
        ("row", "records", "name", "rdtype", "values"),
        [
            ("CNAME beside other data", "www A 192.0.2.1", "www", "CNAME", ["ns1.ZONE"]),
            ("other data beside a CNAME", "www CNAME ns1", "www", "TXT", ["x"]),
            ("CNAME at the apex", "", "@", "CNAME", ["ns1.ZONE"]),
            ("DS at the apex", "", "@", "DS", ["1 8 2 " + "ab" * 32]),
            ("DS without NS", "", "sub", "DS", ["1 8 2 " + "ab" * 32]),
            ("wildcard NS", "", "*", "NS", ["ns.example.net"]),
            ("deletion of the apex NS", "", "@", "NS", []),
        ],
        ids=lambda value: value if isinstance(value, str) and " " in value else "",
    )
    def test_silently_dropped_and_found_out(self, make_zone, row, records, name, rdtype, values):
        zone = make_zone(records)
        before = zone.content.rrsets
        result = zone.update(zone.change(name, rdtype, *values), zone.change("good", "A", "192.0.2.1"))
        assert list(rejected(result).values()) == ["NOERROR"]
        assert result.rejected[0][1].reason == "Rejected"
        assert {key: rrset for key, rrset in zone.content.rrsets.items() if key in before} == before

    def test_a_second_cname_replaces_the_first(self, make_zone):
        zone = make_zone("alias CNAME one.example.net.")
        zone.update(zone.change("alias", "CNAME", "two.example.net"))
        assert zone.served("alias", "CNAME") == {"two.example.net."}

    def test_a_ttl_change_hits_the_whole_rrset(self, make_zone):
        zone = make_zone("www 300 A 192.0.2.1")
        zone.update(zone.change("www", "A", "192.0.2.2", ttl=60), verify=False)
        assert zone.ttl("www", "A") == 60
        assert zone.served("www", "A") == {"192.0.2.1", "192.0.2.2"}

    def test_max_zone_ttl_clamps_in_silence(self, make_zone, primary):
        zone = make_zone()
        name = str(zone.name).rstrip(".")
        clause = f'{{ type primary; file "{name}.zone"; allow-update {{ "zonewright"; }}; max-zone-ttl 3600; }};'
        primary.rndc("modzone", name, clause)
        zone.update(zone.change("www", "A", "192.0.2.1", ttl=86400))
        assert zone.ttl("www", "A") == 3600

    def test_data_under_a_delegation_is_stored_and_not_served(self, make_zone):
        zone = make_zone("sub NS ns.example.net.")
        assert not zone.update(zone.change("deep.sub", "TXT", "hidden")).rejected
        assert zone.served("deep.sub", "TXT") == set()
        assert RRsetKey(parse_name("deep.sub", zone.name), rt.TXT) in zone.content.rrsets

    def test_verification_is_one_message_that_sees_values_and_not_ttls(self, make_zone, client):
        zone = make_zone("www 300 A 192.0.2.1")
        seen = []
        watched = client(zone.server, before_write=lambda: seen.append(1))
        result = watched.update(zone.name, [zone.change(f"h{i}", "A", "192.0.2.1") for i in range(300)])
        assert (result.messages, len(seen)) == (1, 2)

    def test_one_bad_in_500_costs_a_binary_search(self, zone, client):
        seen = []
        watched = client(zone.server, observer=lambda **fields: seen.append(fields["rcode"]))
        changes = [zone.change(f"h{i}", "A", "192.0.2.1") for i in range(500)]
        changes[313] = zone.change("out.example.net.", "A", "192.0.2.1")
        result = watched.update(zone.name, changes, soa=zone.soa.at(1000))
        assert len(result.applied) == 499
        assert len(seen) <= 20
        assert result.serial == result.serials[-1]
        assert all(
            serial_gt(later, earlier) for earlier, later in zip(result.serials, result.serials[1:], strict=False)
        )


class TestZones:
    """Serials of split batches, keys, and what a server tells who asks wrongly."""

    def test_a_large_update_takes_a_fresh_serial_per_message(self, zone):
        handed = iter(range(5000, 6000, 10))
        result = zone.update(
            *[zone.change(f"h{i}", "A", "192.0.2.1") for i in range(1200)],
            soa=zone.soa.at(100),
            next_serial=lambda _: next(handed),
        )
        assert result.serials == (100, 5000, 5010)
        assert result.serial == 5010
        assert len(zone.content.rrsets) == 1202

    def test_64_kilobytes_of_text_are_split(self, zone):
        result = zone.update(*[zone.change(f"t{i}", "TXT", " ".join(["x" * 255] * 8)) for i in range(100)])
        assert result.messages > 1
        assert len(result.applied) == 100

    def test_updates_with_the_wrong_key_are_refused_as_a_whole(self, zone):
        with client_of(zone.server, key=None) as nobody, pytest.raises(Refused, match="no updates from us"):
            nobody.update(zone.name, [zone.change(f"h{i}", "A", "192.0.2.1") for i in range(50)])

    def test_transfers_need_the_key(self, zone):
        with client_of(zone.server, key=None) as nobody, pytest.raises(Refused, match="allow-transfer"):
            nobody.transfer(zone.name)

    def test_an_unknown_zone_is_not_authoritative_whatever_is_asked(self, zone):
        other = parse_zone("other.example")
        for ask in (
            zone.client.soa,
            zone.client.transfer,
            lambda name: zone.client.update(name, [zone.change("www.other.example.", "A", "192.0.2.1")]),
        ):
            with pytest.raises(NotAuthoritative):
                ask(other)

    def test_a_name_inside_a_served_zone_is_no_zone(self, zone):
        with pytest.raises(NotAuthoritative):
            zone.client.soa(parse_name("ns1", zone.name))

    def test_a_server_that_fails_every_update_is_not_the_records_fault(self, zone, primary):
        name = str(zone.name).rstrip(".")
        primary.rndc("freeze", name)
        with pytest.raises((Refused, ServerFailure)):
            zone.update(*[zone.change(f"h{i}", "A", "192.0.2.1") for i in range(5)])
        primary.rndc("thaw", name)
        assert not zone.update(zone.change("h", "A", "192.0.2.1")).rejected

    def test_a_prerequisite_of_the_whole_call_that_fails_changes_nothing(self, zone):
        missing = rrset_exists(RRsetKey(parse_name("missing", zone.name), rt.A))
        with pytest.raises(PrerequisiteFailed):
            zone.update(*[zone.change(f"h{i}", "A", "192.0.2.1") for i in range(5)], prerequisites=[missing])
        assert zone.served("h1", "A") == set()


def lines(server, *texts):
    """How many lines of its log have all of these."""
    return sum(all(text in line for text in texts) for line in server.log(5000).splitlines())


def _udp_free(port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
