"""YAML 1.2 as Kubernetes people mean it, on the C parser."""

import pytest

from zonewright.codegen.errors import CodegenError
from zonewright.codegen.yaml12 import documents


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("Off", "Off"), ("y", "y"),
        ("=", "="), ("2020-01-01", "2020-01-01"), ("1:30", "1:30"), ("1_000", "1_000"),
        ("true", True), ("False", False), ("~", None), ("null", None),
        ("10", 10), ("010", 10), ("0o10", 8), ("0x1F", 31), ("-3", -3), ("1.5", 1.5), ("1e3", 1000.0), ("'1'", "1"),
    ],
)  # fmt: skip
def test_scalars(text, value):
    (document,) = documents(f"value: {text}")
    assert document == {"value": value}
    assert type(document["value"]) is type(value)


def test_documents_anchors_and_merges():
    assert list(documents("a: &x {b: 1}\nc: {<<: *x, d: 2}\n---\n---\ne: 3\n")) == [
        {"a": {"b": 1}, "c": {"b": 1, "d": 2}},
        {"e": 3},
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3", "line 3: the key 'a' appears twice"),
        ("a: [1, 2", "line 2, column 1: not valid YAML"),
        ("a: !!python/object:os.system x", "not valid YAML"),
        ("\tb: 1", "not valid YAML"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text, message):
    with pytest.raises(CodegenError) as caught:
        list(documents(text))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
