"""Files of deleted zones that named writes again are removed, and nothing else is touched."""

import asyncio
import os
from pathlib import Path

import pytest

from bindcar.metadata import Markers
from bindcar.zones import Zones
from zonewright.testing import eventually

NOW = 1_700_000_000.0


@pytest.fixture
def markers(tmp_path: Path) -> Markers:
    return Markers(tmp_path)


def visible(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir() if not path.name.startswith(".")}


def test_a_discarded_file_goes_with_its_companions(tmp_path: Path, markers: Markers) -> None:
    file = markers.new_file("gone.test")
    for companion in ("", ".jnl", ".signed"):
        Path(f"{file}{companion}").touch()
    markers.discard(file)
    assert visible(tmp_path) == set()


def test_it_goes_again_as_often_as_it_comes_back(tmp_path: Path, markers: Markers) -> None:
    file = markers.new_file("gone.test")
    markers.discard(file)
    for _ in range(2):
        file.touch()
        assert markers.remove_discarded(0) == [file.name]
        assert markers.remove_discarded(0) == []
    assert visible(tmp_path) == set()


def test_it_is_looked_for_until_its_time_is_over_also_after_a_restart(tmp_path: Path, markers: Markers) -> None:
    markers.discard(markers.new_file("gone.test"))
    (note,) = tmp_path.iterdir()
    os.utime(note, (NOW, NOW))
    Markers(tmp_path).remove_discarded(NOW)
    assert note.exists()
    Markers(tmp_path).remove_discarded(NOW + 1)
    assert not note.exists()


def test_files_that_nobody_discarded_stay_whether_a_marker_names_them_or_not(tmp_path: Path, markers: Markers) -> None:
    """A marker may be lost; named still serves its zone from the file."""
    kept = {markers.new_file("lost-marker.test").name, "example.org.zone", "_default.nzf"}
    for name in kept:
        (tmp_path / name).touch()
    markers.discard(markers.new_file("lost-marker.test"))
    markers.remove_discarded(NOW * 2)
    assert visible(tmp_path) == kept


def test_it_is_done_again_and_again_whatever_happens(tmp_path: Path) -> None:
    (tmp_path / ".discarded-a").touch()
    (tmp_path / "a").mkdir()  # cannot be removed as a file, and is looked at first
    markers, file = Markers(tmp_path), Markers(tmp_path).new_file("gone.test")

    async def run() -> None:
        tidying = asyncio.create_task(Zones(None, tmp_path).keep_tidy(every=0.01))  # type: ignore[arg-type] # not asked
        for _ in range(2):
            markers.discard(file)
            file.touch()
            await asyncio.to_thread(eventually, lambda: not file.exists())
        assert not tidying.done()
        tidying.cancel()

    asyncio.run(run())
