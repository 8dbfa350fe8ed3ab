"""Selectors mean what the API server means by them, and the index finds exactly those that match."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zonewright.api.selectors import InvalidSelector, LabelIndex, Operator, Requirement, Selector

LABELS = {"app": "web", "tier": "front"}


def expression(key, operator, *values):
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


MATCHES = {
    "an empty selector selects everything": ({}, True),
    "a missing selector selects nothing": (None, False),
    "a label that is equal": ({"matchLabels": {"app": "web"}}, True),
    "a label that is not": ({"matchLabels": {"app": "db"}}, False),
    "a label that is missing": ({"matchLabels": {"zone": "a"}}, False),
    "all labels must match": ({"matchLabels": {"app": "web", "tier": "back"}}, False),
    "In with the value": (expression("app", "In", "db", "web"), True),
    "In without the value": (expression("app", "In", "db"), False),
    "In without the label": (expression("zone", "In", "a"), False),
    "NotIn with the value": (expression("app", "NotIn", "web"), False),
    "NotIn without the value": (expression("app", "NotIn", "db"), True),
    "NotIn without the label": (expression("zone", "NotIn", "a"), True),
    "Exists with the label": (expression("app", "Exists"), True),
    "Exists without the label": (expression("zone", "Exists"), False),
    "DoesNotExist with the label": (expression("app", "DoesNotExist"), False),
    "DoesNotExist without the label": (expression("zone", "DoesNotExist"), True),
    "labels and expressions are all needed": (
        {"matchLabels": {"app": "web"}, **expression("tier", "NotIn", "front")},
        False,
    ),
    "nulls are as good as nothing": ({"matchLabels": None, "matchExpressions": None}, True),
}


@pytest.mark.parametrize(("fields", "selected"), MATCHES.values(), ids=MATCHES.keys())
def test_matches(fields, selected):
    selector = Selector.from_fields(fields)
    assert selector.matches(LABELS) is selected
    index: LabelIndex[str] = LabelIndex()
    index.put("key", [selector])
    assert index.match(LABELS) == ({"key"} if selected else set())


def test_models_are_as_good_as_dicts():
    part = SimpleNamespace(key="app", operator=SimpleNamespace(value="In"), values=["web"])
    model = SimpleNamespace(match_labels={"tier": "front"}, match_expressions=[part])
    assert Selector.from_fields(model).matches(LABELS)


PARSED = {
    "": {},
    "app=web": {"matchLabels": {"app": "web"}},
    "app==web": {"matchLabels": {"app": "web"}},
    "app = web, tier = front": {"matchLabels": {"app": "web", "tier": "front"}},
    "app!=web": expression("app", "NotIn", "web"),
    "app in (web,db),tier": {
        "matchExpressions": [
            {"key": "app", "operator": "In", "values": ["web", "db"]},
            {"key": "tier", "operator": "Exists"},
        ]
    },
    "app notin (web, db)": expression("app", "NotIn", "web", "db"),
    "!app": expression("app", "DoesNotExist"),
    "example.org/app": expression("example.org/app", "Exists"),
    "app=": {"matchLabels": {"app": ""}},
}


@pytest.mark.parametrize(("text", "fields"), PARSED.items(), ids=PARSED.keys())
def test_the_text_form_means_the_same(text, fields):
    assert Selector.parse(text) == Selector.from_fields(fields)
    assert Selector.parse(str(Selector.parse(text))) == Selector.parse(text)


@pytest.mark.parametrize("text", ["a=b=c", "a in b", "= b", "a b", "a in ()x"])
def test_what_is_no_selector_is_refused(text):
    with pytest.raises(InvalidSelector):
        Selector.parse(text)


@pytest.mark.parametrize(
    "fields",
    [expression("a", "Like", "b"), expression("a", "In"), expression("a", "Exists", "b")],
    ids=["unknown operator", "In without values", "Exists with values"],
)
def test_what_the_server_would_refuse_is_refused(fields):
    with pytest.raises(InvalidSelector):
        Selector.from_fields(fields)


# -- the index

names = st.sampled_from(["a", "b", "c"])
values = st.sampled_from(["1", "2", "3"])
labels = st.dictionaries(names, values)
requirements = st.one_of(
    st.builds(Requirement, names, st.sampled_from([Operator.IN, Operator.NOT_IN]), st.frozensets(values, min_size=1)),
    st.builds(Requirement, names, st.sampled_from([Operator.EXISTS, Operator.DOES_NOT_EXIST])),
)
selectors = st.builds(Selector, st.one_of(st.none(), st.lists(requirements, max_size=3).map(tuple)))
operations = st.lists(st.tuples(st.integers(0, 4), st.one_of(st.none(), st.lists(selectors, max_size=3))))


@given(operations, labels)
def test_the_index_agrees_with_asking_every_selector(operations, labels):
    index: LabelIndex[int] = LabelIndex()
    model: dict[int, list[Selector]] = {}
    for key, given_selectors in operations:
        if given_selectors is None:
            index.remove(key)
            model.pop(key, None)
        else:
            index.put(key, given_selectors)
            model[key] = given_selectors
    assert index.match(labels) == {key for key, all_ in model.items() if any(s.matches(labels) for s in all_)}
    assert len(index) == len(model)
    assert all(key in index for key in model)
    for key in model:
        index.remove(key)
    assert not index._filed
    assert not index._unfiled
    assert not index._popularity


def test_a_popular_label_does_not_make_candidates_of_all_selectors():
    index: LabelIndex[int] = LabelIndex()
    for number in range(1000):
        index.put(number, [Selector.parse(f"app=web,zone=z{number}")])
    candidates = list(index._candidates({"app": "web", "zone": "z7"}))
    assert len(candidates) <= 3
    assert index.match({"app": "web", "zone": "z7"}) == {7}
