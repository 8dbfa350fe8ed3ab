"""The operator's grammar of zone names is bindcar's, and for plain names that of the CRD: on whatever text there is."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from bindcar.tokens import InvalidZoneName, zone_name
from reconcilers.ddns import InvalidName, parse_zone_name
from tests.support.crds import load_crds
from tests.support.zone_names import ACCEPTED, REFUSED, REFUSED_AS_INTERNATIONALISED

DNSZONE = next(crd for crd in load_crds() if crd.kind == "DNSZone")
FIELD = DNSZONE.schema["properties"]["spec"]["properties"]["zoneName"]
# A pattern's `$` is the end of the text; Python's would also be a line break before it.
PATTERN = re.compile(FIELD["pattern"].removesuffix("$") + r"\Z")
LABELS = st.text(alphabet="aZ0_/-", max_size=5) | st.sampled_from(["a" * 61, "a" * 62, "a" * 63, "a" * 64])
NAMES = st.lists(LABELS, max_size=5).map(".".join)
TEXTS = st.text() | NAMES | st.text(alphabet="aü_/-.。\\@*☃ß", max_size=12)


def operator(text: str) -> str | None:
    try:
        return parse_zone_name(text).to_text(omit_final_dot=True)
    except InvalidName:
        return None


def bindcar(text: str) -> str | None:
    try:
        return zone_name(text)
    except InvalidZoneName:
        return None


def crd(text: str) -> bool:
    short = len(text) <= 253 or (len(text) == FIELD["maxLength"] and text.endswith("."))
    return bool(PATTERN.match(text)) and short


def test_the_table():
    for case in ACCEPTED:
        assert (operator(case.name), bindcar(case.name)) == (case.meaning, case.meaning), case.why
        assert crd(case.name), case.why
    for refused in (*REFUSED, *REFUSED_AS_INTERNATIONALISED):
        assert (operator(refused.name), bindcar(refused.name)) == (None, None), refused.why
    assert not any(crd(refused.name) for refused in REFUSED)


@given(TEXTS)
@example("-clean")
@example("a\n")
def test_operator_and_bindcar_agree_on_every_text(text):
    assert operator(text) == bindcar(text)


@given(TEXTS.filter(str.isascii))
def test_the_crd_agrees_with_them_on_plain_names(text):
    assert crd(text) == (operator(text) is not None)


@given(TEXTS)
def test_the_crd_refuses_nothing_that_they_accept(text):
    assert crd(text) or operator(text) is None


def test_a_pattern_that_does_not_match_says_so_at_once():
    """The embedded API matches with Python's `re`, which can take for ever on a pattern that is ambiguous."""
    assert not crd("a." * 126 + "-")
    assert not crd("a-" * 126)
    assert not crd("ü-" * 126 + "/")
