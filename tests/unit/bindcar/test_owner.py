"""An owner gets the UID of its cluster, once; nothing else about an owner can be changed."""

import asyncio
from pathlib import Path

import pytest

from bindcar.metadata import Marker, Markers
from bindcar.requests import CreateZoneRequest, Owner, check_rewrite
from bindcar.tokens import InvalidToken
from bindcar.zones import OwnedByOther, UnknownZone, Zones

HERE, THERE = "6f1c2a04-9d3b-4c55-8a51-1f0c7e2b9d10", "00000000-9d3b-4c55-8a51-1f0c7e2b9d10"
OLD, OURS = Owner(cluster="prod", uid="uid-1"), Owner(cluster=f"prod/{HERE}", uid="uid-1")


class NoControl:
    """named is not asked."""

    async def call(self, command: str) -> str:
        raise AssertionError(command)


def owned_by(directory: Path, owner: Owner | None) -> Markers:
    soa = {"primaryNs": "ns1.example.net.", "adminEmail": "admin@example.net"}
    body = {"zoneName": "example.org", "zoneConfig": {"soa": soa}, "owner": owner and owner.model_dump()}
    markers = Markers(directory)
    markers.write(Marker.of(CreateZoneRequest.model_validate(body), directory / "example.org.1.zone"))
    return markers


def rewrite(directory: Path, held: Owner, wanted: Owner) -> bool:
    return asyncio.run(Zones(NoControl(), directory).rewrite_owner("example.org", held, wanted))


def test_a_name_gets_the_uid_of_its_cluster_and_the_rest_stays(tmp_path: Path) -> None:
    markers = owned_by(tmp_path, OLD)
    before = markers.read("example.org")
    assert before is not None
    assert rewrite(tmp_path, OLD, OURS) is True
    after = before.model_copy(update={"request": before.request.model_copy(update={"owner": OURS})})
    assert markers.read("example.org") == after


def test_asking_again_is_no_error(tmp_path: Path) -> None:
    owned_by(tmp_path, OLD)
    assert [rewrite(tmp_path, OLD, OURS) for _ in range(2)] == [True, False]


@pytest.mark.parametrize(
    "held",
    [
        None,
        Owner(cluster="other", uid="uid-1"),
        Owner(cluster="prod", uid="uid-2"),
        Owner(cluster=f"prod/{THERE}", uid="uid-1"),
    ],
)
def test_whoever_does_not_know_the_owner_changes_nothing(tmp_path: Path, held: Owner | None) -> None:
    markers = owned_by(tmp_path, held)
    before = markers.read("example.org")
    with pytest.raises(OwnedByOther):
        rewrite(tmp_path, OLD, OURS)
    assert markers.read("example.org") == before


def test_a_zone_that_bindcar_did_not_create_has_no_owner(tmp_path: Path) -> None:
    with pytest.raises(UnknownZone):
        rewrite(tmp_path, OLD, OURS)


@pytest.mark.parametrize(
    ("held", "wanted"),
    [
        (OLD, Owner(cluster=OURS.cluster, uid="uid-2")),
        (OLD, OLD),
        (OLD, Owner(cluster=f"other/{HERE}", uid="uid-1")),
        (OLD, Owner(cluster=f"prod/{HERE[:-1]}", uid="uid-1")),
        (OLD, Owner(cluster=f"prod/{HERE}\n", uid="uid-1")),
        (OLD, Owner(cluster=f"prod/x/{HERE}", uid="uid-1")),
        (OLD, Owner(cluster=f"prod{HERE}", uid="uid-1")),
        (OURS, OLD),
        (OURS, OURS),
        (OURS, Owner(cluster=f"prod/{THERE}", uid="uid-1")),
        (OURS, Owner(cluster=f"prod/{HERE}/{THERE}", uid="uid-1")),
    ],
)
def test_no_other_change_of_an_owner_is_possible(held: Owner, wanted: Owner) -> None:
    with pytest.raises(InvalidToken, match="owner"):
        check_rewrite(held, wanted)


def test_a_name_may_have_slashes() -> None:
    check_rewrite(Owner(cluster="eu/prod", uid="1"), Owner(cluster=f"eu/prod/{HERE}", uid="1"))
