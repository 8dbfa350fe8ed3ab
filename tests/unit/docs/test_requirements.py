"""The criteria of docs/requirements.md and the markers of the acceptance tests are the same."""

import re

from tests.support import ROOT

PAGE = (ROOT / "docs/requirements.md").read_text()
LINES = re.findall(r"^\| ([A-Z]+-\S+) \| .* \| (.+) \|$", PAGE, re.MULTILINE)
ROWS = dict(LINES)
FILES = sorted((ROOT / "tests/acceptance").glob("test_*.py"))
UNITS = sorted((ROOT / "tests/unit/reconcilers").rglob("test_*.py"))
MARKER = re.compile(r'mark\.criterion\(number="(.*?)"\)')


def marked() -> set[str]:
    return {number for file in (*FILES, *UNITS) for number in MARKER.findall(file.read_text())}


def test_every_number_is_one_criterion():
    numbers = [number for number, _ in LINES]
    assert sorted(numbers) == sorted(set(numbers))


def test_every_criterion_that_a_test_shows_has_one():
    assert marked() == {number for number, checked_by in ROWS.items() if checked_by == "test"}


def test_no_number_stands_for_two_criteria():
    numbers = re.findall(r"^\| ([A-Z]+-\S+) \|", PAGE, re.MULTILINE)
    assert sorted(numbers) == sorted(set(numbers))


def test_every_other_criterion_names_a_target_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text()
    others = [checked_by for checked_by in ROWS.values() if checked_by != "test"]
    assert [each for each in others if f"\n{re.findall('make ([a-z]+)', each)[0]}:" not in makefile] == []


def test_every_acceptance_test_has_its_criterion():
    for file in FILES:
        tests = re.findall(r"((?:^@.*\n(?:^[ )].*\n)*)*)^def (test_\w+)", file.read_text(), re.MULTILINE)
        assert [name for decorators, name in tests if not MARKER.search(decorators)] == [], file.name
