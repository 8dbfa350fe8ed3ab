"""Who is told what, when; and what readers get."""

import sys
from typing import Any

import pytest

from tests.support.model_server import WIDGET, ModelServer, Stored, key
from zonewright.api import decode
from zonewright.api.errors import InvalidObject
from zonewright.api.kind import Kind
from zonewright.cache.informer import Informer, Registration
from zonewright.cache.informers import InformerSet
from zonewright.client.client import Client


def made(name="a", version=10, **rest):
    return Stored(name, f"u-{name}", version, **rest).object()


@pytest.fixture
def informer():
    return Informer(WIDGET, ModelServer())


class Recorder:
    def __init__(self):
        self.calls = []

    def __call__(self, old, new, initial):
        self.calls.append((old and old.version, new and new.version, initial))


def test_a_handler_is_told_the_first_list_and_then_every_change(informer):
    recorder = Recorder()
    registration = informer.add_handler(recorder)
    assert not registration.has_synced()
    informer.replace([made("a", 10)], 20)
    assert registration.has_synced()
    informer.apply(made("a", 21), deleted=False)
    informer.apply(made("a", 21), deleted=False)
    informer.apply(made("a", 22), deleted=True)
    assert recorder.calls == [(None, 10, True), (10, 21, False), (21, None, False)]


def test_a_handler_is_synced_only_when_it_was_told_everything(informer):
    seen = []
    registration: Registration = informer.add_handler(
        lambda *_: seen.append((registration.has_synced(), informer.has_synced()))
    )
    informer.replace([made("a"), made("b")], 20)
    assert seen == [(False, False)] * 2
    assert registration.wait(0)


def test_views_come_before_handlers_whatever_was_registered_first(informer):
    order = []
    informer.add_handler(lambda *_: order.append("handler"))
    view = informer.add_view(lambda *_: order.append("view"))
    informer.replace([made("a")], 20)
    assert order == ["view", "handler"]
    assert view.has_synced()


def test_a_view_that_comes_late_is_told_what_is_there_and_can_go(informer):
    recorder = Recorder()
    informer.replace([made("a", 10)], 20)
    view = informer.add_view(recorder)
    view.remove()
    informer.apply(made("a", 21), deleted=False)
    assert recorder.calls == [(None, 10, True)]


def test_a_list_after_the_first_is_not_initial(informer):
    recorder = Recorder()
    informer.replace([made("a", 10)], 20)
    informer.add_handler(recorder)
    informer.replace([made("b", 30)], 40)
    assert recorder.calls == [(None, 10, True), (10, None, False), (None, 30, False)]


def test_a_late_handler_is_told_what_is_there(informer):
    informer.replace([made("a", 10), made("b", 11)], 20)
    recorder = Recorder()
    assert informer.add_handler(recorder).has_synced()
    assert sorted(recorder.calls) == [(None, 10, True), (None, 11, True)]


def test_a_handler_sees_the_cache_as_it_is_after_the_change(informer):
    seen = []
    informer.add_handler(lambda old, new, initial: seen.append(len(informer.objects())))
    informer.replace([made("a"), made("b")], 20)
    assert seen == [2, 2]


def test_a_removed_handler_is_told_nothing_more(informer):
    recorder = Recorder()
    informer.add_handler(recorder).remove()
    informer.replace([made("a")], 20)
    assert recorder.calls == []


def test_a_handler_that_fails_does_not_keep_others_from_being_told(informer):
    def broken(old, new, initial):
        raise RuntimeError("a mapper's bug")

    recorder = Recorder()
    informer.add_handler(broken)
    informer.add_handler(recorder)
    informer.replace([made("a", 10)], 20)
    informer.apply(made("a", 21), deleted=True)
    assert recorder.calls == [(None, 10, True), (10, None, False)]
    assert informer.has_synced()


def test_nor_does_one_that_ends_the_program(informer):
    recorder = Recorder()
    informer.add_handler(lambda *_: sys.exit())
    informer.add_index("exit", lambda _: sys.exit())
    informer.add_handler(recorder)
    informer.replace([made("a", 10)], 20)
    informer.apply(made("a", 21), deleted=False)
    assert recorder.calls == [(None, 10, True), (10, 21, False)]


def test_metadata_of_the_wrong_type_stops_no_list(informer):
    """The difference of two lists looks at uids: an object whose metadata does not decode stopped it for ever."""

    def odd(version):
        raw = b'{"metadata":{"labels":[],"name":"odd","namespace":"n","resourceVersion":"%d","uid":"u"}}' % version
        return decode.single(WIDGET, raw)

    recorder = Recorder()
    informer.replace([odd(10), made("a", 11)], 20)
    informer.add_handler(recorder)
    informer.replace([odd(21), made("a", 22)], 30)
    assert recorder.calls[2:] == [(10, 21, False), (11, 22, False)]
    assert (informer.object(key("odd")).labels, informer.object(key("odd")).uid) == ({}, "u")


def test_what_handlers_decoded_does_not_stay_in_memory(informer):
    informer.add_handler(lambda old, new, initial: new.labels)
    informer.replace([made("a", labels=(("x", "y"),))], 20)
    informer.add_handler(lambda old, new, initial: new.labels)
    assert all(object_._metadata is None for object_ in informer._store.resident())


def test_reads(informer):
    informer.replace([made("a", 10, value=3), made("b", 11)], 20)
    assert informer.get(key("a"))["spec"] == {"value": 3}
    assert informer.get(key("missing")) is None
    assert informer.object(key("missing")) is None
    assert informer.object(key("a")).version == 10
    assert sorted(found["metadata"]["name"] for found in informer.list("n")) == ["a", "b"]
    assert informer.list("other") == []
    assert len(informer) == 2
    assert informer.bytes > 0


def test_what_is_read_is_private(informer):
    informer.replace([made("a", value=3)], 20)
    informer.get(key("a"))["spec"]["value"] = 99
    assert informer.get(key("a"))["spec"] == {"value": 3}


def test_a_write_is_read_at_once_and_handlers_hear_of_it_from_the_watch(informer):
    recorder = Recorder()
    informer.replace([made("a", 10)], 20)
    informer.add_handler(recorder)
    informer.wrote(made("a", 25))
    assert informer.object(key("a")).version == 25
    informer.apply(made("a", 25), deleted=False)
    assert recorder.calls[1:] == [(10, 25, False)]


def test_a_write_outside_of_its_namespace_is_not_its_business():
    informer = Informer(WIDGET, ModelServer(), scope="elsewhere")
    informer.wrote(made("a", 25))
    assert informer.object(key("a")) is None


def poison(name="a", version=10):
    return Stored(name, "u", version).raw().replace(b'"value":0', b'"size":"three"')


def test_an_object_that_does_not_fit_is_kept_reported_and_leaves_the_others_alone(widget_kind):
    from zonewright.api import decode

    informer = Informer(widget_kind, ModelServer())
    good = Stored("b", "u2", 11).raw().replace(b'"value":0', b'"size":3')
    informer.replace([decode.single(widget_kind, poison()), decode.single(widget_kind, good)], 20)
    with pytest.raises(InvalidObject):
        informer.get(key("a"))
    assert [found.spec.size for found in informer.list()] == [3]
    assert "spec.size" in informer.invalid()[key("a")]
    kept = informer.object(key("a"))
    assert kept is not None
    assert kept.fields()["spec"] == {"size": "three"}
    informer.apply(decode.single(widget_kind, poison(version=30)), deleted=True)
    assert informer.invalid() == {}


# --- one informer per kind


def informers(**options):
    nowhere: Any = None
    return InformerSet(Client(nowhere), **options)


NODE: Kind[Any] = Kind("", "v1", "Node", "nodes", namespaced=False)


def test_a_kind_has_one_informer():
    set_ = informers()
    assert set_.informer(WIDGET) is set_.informer(Kind("bench.example.org", "v1", "Widget", "widgets"))
    assert set_.informers() == [set_.informer(WIDGET)]


def test_a_set_may_be_limited_to_a_namespace():
    set_ = informers(namespace="dns")
    assert set_.informer(WIDGET).scope == "dns"
    assert set_.informer(NODE).scope == ""


def test_a_write_reaches_the_informer_of_its_kind():
    set_ = informers()
    informer = set_.informer(WIDGET)
    informer.replace([], 20)
    set_.wrote(made("a", 25))
    set_.wrote(Stored("a", "u", 26).object().view())
    assert informer.object(key("a")).version == 26


def test_a_write_of_a_kind_that_nobody_watches_is_nobodys_business():
    informers().wrote(made("a", 25))


def test_a_set_is_synced_when_every_informer_is():
    set_ = informers()
    first, second = set_.informer(WIDGET), set_.informer(NODE)
    first.replace([], 1)
    assert not set_.has_synced()
    assert not set_.wait(0)
    second.replace([], 1)
    assert set_.has_synced()
    assert set_.wait(0)
