"""The finished tree on disk: compared as a whole, or swapped in at once. Knows files, nothing of what is in them."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from zonewright.codegen import lock
from zonewright.codegen.errors import CodegenError

Tree = Mapping[str, str]
"""Relative path -> text."""


@dataclass(frozen=True, slots=True)
class Difference:
    path: Path
    kind: Literal["edited", "missing", "stale"]

    def __str__(self) -> str:
        meaning = {"edited": "is not what codegen writes", "missing": "is missing", "stale": "is not written any more"}
        return f"{self.path} {meaning[self.kind]}"


def compare(tree: Tree, directory: Path) -> list[Difference]:
    """Every file that differs between the tree and the directory, in either direction."""
    on_disk = {path.relative_to(directory).as_posix(): path for path in _files(directory)}
    found = [Difference(directory / name, "missing") for name in tree.keys() - on_disk.keys()]
    found += [Difference(path, "stale") for name, path in on_disk.items() if name not in tree]
    found += [
        Difference(on_disk[name], "edited")
        for name in tree.keys() & on_disk.keys()
        if _edited(on_disk[name], tree[name])
    ]
    return sorted(found, key=lambda difference: difference.path)


def compare_file(text: str, file: Path) -> list[Difference]:
    if not file.exists():
        return [Difference(file, "missing")]
    return [Difference(file, "edited")] if _edited(file, text) else []


def _edited(file: Path, text: str) -> bool:
    return file.read_bytes() != text.encode()


def _files(directory: Path) -> Iterator[Path]:
    for path in directory.rglob("*"):
        # Python writes byte code beside what it imports; that is nobody's edit.
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def write_tree(tree: Tree, directory: Path) -> None:
    for name, text in tree.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def read_tree(directory: Path) -> dict[str, str]:
    return {path.relative_to(directory).as_posix(): path.read_text(encoding="utf-8") for path in _files(directory)}


def replace_directory(tree: Tree, directory: Path) -> None:
    """The directory holds the tree, or what it held before: the new one is complete before it takes the place."""
    directory = directory.resolve()
    refuse_foreign(directory)
    directory.parent.mkdir(parents=True, exist_ok=True)
    with _beside(directory, "new") as staging, _beside(directory, "old") as previous:
        write_tree(tree, staging)
        if not directory.exists():
            staging.rename(directory)
            return
        shutil.copymode(directory, staging)
        try:
            directory.rename(previous)
            staging.rename(directory)
        except BaseException:  # Ctrl-C too, before, between or after the two
            if not directory.exists():
                previous.rename(directory)
            raise


def replace_file(text: str, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    staging = file.with_name(f".{file.name}.new")
    staging.write_bytes(text.encode())
    staging.replace(file)


def refuse_foreign(directory: Path) -> None:
    """Swapping a directory removes what was in it, so it must be ours, or empty."""
    if not directory.exists():
        return
    if not directory.is_dir():
        raise CodegenError("is not a directory", file=directory)
    if any(_files(directory)) and not (directory / lock.FILE).exists():
        raise CodegenError(f"holds files that codegen did not write (no {lock.FILE}): choose another", file=directory)


@contextmanager
def _beside(directory: Path, purpose: str) -> Iterator[Path]:
    """A hidden directory on the same file system, gone afterwards whatever happened."""
    path = Path(tempfile.mkdtemp(prefix=f".{directory.name}.{purpose}-", dir=directory.parent))
    umask = os.umask(0)
    os.umask(umask)
    path.chmod(0o777 & ~umask)  # mkdtemp makes it private; the output is as public as any other directory
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
