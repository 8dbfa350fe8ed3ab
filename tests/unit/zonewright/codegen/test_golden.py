"""The text of the output for the small CRDs: a change of codegen shows here as a diff to read.

After a wanted change: `zonewright generate --crds tests/golden/codegen/crds --out tests/golden/codegen/expected`."""

from tests.support import ROOT
from zonewright.codegen.generate import Target, generate

GOLDEN = ROOT / "tests/golden/codegen"


def test_the_output_is_the_golden_one():
    target = Target.at(GOLDEN / "expected")
    assert list(map(str, generate(GOLDEN / "crds", target).differences(target))) == []
