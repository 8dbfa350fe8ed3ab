"""client-go's rules for keeping a cache equal to the server, one sentence each."""

import threading
from typing import Any

import pytest

from tests.support.model_server import WIDGET, Faults, ModelServer, bookmark, line
from zonewright.api import decode
from zonewright.api.errors import (
    ApiError,
    Forbidden,
    Gone,
    NotFound,
    ServerError,
    TooManyRequests,
    Unreachable,
)
from zonewright.cache.reflector import MALFORMED, Reflector
from zonewright.clock import FakeClock, SystemClock


class Sink:
    def __init__(self):
        self.objects = {}
        self.calls = []

    def replace(self, objects, version):
        self.objects = {object_.name: object_.version for object_ in objects}
        self.calls.append(("replace", version))

    def apply(self, object_, *, deleted):
        self.calls.append(("delete" if deleted else "put", object_.name))
        if deleted:
            self.objects.pop(object_.name, None)
        else:
            self.objects[object_.name] = object_.version

    def progress(self, version):
        self.calls.append(("progress", version))


class Script:
    """A source that does what it is told, one item per request: an exception, a page or a list of lines."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    def list(self, version, continue_, *, limit):
        self.requests.append(("list", version, limit))
        return self._next()

    def watch(self, version, *, initial, seconds, opened):
        assert 300 <= seconds <= 600
        opened(lambda: None)
        self.requests.append(("initial" if initial else "watch", version))
        return ScriptedLines(self._next())

    def _next(self):
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class ScriptedLines:
    def __init__(self, lines):
        self.lines = lines

    def batches(self, silence):
        for item in self.lines:
            if isinstance(item, Exception):
                raise item
            if callable(item):
                item()
            else:
                yield [item]

    def close(self):
        pass


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def sink():
    return Sink()


@pytest.fixture
def server():
    server = ModelServer()
    for name in "abc":
        server.put(name)
    return server


def reflector(source, sink, clock, chance=0.5):
    return Reflector(WIDGET, source, sink, clock=clock, chance=lambda: chance)


END = bookmark(100, {"k8s.io/initial-events-end": "true"})


def synced(clock, sink, *answers):
    """A reflector that is synced at version 100 and then gets `answers`."""
    source = Script([END], *answers)
    made = reflector(source, sink, clock)
    made.step()
    source.requests.clear()
    sink.calls.clear()
    return made, source


def test_everything_comes_on_the_watch_itself(server, sink, clock):
    made = reflector(server, sink, clock)
    made.step()
    assert server.requests == [("watch", "0", True)]
    assert sink.objects == {"a": 101, "b": 102, "c": 103}
    assert made.state().synced


def test_it_is_installed_at_once_and_the_same_stream_goes_on(sink, clock):
    new = {"metadata": {"name": "x", "resourceVersion": "7"}}
    later = {"metadata": {"name": "y", "resourceVersion": "101"}}
    source = Script([line("ADDED", new), lambda: sink.calls.append("nothing yet"), END, line("ADDED", later)])
    reflector(source, sink, clock).step()
    assert sink.calls == ["nothing yet", ("replace", 100), ("put", "y")]


def test_a_change_during_the_initial_events_counts(sink, clock):
    one = {"metadata": {"name": "x", "resourceVersion": "7"}}
    two = {"metadata": {"name": "y", "resourceVersion": "8"}}
    gone = {"metadata": {"name": "x", "resourceVersion": "9"}}
    source = Script([line("ADDED", one), line("ADDED", two), bookmark(8), line("DELETED", gone), END])
    reflector(source, sink, clock).step()
    assert sink.objects == {"y": 8}


def test_initial_events_that_break_off_change_nothing(sink, clock):
    source = Script([line("ADDED", {"metadata": {"name": "x", "resourceVersion": "7"}}), Unreachable("broken")], [END])
    made = reflector(source, sink, clock)
    assert made.step() > 0
    assert sink.calls == []
    made.step()
    assert source.requests == [("initial", "0"), ("initial", "0")]


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_without_streaming_lists_is_asked_for_pages_and_that_is_remembered(server, sink, clock, status):
    server.faults = Faults(watch_list=False)
    made = reflector(server, sink, clock)
    assert made.step() == 0
    made.step()
    assert sink.objects == {"a": 101, "b": 102, "c": 103}
    assert server.requests == [("watch", "0", True), ("list", "0", "", True), ("list", "0", "103/2", True)]
    assert not made.state().watch_list


def test_a_server_that_ignores_the_question_is_asked_for_pages_too(sink, clock):
    made = reflector(Script([TimeoutError("silence")]), sink, clock)
    made.step()
    assert not made.state().watch_list


def test_pages_that_expire_are_read_again_in_one_piece(server, sink, clock):
    server.faults = Faults(watch_list=False)
    made = reflector(server, sink, clock)
    made.step()
    original = server.list

    def expiring(version, continue_, *, limit):
        if continue_:
            server.put("d")
            server.compact()
        return original(version, continue_, limit=limit)

    server.list = expiring
    made.step()
    assert sink.objects.keys() == set("abcd")


def test_a_list_at_a_known_version_is_not_paged(server, sink, clock):
    server.faults = Faults(watch_list=False)
    made = reflector(server, sink, clock)
    made.step()
    made._list_at = "102"
    made.step()
    assert server.requests[-1] == ("list", "102", "", False)


def test_a_watch_that_ends_is_opened_again_at_the_last_version(sink, clock):
    event = line("ADDED", {"metadata": {"name": "x", "resourceVersion": "105"}})
    made, source = synced(clock, sink, [event], [bookmark(110)], [])
    for _ in range(3):
        made.step()
    assert source.requests == [("watch", "100"), ("watch", "105"), ("watch", "110")]


@pytest.mark.parametrize(
    "expired",
    [
        pytest.param(Gone("too old", status=410), id="as a status"),
        pytest.param([line("ERROR", {"code": 410, "reason": "Expired", "metadata": {}})], id="in the stream"),
    ],
)
def test_an_expired_version_makes_it_read_everything_at_once_and_at_the_newest(sink, clock, expired):
    made, source = synced(clock, sink, expired, [END])
    assert made.step() == 0
    made.step()
    assert source.requests == [("watch", "100"), ("initial", "")]


def test_but_not_again_and_again_without_a_pause(sink, clock):
    made, _ = synced(clock, sink, Gone("too old"), Gone("too old"))
    assert made.step() == 0
    assert made.step() > 0


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(Unreachable("connection refused", sent=False), id="connection refused"),
        pytest.param(TooManyRequests("a fresh CRD", status=429), id="429 at connect"),
        pytest.param(ServerError("down", status=503), id="503"),
        pytest.param(Forbidden("no", status=403), id="403"),
    ],
)
def test_a_watch_that_cannot_be_opened_backs_off_and_is_tried_again_without_listing(sink, clock, failure):
    made, source = synced(clock, sink, failure, [])
    assert made.step() == pytest.approx(0.8)
    made.step()
    assert source.requests == [("watch", "100"), ("watch", "100")]


def test_silence_means_a_dead_connection_and_another_is_opened(sink, clock):
    made, source = synced(clock, sink, [lambda: clock.advance(80), TimeoutError("silence")], [])
    assert made.step() == 0
    made.step()
    assert source.requests == [("watch", "100"), ("watch", "100")]


def test_silence_is_shorter_while_initial_events_are_due(sink, clock):
    allowed = []

    class Listening(ScriptedLines):
        def batches(self, silence):
            allowed.append(silence())
            yield [END]
            allowed.append(silence())

    source: Any = Script([])
    source.watch = lambda version, **_: Listening([])
    reflector(source, sink, clock).step()
    assert allowed == [30, 80]


def test_a_stream_that_breaks_after_a_while_is_opened_again_at_once(sink, clock):
    made, source = synced(clock, sink, [lambda: clock.advance(5), Unreachable("broken")], [])
    assert made.step() == 0
    assert made.state().last_error == "broken"
    made.step()
    assert source.requests[-1] == ("watch", "100")


@pytest.mark.parametrize("lines", [[], [Unreachable("broken")]])
def test_a_stream_that_ends_at_once_backs_off(sink, clock, lines):
    made, _ = synced(clock, sink, lines)
    assert made.step() > 0


def test_another_error_in_the_stream_is_read_again_from_where_it_was(sink, clock):
    made, source = synced(clock, sink, [line("ERROR", {"code": 500, "metadata": {}})], [END])
    assert made.step() > 0
    made.step()
    assert source.requests[-1] == ("initial", "100")


@pytest.mark.parametrize(
    "error",
    [
        ApiError("Timeout: Too large resource version: 9, current: 8", status=504),
        ApiError("no", status=504, details={"causes": [{"reason": "ResourceVersionTooLarge"}]}),
        NotFound("the CRD was deleted", status=404),
    ],
)
def test_a_version_that_makes_no_sense_any_more_is_given_up(sink, clock, error):
    made, source = synced(clock, sink, error, [END])
    assert made.step() > 0
    made.step()
    assert source.requests[-1] == ("initial", "")


def test_failures_back_off_to_half_a_minute_and_two_quiet_minutes_forgive_them(sink, clock):
    made, _ = synced(clock, sink, *[Unreachable("down")] * 9)
    delays = [made.step() for _ in range(8)]
    assert delays == pytest.approx([0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30])
    clock.advance(121)
    assert made.step() == pytest.approx(0.8)


@pytest.mark.parametrize(("chance", "delay"), [(0.0, 0.64), (1.0, 0.96)])
def test_with_jitter(sink, clock, chance, delay):
    assert reflector(Script(Unreachable("down")), sink, clock, chance).step() == pytest.approx(delay)


def test_what_cannot_be_decoded_is_skipped_and_the_stream_goes_on(sink, clock):
    good = line("ADDED", {"metadata": {"name": "x", "resourceVersion": "105"}})
    made, _ = synced(clock, sink, [b"not json", line("ADDED", {"metadata": {}}), good])
    made.step()
    assert sink.objects == {"x": 105}


def deep(name, version, levels=9_900):
    head = b'{"metadata":{"name":"%s","resourceVersion":"%d"},"spec":' % (name.encode(), version)
    return head + b"[" * levels + b"]" * levels + b"}"


def added(raw, type_=b"ADDED"):
    return b'{"type":"%s","object":%s}' % (type_, raw)


def malformed():
    return MALFORMED.labels(WIDGET.resource).value


def test_an_object_that_is_nested_too_deep_is_kept_and_told_of_once_per_version(sink, clock, caplog):
    good = line("ADDED", {"metadata": {"name": "x", "resourceVersion": "107"}})
    changed = [added(deep("d", version), b"MODIFIED") for version in (106, 106, 108)]
    made, source = synced(clock, sink, [added(deep("d", 105)), *changed[:2], good, changed[2]], [])
    before = malformed()
    assert made.step() == 0
    assert sink.objects == {"d": 108, "x": 107}
    assert malformed() - before == 3
    told = [record.fields for record in caplog.records if "read as a whole" in record.message]
    assert [(str(each["key"]), each["version"]) for each in told] == [("d", 105), ("d", 106), ("d", 108)]
    assert told[0]["error"] == "spec: nested deeper than 200 levels"
    made.step()
    assert source.requests == [("watch", "100"), ("watch", "108")], "nothing is listed again"


@pytest.mark.parametrize("listed", ["as a watch", "as pages"])
def test_it_is_in_the_first_list_and_in_later_ones_and_told_of_once(sink, clock, listed, caplog):
    body = b'{"metadata":{"resourceVersion":"100"},"items":[%s,{"metadata":{"name":"x","resourceVersion":"7"}}]}'
    lines = [added(deep("d", 50)), line("ADDED", {"metadata": {"name": "x", "resourceVersion": "7"}}), END]
    answer = lines if listed == "as a watch" else decode.page(WIDGET, body % deep("d", 50))
    made = reflector(Script(answer, Gone("too old"), answer), sink, clock)
    made._watch_list = listed == "as a watch"
    for _ in range(3):
        made.step()
    assert sink.objects == {"d": 50, "x": 7}
    assert [call for call in sink.calls if call[0] == "replace"] == [("replace", 100)] * 2
    assert len([record for record in caplog.records if "read as a whole" in record.message]) == 1


def test_how_many_it_remembers_has_a_limit(sink, clock, monkeypatch):
    monkeypatch.setattr("zonewright.cache.reflector.REMEMBERED", 3)
    made, _ = synced(clock, sink, [added(deep(f"d{n}", 105 + n)) for n in range(10)])
    made.step()
    assert len(sink.objects) == 10
    assert len(made._told) <= 3


def test_a_list_without_a_usable_version_is_a_failure_of_the_server(sink, clock):
    made = reflector(Script(decode.Page([], "soon", "", [])), sink, clock)
    made._watch_list = False
    assert made.step() > 0
    assert "'soon'" in made.state().last_error


def test_an_event_of_an_unknown_type_is_skipped(sink, clock):
    made, _ = synced(clock, sink, [line("CHANGED", {"metadata": {"name": "x", "resourceVersion": "105"}})])
    made.step()
    assert sink.calls == []


def test_bookmarks_are_progress(sink, clock):
    made, _ = synced(clock, sink, [bookmark(140)])
    made.step()
    assert sink.calls == [("progress", 140)]
    assert made.state().version == 140


def test_a_mistake_of_ours_does_not_end_it(sink, clock):
    made, source = synced(clock, sink, RuntimeError("a bug"), [END])
    assert made.step() > 0
    made.step()
    assert source.requests[-1] == ("initial", "")


def test_not_even_one_that_ends_threads(sink):
    def tried():
        tries.append(None)
        if len(tries) == 1:
            raise SystemExit
        ended.set()
        made._stop.set()
        return 0.0

    tries: list[None] = []
    ended = threading.Event()
    made = reflector(Script(), sink, SystemClock(), chance=0.0)
    made.step = tried
    made.start()
    assert ended.wait(60), "the thread tried again"
    made.stop()


def test_activity_is_what_the_stream_brought_last(sink, clock):
    made, _ = synced(clock, sink, [lambda: clock.advance(50), bookmark(140), lambda: clock.advance(20)])
    made.step()
    assert made.state().seconds_since_activity == pytest.approx(20)


def test_it_stops_out_of_a_blocked_read(sink):
    """The one test with a thread: a read blocks until it is interrupted."""
    interrupted, reading = threading.Event(), threading.Event()

    class Blocking(Script):
        def watch(self, version, *, initial, seconds, opened):
            opened(interrupted.set)
            return self

        def batches(self, silence):
            reading.set()
            interrupted.wait()
            raise Unreachable("interrupted")
            yield

        def close(self):
            pass

    made = Reflector(WIDGET, Blocking(), sink)
    made.start()
    assert reading.wait(60)
    assert made.alive
    made.stop(60)
    assert not made.alive


def test_one_that_is_told_to_stop_while_it_connects_is_interrupted(sink, clock):
    made = reflector(Script(), sink, clock)
    made.stop()
    interrupted = []
    made._opened(lambda: interrupted.append(True))
    assert interrupted == [True]
    made.run()
