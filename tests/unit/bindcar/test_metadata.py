"""Files of deleted zones that named wrote again are found by their names, and nothing else is touched."""

import asyncio
import os
from pathlib import Path

import pytest

from bindcar.metadata import Marker, Markers
from bindcar.requests import CreateZoneRequest
from bindcar.zones import Zones
from zonewright.testing import eventually

NOW = 1_700_000_000.0


@pytest.fixture
def markers(tmp_path: Path) -> Markers:
    return Markers(tmp_path)


def write(path: Path, age: float = 60.0) -> str:
    path.write_text("")
    os.utime(path, (NOW - age, NOW - age))
    return path.name


def names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def mark(markers: Markers, zone: str, file: Path) -> None:
    request = {"zoneName": zone, "zoneType": "secondary", "zoneConfig": {"primaries": ["192.0.2.1"]}}
    markers.write(Marker.of(CreateZoneRequest.model_validate(request), file))


def test_what_no_marker_names_goes_with_its_companions(tmp_path: Path, markers: Markers) -> None:
    file = markers.new_file("gone.test")
    left = {write(file), write(Path(f"{file}.jnl"))}
    assert set(markers.remove_unowned(NOW - 10)) == left
    assert names(tmp_path) == set()


def test_a_living_zones_file_stays_and_its_former_one_goes(tmp_path: Path, markers: Markers) -> None:
    former, present = markers.new_file("a.test"), markers.new_file("a.test")
    mark(markers, "a.test", present)
    write(present), write(Path(f"{present}.jnl")), write(former)
    assert markers.remove_unowned(NOW - 10) == [former.name]


def test_what_was_written_a_moment_ago_stays(tmp_path: Path, markers: Markers) -> None:
    write(markers.new_file("new.test"), age=5)
    assert markers.remove_unowned(NOW - 10) == []


def test_what_bindcar_did_not_name_stays(tmp_path: Path, markers: Markers) -> None:
    kept = {write(tmp_path / name) for name in ("example.org.zone", "db.example.org", "_default.nzf", "x.zone.jnl")}
    markers.remove_unowned(NOW)
    assert names(tmp_path) == kept


def test_a_marker_that_cannot_be_read_keeps_its_files(tmp_path: Path, markers: Markers) -> None:
    file = markers.new_file("a.test")
    mark(markers, "a.test", file)
    next(tmp_path.glob("*.json")).write_text("{")
    write(file)
    assert markers.remove_unowned(NOW) == []


def test_it_is_done_again_and_again(tmp_path: Path, markers: Markers) -> None:
    async def run() -> None:
        tidying = asyncio.create_task(Zones(None, tmp_path).keep_tidy(every=0.01))  # type: ignore[arg-type] # not asked
        for _ in range(2):
            write(markers.new_file("gone.test"))
            await asyncio.to_thread(eventually, lambda: names(tmp_path) == set())
        tidying.cancel()

    asyncio.run(run())
