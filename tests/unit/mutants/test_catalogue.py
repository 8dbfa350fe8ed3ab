"""Every bug of the catalogue can still be seeded. `make mutants` says so too, many minutes later."""

import ast

import pytest

from tests.mutants.catalogue import MUTANTS, Mutant
from tests.support import ROOT


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.name for mutant in MUTANTS])
def test_its_edit_fits_the_source(mutant: Mutant):
    text = (ROOT / "reconcilers" / "engine" / mutant.file).read_text()
    assert text.count(mutant.before) == 1
    ast.parse(text.replace(mutant.before, mutant.after))


def test_no_bug_is_there_twice():
    names = [mutant.name for mutant in MUTANTS]
    assert len(names) == len(set(names))
