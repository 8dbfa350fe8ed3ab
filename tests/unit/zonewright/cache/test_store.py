"""The store's rules, one sentence each; the state machine in test_cache_model.py mixes them."""

from typing import Any

import pytest

from tests.support.model_server import Stored, key
from zonewright.cache.store import Store


def made(name="a", version=10, uid="u1", **rest):
    return Stored(name, uid, version, **rest).object()


@pytest.fixture
def store():
    """Holds a@10 and b@11, as of 20."""
    store: Store[Any] = Store()
    store.replace([made("a", 10), made("b", 11, "u2")], 20)
    return store


def steps(changes):
    return [(old and old.version, new and new.version) for old, new in changes]


def version(store, name="a"):
    found = store.get(key(name))
    return found and found.version


def test_a_first_list_is_all_new():
    assert steps(Store().replace([made("a", 10)], 20)) == [(None, 10)]


@pytest.mark.parametrize(
    ("objects", "wanted"),
    [
        pytest.param([made("a", 10), made("b", 11, "u2")], [], id="the same is no change"),
        pytest.param([made("a", 10)], [(11, None)], id="what is missing was deleted, with its last state"),
        pytest.param([made("a", 25), made("b", 11, "u2")], [(10, 25)], id="what is newer changed"),
        pytest.param(
            [made("a", 25, "u9"), made("b", 11, "u2")], [(10, None), (None, 25)], id="another uid is another object"
        ),
        pytest.param([made("a", 10), made("b", 11, "u2"), made("c", 30)], [(None, 30)], id="what is unknown is new"),
        pytest.param([], [(10, None), (11, None)], id="nothing means all gone"),
        pytest.param([made("a", 5), made("b", 11, "u2")], [(10, 5)], id="the list is right even if it is older"),
    ],
)
def test_replacing_tells_the_difference(store, objects, wanted):
    assert steps(store.replace(objects, 30)) == wanted
    assert {o.version for o in store.objects()} == {o.version for o in objects}


@pytest.mark.parametrize(
    ("event", "deleted", "wanted"),
    [
        pytest.param(made("a", 21), False, (10, 21), id="newer"),
        pytest.param(made("c", 21), False, (None, 21), id="new"),
        pytest.param(made("a", 22), True, (10, None), id="deleted"),
        pytest.param(made("a", 10), True, (10, None), id="deleted, with the version of the last change"),
        pytest.param(made("a", 10), False, None, id="a duplicate"),
        pytest.param(made("a", 9), False, None, id="older"),
        pytest.param(made("a", 9), True, None, id="an older deletion"),
        pytest.param(made("c", 19), False, None, id="unknown, but from before the list"),
        pytest.param(made("c", 21), True, None, id="the deletion of what was never seen"),
    ],
)
def test_an_event_is_applied_if_it_is_news(store, event, deleted, wanted):
    change = store.apply(event, deleted=deleted)
    assert (steps([change])[0] if change else None) == wanted


def test_a_deleted_object_does_not_come_back_with_a_late_duplicate(store):
    store.apply(made("c", 21))
    store.apply(made("c", 22), deleted=True)
    assert store.apply(made("c", 21)) is None
    assert version(store, "c") is None


def test_but_a_new_one_of_the_same_name_does(store):
    store.apply(made("a", 22), deleted=True)
    assert steps([store.apply(made("a", 23, "u9"))]) == [(None, 23)]


def test_bookmarks_end_the_memory_of_deletions(store):
    store.apply(made("a", 22), deleted=True)
    store.progress(30)
    assert store._deleted == {}
    assert store.apply(made("a", 22)) is None
    assert store.version == 30


def test_size_and_number_follow(store):
    before = store.bytes
    store.apply(made("c", 21))
    assert len(store) == 3
    store.apply(made("c", 22), deleted=True)
    assert (len(store), store.bytes) == (2, before)


# --- read-your-writes


def test_a_write_is_read_at_once(store):
    store.wrote(made("a", 25))
    assert version(store) == 25


def test_a_write_that_created_is_read_at_once_everywhere(store):
    store.add_index("all", lambda object_: ["x"])
    store.wrote(made("c", 25))
    assert version(store, "c") == 25
    assert {o.name for o in store.objects()} == {o.name for o in store.by_index("all", "x")} == {"a", "b", "c"}


def test_of_two_writes_the_newer_counts_in_whatever_order_the_replies_come(store):
    store.wrote(made("a", 26))
    store.wrote(made("a", 25))
    assert version(store) == 26


def test_a_reply_that_comes_after_the_watch_is_no_news(store):
    store.apply(made("a", 25))
    store.apply(made("a", 26), deleted=True)
    store.wrote(made("a", 25))
    assert version(store) is None


@pytest.mark.parametrize(
    "watch",
    [
        pytest.param(lambda store: store.apply(made("a", 25)), id="brought it"),
        pytest.param(lambda store: store.apply(made("a", 27)), id="brought something newer"),
        pytest.param(lambda store: store.apply(made("a", 27), deleted=True), id="brought the deletion"),
        pytest.param(lambda store: store.progress(25), id="is complete up to there"),
        pytest.param(lambda store: store.replace([made("a", 25)], 25), id="was listed again"),
    ],
)
def test_a_write_is_forgotten_once_the_watch(store, watch):
    store.wrote(made("a", 25))
    watch(store)
    assert len(store._overlay) == 0


def test_it_is_kept_while_the_watch_is_behind(store):
    store.wrote(made("a", 25))
    store.apply(made("a", 24))
    store.progress(24)
    assert version(store) == 25


def test_after_time_was_turned_back_our_writes_never_happened(store):
    store.wrote(made("a", 25))
    store.replace([made("a", 5)], 6)
    assert version(store) == 5


def test_with_selectors_only_known_objects_are_overlaid(store):
    store.wrote(made("a", 25), only_known=True)
    store.wrote(made("c", 26), only_known=True)
    assert (version(store, "a"), version(store, "c")) == (25, None)


# --- indexes and views


def by_label(object_):
    return object_.labels.values()


def names(store, value):
    return sorted(object_.name for object_ in store.by_index("label", value))


def test_an_index_follows_every_change(store):
    store.add_index("label", by_label)
    store.apply(made("a", 21, labels=(("k", "x"),)))
    store.apply(made("b", 22, "u2", labels=(("k", "x"), ("l", "y"))))
    assert (names(store, "x"), names(store, "y")) == (["a", "b"], ["b"])
    store.apply(made("a", 23, labels=(("k", "z"),)))
    assert (names(store, "x"), names(store, "z")) == (["b"], ["a"])
    store.apply(made("b", 24, "u2"), deleted=True)
    assert (names(store, "x"), names(store, "y")) == ([], [])


def test_an_index_that_comes_late_knows_what_is_there(store):
    store.apply(made("a", 21, labels=(("k", "x"),)))
    store.add_index("label", by_label)
    assert names(store, "x") == ["a"]


def test_an_index_sees_our_writes(store):
    store.add_index("label", by_label)
    store.apply(made("a", 21, labels=(("k", "x"),)))
    store.wrote(made("a", 25, labels=(("k", "y"),)))
    assert (names(store, "x"), names(store, "y")) == ([], ["a"])


def test_an_index_function_that_fails_indexes_nothing(store):
    store.add_index("label", lambda object_: object_.labels["missing"])
    assert names(store, "x") == []
    assert steps([store.apply(made("a", 21))]) == [(10, 21)]


def test_two_indexes_of_one_name_are_a_mistake(store):
    store.add_index("label", by_label)
    with pytest.raises(ValueError, match="already"):
        store.add_index("label", by_label)


def test_readers_get_views_of_their_own(store):
    assert store.get(key("a")) is not store.get(key("a"))
    store.get(key("a")).labels  # noqa: B018 - decodes through the view
    assert all(object_._metadata is None for object_ in store.resident())


def test_objects_of_a_namespace(store):
    assert len(store.objects("n")) == 2
    assert store.objects("other") == []
    assert sorted(store.keys()) == [key("a"), key("b")]
