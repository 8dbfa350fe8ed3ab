"""Every file and function that docs/architecture.md names is there."""

import ast
import re

import pytest

from tests.support import ROOT

SECTION = (ROOT / "docs/architecture.md").read_text().split("## Where it is decided")[1].split("\n## ")[0]
FILE = re.compile(r"`([a-z0-9_]+(?:/[a-z0-9_]+)+\.py)`")
ROWS = [line.split("|")[1:3] for line in SECTION.splitlines() if FILE.search(line)]


def defined(path: str) -> set[str]:
    """Functions and classes, those inside of others with their path."""

    def walk(node: ast.AST, prefix: str = "") -> set[str]:
        found = set()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                found |= {child.name, prefix + child.name} | walk(child, f"{prefix}{child.name}.")
        return found

    return walk(ast.parse((ROOT / path).read_text()))


@pytest.mark.parametrize(("question", "answer"), ROWS)
def test_the_answer_is_there(question: str, answer: str):
    files = FILE.findall(answer)
    assert [path for path in files if not (ROOT / path).is_file()] == [], question
    names = re.findall(r"`([A-Za-z_.]+)`", FILE.sub("", answer))
    known = set().union(*map(defined, files))
    attributes = "".join((ROOT / path).read_text() for path in files)
    missing = [name for name in names if name not in known and f"{name.rpartition('.')[2]}:" not in attributes]
    assert [name for name in missing if not name.endswith(".py")] == [], question
