"""The store: revisions, history and its end, snapshots of the past, owners."""

import pytest

from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.store import Change, Entry, Key, Store


def put(store: Store, name: str, text: str = "", owners: tuple[str, ...] = ()) -> Entry:
    revision = store.next_revision()
    entry = Entry(Key("ns", name), f"uid-{name}", revision, {}, owners, text.encode())
    store.put("things", entry)
    return entry


def names(entries: list[Entry]) -> list[str]:
    return [entry.key.name for entry in entries]


def test_entries_come_in_the_order_of_their_keys():
    store = Store()
    for name in ("b", "c", "a"):
        put(store, name)
    assert names(store.entries("things")) == ["a", "b", "c"]
    assert store.entries("things", "elsewhere") == []
    assert store.entries("nothing") == []


def test_history_tells_what_happened_since_a_revision():
    store = Store()
    first = put(store, "a")
    put(store, "a", "changed")
    last = Entry(first.key, first.uid, store.next_revision(), {}, (), b"gone")
    store.remove("things", last)
    assert [event.change for event in store.since(first.revision)] == [Change.MODIFIED, Change.DELETED]
    assert list(store.since(last.revision)) == []


def test_the_past_can_be_listed_as_it_was():
    store = Store()
    put(store, "a", "old")
    then = put(store, "b").revision
    put(store, "a", "new")
    put(store, "c")
    store.remove("things", Entry(Key("ns", "b"), "uid-b", store.next_revision(), {}, (), b""))
    past = store.entries_at("things", then)
    assert names(past) == ["a", "b"]
    assert past[0].raw == b"old"
    assert names(store.entries("things")) == ["a", "c"]


def test_history_is_limited_and_what_is_older_is_expired():
    store = Store(history=3)
    first = put(store, "a")
    for number in range(5):
        put(store, "a", str(number))
    with pytest.raises(ApiError) as refused:
        store.since(first.revision)
    assert (refused.value.code, refused.value.reason) == (410, "Expired")
    with pytest.raises(ApiError):
        store.entries_at("things", first.revision)


def test_compaction_makes_every_revision_up_to_now_too_old():
    store = Store()
    now = put(store, "a").revision
    store.compact()
    with pytest.raises(ApiError):
        store.since(now)
    assert list(store.since(store.revision)) == []
    assert names(store.entries("things")) == ["a"]


def test_dependents_are_found_by_their_owner_until_they_let_go():
    store = Store()
    put(store, "owner")
    put(store, "child", owners=("uid-owner",))
    assert [entry.key.name for _, entry in store.dependents("uid-owner")] == ["child"]
    assert store.find("uid-owner") is not None
    put(store, "child")
    assert store.dependents("uid-owner") == []


def test_listeners_hear_of_every_event_in_order():
    store = Store()
    heard: list[Change] = []
    store.subscribe(lambda event: heard.append(event.change))
    first = put(store, "a")
    put(store, "a", "x")
    store.rewrite("things", first)
    store.remove("things", Entry(first.key, first.uid, store.next_revision(), {}, (), b""))
    assert heard == [Change.ADDED, Change.MODIFIED, Change.DELETED]
