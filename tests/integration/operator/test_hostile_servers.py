"""Servers and sidecars that answer nonsense: their own zones say so, and everybody else's go on."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import pytest

from testbed.stage import Stage, stage
from tests.support.hostile_bindcar import (
    HostileBindcar,
    answer,
    changed,
    configured,
    drip,
    flood,
    hostile_bindcar,
)
from tests.support.scene import LABEL, Scene
from zonewright.envtest.processes import Run

DEEP = b"[" * 100_000
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def own(operator: Stage, background: Run, namespace: str) -> Iterator[Scene]:
    """A scene with a server of its own; the manager is everybody's."""
    with stage("", primaries=2, secondaries=0, cluster=operator.cluster, run=background) as running:
        running.register_servers(namespace)
        scene = Scene(running, namespace)
        yield scene
        scene.delete_zones()


@pytest.fixture
def liar(own: Scene) -> Iterator[HostileBindcar]:
    """What the first server's bindcar is thought to be; zones of tier `liar` are there, all others on the second."""
    one, two = own.stage.primaries
    with hostile_bindcar(one) as made:
        external = {"bindcarUrl": made.url}
        own.patch("bind9instances", one.name, {"metadata": {"labels": {LABEL: "liar"}}, "spec": {"external": external}})
        own.patch("bind9instances", two.name, {"metadata": {"labels": {LABEL: "honest"}}})
        own.wait("bind9instances", one.name)
        yield made
        made.nonsense = lambda _method, _path, _body: None
        own.delete_zones()


def on(tier: str) -> list[dict[str, object]]:
    return [{"selector": {"matchLabels": {LABEL: tier}}}]


Lie = Callable[[HostileBindcar, bytes], Iterable[bytes]]
# What GET of a zone is answered with.
LIES: tuple[Lie, ...] = (
    lambda _, body: [configured(body, alsoNotify=[{}])],
    lambda _, body: [configured(body, alsoNotify={"a": []})],
    lambda _, body: [configured(body, alsoNotify="192.0.2.1")],
    lambda _, body: [configured(body, alsoNotify=["x" * 100_000])],
    lambda _, body: [configured(body, allowTransfer=[[["x"]]])],
    lambda _, body: [configured(body, dnssecPolicy={})],
    lambda _, body: [changed(body, config=[])],
    lambda _, body: [changed(body, owner=["stage", "uid"])],
    lambda _, body: [changed(body, owner={"cluster": "stage", "uid": {}})],
    lambda _, body: [changed(body, name="somebody.else")],
    lambda _, body: [changed(body, name="a..b")],
    lambda _, body: [changed(body, serial=-1)],
    lambda _, body: [changed(body, serial={})],
    lambda _, body: [changed(body, zoneType={})],
    lambda _, body: [answer(b"[]")],
    lambda _, body: [answer(b"")],
    lambda _, body: [answer(DEEP)],
    lambda _, body: [answer(b'{"message":' + DEEP, status=404)],
    lambda _, body: [answer(b'{"config":' + b'{"a":' * 100_000)],
    lambda _, body: [b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n{}"],
    lambda _, body: [b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}"],
    lambda _, body: [CHUNKED + b"FFFFFFFFFFFFFFFF\r\n"],
    lambda _, body: [CHUNKED + b"zzz\r\n"],
    lambda _, body: [b"not HTTP at all\r\n\r\n"],
    lambda _, body: [answer(b"", status=307, headers="Location: http://192.0.2.1/\r\n")],
    lambda _, body: [answer(b"{}", status=999)],
)
# The same, without an end.
ENDLESS: tuple[Lie, ...] = (
    lambda _, body: flood(CHUNKED, b"FFFF\r\n" + b" " * 0xFFFF + b"\r\n"),
    lambda _, body: flood(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    lambda _, body: flood(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    lambda liar, body: drip(liar.over, b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"),
    lambda liar, body: drip(liar.over, b"", b"H"),
)


def test_nothing_lost_bindcar_answers_nonsense(own: Scene, liar: HostileBindcar, operator: Stage):
    told(own, liar, operator, LIES)


@pytest.mark.slow
def test_nothing_lost_bindcar_answers_without_an_end(own: Scene, liar: HostileBindcar, operator: Stage):
    told(own, liar, operator, ENDLESS)


def told(own: Scene, liar: HostileBindcar, operator: Stage, lies: Sequence[Lie]) -> None:
    """One zone for each lie: more of them than the engine has threads, or slots for one server."""
    one, zones = own.stage.primaries[0], [f"zone-{number}" for number in range(len(lies))]
    for number, name in enumerate(zones):
        own.create_zone(name, zone=f"n{number}.{own.zone}", bind9InstancesFrom=on("liar"))
    for name in zones:
        own.wait("dnszones", name)

    def lie(method: str, path: str, body: bytes) -> Iterable[bytes] | None:
        if path.endswith("/server/status"):  # as if named had been restarted: then every zone is looked at again
            return [changed(body, details="boot time: just now")]
        number = path.rpartition("/zones/n")[2].partition(".")[0]
        return lies[int(number)](liar, body) if method == "GET" and number.isdigit() else None

    liar.nonsense = lie
    own.patch("bind9instances", one.name, {"metadata": {"labels": {"probe": "now"}}})
    for name in zones:
        own.wait("dnszones", name, "Degraded", reason="ServersFailing")
        assert len(own.condition("dnszones", name, "Degraded")["message"]) < 600
    own.create_zone("other", bind9InstancesFrom=on("honest"))
    own.wait("dnszones", "other")
    assert own.stage.serial(own.stage.primaries[1], own.zone) is not None
    assert "operation failed unexpectedly" not in operator.manager_log()
    liar.nonsense = lambda _method, _path, _body: None
    for name in zones:
        own.wait("dnszones", name, "Degraded", status="False")
