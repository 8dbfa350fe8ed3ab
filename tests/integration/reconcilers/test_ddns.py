"""The client against a real BIND, and against servers that misbehave."""

import logging
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial

import dns.rdatatype as rt
import pytest

from reconcilers import ddns
from reconcilers.ddns import (
    DnsServer,
    MalformedReply,
    NotAuthoritative,
    RRsetKey,
    ServerUnreachable,
    TsigFailed,
    TsigKey,
    parse_name,
    parse_zone,
    plan,
)
from tests.support.ddns import client_of, tsig
from zonewright.testing import eventually


class TestTransfers:
    """Reading zones."""

    def test_what_was_published_is_what_is_read(self, zone):
        wanted = [
            zone.rrset("www", "A", "192.0.2.1", "192.0.2.2"),
            zone.rrset("www", "AAAA", "2001:DB8::1"),
            zone.rrset("txt", "TXT", '"one" "two"'),
            zone.rrset("*.apps", "A", "192.0.2.3"),
            zone.rrset("_sip._tcp", "SRV", "1 2 5060 www.ZONE"),
            zone.rrset("@", "CAA", '0 issue "ca.example.net"'),
            zone.rrset("@", "MX", "10 www.ZONE"),
            zone.rrset("alias", "CNAME", "www.ZONE"),
        ]
        desired = zone.content.rrsets | {rrset.key: rrset for rrset in wanted}
        assert not zone.update(*plan(desired, zone.content.rrsets)).rejected
        assert zone.content.rrsets == desired

    def test_an_unchanged_zone_is_never_read_in_full(self, make_zone):
        zone = make_zone("\n".join(f"h{i} A 192.0.2.1" for i in range(5000)))
        known = zone.content
        received: list[int] = []

        class Metering(ddns.DirectDialer):
            def connect(self, address, port, timeout):
                return Metered(super().connect(address, port, timeout), received)

        with client_of(zone.server, dial=Metering()) as metered:
            assert metered.transfer(zone.name, known) == known
        assert sum(received) < 1000, "one SOA and a signature, not 5,000 records"

    def test_only_changes_are_read_when_there_are_few(self, make_zone):
        zone = make_zone("\n".join(f"h{i} A 192.0.2.1" for i in range(2000)))
        known = zone.content
        zone.update(
            zone.change("h1", "A", "192.0.2.9", before=["192.0.2.1"]), zone.change("h2", "A", before=["192.0.2.1"])
        )
        zone.update(zone.change("new", "TXT", "x"), zone.change("h3", "A", "192.0.2.1", before=["192.0.2.1"], ttl=60))
        content = zone.client.transfer(zone.name, known)
        assert content == zone.content
        kept = RRsetKey(parse_name("h1999", zone.name), rt.A)
        assert content.rrsets[kept] is known.rrsets[kept], "what did not change was not read again"

    def test_a_server_that_lost_its_history_sends_everything(self, make_zone, primary):
        zone = make_zone("old A 192.0.2.1")
        known = zone.content
        name = str(zone.name).rstrip(".")
        primary.delete_zone(name)
        primary.add_zone(name, "fresh A 192.0.2.2", serial=50)
        content = zone.client.transfer(zone.name, known)
        assert RRsetKey(parse_name("old", zone.name), rt.A) not in content.rrsets
        assert RRsetKey(parse_name("fresh", zone.name), rt.A) in content.rrsets

    def test_a_large_zone_comes_in_many_signed_messages(self, make_zone):
        zone = make_zone("\n".join(f'h{i} TXT "{"x" * 200}"' for i in range(3000)))
        assert len(zone.content.rrsets) == 3002

    @pytest.mark.parametrize("algorithm", ["hmac-sha1", "hmac-sha224", "hmac-sha384", "hmac-sha512"])
    def test_other_algorithms(self, background, algorithm):
        from testbed import named

        key = named.TsigKey(f"k-{algorithm}", named.TsigKey.create("x").secret, algorithm)
        server = named.NameServer(background, key=key, bindcar=False)
        server.start()
        try:
            server.add_zone("example.org", "www A 192.0.2.1")
            with client_of(server) as client:
                assert len(client.transfer(parse_zone("example.org")).rrsets) == 3
        finally:
            server.close()


class TestConnections:
    """One connection, kept; opened again when the server hung up."""

    def test_one_connection_serves_many_questions(self, zone):
        dialed = []

        class Counting(ddns.DirectDialer):
            def connect(self, address, port, timeout):
                dialed.append(port)
                return super().connect(address, port, timeout)

        with client_of(zone.server, dial=Counting()) as client:
            for _ in range(20):
                client.soa(zone.name)
            client.transfer(zone.name)
            client.update(zone.name, [zone.change("www", "A", "192.0.2.1")])
        assert len(dialed) == 1

    def test_an_idle_connection_that_named_closed_is_opened_again(self, background, client):
        from testbed.named import NameServer

        server = NameServer(background, bindcar=False, options="tcp-idle-timeout 5; tcp-initial-timeout 25;")
        server.start()
        try:
            server.add_zone("example.org")
            mine = client(server)
            apex = parse_zone("example.org")
            assert mine.soa(apex).serial == 1
            eventually(mine._channel._connection._hung_up, what="the end of an idle connection")
            result = mine.update(apex, [], soa=mine.soa(apex).at(9))
            assert result.serial == 9
        finally:
            server.close()

    def test_a_restarted_server_is_reached_again(self, background, client):
        from testbed.named import NameServer

        server = NameServer(background, bindcar=False)
        server.start()
        try:
            server.add_zone("example.org")
            mine = client(server)
            assert mine.soa(parse_zone("example.org")).serial == 1
            server.restart()
            assert mine.soa(parse_zone("example.org")).serial == 1
        finally:
            server.close()

    def test_nobody_there_is_definite(self, zone, client):
        with pytest.raises(ServerUnreachable, match="no connection") as lost:
            DnsServer("127.0.0.1", 1, key=tsig(zone.server)).update(zone.name, [zone.change("www", "A", "192.0.2.1")])
        assert not lost.value.ambiguous, "nothing was sent"
        assert lost.value.reason == "ServerUnreachable"

    def test_a_silent_server_times_out_and_an_update_is_then_ambiguous(self, background, client):
        from testbed.named import NameServer

        server = NameServer(background, bindcar=False)
        server.start()
        try:
            server.add_zone("example.org")
            apex = parse_zone("example.org")
            patient, mine = client(server), client(server, timeout=1.0)
            soa = patient.soa(apex)
            server.pause()
            with pytest.raises(ServerUnreachable, match="no reply") as read:
                mine.soa(apex)
            assert not read.value.ambiguous
            with pytest.raises(ServerUnreachable) as written:
                mine.update(apex, [], soa=soa.at(5))
            assert written.value.ambiguous
            server.resume()
            # It had been received: that is what ambiguous means.
            eventually(lambda: patient.soa(apex).serial == 5)
        finally:
            server.resume()
            server.close()


class TestSecondaries:
    """NOTIFY and what comes of it."""

    def test_an_update_reaches_a_secondary_by_our_own_notify(self, make_zone, primary, secondary, client):
        zone = make_zone()
        secondary.rndc(
            "addzone",
            str(zone.name).rstrip("."),
            f'{{ type secondary; file "{zone.name}copy"; allow-notify {{ key "{primary.key.name}"; }};'
            f' primaries {{ 127.0.0.1 port {primary.port} key "{primary.key.name}"; }}; }};',
        )
        copy = client(secondary)
        eventually(lambda: copy.soa(zone.name).serial == 1, ignoring=ddns.DnsError)
        result = zone.update(zone.change("www", "A", "192.0.2.1"), soa=zone.soa.at(1234))
        copy.notify(zone.name, zone.soa)
        eventually(lambda: copy.soa(zone.name).serial == result.serial)
        assert copy.transfer(zone.name).rrsets == zone.content.rrsets

    def test_a_notify_for_an_unknown_zone_is_refused_or_unknown(self, secondary, client):
        with pytest.raises((NotAuthoritative, ddns.Refused)):
            client(secondary).notify(parse_zone("nobody.example"))


class TestLogsAndObservers:
    """Each UPDATE is one line with the word nsupdate; numbers go to the observer; writes are fenced."""

    def test_one_line_per_update_and_the_script_at_debug(self, zone, caplog):
        with caplog.at_level(logging.INFO, logger="zonewright.ddns"):
            zone.update(zone.change("www", "A", "192.0.2.1"))
        [line] = caplog.messages
        assert "nsupdate" in line
        assert str(zone.name) in line
        assert "NOERROR" in line
        caplog.clear()
        with caplog.at_level(logging.DEBUG, logger="zonewright.ddns"):
            zone.update(zone.change("www", "A", "192.0.2.2", before=["192.0.2.1"]))
        assert "update delete www" in caplog.text
        assert "send" in caplog.text
        assert zone.server.key.secret not in caplog.text

    def test_the_observer_hears_of_each_message(self, zone, client):
        heard = []
        watched = client(zone.server, observer=lambda **fields: heard.append(fields))
        watched.update(zone.name, [zone.change("a_b", "A", "192.0.2.1"), zone.change("ok", "A", "192.0.2.1")])
        assert [each["rcode"] for each in heard][:3] == ["REFUSED", "REFUSED", "NOERROR"]
        assert heard[0]["records"] == 2
        assert all(each["seconds"] > 0 for each in heard)

    def test_a_fenced_client_sends_nothing(self, zone, client):
        class FencedOff(Exception):
            pass

        def check():
            raise FencedOff

        fenced = client(zone.server, before_write=check)
        with pytest.raises(FencedOff):
            fenced.update(zone.name, [zone.change("www", "A", "192.0.2.1")])
        assert zone.served("www", "A") == set()
        assert fenced.soa(zone.name).serial == 1, "reading is free"


class Metered:
    """A socket that counts what comes in."""

    def __init__(self, inner, received):
        self._inner, self._received = inner, received

    def recv(self, size):
        chunk = self._inner.recv(size)
        self._received.append(len(chunk))
        return chunk

    def __getattr__(self, name):
        return getattr(self._inner, name)


@contextmanager
def scripted(answer):
    """A TCP server that reads one request and sends what `answer(request)` gives: bytes, or None to hang up."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        over = threading.Event()

        def serve():
            while not over.is_set():
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    (size,) = struct.unpack("!H", connection.recv(2))
                    reply = answer(connection.recv(size))
                    if reply is not None:
                        connection.sendall(reply)
                        over.wait(120)  # hanging up would be another answer

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(60)


SILENCE = "half a reply and then silence"


def framed(message):
    return struct.pack("!H", len(message)) + message


def echo_header(request, flags=b"\x84\x00"):
    return request[:2] + flags + b"\0\0" * 4


@pytest.mark.parametrize(
    ("sentence", "answer", "error"),
    [
        ("hangs up without a word", lambda request: None, ServerUnreachable),
        (SILENCE, lambda request: framed(echo_header(request))[:7], ServerUnreachable),
        ("too short to be a message", lambda request: framed(b"\0\1"), MalformedReply),
        (
            "the reply to another question",
            lambda request: framed(b"\xff\xff" + echo_header(request)[2:]),
            MalformedReply,
        ),
        (
            "counts that are not there",
            lambda request: framed(echo_header(request)[:6] + b"\0\5\0\0\0\1"),
            MalformedReply,
        ),
        ("an unsigned reply", lambda request: framed(echo_header(request)), TsigFailed),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("what", ["read", "transfer", "update"])
def test_a_misbehaving_server_is_an_error_that_says_whether_it_is_ambiguous(sentence, answer, error, what):
    apex = parse_zone("example.org")
    key = TsigKey.of("k", "hmac-sha256", "c2VjcmV0")
    soa = ddns.Soa(apex, apex, 5)
    timeout = 0.4 if sentence == SILENCE else 60
    with scripted(answer) as port, DnsServer("127.0.0.1", port, key=key, timeout=timeout) as server:
        update = partial(server.update, changes=[], soa=soa)
        acts: dict[str, Callable[..., object]] = {"read": server.soa, "transfer": server.transfer, "update": update}
        with pytest.raises(error) as failed:
            acts[what](apex)
    assert failed.value.ambiguous is (what == "update")


def test_an_update_that_expects_another_soa_changes_nothing(zone):
    """Compare and set: a foreign UPDATE since the last look must not be hidden under our serial."""
    client, seen = zone.client, zone.content.soa
    zone.update(zone.change("theirs", "A", "192.0.2.66"))
    ours = zone.change("ours", "A", "192.0.2.1")
    with pytest.raises(ddns.PrerequisiteFailed):
        client.update(zone.name, [ours], soa=seen.at(seen.serial + 10), expect=seen)
    with pytest.raises(ddns.PrerequisiteFailed):
        client.update(zone.name, [], soa=seen.at(seen.serial + 10), expect=seen)
    now = zone.content.soa
    assert now.serial == seen.serial + 1
    assert ours.key not in zone.content.rrsets
    assert client.update(zone.name, [ours], soa=now.at(now.serial + 10), expect=now).serial == now.serial + 10


def test_every_message_of_a_large_update_builds_on_the_one_before(zone):
    many = [zone.change(f"h{number}", "A", "192.0.2.1") for number in range(1200)]
    now = zone.content.soa
    done = zone.client.update(zone.name, many, soa=now.at(now.serial + 1), expect=now)
    assert done.messages > 1
    assert not done.rejected
