"""One closed set of reasons: the code, the CRDs and the documents use the same words."""

import ast
import re

import pytest

from reconcilers.reasons import Reason
from tests.support import ROOT

WORDS = {str(reason) for reason in Reason}
CONDITION_TYPES = {"Propagated", "Progressing", "Accepted"}  # a type and a reason of the same name
SERVER_STATES = {"Failed"}  # of a zone on a server, as status.bind9Instances says it
SOURCES = sorted(
    path for path in (ROOT / "reconcilers").rglob("*.py") if path.name not in {"reasons.py", "__init__.py"}
)
CRDS = sorted((ROOT / "config/crd").glob("*records.yaml"))
TABLE = (ROOT / "docs/concepts/records-and-zones.md").read_text().split("## What `status` says")[1].split("\n\n")[1]


def camel_case(text: str) -> set[str]:
    return set(re.findall(r"\b(?:[A-Z]+[a-z]+){2,}\b", text))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_spells_a_reason_itself(path):
    strings = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
    assert {text for text in strings if isinstance(text, str)} & (WORDS - CONDITION_TYPES - SERVER_STATES) == set()


def test_the_documented_reasons_are_those_that_there_are():
    single = {"Propagated", "Progressing", "Settled", "Deleting", "Rejected", "Conflict", "Accepted", "Invalid"}
    single |= {"Reconciling", "Programmed", "Failed", "Filtered"}
    assert camel_case(TABLE) | single == WORDS
    assert all(re.search(rf"\b{word}\b", TABLE) for word in single)


@pytest.mark.parametrize("path", CRDS, ids=lambda path: path.stem)
def test_the_crds_of_records_list_the_reasons_of_ready(path):
    listed = re.search(r"Reasons of `Ready`: ([^.]*)\.", path.read_text())
    row = next(line for line in TABLE.splitlines() if line.startswith("| record | `Ready`"))
    assert listed
    assert set(re.findall(r"\w+", listed[1])) == set(re.findall(r"\w+", row.split("|")[3]))
