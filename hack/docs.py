"""`make docs`: every link in the documents leads somewhere, and every block of code in them is accounted for.

A block says in its info string, which GitHub does not show, how it is known to work:

    ```python test=tests/integration/zonewright/runtime/test_example.py    that test takes it with blocks() and runs it
    ```sh needs=cluster                                         it needs a cluster that tests do not have
    ```yaml, json, toml                                         it is parsed here; manifests of our kinds fit their CRD
    ```text, mermaid                                            prose and diagrams: nothing to run

Reads the tree and changes nothing. There is no network, so links to other sites are not followed."""

import ast
import json
import posixpath
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import yaml

from hack.markdown import Block, Document, parse
from tests.support.crds import load_crds

ROOT = Path(__file__).parent.parent
PROSE = frozenset({"text", "mermaid"})
SHELL = frozenset({"sh", "bash", "console"})
NEEDS = frozenset({"cluster"})
HINT = "mark it test=FILE or needs=cluster, or call it text (CONTRIBUTING.md)"
OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)  # a scheme, or the same scheme on another host


@dataclass(frozen=True, slots=True)
class Problem:
    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Tree:
    """What the documents may refer to: the files of the repository, and the documents among them."""

    root: Path
    files: Collection[str]
    documents: Mapping[str, Document]
    targets: Collection[str]

    @classmethod
    def read(cls, root: Path, files: Collection[str]) -> "Tree":
        documents = {
            name: parse(name, (root / name).read_text(errors="replace"))
            for name in sorted(files)
            if name.endswith(".md")
        }
        makefile = (root / "Makefile").read_text() if "Makefile" in files else ""
        return cls(root, frozenset(files), documents, frozenset(re.findall(r"^([a-z0-9-]+):", makefile, re.MULTILINE)))

    def has(self, path: str) -> bool:
        """Whether it is a file or a directory of the repository."""
        return path in self.files or path == "." or any(file.startswith(f"{path}/") for file in self.files)


def check(tree: Tree) -> list[Problem]:
    """Everything that is wrong, in the order of reading."""
    found = [
        Problem(document.path, line, message)
        for document in tree.documents.values()
        for line, message in (*_links(document, tree), *_blocks(document, tree))
    ]
    return sorted(found, key=lambda problem: (problem.path, problem.line))


# -- links


def _links(document: Document, tree: Tree) -> Iterator[tuple[int, str]]:
    for link in document.undefined:
        yield link.line, f"the reference [{link.target}] is not defined"
    for link in document.links:
        message = None if OUTSIDE.match(link.target) else broken(document, unquote(link.target), tree)
        if message:
            yield link.line, message


def broken(document: Document, target: str, tree: Tree) -> str | None:
    """Why a link leads nowhere; None if it does lead somewhere."""
    path, _, anchor = target.partition("#")
    if not path and not anchor:
        return "the link has no target"
    full = resolve(document.path, path)
    if not tree.has(full):
        return f"{target}: there is no {full}"
    if anchor and full in tree.documents and anchor not in tree.documents[full].anchors:
        return f"{target}: no heading of {full} has the anchor #{anchor}"
    return None


def resolve(document: str, path: str) -> str:
    """The path from the root; GitHub takes a leading slash as the root of the repository."""
    if not path:
        return document
    joined = path.lstrip("/") if path.startswith("/") else posixpath.join(posixpath.dirname(document), path)
    return posixpath.normpath(joined)


# -- blocks


def _blocks(document: Document, tree: Tree) -> Iterator[tuple[int, str]]:
    for block in document.blocks:
        for rule in (unaccounted, misparsed, unknown_make_target):
            message = rule(block, tree)
            if message:
                yield block.line, message


def unaccounted(block: Block, tree: Tree) -> str | None:
    """Why nobody knows whether a block works."""
    if not block.language:
        return f"give the block a fence and a language: {HINT}"
    if unknown := [mark for mark in block.marks if not mark.startswith(("test=", "needs="))]:
        return f"{unknown[0]} is not a mark of a block: {HINT}"
    test, needs = block.mark("test"), block.mark("needs")
    if test is not None:
        return untested(block, test, tree)
    if needs is not None:
        return None if needs in NEEDS else f"needs={needs}: only {', '.join(NEEDS)} can be needed"
    return None if block.language in PROSE | DATA.keys() else f"the {block.language} block is run by no test: {HINT}"


def untested(block: Block, test: str, tree: Tree) -> str | None:
    """Why the test that a block names does not run it."""
    if test not in tree.files:
        return f"test={test}: there is no such file"
    if (block.document, block.language) not in taken(tree.root / test):
        return f'test={test} does not run it: there is no blocks("{block.document}", "{block.language}") in that file'
    return None


@cache
def taken(test: Path) -> frozenset[tuple[str, str]]:
    """What a test takes from documents: the two literals of each call of blocks()."""
    if test.suffix != ".py":
        return frozenset()
    calls = [node for node in ast.walk(ast.parse(test.read_text())) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "blocks"]
    literals = [[arg.value for arg in call.args if isinstance(arg, ast.Constant)] for call in named]
    return frozenset((str(pair[0]), str(pair[1])) for pair in literals if len(pair) == 2)


def unknown_make_target(block: Block, tree: Tree) -> str | None:
    """A make command that the Makefile does not have; also in blocks that only a cluster can run."""
    if block.language not in SHELL:
        return None
    unknown = [target for line in block.text.splitlines() for target in made(line) if target not in tree.targets]
    return f"the Makefile has no target {unknown[0]}" if unknown else None


def made(line: str) -> list[str]:
    """The targets of a line with a make command: `$ make kind-up e2e ARGS="-x"  # both` makes kind-up and e2e."""
    command = line.strip().removeprefix("$ ")
    if not command.startswith("make "):
        return []
    try:
        words = shlex.split(command, comments=True)[1:]
    except ValueError:  # a quoted argument that goes on in the next line
        words = command.split()[1:2]
    return [word for word in words if "=" not in word and not word.startswith("-")]


# -- data


def misparsed(block: Block, _: Tree) -> str | None:
    """Why a block of data is not what it says it is."""
    if block.language not in DATA:
        return None
    try:
        parsed = DATA[block.language](block.text)
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        return f"this is not {block.language}: {' '.join(str(error).split())}"
    return next((message for each in parsed if (message := unfit(each))), None)


DATA: dict[str, Callable[[str], list[Any]]] = {
    "json": lambda text: [json.loads(text)],
    "toml": lambda text: [tomllib.loads(text)],
    "yaml": lambda text: list(yaml.safe_load_all(text)),
}


def unfit(value: Any) -> str | None:
    """Why a manifest of one of our API groups does not fit its CRD. CEL rules are not evaluated."""
    if not isinstance(value, dict) or not {"apiVersion", "kind"} <= value.keys():
        return None
    version, kind = value["apiVersion"], value["kind"]
    crds = {crd.kind: crd for crd in load_crds() if crd.api_version == version}
    if not crds:
        return None
    if not isinstance(kind, str) or kind not in crds:
        return f"{version} has no kind {kind}"
    # The CRDs say nothing about metadata: Kubernetes checks it by itself.
    errors = crds[kind].errors({name: part for name, part in value.items() if name != "metadata"})
    return f"the {kind} does not fit its CRD: {errors[0]}" if errors else None


# -- the command


def listed(root: Path) -> list[str]:
    """The files of the repository, those that are about to be added included; all files where there is no git."""
    if not (root / ".git").exists():
        paths = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
        return [str(path) for path in paths if not any(part.startswith(".venv") for part in path.parts)]
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    return [name for name in names.split("\0") if name and (root / name).is_file()]


def main() -> int:
    problems = check(Tree.read(ROOT, listed(ROOT)))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
