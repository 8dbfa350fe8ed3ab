"""Whose zone it is, as the adapter reads and writes it: name and UID of the cluster; 0.1 wrote the name alone."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from reconcilers.ddns import parse_zone
from reconcilers.engine.adapter import BindServer
from reconcilers.engine.api import Bindcar, Role, ServerSpec, ZoneKey, ZoneRef
from reconcilers.engine.core.protocol import (
    Applied,
    Configure,
    Create,
    Delete,
    Failed,
    Observe,
    Op,
    OpKind,
    Ownership,
    Payload,
    Present,
    ZoneOptions,
)
from reconcilers.reasons import Reason
from reconcilers.servers.answers import ZoneSettings
from reconcilers.servers.bindcar import (
    BindcarClient,
    CreateZone,
    Owner,
    TooManyRequests,
    ZoneExists,
    ZoneInfo,
    ZonePatch,
)
from reconcilers.servers.cluster_id import ClusterId
from zonewright import FencedOff

ZONE = parse_zone("example.org")
HERE = ClusterId("prod", "6f1c2a04-9d3b-4c55-8a51-1f0c7e2b9d10")
THERE = ClusterId("prod", "11111111-9d3b-4c55-8a51-1f0c7e2b9d10")
OURS, OLD = Owner(str(HERE), "uid-1"), Owner("prod", "uid-1")
SECONDARY = ZoneOptions(Role.SECONDARY, primaries=("192.0.2.1",))


@dataclass
class Sidecar:
    """A bindcar that asks for the owner on every change. One of 0.1 does not know how to rewrite it."""

    owner: Owner | None
    rewrites: bool = True
    failing: bool = False
    calls: list[str] = field(default_factory=list)

    def get_zone(self, zone: Any) -> ZoneInfo | None:
        return ZoneInfo(zone, "secondary", self.owner, 7, ZoneSettings(primaries=("192.0.2.1",)))

    def rewrite_owner(self, zone: Any, held: Owner, wanted: Owner) -> bool:
        if self.failing:
            raise TooManyRequests("429")
        if not self.rewrites:
            return False
        self._change("rewrite", held)
        self.owner = wanted
        return True

    def create_zone(self, request: CreateZone) -> bool:
        self._change("create", request.owner)
        return False

    def patch_zone(self, zone: Any, patch: ZonePatch, *, owner: Owner) -> None:
        self._change("patch", owner)

    def delete_zone(self, zone: Any, *, owner: Owner) -> None:
        self._change("delete", owner)

    def _change(self, what: str, owner: Owner) -> None:
        if owner != self.owner:
            raise ZoneExists(f"belongs to {self.owner}", status=409)
        self.calls.append(what)


def carry_out(sidecar: Sidecar, payload: Payload, before_write: Callable[[], None] = lambda: None) -> Any:
    spec = ServerSpec("ns1", Role.SECONDARY, "192.0.2.53", bindcar=Bindcar("http://192.0.2.53:8080", "token"))
    server = BindServer(spec, HERE, before_write=before_write)
    server._bindcar = cast("BindcarClient", sidecar)
    server._serial = lambda op: 7  # type: ignore[method-assign]  # no DNS here
    kind = {Observe: OpKind.OBSERVE, Create: OpKind.CREATE, Configure: OpKind.CONFIGURE, Delete: OpKind.DELETE}
    ref = ZoneRef(ZONE, "uid-1", "default", "zone")
    op = Op(1, ZoneKey("ns1", ZONE), spec, kind[type(payload)], payload, ref, Role.SECONDARY, attempt=1, started=0.0)
    return server.carry_out(op, lambda: 8)


LOOK = Observe(content=False)
CHANGES: dict[str, Payload] = {
    "create": Create(SECONDARY, cast("Any", None), ()),
    "patch": Configure(SECONDARY),
    "delete": Delete("uid-1"),
}


def test_a_zone_under_name_and_uid_of_this_cluster_is_ours():
    sidecar = Sidecar(OURS)
    seen = carry_out(sidecar, LOOK)
    assert (seen.ownership, seen.owner_uid, sidecar.calls) == (Ownership.OURS, "uid-1", [])


@pytest.mark.parametrize(
    ("owner", "holder"),
    [
        (None, ""),
        (Owner(str(THERE), "uid-1"), str(THERE)),
        (Owner("other", "uid-1"), "other"),
        (Owner(f"other/{HERE.uid}", "uid-1"), f"other/{HERE.uid}"),
        (Owner(f"{HERE}\nReady", "uid-1"), f"{HERE} Ready"),
    ],
)
def test_nothing_lost_a_zone_of_another_cluster_is_foreign_although_the_name_is_the_same(
    owner: Owner | None, holder: str
):
    sidecar = Sidecar(owner)
    assert carry_out(sidecar, LOOK) == Present(Ownership.FOREIGN, 7, holder=holder)
    for payload in CHANGES.values():
        refused = carry_out(sidecar, payload)
        assert isinstance(refused, Failed)
        assert refused.reason == Reason.CONFLICT
    assert (sidecar.owner, sidecar.calls) == (owner, [])


def test_a_marker_of_0_1_is_ours_and_rewritten_when_it_is_seen():
    sidecar = Sidecar(OLD)
    seen = carry_out(sidecar, LOOK)
    assert (seen.ownership, seen.owner_uid) == (Ownership.OURS, "uid-1")
    assert (sidecar.owner, sidecar.calls) == (OURS, ["rewrite"])


def test_a_marker_of_0_1_with_the_uid_of_another_object_is_not_rewritten_by_a_look():
    """Two clusters with one name, both of 0.1: the one to which the object belongs is the one to write its UID."""
    sidecar = Sidecar(replace(OLD, uid="uid-2"))
    seen = carry_out(sidecar, LOOK)
    assert (seen.ownership, seen.owner_uid, sidecar.calls) == (Ownership.OURS, "uid-2", [])


@pytest.mark.parametrize("change", CHANGES)
def test_a_marker_of_0_1_is_rewritten_before_a_change(change: str):
    sidecar = Sidecar(OLD)
    assert carry_out(sidecar, CHANGES[change]) == Applied()
    assert (sidecar.owner, sidecar.calls) == (OURS, ["rewrite", change])


@pytest.mark.parametrize("change", CHANGES)
def test_a_bindcar_of_0_1_is_told_the_owner_that_it_knows(change: str):
    sidecar = Sidecar(OLD, rewrites=False)
    assert carry_out(sidecar, LOOK).ownership is Ownership.OURS
    assert carry_out(sidecar, CHANGES[change]) == Applied()
    assert (sidecar.owner, sidecar.calls) == (OLD, [change])


def test_a_rewrite_that_fails_is_tried_again_with_the_next_look():
    sidecar = Sidecar(OLD, failing=True)
    assert carry_out(sidecar, LOOK).reason == Reason.BINDCAR_BUSY
    sidecar.failing = False
    carry_out(sidecar, LOOK)
    assert sidecar.owner == OURS


def test_nothing_is_rewritten_by_a_replica_that_does_not_lead():
    def fenced() -> None:
        raise FencedOff("not the leader")

    sidecar = Sidecar(OLD)
    with pytest.raises(FencedOff):
        carry_out(sidecar, LOOK, fenced)
    assert (sidecar.owner, sidecar.calls) == (OLD, [])
