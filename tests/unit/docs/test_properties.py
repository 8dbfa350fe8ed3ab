"""What docs/concepts/engine.md says always holds is what the engine's model checks."""

import re

import pytest

from tests.support import ROOT
from tests.unit.reconcilers.engine.model.invariants import SAFETY
from tests.unit.reconcilers.engine.model.liveness import LIVENESS

PAGE = (ROOT / "docs/concepts/engine.md").read_text()
ROWS = re.findall(r"^\| ([SL]\d+) \| (.+?) \|(.*)\|$", PAGE, re.MULTILINE)
TESTS = [(number, name) for number, _, others in ROWS for name in re.findall(r"`(\w+)`", others)]


def test_every_property_is_on_the_page_with_the_sentence_that_the_model_has():
    stated = {number: sentence for number, sentence, _ in ROWS}
    assert stated == {each.__name__: " ".join((each.__doc__ or "").split()) for each in (*SAFETY, *LIVENESS)}


def test_every_number_is_there_once():
    numbers = [f"S{number}" for number in range(1, 20)] + [f"L{number}" for number in range(1, 5)]
    assert [number for number, _, _ in ROWS] == numbers


def test_every_number_that_the_text_mentions_has_a_row():
    assert set(re.findall(r"\b[SL]\d+\b", PAGE)) == {number for number, _, _ in ROWS}


@pytest.mark.parametrize(("number", "name"), TESTS)
def test_a_test_besides_the_model_is_there(number: str, name: str):
    files = (ROOT / "tests").rglob("test_*.py")
    assert any(f"\ndef {name}(" in file.read_text() for file in files), f"{number}: {name}"
