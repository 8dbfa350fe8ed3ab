"""The tree on disk: compared as a whole, replaced as a whole."""

import os
from pathlib import Path

import pytest

from zonewright.codegen import output
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.generate import INNER_PACKAGE, Target

TREE = {"__init__.py": "# one\n", "sub/a.py": "a = 1\n", "names.lock.json": "{}\n"}


@pytest.fixture
def directory(tmp_path):
    output.replace_directory(TREE, tmp_path / "out")
    return tmp_path / "out"


def kinds(directory):
    return [
        (difference.path.relative_to(directory).as_posix(), difference.kind)
        for difference in output.compare(TREE, directory)
    ]


def test_what_was_written_does_not_differ(directory):
    (directory / "__pycache__").mkdir()
    (directory / "__pycache__/a.pyc").write_bytes(b"")
    assert kinds(directory) == []


def test_every_difference_is_found(directory):
    (directory / "sub/a.py").write_text("a = 1\n#\n")
    (directory / "__init__.py").unlink()
    (directory / "sub/old.py").write_text("")
    assert kinds(directory) == [("__init__.py", "missing"), ("sub/a.py", "edited"), ("sub/old.py", "stale")]


def test_everything_is_missing_when_the_directory_is(tmp_path):
    assert len(output.compare(TREE, tmp_path / "none")) == len(TREE)


def test_replacing_leaves_exactly_the_tree(directory):
    (directory / "sub/old.py").write_text("")
    output.replace_directory(TREE, directory)
    assert kinds(directory) == []
    assert [path.name for path in directory.parent.iterdir()] == ["out"]


def test_an_error_while_replacing_leaves_the_last_output(directory, monkeypatch):
    monkeypatch.setattr(output, "write_tree", lambda tree, where: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        output.replace_directory({"new.py": ""}, directory)
    assert kinds(directory) == []
    assert [path.name for path in directory.parent.iterdir()] == ["out"]


@pytest.mark.parametrize("renames", [0, 1, 2], ids=["before", "between", "after"])
def test_an_interrupt_while_the_directories_are_swapped_leaves_one_of_them_whole(directory, monkeypatch, renames):
    interrupts = iter([*[False] * min(renames, 1), True])

    def rename(self, target):
        if renames < 2 and next(interrupts, False):
            raise KeyboardInterrupt
        os.rename(self, target)  # noqa: PTH104 (this is what Path.rename does, and stands in for it)
        if renames == 2 and next(interrupts, False):
            raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(KeyboardInterrupt):
        output.replace_directory({"names.lock.json": "new\n"}, directory)
    assert output.read_tree(directory) == ({"names.lock.json": "new\n"} if renames == 2 else TREE)
    assert [path.name for path in directory.parent.iterdir()] == ["out"]


def test_a_directory_of_somebody_else_is_refused(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/thesis.tex").write_text("")
    with pytest.raises(CodegenError, match=r"holds files that codegen did not write"):
        output.replace_directory(TREE, tmp_path / "out")
    (tmp_path / "file").write_text("")
    with pytest.raises(CodegenError, match="is not a directory"):
        output.replace_directory(TREE, tmp_path / "file")


def test_an_empty_directory_is_taken(tmp_path):
    (tmp_path / "out").mkdir()
    output.replace_directory(TREE, tmp_path / "out")
    assert kinds(tmp_path / "out") == []


def test_a_directory_that_cannot_be_a_package_gets_one_inside(tmp_path):
    assert Target.at(tmp_path / "out").package == tmp_path / "out"
    for name in ("tmp.k3V9", "my-crds", "class", "3"):
        assert Target.at(tmp_path / name).package == tmp_path / name / INNER_PACKAGE
