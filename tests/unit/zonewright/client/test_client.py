"""The typed API: what is sent, what comes back, and which error a refusal becomes."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.widgets import Widget
from zonewright.api import errors
from zonewright.api.errors import FencedOff
from zonewright.api.kind import Kind
from zonewright.client import deadline
from zonewright.client.client import Client, Patch, error_of
from zonewright.client.config import Config
from zonewright.client.http1 import Reply

WIDGET: Kind[Any] = Kind("bench.example.org", "v1", "Widget", "widgets")
PATH = "/apis/bench.example.org/v1/namespaces/n/widgets"


def widget(name="a", version="7", size=1):
    return {
        "apiVersion": "bench.example.org/v1",
        "kind": "Widget",
        "metadata": {"name": name, "namespace": "n", "resourceVersion": version},
        "spec": {"size": size},
    }


class FakeTransport:
    """Answers from a list, and remembers the calls."""

    host = "api.example.org"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.calls = []

    def request(self, call):
        if call.check is not None:
            call.check()
        self.calls.append(call)
        status, body = self.answers.pop(0)
        reply = Reply(status, b"HTTP/1.1 ")
        reply.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        return reply

    def close(self):
        self.calls.append("closed")

    def sent(self):
        """Method, path, query and body of the one call."""
        (call,) = self.calls
        url = urlsplit(call.target)
        return call.method, url.path, parse_qs(url.query), json.loads(call.body) if call.body else None


def client(*answers, **options):
    transport: Any = FakeTransport(*answers)
    return Client(transport, **options), transport


def test_get_is_the_object():
    api, transport = client((200, widget()))
    assert api.get(WIDGET, "a", "n") == widget()
    assert transport.sent() == ("GET", f"{PATH}/a", {}, None)


def test_get_builds_the_model_of_a_kind_that_has_one(widget_kind):
    api, _ = client((200, widget(size=5)), (200, widget(size=5)))
    assert api.get(widget_kind, "a", "n").spec.size == 5
    assert api.get_fields(widget_kind, "a", "n") == widget(size=5)


def test_list_reads_every_page():
    api, transport = client(
        (200, {"metadata": {"resourceVersion": "9", "continue": "t"}, "items": [widget("a")]}),
        (200, {"metadata": {"resourceVersion": "9"}, "items": [widget("b")]}),
    )
    assert [found["metadata"]["name"] for found in api.list(WIDGET, "n", label_selector="x=y")] == ["a", "b"]
    queries = [parse_qs(urlsplit(call.target).query) for call in transport.calls]
    assert queries == [
        {"limit": ["500"], "labelSelector": ["x=y"]},
        {"limit": ["500"], "labelSelector": ["x=y"], "continue": ["t"]},
    ]


def test_create_posts_to_the_collection_and_need_not_repeat_the_kind():
    api, transport = client((201, widget()))
    assert api.create(WIDGET, {"metadata": {"name": "a", "namespace": "n"}}) == widget()
    method, path, query, body = transport.sent()
    assert (method, path, query) == ("POST", PATH, {"fieldManager": ["zonewright"]})
    assert body == {
        "apiVersion": "bench.example.org/v1",
        "kind": "Widget",
        "metadata": {"name": "a", "namespace": "n"},
    }


def test_a_model_is_sent_as_it_says(widget_kind):
    api, transport = client((200, widget(size=2)))
    updated = api.update(widget_kind, Widget.model_validate(widget(size=2)))
    assert updated.spec.size == 2
    assert transport.sent() == ("PUT", f"{PATH}/a", {"fieldManager": ["zonewright"]}, widget(size=2))


def test_update_status_goes_to_the_subresource():
    api, transport = client((200, widget()))
    api.update_status(WIDGET, widget())
    assert transport.sent()[:2] == ("PUT", f"{PATH}/a/status")


@pytest.mark.parametrize(
    ("options", "content_type", "path", "query"),
    [
        ({}, "application/merge-patch+json", f"{PATH}/a", {"fieldManager": ["zonewright"]}),
        ({"type": Patch.JSON}, "application/json-patch+json", f"{PATH}/a", {"fieldManager": ["zonewright"]}),
        (
            {"type": Patch.APPLY, "field_manager": "me", "force": True},
            "application/apply-patch+yaml",
            f"{PATH}/a",
            {"fieldManager": ["me"], "force": ["true"]},
        ),
        (
            {"subresource": "status"},
            "application/merge-patch+json",
            f"{PATH}/a/status",
            {"fieldManager": ["zonewright"]},
        ),
    ],
)
def test_patches(options, content_type, path, query):
    api, transport = client((200, widget(version="8")))
    patched = api.patch(WIDGET, "a", {"spec": {}}, namespace="n", **options)
    assert patched.version == 8
    assert transport.calls[0].content_type == content_type
    assert transport.sent() == ("PATCH", path, query, {"spec": {}})


def test_a_patch_that_is_encoded_already_is_sent_as_it_is():
    api, transport = client((200, widget()))
    api.patch(WIDGET, "a", b'{"spec":{}}', namespace="n")
    assert transport.calls[0].body == b'{"spec":{}}'


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({}, None),
        ({"uid": "u"}, {"preconditions": {"uid": "u"}}),
        (
            {"resource_version": "7", "propagation": "Foreground"},
            {"preconditions": {"resourceVersion": "7"}, "propagationPolicy": "Foreground"},
        ),
        ({"grace_period": 0}, {"gracePeriodSeconds": 0}),
    ],
)
def test_deletes(options, body):
    api, transport = client((200, {"kind": "Status"}))
    api.delete(WIDGET, "a", "n", **options)
    wanted = {"apiVersion": "v1", "kind": "DeleteOptions", **body} if body else None
    assert transport.sent() == ("DELETE", f"{PATH}/a", {}, wanted)


@pytest.mark.parametrize(
    ("write", "told"),
    [
        pytest.param(lambda api: api.create(WIDGET, widget()), True, id="create"),
        pytest.param(lambda api: api.update(WIDGET, widget()), True, id="update"),
        pytest.param(lambda api: api.update_status(WIDGET, widget()), True, id="update status"),
        pytest.param(lambda api: api.patch(WIDGET, "a", {}, namespace="n"), True, id="patch"),
        pytest.param(
            lambda api: api.patch(WIDGET, "a", {}, namespace="n", subresource="status"), True, id="patch status"
        ),
        pytest.param(
            lambda api: api.patch(WIDGET, "a", {}, namespace="n", subresource="scale"),
            False,
            id="scale replies with a Scale",
        ),
        pytest.param(lambda api: api.get(WIDGET, "a", "n"), False, id="a read is not a write"),
    ],
)
def test_caches_are_told_of_writes(write, told):
    seen: list[Any] = []
    api, _ = client((200, widget(version="12")), on_write=seen.append)
    write(api)
    assert [object_.version for object_ in seen] == ([12] if told else [])


def test_a_refused_write_is_not_told():
    seen: list[Any] = []
    api, _ = client((409, {"reason": "Conflict"}), on_write=seen.append)
    with pytest.raises(errors.Conflict):
        api.update(WIDGET, widget())
    assert seen == []


def test_writes_are_fenced_and_reads_are_not():
    def closed():
        raise FencedOff("not the leader")

    api, transport = client((200, widget()), fence=closed)
    for write in (
        lambda: api.create(WIDGET, widget()),
        lambda: api.update(WIDGET, widget()),
        lambda: api.patch(WIDGET, "a", {}, namespace="n"),
        lambda: api.delete(WIDGET, "a", "n"),
    ):
        with pytest.raises(FencedOff):
            write()
    assert transport.calls == []
    assert api.get(WIDGET, "a", "n")


def test_a_request_may_take_no_longer_than_the_reconcile_that_sends_it():
    api, transport = client((200, widget()), (200, widget()))
    api.get(WIDGET, "a", "n", timeout=7)
    with deadline.within(2):
        api.get(WIDGET, "a", "n", timeout=7)
    assert transport.calls[0].timeout == 7
    assert transport.calls[1].timeout <= 2


@pytest.mark.parametrize(
    ("status", "reason", "type_"),
    [
        (400, "BadRequest", errors.ApiError),
        (401, "Unauthorized", errors.Unauthorized),
        (403, "Forbidden", errors.Forbidden),
        (404, "NotFound", errors.NotFound),
        (409, "AlreadyExists", errors.AlreadyExists),
        (409, "Conflict", errors.Conflict),
        (410, "Expired", errors.Gone),
        (422, "Invalid", errors.Invalid),
        (429, "TooManyRequests", errors.TooManyRequests),
        (500, "InternalError", errors.ServerError),
        (503, "ServiceUnavailable", errors.ServerError),
    ],
)
def test_a_refusal_is_an_exception_of_its_own_type(status, reason, type_):
    api, _ = client((status, {"kind": "Status", "reason": reason, "message": "no", "details": {"name": "a"}}))
    with pytest.raises(errors.ApiError) as caught:
        api.get(WIDGET, "a", "n")
    error = caught.value
    assert type(error) is type_
    assert (error.status, error.reason, error.message, error.details) == (status, reason, "no", {"name": "a"})


@pytest.mark.parametrize(
    ("body", "message"),
    [(b"<html>down</html>", "<html>down</html>"), (b"[]", "[]"), (b"{}", "HTTP status 502")],
)
def test_a_proxys_page_is_an_error_too(body, message):
    assert error_of(502, body).message == message


@pytest.mark.parametrize(
    ("header", "details", "seconds"),
    [("3", {}, 3.0), ("", {"retryAfterSeconds": 5}, 5.0), ("", {}, 1.0), ("Wed, 21 Oct 2026 07:28:00 GMT", {}, 1.0)],
)
def test_a_busy_server_says_when_to_come_back(header, details, seconds):
    error = error_of(429, json.dumps({"details": details}).encode(), header)
    assert isinstance(error, errors.TooManyRequests)
    assert error.retry_after == seconds


def test_a_client_counts_its_requests():
    api = Client.from_config(Config("http://api.example.org"))
    assert api.transport.host == "api.example.org"
    observed: Any = api.transport
    observed._observer("GET", "200", 0.1)
    api.close()


def test_closing_a_client_closes_its_connections():
    api, transport = client()
    api.close()
    assert transport.calls == ["closed"]
