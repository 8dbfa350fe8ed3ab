"""bindcar with a real named, called by the operator's own client and by hand."""

import asyncio
import http.client
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest

from bindcar.auth import Denied, ReviewApi, ReviewFailed, TokenReview
from bindcar.requests import CreateZoneRequest
from bindcar.rndc import Rndc, RndcDenied, RndcError, RndcKey, RndcUnreachable
from bindcar.zones import Zones
from reconcilers.ddns import (
    Change,
    DirectDialer,
    DnsError,
    NotAuthoritative,
    RRset,
    Soa,
    parse_mailbox,
    parse_name,
    parse_rdata,
    parse_target,
    parse_zone,
)
from reconcilers.fleet.external import probe
from reconcilers.servers.bindcar import (
    BindcarAuthFailed,
    BindcarBadRequest,
    BindcarClient,
    BindcarInternalError,
    BindcarUnreachable,
    CreateZone,
    GatewayError,
    Owner,
    RndcAuthenticationFailed,
    ZoneExists,
    ZoneNotFound,
    ZonePatch,
)
from testbed.named import NameServer, TsigKey
from tests.support.ddns import client_of
from tests.support.engine_stage import spec_of
from zonewright.envtest import ports
from zonewright.testing import eventually

OURS = Owner("cluster-a", "uid-1")
KEY = TsigKey.create("zonewright")


@pytest.fixture(scope="module")
def server(background):
    """A primary with bindcar beside it."""
    with_bindcar = NameServer(background, key=KEY)
    with_bindcar.start()
    yield with_bindcar
    with_bindcar.close()


@pytest.fixture(scope="module")
def copy(background):
    """A secondary with bindcar beside it."""
    with_bindcar = NameServer(background, role="secondary", key=KEY)
    with_bindcar.start()
    yield with_bindcar
    with_bindcar.close()


@pytest.fixture
def bindcar(server):
    client = BindcarClient(server.bindcar_url, server.token, timeout=60)
    yield client
    client.close()


def request(name, **fields):
    zone = parse_zone(name)
    soa = Soa(parse_target("ns1.example.net"), parse_mailbox("admin@example.net"), 100)
    base = CreateZone(
        zone, "primary", OURS, ttl=120, soa=soa, name_servers=("ns1.example.net",), update_key="zonewright"
    )
    return replace(base, **fields)


def files(server, name):
    return sorted(path.name for path in (server.directory / "data").glob(f"{name}*"))


def put(server, zone, rdtype="A", value="192.0.2.1", soa=None):
    rrset = RRset.of(parse_name("www", zone), 300, [parse_rdata(rdtype, value)])
    with client_of(server) as client:
        return client.update(zone, [Change(rrset.key, None, rrset)], soa=soa)


def raw(server, method, path, body=None, token=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.bindcar_port, timeout=60)
    headers = {} if token == "" else {"Authorization": f"Bearer {token or server.token}"}
    connection.request(method, path, body, headers)
    reply = connection.getresponse()
    text = reply.read()
    connection.close()
    return reply.status, json.loads(text) if reply.headers["Content-Type"].startswith(
        "application/json"
    ) else text.decode()


class TestZones:
    """Create, change, delete."""

    def test_a_created_zone_is_served_with_its_soa_ns_and_ttl(self, server, bindcar):
        wanted = request(
            "made.test",
            name_servers=("ns1.made.test", "ns2.example.net"),
            name_server_ips={"ns1.made.test": "192.0.2.7"},
        )
        assert bindcar.create_zone(wanted) is True
        with client_of(server) as client:
            content = client.transfer(wanted.zone)
        assert content.soa == replace(wanted.soa, ttl=120)
        assert sorted(map(str, content.rrsets)) == ["made.test. NS", "ns1.made.test. A"]
        assert {rrset.ttl for rrset in content.rrsets.values()} == {120}

    def test_a_zone_is_created_with_all_its_records_and_they_are_not_remembered(self, server, bindcar):
        apex = parse_zone("full.test")
        records = [
            RRset.of(parse_name(label, apex), 77, [parse_rdata(kind, text) for text in texts])
            for label, kind, *texts in (
                ("@", "NS", "ns.full.test."),
                ("ns", "AAAA", "2001:db8::1"),
                ("@", "MX", "10 mail.example.net.", "20 mail2.example.net."),
                ("note", "TXT", '"it says \\"so\\"" "\\200; twice"'),
                ("*", "CNAME", "elsewhere.example.net."),
                ("_sip._tcp", "SRV", "1 2 5060 sip.example.net."),
                ("child", "NS", "ns.child.full.test."),
            )
        ]
        bindcar.create_zone(request("full.test", name_servers=(), records=tuple(records)))
        with client_of(server) as client:
            assert set(client.transfer(apex).rrsets.values()) == set(records)
        assert not raw(server, "GET", "/api/v1/zones/full.test")[1]["config"]["records"]

    def test_the_owner_is_remembered_and_shown(self, bindcar):
        bindcar.create_zone(request("owned.test"))
        info = bindcar.get_zone(parse_zone("owned.test"))
        assert (info.owner, info.type, info.serial) == (OURS, "primary", 100)
        assert info.config.ttl == 120
        assert "owned.test" in {str(each.zone).rstrip(".") for each in bindcar.list_zones()}

    def test_creating_again_is_no_error_and_changes_nothing(self, server, bindcar):
        wanted = request("twice.test")
        assert bindcar.create_zone(wanted) is True
        put(server, wanted.zone)
        before = files(server, "twice.test")
        assert bindcar.create_zone(wanted) is False
        assert files(server, "twice.test") == before
        with client_of(server) as client:
            assert client.soa(wanted.zone).serial == 101, "what was published since is still there"

    def test_another_owners_zone_is_a_conflict_and_untouched(self, bindcar):
        bindcar.create_zone(request("theirs.test"))
        other = Owner("cluster-b", "uid-1")
        with pytest.raises(ZoneExists, match="belongs to cluster cluster-a"):
            bindcar.create_zone(request("theirs.test", owner=other))
        with pytest.raises(ZoneExists):
            bindcar.delete_zone(parse_zone("theirs.test"), owner=other)
        assert bindcar.get_zone(parse_zone("theirs.test")).owner == OURS

    def test_every_change_says_whose_zone_it_is(self, server, bindcar):
        wanted = request("asked.test")
        bindcar.create_zone(wanted)
        nobody = {name: value for name, value in wanted.body().items() if name != "owner"}
        path, before = "/api/v1/zones/asked.test", server.rndc("showzone", "asked.test")
        for method, where, body in (
            ("POST", "/api/v1/zones", nobody),
            ("PATCH", path, {"alsoNotify": ["192.0.2.9"]}),
            ("PATCH", f"{path}?uid=uid-1", {"alsoNotify": ["192.0.2.9"]}),
            ("PATCH", f"{path}?cluster=&uid=uid-1", {"alsoNotify": ["192.0.2.9"]}),
            ("DELETE", path, None),
            ("DELETE", f"{path}?cluster=cluster-a", None),
        ):
            status, answer = raw(server, method, where, json.dumps(body) if body else None)
            assert (status, answer["reason"]) == (400, "BadRequest"), (method, where)
        stranger = "?cluster=cluster-a&uid=uid-2"
        for method, body in (("PATCH", {"alsoNotify": ["192.0.2.9"]}), ("DELETE", None)):
            status, answer = raw(server, method, path + stranger, json.dumps(body) if body else None)
            assert (status, answer["reason"]) == (409, "ZoneExists")
        assert server.rndc("showzone", "asked.test") == before
        assert bindcar.get_zone(wanted.zone).owner == OURS

    def test_an_owner_gets_the_uid_of_its_cluster_and_the_zone_stays_as_it_is(self, server, bindcar):
        wanted, uid = request("marked.test"), "6f1c2a04-9d3b-4c55-8a51-1f0c7e2b9d10"
        now = Owner(f"cluster-a/{uid}", "uid-1")
        bindcar.create_zone(wanted)
        before = server.rndc("showzone", "marked.test")
        for _ in range(2):
            assert bindcar.rewrite_owner(wanted.zone, OURS, now) is True
        assert bindcar.get_zone(wanted.zone).owner == now
        assert bindcar.get_zone(wanted.zone).serial == 100
        assert server.rndc("showzone", "marked.test") == before
        with pytest.raises(ZoneExists):
            bindcar.delete_zone(wanted.zone, owner=OURS)
        with pytest.raises(ZoneExists):
            bindcar.rewrite_owner(wanted.zone, OURS, Owner(f"cluster-a/{uid.replace('6', '7')}", "uid-1"))
        bindcar.delete_zone(wanted.zone, owner=now)

    def test_an_owner_cannot_become_another_one(self, server, bindcar):
        bindcar.create_zone(request("fixed.test"))
        path, uid = "/api/v1/zones/fixed.test/owner", "6f1c2a04-9d3b-4c55-8a51-1f0c7e2b9d10"
        good, body = "?cluster=cluster-a&uid=uid-1", {"cluster": f"cluster-a/{uid}", "uid": "uid-1"}
        for query, wanted, expected in (
            ("", body, 400),
            (good, {}, 400),
            (good, body | {"uid": "uid-2"}, 400),
            (good, body | {"cluster": f"cluster-b/{uid}"}, 400),
            (good, body | {"cluster": "cluster-b"}, 400),
            (good, body | {"more": 1}, 400),
            ("?cluster=cluster-a&uid=uid-2", body | {"uid": "uid-2"}, 409),
            ("?cluster=cluster-b&uid=uid-1", body | {"cluster": f"cluster-b/{uid}"}, 409),
        ):
            assert raw(server, "PUT", path + query, json.dumps(wanted))[0] == expected, (query, wanted)
        assert raw(server, "PUT", path.replace("fixed", "missing") + good, json.dumps(body))[0] == 404
        assert bindcar.get_zone(parse_zone("fixed.test")).owner == OURS

    def test_a_zone_that_nobody_owns_is_nobodys_to_change(self, server, bindcar):
        """Made through an earlier bindcar, which did not ask whose it is."""
        wanted = request("orphan.test")
        bindcar.create_zone(wanted)
        (marker,) = (server.directory / "data").glob("orphan.test.*.bindcar.json")
        fields = json.loads(marker.read_text())
        marker.write_text(json.dumps(fields | {"request": fields["request"] | {"owner": None}}))
        assert bindcar.get_zone(wanted.zone).owner is None
        for act in (
            lambda: bindcar.create_zone(wanted),
            lambda: bindcar.delete_zone(wanted.zone, owner=OURS),
            lambda: bindcar.patch_zone(wanted.zone, ZonePatch(also_notify=()), owner=OURS),
        ):
            with pytest.raises(ZoneExists, match="nobody in particular"):
                act()

    def test_a_zone_that_bindcar_did_not_make_is_never_touched(self, server, bindcar):
        server.add_zone("foreign.test")
        zone = parse_zone("foreign.test")
        assert bindcar.get_zone(zone).owner is None
        for act in (
            lambda: bindcar.create_zone(request("foreign.test")),
            lambda: bindcar.delete_zone(zone, owner=OURS),
            lambda: bindcar.patch_zone(zone, ZonePatch(also_notify=()), owner=OURS),
        ):
            with pytest.raises(ZoneExists):
                act()
        assert "foreign.test" not in {str(each.zone).rstrip(".") for each in bindcar.list_zones()}

    def test_a_deleted_zone_leaves_nothing_and_can_be_deleted_again(self, server, bindcar):
        wanted = request("gone.test")
        bindcar.create_zone(wanted)
        put(server, wanted.zone)
        bindcar.delete_zone(wanted.zone, owner=OURS)
        eventually(lambda: not files(server, "gone.test"))
        bindcar.delete_zone(wanted.zone, owner=OURS)
        assert bindcar.get_zone(wanted.zone) is None
        with client_of(server) as client, pytest.raises(NotAuthoritative):
            client.soa(wanted.zone)

    def test_delete_and_create_at_once_many_times_never_meets_an_old_journal(self, server, bindcar):
        wanted = request("again.test")
        for serial in range(1000, 1015):
            assert bindcar.create_zone(replace(wanted, soa=wanted.soa.at(serial))) is True
            assert put(server, wanted.zone).serial == serial + 1
            bindcar.delete_zone(wanted.zone, owner=OURS)

    def test_what_an_earlier_life_left_behind_is_no_obstacle(self, server, bindcar):
        wanted = request("left.test")
        bindcar.create_zone(wanted)
        put(server, wanted.zone)
        server.rndc("delzone", "left.test")  # without -clean: file, journal and marker stay
        assert any(name.endswith(".jnl") for name in files(server, "left.test"))
        assert bindcar.get_zone(wanted.zone) is None
        assert bindcar.create_zone(wanted) is True
        assert not any(name.endswith(".jnl") for name in files(server, "left.test"))

    def test_an_addzone_whose_answer_was_lost_is_found_done(self, tmp_path):
        sent = []

        class Forgetful:
            async def call(self, command):
                sent.append(command)
                if command.startswith("zonestatus"):
                    raise RndcError("not found: no matching zone")
                if command.startswith("addzone"):
                    raise RndcError("already exists")
                return next(each for each in sent if each.startswith("addzone"))  # showzone shows what was added

        wanted = CreateZoneRequest.model_validate(request("lost.test").body())
        assert asyncio.run(Zones(Forgetful(), tmp_path).create(wanted)) == (True, "exists")
        assert len(list(tmp_path.iterdir())) == 2, "zone file and marker are kept"

    def test_two_zones_never_share_a_file(self, server, bindcar):
        names = ["a/b.test", "a_b.test", "x" * 60 + "." + "y" * 60 + ".test"]
        for name in names:
            bindcar.create_zone(request(name))
            assert put(server, parse_zone(name), "TXT", "x").rejected == ()
        paths = [raw(server, "GET", f"/api/v1/zones/{name.replace('/', '%2F')}")[1]["filePath"] for name in names]
        assert len(set(paths)) == 3

    def test_a_patch_changes_the_clause_and_not_the_content(self, server, bindcar):
        wanted = request("patched.test")
        bindcar.create_zone(wanted)
        put(server, wanted.zone)
        bindcar.patch_zone(
            wanted.zone,
            ZonePatch(also_notify=("192.0.2.9 port 5353 key zonewright",), allow_transfer=("none",)),
            owner=OURS,
        )
        shown = server.rndc("showzone", "patched.test")
        assert "192.0.2.9 port 5353 key" in shown
        assert 'allow-update { key "zonewright"; }' in shown
        with client_of(server) as client, pytest.raises(Exception, match="REFUSED"):
            client.transfer(wanted.zone)
        assert bindcar.get_zone(wanted.zone).serial == 101

    def test_same_owner_with_other_settings_is_brought_up_to_date(self, server, bindcar):
        bindcar.create_zone(request("moved.test"))
        assert bindcar.create_zone(request("moved.test", allow_update=("zonewright",))) is False
        assert 'allow-update { "zonewright"; }' in server.rndc("showzone", "moved.test")

    def test_a_zone_cannot_become_a_secondary(self, bindcar):
        bindcar.create_zone(request("kind.test"))
        with pytest.raises(ZoneExists, match="another type"):
            bindcar.create_zone(request("kind.test", type="secondary", soa=None, primaries=("192.0.2.1",)))

    def test_modzone_from_secondary_to_primary_does_nothing_so_we_never_send_it(self, copy):
        copy.rndc("addzone", "odd.test", '{ type secondary; file "odd"; primaries { 192.0.2.1; }; };')
        (copy.directory / "data" / "odd2").write_text("$TTL 1\n@ SOA a. b. 1 1 1 1 1\n@ NS a.\n")
        copy.rndc("modzone", "odd.test", '{ type primary; file "odd2"; };')
        with pytest.raises(RuntimeError, match="zone not loaded"):  # still a secondary that waits for its primary
            copy.rndc("zonestatus", "odd.test")

    def test_a_secondary_transfers_with_the_key_and_follows(self, server, copy, bindcar):
        notify = f"127.0.0.1 port {copy.port} key zonewright"
        wanted = request("follow.test", also_notify=(notify,))
        bindcar.create_zone(wanted)
        second = BindcarClient(copy.bindcar_url, copy.token, timeout=60)
        second.create_zone(
            request("follow.test", type="secondary", soa=None, primaries=(f"127.0.0.1 port {server.port}",))
        )
        with client_of(copy) as client:
            eventually(lambda: client.soa(wanted.zone).serial == 100, ignoring=DnsError)
            put(server, wanted.zone, soa=wanted.soa.at(500))
            eventually(lambda: client.soa(wanted.zone).serial == 500)
        assert [each.type for each in second.list_zones()] == ["secondary"]
        second.retransfer(wanted.zone)
        bindcar.notify(wanted.zone)
        second.delete_zone(wanted.zone, owner=OURS)
        eventually(lambda: not files(copy, "follow.test"))
        second.close()

    def test_a_secondary_that_waits_for_its_primary_is_there_without_a_serial(self, copy):
        second = BindcarClient(copy.bindcar_url, copy.token, timeout=60)
        wanted = request("waiting.test", type="secondary", soa=None, primaries=("127.0.0.1 port 1",))
        assert second.create_zone(wanted) is True
        assert second.create_zone(wanted) is False
        [info] = [each for each in second.list_zones() if each.zone == wanted.zone]
        assert (info.type, info.serial, info.owner) == ("secondary", None, OURS)
        second.patch_zone(wanted.zone, ZonePatch(primaries=("127.0.0.1 port 2",)), owner=OURS)
        second.delete_zone(wanted.zone, owner=OURS)
        assert second.get_zone(wanted.zone) is None
        second.close()

    @pytest.mark.parametrize(
        ("fields", "complaint"),
        [
            ({"name_servers": ("ns.bad.test",)}, "nameServerIps"),
            ({"also_notify": ("nowhere",)}, "no IP address"),
            ({"allow_transfer": ("any; }; zone",)}, "neither"),
            ({"dnssec_policy": "no such { policy"}, "letters"),
        ],
    )
    def test_a_bad_request_says_why_and_leaves_nothing(self, server, bindcar, fields, complaint):
        with pytest.raises(BindcarBadRequest, match=complaint) as refused:
            bindcar.create_zone(request("bad.test", **fields))
        assert refused.value.reason == "BindcarBadRequest"
        assert files(server, "bad.test") == []

    def test_what_named_refuses_comes_back_with_its_words_and_leaves_nothing(self, server, bindcar):
        with pytest.raises(BindcarInternalError, match="500") as refused:
            bindcar.create_zone(request("policy.test", dnssec_policy="unheard-of"))
        assert refused.value.reason == "BindcarInternalError"
        assert files(server, "policy.test") == []

    def test_many_at_once(self, server):
        def life(number):
            client = BindcarClient(server.bindcar_url, server.token, timeout=60)
            wanted = request(f"many{number}.test")
            created = client.create_zone(wanted)
            client.delete_zone(wanted.zone, owner=OURS)
            client.close()
            return created

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(life, range(40)))

    def test_one_zone_created_by_many_at_once_is_created_once(self, server):
        def create(_):
            client = BindcarClient(server.bindcar_url, server.token, timeout=60)
            created = client.create_zone(request("race.test"))
            client.close()
            return created

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(create, range(8))) == 1


class TestCommands:
    """The other routes."""

    def test_freeze_thaw_status_and_server_status(self, server, bindcar):
        wanted = request("frozen.test")
        bindcar.create_zone(wanted)
        bindcar.freeze(wanted.zone)
        assert "frozen: yes" in bindcar.zone_status(wanted.zone)
        bindcar.thaw(wanted.zone)
        assert "frozen: no" in bindcar.zone_status(wanted.zone)
        status = bindcar.server_status()
        assert "server is up" in status.details
        assert len(status.server_id) == 32
        bindcar.reconfig()

    def test_what_makes_no_sense_for_a_zone_is_a_bad_request(self, bindcar):
        bindcar.create_zone(request("sense.test"))
        zone = parse_zone("sense.test")
        with pytest.raises(BindcarBadRequest, match="inappropriate zone type"):
            bindcar.retransfer(zone)
        with pytest.raises(BindcarBadRequest, match="freeze"):
            bindcar.reload(zone)

    @pytest.mark.parametrize("act", ["notify", "retransfer", "reload", "freeze", "thaw", "zone_status"])
    def test_a_missing_zone_is_404_not_500(self, bindcar, act):
        with pytest.raises(ZoneNotFound) as missing:
            getattr(bindcar, act)(parse_zone("missing.test"))
        assert missing.value.status == 404
        assert missing.value.reason == "ZoneNotFound"

    @pytest.mark.parametrize(
        ("method", "path", "body", "status"),
        [
            ("POST", "/api/v1/zones", b"{", 400),
            ("POST", "/api/v1/zones", b"[]", 400),
            ("POST", "/api/v1/zones", b"[" * 100_000, 400),
            ("POST", "/api/v1/zones", b'{"zoneConfig":' * 100_000, 400),
            ("PATCH", "/api/v1/zones/x.test?cluster=a&uid=b", b'{"alsoNotify":' + b"[" * 100_000, 400),
            ("PATCH", "/api/v1/zones/x.test?cluster=a&uid=b", b'{"alsoNotify":[{}]}', 400),
            ("PATCH", "/api/v1/zones/x.test", b'{"surprise": 1}', 400),
            ("GET", "/api/v1/zones/a%20b", None, 400),
            ("GET", "/api/v1/zones/..%2F..%2Fetc%2Fpasswd", None, 400),
            ("DELETE", "/api/v1/zones/x.test%3B%20stop", None, 400),
            ("POST", "/api/v1/zones/x.test/explode", None, 404),
            ("GET", "/api/v1/nowhere", None, 404),
            ("PUT", "/api/v1/zones", b"{}", 405),
        ],
    )
    def test_every_refusal_has_a_body_that_says_why(self, server, method, path, body, status):
        found, answer = raw(server, method, path, body)
        assert found == status
        assert answer["success"] is False
        assert answer["message"]

    def test_health_ready_and_metrics_need_no_token_and_nothing_else_is_open(self, server):
        for path in ("/health", "/ready", "/api/v1/health", "/api/v1/ready"):
            assert raw(server, "GET", path, token="")[0] == 200
        status, text = raw(server, "GET", "/metrics", token="")
        assert status == 200
        assert 'bindcar_rndc_commands_total{command="status",result="success"}' in text
        assert 'route="/api/v1/zones/{name}"' in text or "bindcar_http_requests_total" in text
        for method, path in [
            ("GET", "/api/v1/zones"),
            ("POST", "/api/v1/zones"),
            ("GET", "/api/v1/server/status"),
            ("DELETE", "/api/v1/zones/x.test"),
            ("PUT", "/api/v1/zones/x.test/owner"),
        ]:
            assert raw(server, method, path, token="")[0] == 401
            assert raw(server, method, path, token="wrong")[0] == 401

    def test_a_wrong_token_and_no_server(self, server):
        with (
            closing(BindcarClient(server.bindcar_url, "wrong")) as stranger,
            pytest.raises(BindcarAuthFailed) as denied,
        ):
            stranger.list_zones()
        assert denied.value.reason == "BindcarAuthFailed"
        with pytest.raises(BindcarUnreachable) as lost:
            BindcarClient("http://127.0.0.1:1", "x").create_zone(request("x.test"))
        assert not lost.value.ambiguous, "nothing was sent"
        assert not BindcarClient("http://127.0.0.1:1", "x").health()

    def test_addresses_that_cannot_be_bindcars(self):
        for url in ("ftp://host", "host:8080", "http://"):
            with pytest.raises(ValueError, match="http://"):
                BindcarClient(url, "x")


class TestTrouble:
    """named down, restarted, or with another key."""

    def test_named_down_is_a_gateway_error_and_unhealthy_and_it_recovers(self, background):
        server = NameServer(background)
        server.start()
        try:
            assert server.bindcar_url
            assert server.named
            client = BindcarClient(server.bindcar_url, server.token, timeout=60)
            assert client.health()
            server.named.kill()
            with pytest.raises(GatewayError, match="503") as down:
                client.get_zone(parse_zone("x.test"))
            assert down.value.reason == "GatewayError"
            assert not client.health()
            server.restart(empty=True)
            eventually(client.health)
            assert client.get_zone(parse_zone("x.test")) is None
            client.close()
        finally:
            server.close()

    def test_a_key_that_named_does_not_know_is_told_by_name(self, background, tmp_path):
        server = NameServer(background, bindcar=False)
        server.start()
        port = ports.reserve()
        wrong = TsigKey.create("rndc").write(tmp_path / "wrong.key")
        (tmp_path / "token").write_text("t")
        arguments = [
            "--listen",
            f"127.0.0.1:{port}",
            "--rndc",
            f"127.0.0.1:{server.control_port}",
            "--rndc-key",
            str(wrong),
        ]
        command = [
            sys.executable,
            "-m",
            "bindcar",
            *arguments,
            "--zones-dir",
            str(tmp_path),
            "--token-file",
            str(tmp_path / "token"),
        ]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            client = BindcarClient(f"http://127.0.0.1:{port}", "t", timeout=60)
            eventually(lambda: _status(port) == 502, ignoring=OSError)
            with pytest.raises(RndcAuthenticationFailed) as denied:
                client.server_status()
            assert denied.value.reason == "RNDCAuthenticationFailed"
            client.close()
        finally:
            process.terminate()
            assert process.wait(120) == 0, "a signal is a normal end"
            server.close()
            ports.release(port)


class TestTokenReview:
    """Tokens judged by a real Kubernetes API."""

    def test_the_api_knows_whose_token_it_is(self, cluster, tmp_path):
        if cluster.backend == "embedded":
            pytest.skip("the embedded API reviews no tokens")
        (tmp_path / "token").write_text(cluster.token)
        api = ReviewApi(cluster.server_url, cluster.ca, tmp_path / "token")
        with pytest.raises(Denied, match="is not among those allowed") as stranger:
            asyncio.run(TokenReview(api, frozenset({"somebody else"})).check(cluster.token))
        user = str(stranger.value).split()[1]
        asyncio.run(TokenReview(api, frozenset({user})).check(cluster.token))
        with pytest.raises(Denied, match="does not know"):
            asyncio.run(TokenReview(api, frozenset({user})).check("no-such-token"))

    def test_an_api_that_is_away_lets_nobody_in(self, tmp_path):
        (tmp_path / "token").write_text("t")
        api = ReviewApi("https://127.0.0.1:1", None, tmp_path / "token")
        with pytest.raises(ReviewFailed):
            asyncio.run(TokenReview(api, frozenset({"x"})).check("t"))


class TestCommandLine:
    """What is refused before anything listens."""

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["--listen", "0.0.0.0:8080"], "refusing to serve 0.0.0.0:8080 without authentication"),
            (["--listen", "0.0.0.0:8080", "--insecure-no-auth"], "loopback only"),
            (["--token-file", "/nonexistent"], "No such file"),
            (["--insecure-no-auth", "--listen", "127.0.0.1:1", "--rndc-key", "/nonexistent"], "--rndc-key"),
        ],
    )
    def test_one_clear_line_and_a_code(self, arguments, complaint):
        done = subprocess.run(
            [sys.executable, "-m", "bindcar", *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        [line] = done.stderr.splitlines()
        assert complaint in line


class TestControlChannel:
    """The control protocol itself."""

    def talk(self, server, act):
        async def run():
            key = RndcKey.load(server.directory / "rndc.key")
            rndc = Rndc("127.0.0.1", server.control_port, lambda: key, timeout=60)
            try:
                return await act(rndc)
            finally:
                await rndc.close()

        return asyncio.run(run())

    def test_one_connection_serves_many_commands(self, server, monkeypatch):
        opened = []
        connect = asyncio.open_connection

        def counting(*address):
            opened.append(address)
            return connect(*address)

        async def status(rndc):
            return [await rndc.call("status") for _ in range(50)]

        monkeypatch.setattr(asyncio, "open_connection", counting)
        assert len(self.talk(server, status)) == 50
        assert len(opened) == 1

    def test_errors_are_named_in_nameds_words(self, server):
        async def wrong(rndc):
            with pytest.raises(RndcError, match="not found"):
                await rndc.call("zonestatus nowhere.test")
            with pytest.raises(RndcError, match="unknown command"):
                await rndc.call("explode")

        self.talk(server, wrong)

    def test_two_clients_in_the_same_second_are_no_replay(self, server):
        async def status(rndc):
            return await rndc.call("status")

        for _ in range(5):
            assert "server is up and running" in self.talk(server, status)

    def test_nobody_there_and_a_wrong_key(self, server):
        async def run():
            key = RndcKey("sha256", b"wrong")
            with pytest.raises(RndcUnreachable, match="refused"):
                await Rndc("127.0.0.1", 1, lambda: key).call("status")
            with pytest.raises(RndcDenied):
                await Rndc("127.0.0.1", server.control_port, lambda: key).call("status")

        asyncio.run(run())


def _status(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/health")
    status = connection.getresponse().status
    connection.close()
    return status


def test_the_server_id_survives_restarts_and_tells_two_servers_apart(server, background):
    def ids(of):
        with closing(BindcarClient(of.bindcar_url, of.token, timeout=60)) as client:
            return client.server_status().server_id

    other = NameServer(background, key=KEY)
    other.start()
    try:
        first = ids(other)
        assert first not in {"", ids(server)}
        health = probe(spec_of(other), DirectDialer())
        assert (health.ready, health.server_id) == (True, first)
        assert health.incarnation.endswith(first), "another directory behind the address is another server"
        other.restart()
        assert ids(other) == first
    finally:
        other.close()
