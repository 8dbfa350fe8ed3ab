"""Whatever the other side of bindcar's address sends: an answer that is understood, or a BindcarError; no secret."""

import json
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reconcilers.ddns import parse_zone
from reconcilers.servers.answers import ANSWER_BYTES
from reconcilers.servers.bindcar import (
    BindcarAuthFailed,
    BindcarBadRequest,
    BindcarClient,
    BindcarError,
    BindcarUnreachable,
    CreateZone,
    Owner,
    RndcAuthenticationFailed,
    ZoneExists,
    ZoneInfo,
    ZoneNotFound,
    ZonePatch,
)
from tests.support.scripted_server import ScriptedServer, reply

TOKEN = "token-that-nobody-sees"
ZONE = parse_zone("example.org")
OURS = Owner("cluster", "uid")
GOOD: dict[str, Any] = {
    "name": "example.org",
    "zoneType": "primary",
    "serial": 7,
    "filePath": "/var/cache/bind/x",
    "owner": {"cluster": "cluster", "uid": "uid"},
    "config": {"ttl": 60, "alsoNotify": ["192.0.2.1"], "records": [], "soa": {"primaryNs": "ns1"}},
}
Call = Callable[[BindcarClient], Any]
CALLS: dict[str, Call] = {
    "get": lambda client: client.get_zone(ZONE),
    "list": lambda client: client.list_zones(),
    "create": lambda client: client.create_zone(CreateZone(ZONE, "secondary", OURS, primaries=("192.0.2.1",))),
    "patch": lambda client: client.patch_zone(ZONE, ZonePatch(also_notify=()), owner=OURS),
    "delete": lambda client: client.delete_zone(ZONE, owner=OURS),
    "rewrite": lambda client: client.rewrite_owner(ZONE, OURS, Owner("cluster/6f1c", "uid")),
    "notify": lambda client: client.notify(ZONE),
    "status": lambda client: client.server_status(),
    "health": lambda client: client.health(),
}


def answered(script: bytes, call: Call = CALLS["get"], **options: Any) -> Any:
    server = ScriptedServer(script, **options)
    client = BindcarClient("http://192.0.2.1:8080", TOKEN, dial=server, timeout=0.2)
    with closing(server), closing(client):
        return call(client)


def told(script: bytes, call: Call = CALLS["get"], **options: Any) -> BindcarError:
    with pytest.raises(BindcarError) as caught:
        answered(script, call, **options)
    return caught.value


def zone(**fields: Any) -> bytes:
    return reply(json.dumps({**GOOD, **fields}).encode())


def config(**fields: Any) -> bytes:
    return zone(config={**GOOD["config"], **fields})


# --- what is understood


def test_a_zone():
    info = answered(zone())
    assert (info.zone, info.type, info.owner, info.serial) == (ZONE, "primary", OURS, 7)
    assert (info.config.also_notify, info.config.ttl) == (("192.0.2.1",), 60)


def test_fields_that_are_not_known_are_passed_over():
    assert answered(zone(future={"a": [1, 2, {"b": None}]})) == answered(zone())


def test_the_least_that_can_be_said_of_a_zone():
    info = answered(reply(b'{"name": "example.org."}'))
    assert (info.owner, info.serial, info.config.also_notify) == (None, None, None)


@pytest.mark.parametrize("status", [200, 201, 204])
def test_a_change_is_done_when_bindcar_says_so(status: int):
    done = reply(b'{"success": true, "message": "zone example.org deleted", "details": ""}', status)
    if status != 204:  # which has no body, so nobody says anything
        assert answered(done, CALLS["create"]) is (status == 201)
    else:
        assert isinstance(told(done, CALLS["create"]), BindcarUnreachable)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, {"reason": "BadRequest"}, BindcarBadRequest),
        (401, {"reason": "Unauthorized"}, BindcarAuthFailed),
        (404, {"reason": "ZoneNotFound"}, ZoneNotFound),
        (409, {"reason": "ZoneExists"}, ZoneExists),
        (502, {"reason": "RNDCAuthenticationFailed"}, RndcAuthenticationFailed),
        (302, {}, BindcarUnreachable),
        (418, {}, BindcarUnreachable),
        (700, {}, BindcarUnreachable),
    ],
)
def test_a_refusal_has_a_class_of_its_own_and_says_why(status: int, body: dict[str, str], kind: type[BindcarError]):
    error = told(reply(json.dumps({"success": False, "message": "because", **body}).encode(), status), CALLS["patch"])
    assert type(error) is kind
    assert error.status == status
    assert str(error) == f"PATCH /zones/example.org at bindcar 192.0.2.1:8080: {status}: because"


def test_another_protocol_is_no_success():
    assert told(reply(b'{"success": true}', 101), CALLS["patch"]).status == 101


@pytest.mark.parametrize("reason", ["ZoneNotFound", "InvalidZoneName", "BadRequest"])
def test_a_zone_that_bindcar_cannot_have_is_not_there(reason: str):
    body = json.dumps({"success": False, "message": "no", "reason": reason}).encode()
    assert answered(reply(body, 404 if reason == "ZoneNotFound" else 400)) is None


@pytest.mark.parametrize("status", [400, 404])
@pytest.mark.parametrize("body", [b"", b"<h1>nginx</h1>", b"{}", b'{"message": "no"}', b'{"reason": 1}'])
def test_whether_a_zone_is_there_only_bindcar_can_tell(status: int, body: bytes):
    told(reply(body, status))


def test_a_deletion_is_over_when_there_can_be_no_such_zone_and_only_then():
    body = b'{"success": false, "message": "no", "reason": "%s"}'
    answered(reply(body % b"InvalidZoneName", 400), CALLS["delete"])
    told(reply(body % b"BadRequest", 400), CALLS["delete"])


# --- what is not

NONSENSE: dict[str, bytes] = {
    "a list of objects": config(alsoNotify=[{}]),
    "an object for a list": config(alsoNotify={"a": 1}),
    "a text for a list": config(alsoNotify="192.0.2.1"),
    "a long text": config(alsoNotify=["x" * 600]),
    "a long list": config(alsoNotify=["x"] * 2000),
    "a list for a text": config(dnssecPolicy=["x"]),
    "a list for an object": zone(config=[]),
    "no owner's name": zone(owner={"cluster": "cluster"}),
    "an owner's name that is none": zone(owner={"cluster": "cluster", "uid": 5}),
    "another zone": zone(name="example.com"),
    "no name": reply(b"{}"),
    "a name that is none": zone(name="a..b"),
    "a serial with a sign": zone(serial=-1),
    "a serial of 33 bits": zone(serial=2**32),
    "a serial that is true": zone(serial=True),
    "a number without end": reply(b'{"name": "example.org", "serial": 1' + b"0" * 5000 + b"}"),
    "half a surrogate": reply(b'{"name": "\\ud800"}'),
    "no UTF-8": reply(b'{"name": "\xff"}'),
    "no JSON": reply(b"<html>"),
    "no object": reply(b"[]"),
    "nothing": reply(b""),
    "depth": reply(b"[" * 50_000),
    "depth where nobody looks": reply(b'{"future":' + b"[" * 50_000),
    "depth in a config": reply(b'{"name":"example.org","config":' + b'{"a":' * 20_000),
    "less than promised": b"HTTP/1.1 200 X\r\nContent-Length: 999999\r\n\r\n{}",
    "less than an impossible promise": b"HTTP/1.1 200 X\r\nContent-Length: %s\r\n\r\n{}" % (b"9" * 30),
    "a chunk without end": b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}",
    "a chunk of no size": b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "a chunk of less than nothing": b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
    "chunks that stop": b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "many headers": b"HTTP/1.1 200 X\r\n" + b"A: b\r\n" * 200 + b"\r\n",
    "a long header": b"HTTP/1.1 200 X\r\nA: " + b"b" * 70_000,
    "no HTTP": b"220 mail.example.org ESMTP\r\n",
    "no status": b"HTTP/1.1 abc X\r\n\r\n",
    "no answer": b"",
    "half a head": b"HTTP/1.1 200 X\r\nContent-Le",
}


@pytest.mark.parametrize("case", NONSENSE)
def test_nonsense_is_told_as_such_and_not_repeated(case: str):
    error = told(NONSENSE[case])
    assert type(error) is BindcarUnreachable
    assert not error.ambiguous, "it was only a question"
    assert str(error).startswith("GET /zones/example.org at bindcar 192.0.2.1:8080: ")
    assert len(str(error)) < 250


@pytest.mark.parametrize("body", [b"", b"OK", b"{}", b"[]", b'{"success": false}', b'{"success": "yes"}'])
@pytest.mark.parametrize("call", ["create", "patch", "delete", "notify"])
def test_a_change_that_something_else_said_yes_to_may_or_may_not_have_been_made(call: str, body: bytes):
    error = told(reply(body), CALLS[call])
    assert type(error) is BindcarUnreachable
    assert error.ambiguous


def test_a_body_has_an_end():
    error = told(reply(b" " * 150_000), hang_up=False)
    assert "it is not JSON" in str(error)
    endless = b"HTTP/1.1 200 X\r\nContent-Length: %d\r\n\r\n" % (ANSWER_BYTES * 2)
    assert "no complete answer within 0.2 s" in str(told(endless, hang_up=False))


def test_what_is_not_bindcars_is_not_repeated():
    """The address may lead to anything that the operator can reach."""
    error = told(reply(b"credentials: hunter2", 500))
    assert "hunter2" not in str(error)
    assert str(error).endswith("500: without a reason")


def test_a_long_message_is_cut_and_has_one_line():
    message = json.dumps({"message": "named said:\r\n\x1b[31m" + "no " * 10_000}).encode()
    text = str(told(reply(message, 500)))
    assert len(text) < 400
    assert text.isprintable()


@pytest.mark.parametrize("status", [400, 401, 500, 302])
def test_a_token_that_is_sent_back_is_not_printed(status: int):
    error = told(reply(json.dumps({"message": f"Bearer {TOKEN} is wrong"}).encode(), status))
    assert TOKEN not in str(error)
    assert TOKEN not in repr(error)


# --- what is sent


def test_the_owner_goes_with_every_change():
    done = reply(b'{"success": true}')
    for call in ("create", "patch", "delete"):
        server = ScriptedServer(done)
        client = BindcarClient("http://192.0.2.1:8080", TOKEN, dial=server, timeout=5)
        with closing(server), closing(client):
            CALLS[call](client)
            sent = server.received()
            assert b"?cluster=cluster&uid=uid " in sent or b'"owner": {"cluster": "cluster", "uid": "uid"}' in sent


def test_a_redirect_is_not_followed():
    head = b"Location: http://203.0.113.66:8080/api/v1/zones/example.org\r\n"
    for status in (301, 302, 303, 307, 308):
        server = ScriptedServer(reply(b"{}", status, head))
        client = BindcarClient("http://192.0.2.1:8080", TOKEN, dial=server, timeout=5)
        with closing(server), closing(client), pytest.raises(BindcarUnreachable, match=str(status)):
            client.get_zone(ZONE)
        assert server.dialled == [("192.0.2.1", 8080)]


def test_no_proxy_of_the_environment_gets_the_token(monkeypatch: pytest.MonkeyPatch):
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://203.0.113.66:3128")
    server = ScriptedServer(zone())
    client = BindcarClient("http://192.0.2.1:8080", TOKEN, dial=server, timeout=5)
    with closing(server), closing(client):
        client.get_zone(ZONE)
        assert server.dialled == [("192.0.2.1", 8080)]
        assert server.received().startswith(b"GET /api/v1/zones/example.org HTTP/1.1\r\n")


@pytest.mark.parametrize("token", ["", "a b", "a\nb: c", "a\r\n", "ü", "x" * 10_000, "\x00"])
def test_a_token_that_cannot_be_sent_is_refused_without_being_printed(token: str):
    with pytest.raises(ValueError, match="bearer token") as caught:
        BindcarClient("http://192.0.2.1:8080", token)
    assert str(caught.value) == "the bearer token is not one line of printable ASCII"


# --- anything at all

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
CONFIG = st.fixed_dictionaries({}, optional=dict.fromkeys(("alsoNotify", "allowTransfer", "primaries", "ttl"), JSON))
ZONES = st.fixed_dictionaries(
    {"name": st.just("example.org") | JSON},
    optional={"owner": JSON, "serial": JSON, "zoneType": JSON, "config": CONFIG | JSON, "success": JSON},
)
ANSWERS = ZONES | st.fixed_dictionaries({"items": st.lists(ZONES, max_size=3) | JSON}) | JSON
REFUSALS = st.fixed_dictionaries({}, optional=dict.fromkeys(("success", "message", "reason", "error"), JSON))
BODIES = (ANSWERS | REFUSALS).map(lambda value: json.dumps(value).encode()) | st.binary(max_size=60)
STATUSES = st.sampled_from([200, 201, 204, 304, 400, 404, 500, 503]) | st.integers(min_value=0, max_value=99999)
HEADS = st.sampled_from([b"", b"Connection: close\r\n", b"Transfer-Encoding: chunked\r\n", b"Content-Length: -5\r\n"])
REPLIES = st.builds(reply, BODIES, STATUSES, HEADS | st.binary(max_size=30))


@given(REPLIES | st.binary(max_size=200), st.sampled_from(sorted(CALLS)))
@example(config(alsoNotify=[{}]), "get")
@settings(derandomize=True, max_examples=500)
def test_nothing_but_bindcar_errors_comes_out(script: bytes, call: str):
    try:
        found = answered(script, CALLS[call])
    except BindcarError as error:
        text = str(error)
    else:
        text = ""
        if isinstance(found, ZoneInfo):  # the engine puts it into sets
            hash((found.zone, found.type, found.owner, found.serial, found.config))
    assert len(text) < 600
    assert not text or text.isprintable()


def test_a_bindcar_of_0_1_says_that_it_cannot_rewrite_owners_and_that_is_no_failure():
    refused = reply(b'{"success": false, "message": "405: Method Not Allowed", "reason": "Method Not Allowed"}', 405)
    assert answered(refused, CALLS["rewrite"]) is False
    assert answered(reply(b'{"success": true}'), CALLS["rewrite"]) is True


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({}, ""),
        ({"serverId": ""}, ""),
        ({"serverId": "0123456789abcdef0123456789abcdef"}, "0123456789abcdef0123456789abcdef"),
    ],
)
def test_a_server_has_an_id_if_its_bindcar_has_one(body: dict[str, Any], found: str):
    script = reply(json.dumps({"success": True, "details": "up", **body}).encode())
    assert answered(script, CALLS["status"]).server_id == found


@pytest.mark.parametrize("wrong", [7, None, [], "a" * 65, "ABC", "a b", "abc\n", "\u0661"])
def test_an_id_that_no_bindcar_makes_is_an_answer_that_no_bindcar_gives(wrong: Any):
    script = reply(json.dumps({"success": True, "details": "up", "serverId": wrong}).encode())
    with pytest.raises(BindcarUnreachable, match="not one of bindcar's"):
        answered(script, CALLS["status"])
