"""Directory -> CRDs. Reads every YAML and JSON file below it; other manifests that live beside CRDs are left alone."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from zonewright.codegen import crd, yaml12
from zonewright.codegen.crd import Crd
from zonewright.codegen.errors import CodegenError

SUFFIXES = {".yaml", ".yml", ".json"}


def load(directory: Path) -> tuple[Crd, ...]:
    """All CRDs below the directory, sorted by group and kind; an error names the file and the path in it."""
    if not directory.is_dir():
        raise CodegenError("there is no such directory", file=directory)
    crds = [found for file in files(directory) for found in read(file)]
    if not crds:
        raise CodegenError("holds no CustomResourceDefinition in a .yaml, .yml or .json file", file=directory)
    _refuse_duplicates(crds)
    return tuple(sorted(crds, key=lambda found: (found.group, found.kind)))


def files(directory: Path) -> list[Path]:
    return sorted(
        path
        for path in directory.rglob("*")
        if path.suffix in SUFFIXES and path.is_file() and not path.name.startswith(".")
    )


def read(file: Path) -> Iterator[Crd]:
    for document in _documents(file):
        for item in _flatten(document):
            if crd.is_crd(item):
                yield crd.parse(item, file)


def _documents(file: Path) -> Iterator[Any]:
    try:
        text = file.read_text(encoding="utf-8")
        # JSON is YAML too, but json is quicker, and tabs are white space in it.
        yield from [json.loads(text)] if file.suffix == ".json" else yaml12.documents(text)
    except OSError as error:
        raise CodegenError(f"cannot be read: {error.strerror}", file=file) from error
    except UnicodeDecodeError as error:
        raise CodegenError("is not UTF-8 text", file=file) from error
    except json.JSONDecodeError as error:
        reason = f"line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}"
        raise CodegenError(reason, file=file) from error
    except CodegenError as error:
        raise error.within(file) from error


def _flatten(document: Any) -> Iterator[Any]:
    """`kubectl get crd -o yaml` writes a List; its items are what counts."""
    if isinstance(document, Mapping) and str(document.get("kind", "")).endswith("List") and "items" in document:
        yield from document["items"] or ()
    else:
        yield document


def _refuse_duplicates(crds: list[Crd]) -> None:
    seen: dict[tuple[str, str], Crd] = {}
    for found in crds:
        first = seen.setdefault((found.group, found.kind), found)
        if first is not found:
            raise CodegenError(f"{found.kind} of {found.group} is defined in {first.file} too", file=found.file)
