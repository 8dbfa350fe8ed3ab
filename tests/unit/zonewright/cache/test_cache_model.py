"""Reflector, store and informer against a model server, in every order that Hypothesis thinks of.

Connections drop, events come twice or in another order, history is compacted, lists are stale, pages expire. Whatever
happens: reads never go back in time, handlers are told every step that the cache takes, our writes are seen at once,
and one undisturbed watch later the cache is what the server has, with no delete lost.
"""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.support.model_server import PAGE, WIDGET, Faults, ModelServer, key
from zonewright.cache.informer import Informer
from zonewright.clock import FakeClock

NAMES = st.sampled_from("abcde")
FAULTS = st.builds(
    Faults,
    duplicate=st.booleans(),
    swap=st.booleans(),
    cut_after=st.none() | st.integers(0, 12),
    end=st.sampled_from(["closed", "silent", "broken", "expired", "error"]),
    expired_as=st.sampled_from(["status", "stream"]),
    noise=st.booleans(),
    stale=st.integers(0, 5),
)


class CacheMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.server = ModelServer()
        self.clock = FakeClock()
        self.informer = Informer(WIDGET, self.server, clock=self.clock)
        self.informer.add_index("first", lambda object_: [object_.labels["first"]] if object_.labels else [])
        self.told = {}  # what a handler knows: name -> version
        self.alive = set()  # uids that it was told of and not told the end of
        self.newest = {}  # the newest version that was read, by name
        self.complaints = []
        self.registration = self.informer.add_handler(self.handle)

    def handle(self, old, new, initial):
        try:
            self.hear(old, new, initial)
        except AssertionError as error:  # the informer survives what a handler raises, and this test must not
            self.complaints.append(error)

    def hear(self, old, new, initial):
        assert initial is not self.registration_synced()
        name = (new or old).name
        assert self.told.get(name) == (old.version if old else None), "told a step that does not follow the last one"
        if old:
            self.alive.discard(old.uid)
        if new:
            self.alive.add(new.uid)
            self.told[name] = new.version
            assert old is None or (old.uid == new.uid and old.version < new.version)
        else:
            del self.told[name]

    def registration_synced(self):
        return hasattr(self, "registration") and self.registration.has_synced()

    # --- the world moves

    @rule(name=NAMES, value=st.integers(0, 9), label=st.sampled_from(["x", "y"]))
    def somebody_writes(self, name, value, label):
        self.server.put(name, value, (("first", label),))

    @rule(name=NAMES)
    def somebody_deletes(self, name):
        if name in self.server.objects:
            self.server.delete(name)

    @rule(name=NAMES, compact=st.booleans())
    def somebody_replaces(self, name, compact):
        if name in self.server.objects:
            self.server.delete(name)
            self.server.put(name)
        if compact:
            self.server.compact()

    @rule()
    def history_is_compacted(self):
        self.server.compact()

    @rule()
    def streaming_lists_are_turned_off(self):
        self.server.faults.watch_list = False

    @precondition(lambda self: self.informer.has_synced())
    @rule(name=NAMES, label=st.sampled_from(["x", "y"]))
    def we_write(self, name, label):
        written = self.server.put(name, 42, (("first", label),)).object()
        self.informer.wrote(written)
        read = self.informer.object(key(name))
        assert read is not None
        assert read.version == written.version
        assert written.version in {object_.version for object_ in self.informer.by_index("first", label)}
        assert written.version in {object_.version for object_ in self.informer.objects()}

    # --- the reflector works

    @rule(faults=FAULTS)
    def a_step_goes_wrong(self, faults):
        faults.watch_list = self.server.faults.watch_list
        self.server.faults = faults
        self.step()

    @precondition(lambda self: self.informer.has_synced())
    @rule(
        changes=st.lists(
            st.tuples(st.sampled_from("ab"), st.sampled_from(["write", "delete", "ours"])), min_size=2, max_size=6
        ),
        faults=FAULTS,
        undisturbed=st.booleans(),
    )
    def one_watch_brings_many_changes(self, changes, faults, undisturbed):
        """Of few objects, so that what comes twice, late or not at all is about the same one."""
        for name, what in changes:
            if what == "delete":
                self.somebody_deletes(name)
            elif what == "ours":
                self.we_write(name, "x")
            else:
                self.somebody_writes(name, 0, "y")
        self.a_step_goes_wrong(faults)
        if undisturbed:
            self.undisturbed_it_converges()

    @rule(faults=FAULTS)
    def pages_expire_while_they_are_read(self, faults):
        """Compacts between two pages of a list."""
        server: Any = self.server
        original = server.list

        def list_then_compact(version, continue_, *, limit):
            page = original(version, continue_, limit=limit)
            if page.continue_:
                self.server.put("e")
                self.server.compact()
            return page

        server.list = list_then_compact
        try:
            self.a_step_goes_wrong(faults)
        finally:
            server.list = original

    @rule()
    def undisturbed_it_converges(self):
        # At most: a watch that finds its version expired, a refused WatchList, a list, a watch.
        for _ in range(4):
            self.server.faults = Faults(watch_list=self.server.faults.watch_list)
            self.step()
        wanted = {stored.name: stored.version for stored in self.server.objects.values()}
        assert {object_.name: object_.version for object_ in self.informer.objects()} == wanted
        assert self.told == wanted
        assert self.alive == {stored.uid for stored in self.server.objects.values()}, "a delete was lost"
        for label in "xy":
            indexed = {object_.name for object_ in self.informer.by_index("first", label)}
            assert indexed == {s.name for s in self.server.objects.values() if s.labels == (("first", label),)}

    def step(self):
        self.clock.advance(self.informer._reflector.step() or 1.0)

    # --- and always

    @invariant()
    def handlers_have_no_complaints(self):
        assert self.complaints == []

    @invariant()
    def reads_never_go_back(self):
        for object_ in self.informer.objects():
            assert object_.version >= self.newest.get(object_.name, 0)
            self.newest[object_.name] = object_.version

    @invariant()
    def handlers_know_what_is_cached(self):
        assert self.told == {k.name: self.informer._store._objects[k].version for k in self.informer._store._objects}

    @invariant()
    def the_size_adds_up(self):
        assert self.informer.bytes == sum(len(object_.raw) for object_ in self.informer._store.resident())


CacheMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestCache = CacheMachine.TestCase


def test_the_model_pages():
    """The machine is only worth something if lists come in several pages."""
    server = ModelServer()
    for name in "abcde":
        server.put(name)
    page = server.list("", "", limit=True)
    assert (len(page.objects), bool(page.continue_)) == (PAGE, True)
