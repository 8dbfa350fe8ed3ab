"""Every rule of the queue at once: random operations against a model that is too simple to be wrong."""

from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from zonewright.client.backoff import RateLimiter
from zonewright.clock import FakeClock
from zonewright.controller.workqueue import LOW_PRIORITY, WorkQueue

KEYS = st.sampled_from("abcd")
PRIORITIES = st.sampled_from([LOW_PRIORITY, 0, 7])
DELAYS = st.sampled_from([0.0, 1.0, 2.0, 5.0])


@dataclass
class Waiting:
    priority: int
    due: float
    turn: int  # when it last became due, or was moved among those that are


class QueueMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.queue: WorkQueue[str] = WorkQueue("model", clock=self.clock, limiter=RateLimiter(chance=lambda: 0.5))
        self.waiting: dict[str, Waiting] = {}
        self.working: dict[str, int] = {}
        self.failures: dict[str, int] = {}
        self.closed = False

    def expect(self, key: str, priority: int, due: float) -> None:
        if self.closed:
            return
        entry = self.waiting.setdefault(key, Waiting(priority, due, 0))
        entry.priority, entry.due = max(entry.priority, priority), min(entry.due, due)

    @rule(key=KEYS, priority=PRIORITIES, after=DELAYS)
    def add(self, key: str, priority: int, after: float) -> None:
        self.queue.add(key, priority=priority, after=after)
        self.expect(key, priority, self.clock.monotonic() + after)

    @rule(seconds=st.sampled_from([0.005, 0.5, 1.0, 3.0]))
    def time_passes(self, seconds: float) -> None:
        self.clock.advance(seconds)

    @rule()
    def get(self) -> None:
        now = self.clock.monotonic()
        due = {key: e for key, e in self.waiting.items() if e.due <= now and key not in self.working}
        key = self.queue.get(timeout=0)
        if not due:
            assert key is None
            return
        assert key in due, "a key that is due is handed out, and only once"
        assert due[key].priority == max(e.priority for e in due.values()), "the highest priority goes first"
        self.working[key] = self.waiting.pop(key).priority

    @precondition(lambda self: self.working)
    @rule(data=st.data())
    def fail(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.working)))
        delay = self.queue.add_rate_limited(key)
        failures = self.failures[key] = self.failures.get(key, 0) + 1
        assert abs(delay - 0.005 * 2 ** (failures - 1)) < 1e-9
        self.expect(key, self.working[key], self.clock.monotonic() + delay)
        self.finish(key)

    @precondition(lambda self: self.working)
    @rule(data=st.data(), after=st.sampled_from([None, 0.0, 1.0]))
    def succeed(self, data: st.DataObject, after: float | None) -> None:
        key = data.draw(st.sampled_from(sorted(self.working)))
        self.queue.forget(key)
        self.failures.pop(key, None)
        if after is not None:
            self.queue.requeue(key, after)
            self.expect(key, self.working[key], self.clock.monotonic() + after)
        self.finish(key)

    def finish(self, key: str) -> None:
        self.queue.done(key)
        del self.working[key]

    @rule()
    def close_intake(self) -> None:
        self.queue.close_intake()
        now = self.clock.monotonic()
        self.waiting = {key: entry for key, entry in self.waiting.items() if entry.due <= now}
        self.closed = True

    @rule()
    def drained_means_nothing_waits_and_nothing_works(self) -> None:
        if self.closed:
            assert self.queue.drain(timeout=0) == (not self.waiting and not self.working)

    @invariant()
    def the_snapshot_agrees_with_the_model(self) -> None:
        now = self.clock.monotonic()
        items = {(i.key, i.state == "processing"): i for i in self.queue.snapshot()}
        assert {key for key, processing in items if processing} == self.working.keys()
        assert {key for key, processing in items if not processing} == self.waiting.keys()
        for key, entry in self.waiting.items():
            item = items[key, False]
            again = key in self.working
            assert item.state == ("delayed" if entry.due > now else "again" if again else "ready")
            assert item.priority == entry.priority
        assert len(self.queue) == len(self.waiting)


QueueMachine.TestCase.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)
TestQueue = QueueMachine.TestCase
