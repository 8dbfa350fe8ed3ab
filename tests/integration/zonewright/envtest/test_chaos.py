"""The chaos proxy in front of whatever backend: each fault as a client meets it, and what the API server saw of it."""

import gc
import http.client
import json
import socket
import ssl
import time
import urllib.error
import urllib.request
import warnings
from collections import Counter
from urllib.parse import urlencode, urlsplit

import psutil
import pytest

from zonewright.envtest.chaos import (
    CloseHalf,
    Delay,
    DropReply,
    Duplicate,
    EndWatch,
    ExpireWatch,
    Fail,
    Freeze,
    Hang,
    Reset,
)
from zonewright.envtest.chaos.proxy import ChaosProxy
from zonewright.envtest.cluster import RequestKey, count
from zonewright.testing import eventually

BROKEN = (ConnectionError, http.client.HTTPException, ssl.SSLError, urllib.error.URLError)


@pytest.fixture
def maps(namespace):
    return f"/api/v1/namespaces/{namespace}/configmaps"


class Watch:
    """A watch on a connection of its own, read line by line."""

    def __init__(self, cluster, path, **query):
        url = urlsplit(cluster.server_url)
        tls = ssl.create_default_context(cafile=str(cluster.ca))
        self._connection = http.client.HTTPSConnection(url.hostname, url.port, timeout=60, context=tls)
        target = f"{path}?{urlencode({'watch': 'true', **query})}"
        self._connection.request("GET", target, headers={"Authorization": f"Bearer {cluster.token}"})
        self._reply = self._connection.getresponse()
        assert self._reply.status == 200

    def event(self):
        line = self._reply.readline()
        return json.loads(line) if line else None

    def is_open_and_silent(self):
        """Whether there is nothing to be read, not even an end."""
        self._connection.sock.settimeout(0.001)
        try:
            self._reply.readline()
        except TimeoutError:
            return True
        return False

    def events(self):
        return list(iter(self.event, None))

    def rest(self):
        """What comes before the end, be it in good order or not."""
        found: list[dict] = []
        try:
            found.extend(iter(self.event, None))
        except BROKEN:
            return found
        return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()


def config_map(name, **labels):
    return {"metadata": {"name": name, "labels": labels}}


def test_without_rules_the_proxy_is_the_cluster(cluster, chaos, maps):
    through = chaos.cluster
    through.create(maps, config_map("a", x="y"))
    assert through.get(f"{maps}/a") == cluster.get(f"{maps}/a")
    assert through.request("GET", f"{maps}/none").status == 404
    assert [call.verb for call in chaos.calls if call.resource == "configmaps"][:2] == ["POST", "GET"]


@pytest.mark.kubectl
def test_kubectl_works_through_the_proxy(chaos, maps):
    chaos.cluster.create(maps, config_map("a"))
    assert "a" in chaos.cluster.kubectl("get", "configmaps", "-n", maps.split("/")[4])


@pytest.mark.parametrize("code", [409, 410, 429, 500, 503])
def test_an_injected_error_never_reaches_the_api_server(cluster, chaos, maps, code):
    rule = chaos.add(Fail(code, retry_after=1 if code == 429 else None), verb="POST", times=1)
    refused = chaos.cluster.request("POST", maps, config_map("a"))
    assert refused.status == refused.body["code"] == code
    assert cluster.request("GET", f"{maps}/a").status == 404
    assert chaos.cluster.request("POST", maps, config_map("a")).status == 201
    assert rule.hits == 1


def test_retry_after_is_a_header(chaos, maps):
    chaos.add(Fail(429, retry_after=7))
    request = urllib.request.Request(chaos.url + maps)
    context = ssl.create_default_context(cafile=str(chaos.cluster.ca))
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, context=context)
    with refused.value as reply:
        assert reply.headers["Retry-After"] == "7"


def test_a_dropped_reply_leaves_the_client_in_doubt_about_what_was_done(cluster, chaos, maps):
    chaos.add(DropReply(), verb="POST", times=1)
    with pytest.raises(BROKEN):
        chaos.cluster.request("POST", maps, config_map("a"))
    assert cluster.request("GET", f"{maps}/a").status == 200


def test_a_reset_connection_leaves_nothing_done(cluster, chaos, maps):
    chaos.add(Reset(), verb="POST", times=1)
    with pytest.raises(BROKEN):
        chaos.cluster.request("POST", maps, config_map("a"))
    assert cluster.request("GET", f"{maps}/a").status == 404


def test_a_hanging_request_ends_by_the_clients_patience_only(cluster, chaos, maps):
    chaos.add(Hang(), verb="POST")
    # A machine that is slow to connect shows it as URLError, as urllib does with whatever happens so early.
    with pytest.raises((TimeoutError, urllib.error.URLError), match="timed out"):
        chaos.cluster.request("POST", maps, config_map("a"), timeout=0.3)
    assert cluster.request("GET", f"{maps}/a").status == 404


def test_a_delayed_request_is_answered_in_the_end(chaos, maps):
    chaos.add(Delay(0.3), verb="GET", name="a")
    started = time.monotonic()
    assert chaos.cluster.request("GET", f"{maps}/a").status == 404
    assert time.monotonic() - started >= 0.3


def test_a_half_closed_connection_cuts_a_body_short(cluster, chaos, maps):
    cluster.create(maps, config_map("a"))
    chaos.add(CloseHalf(after=20), verb="GET", name="a")
    with pytest.raises(BROKEN):
        chaos.cluster.request("GET", f"{maps}/a")


def test_a_watch_ends_in_good_order_after_so_many_events(cluster, chaos, maps):
    for name in ("a", "b", "c"):
        cluster.create(maps, config_map(name, mine="1"))
    chaos.add(EndWatch(after=2), verb="WATCH")
    with Watch(chaos.cluster, maps, labelSelector="mine") as watch:
        assert [event["object"]["metadata"]["name"] for event in watch.events()] == ["a", "b"]


def test_a_watch_can_be_told_that_history_is_gone(cluster, chaos, maps):
    cluster.create(maps, config_map("a", mine="1"))
    chaos.add(ExpireWatch(after=1), verb="WATCH", times=1)
    with Watch(chaos.cluster, maps, labelSelector="mine") as watch:
        first, second = watch.events()
    assert first["type"] == "ADDED"
    assert (second["type"], second["object"]["code"]) == ("ERROR", 410)


def test_events_can_come_twice(cluster, chaos, maps):
    cluster.create(maps, config_map("a", mine="1"))
    chaos.add(Duplicate(), verb="WATCH")
    with Watch(chaos.cluster, maps, labelSelector="mine") as watch:
        first, second = watch.event(), watch.event()
    assert first == second


def test_a_frozen_watch_stays_open_and_silent(cluster, chaos, maps):
    cluster.create(maps, config_map("a", mine="1"))
    chaos.add(Freeze(after=1), verb="WATCH", times=1)
    with (
        Watch(chaos.cluster, maps, labelSelector="mine") as frozen,
        Watch(chaos.cluster, maps, labelSelector="mine") as other,
    ):
        assert frozen.event()["object"]["metadata"]["name"] == "a"
        for name in ("b", "c"):
            cluster.create(maps, config_map(name, mine="1"))
        assert [other.event()["object"]["metadata"]["name"] for _ in range(3)] == ["a", "b", "c"]
        assert frozen.is_open_and_silent()


def test_a_half_closed_watch_ends_without_a_farewell(cluster, chaos, maps):
    cluster.create(maps, config_map("a", mine="1"))
    chaos.add(CloseHalf(after=1), verb="WATCH")
    with Watch(chaos.cluster, maps, labelSelector="mine") as watch:
        assert watch.event()["object"]["metadata"]["name"] == "a"
        assert watch.rest() == []


def test_all_watches_can_be_broken_at_once(cluster, chaos, maps):
    with Watch(chaos.cluster, maps) as one, Watch(chaos.cluster, maps) as other:
        assert chaos.drop_watches() == 2
        assert all(event["type"] == "ADDED" for watch in (one, other) for event in watch.rest())


def test_the_api_server_counts_what_got_through(cluster, chaos, maps):
    chaos.add(Fail(503), verb="PUT")
    before = cluster.requests()
    for _ in range(3):
        chaos.cluster.request("PUT", f"{maps}/a", config_map("a"))
        chaos.cluster.request("GET", f"{maps}/counted")
    since: Counter[RequestKey] = Counter()

    def counted() -> bool:  # after they are answered
        since.clear()
        since.update(cluster.requests())
        since.subtract(before)
        return count(since, verb="GET", resource="configmaps", code="404") >= 3

    eventually(counted, what=lambda: f"a count of the requests: {since}")
    assert count(since, verb="GET", resource="configmaps", code="404") == 3
    assert count(since, verb="PUT", resource="configmaps", code="404") == 0


def test_the_port_is_free_again_when_the_proxy_stops(cluster):
    from zonewright.envtest.chaos import ChaosProxy

    with ChaosProxy(cluster) as proxy:
        port = urlsplit(proxy.url).port
        kubeconfig = proxy.kubeconfig
    # Whether anybody listens there is no question: the next test run may have been given the port.
    sockets = psutil.Process().net_connections("tcp")
    assert port not in {each.laddr.port for each in sockets if str(each.status) == "LISTEN"}
    assert not kubeconfig.exists()


@pytest.mark.parametrize("request_", [b"", b"GET /api/v1/configmaps?watch=true HTTP/1.1\r\nHost: a\r\n\r\n"])
def test_a_client_that_says_no_farewell_leaves_no_connection_behind(cluster, request_):
    """TLS waits half a minute for one, and the proxy does not: what is left open is told when it is collected."""
    with ChaosProxy(cluster) as proxy:
        url, tls = urlsplit(proxy.url), ssl.create_default_context(cafile=str(proxy.cluster.ca))
        client = tls.wrap_socket(socket.create_connection((url.hostname, url.port)), server_hostname=url.hostname)
        if request_:
            token = f"Authorization: Bearer {cluster.token}\r\n\r\n".encode()
            client.sendall(request_.removesuffix(b"\r\n") + token)
            client.recv(1)
    del proxy
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        gc.collect()
    client.close()
    assert [str(each.message) for each in found if issubclass(each.category, ResourceWarning)] == []
