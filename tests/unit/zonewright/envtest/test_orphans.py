"""What counts as left behind, on made-up directories. With real programs: tests/integration/zonewright/envtest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zonewright.envtest import orphans
from zonewright.envtest.paths import RUN_PREFIX
from zonewright.envtest.processes import OWNER_VARIABLE, owner_marker

DEAD = "1:never"


def process(proc: Path, pid: int, owner: str, command: str | None = "sleep 300") -> None:
    directory = proc / str(pid)
    directory.mkdir()
    (directory / "environ").write_text(f"A=b\0{OWNER_VARIABLE}={owner}\0")
    if command is not None:
        (directory / "cmdline").write_text(command.replace(" ", "\0"))


def test_programs_of_dead_runs_are_orphans_and_those_of_living_ones_are_not(tmp_path: Path) -> None:
    process(tmp_path, 11, DEAD)
    process(tmp_path, 12, owner_marker())
    assert [orphan.what for orphan in orphans.programs(tmp_path)] == ["process 11: sleep 300"]


def test_a_program_that_ends_while_it_is_looked_at_is_none(tmp_path: Path) -> None:
    process(tmp_path, 11, DEAD, command=None)
    assert list(orphans.programs(tmp_path)) == []


def test_directories_of_dead_runs_are_orphans_and_those_of_living_ones_are_not(tmp_path: Path) -> None:
    for name, owner in (("dead", DEAD), ("alive", owner_marker()), ("begun", "")):
        directory = tmp_path / f"{RUN_PREFIX}{name}"
        directory.mkdir()
        (directory / "owner").write_text(owner)
    found = list(orphans.directories(tmp_path))
    assert [orphan.what for orphan in found] == [f"directory {tmp_path / RUN_PREFIX}dead"]


def test_a_directory_without_an_owner_is_an_orphan(tmp_path: Path) -> None:
    (tmp_path / f"{RUN_PREFIX}nobodys").mkdir()
    found = list(orphans.directories(tmp_path))
    assert [orphan.remedy for orphan in found] == [f"rm -r {tmp_path / RUN_PREFIX}nobodys"]


def test_a_directory_that_goes_while_it_is_looked_at_is_none(tmp_path: Path) -> None:
    class Root(type(tmp_path)):  # type: ignore[misc]
        def glob(self, pattern: str) -> Iterator[Path]:
            yield self / pattern.replace("*", "gone")

    assert list(orphans.directories(Root(tmp_path))) == []
