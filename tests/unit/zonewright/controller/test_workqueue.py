"""The queue's rules, one sentence each; the state machine in test_workqueue_model.py mixes them."""

import threading

import pytest

from zonewright.client.backoff import Backoff, RateLimiter
from zonewright.clock import FakeClock
from zonewright.controller.workqueue import BACK_SOON, LOW_PRIORITY, WorkQueue
from zonewright.testing import eventually


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def queue(clock: FakeClock) -> WorkQueue[str]:
    return WorkQueue("test", clock=clock, limiter=RateLimiter(chance=lambda: 0.5))


def take(queue: WorkQueue[str]) -> str | None:
    return queue.get(timeout=0)


def take_all(queue: WorkQueue[str]) -> list[str]:
    taken = []
    while (key := take(queue)) is not None:
        taken.append(key)
    return taken


def test_an_empty_queue_has_nothing_to_hand_out(queue):
    assert take(queue) is None


def test_keys_come_out_in_the_order_they_were_added(queue):
    for key in "cab":
        queue.add(key)
    assert take_all(queue) == ["c", "a", "b"]


def test_a_key_added_twice_is_handed_out_once(queue):
    queue.add("a")
    queue.add("a")
    assert take_all(queue) == ["a"]


def test_the_highest_priority_goes_first(queue):
    queue.add("list", priority=LOW_PRIORITY)
    queue.add("change")
    queue.add("urgent", priority=10)
    assert take_all(queue) == ["urgent", "change", "list"]


def test_a_key_has_the_highest_priority_it_was_added_with(queue):
    queue.add("a", priority=LOW_PRIORITY)
    queue.add("b", priority=-1)
    queue.add("a", priority=5)
    queue.add("a", priority=-50)
    assert take_all(queue) == ["a", "b"]


def test_a_delayed_key_is_not_due_before_its_time(queue, clock):
    queue.add("a", after=10)
    assert take(queue) is None
    clock.advance(9.9)
    assert take(queue) is None
    clock.advance(0.1)
    assert take(queue) == "a"


def test_a_key_is_due_at_the_earliest_time_it_was_added_for(queue, clock):
    queue.add("a", after=10)
    queue.add("a", after=5)
    queue.add("a", after=20)
    clock.advance(5)
    assert take_all(queue) == ["a"]
    queue.done("a")
    clock.advance(100)
    assert take(queue) is None


def test_adding_a_key_now_cancels_its_later_retry(queue, clock):
    queue.add("a", after=10)
    queue.add("a")
    assert take(queue) == "a"
    queue.done("a")
    clock.advance(10)
    assert take(queue) is None


def test_raising_the_priority_of_a_delayed_key_keeps_its_time(queue, clock):
    queue.add("a", after=10, priority=LOW_PRIORITY)
    queue.add("a", after=20, priority=1)
    assert take(queue) is None
    clock.advance(10)
    queue.add("b")
    assert take_all(queue) == ["a", "b"]


def test_a_key_in_work_is_not_handed_out_again(queue):
    queue.add("a")
    assert take(queue) == "a"
    queue.add("a")
    queue.add("a")
    assert take(queue) is None


def test_a_key_added_while_in_work_comes_back_once_after_done(queue):
    queue.add("a")
    take(queue)
    queue.add("a")
    queue.add("a")
    queue.done("a")
    assert take(queue) == "a"
    queue.done("a")
    assert take(queue) is None


def test_a_key_whose_delay_ends_while_it_is_in_work_waits_for_done(queue, clock):
    queue.add("a")
    take(queue)
    queue.add("a", after=1)
    clock.advance(2)
    assert take(queue) is None
    queue.done("a")
    assert take(queue) == "a"


def test_a_key_that_is_not_added_while_in_work_is_gone_after_done(queue):
    queue.add("a")
    take(queue)
    queue.done("a")
    assert take(queue) is None
    assert len(queue) == 0


def test_done_without_work_changes_nothing(queue):
    queue.add("a")
    queue.done("a")
    assert take(queue) == "a"


def test_failures_double_the_delay_and_forget_resets_it(queue, clock):
    delays = []
    for _ in range(4):
        delays.append(queue.add_rate_limited("a"))
        clock.advance(delays[-1])
        assert take(queue) == "a"
        queue.done("a")
    assert delays == pytest.approx([0.005, 0.01, 0.02, 0.04])
    assert queue.failures("a") == 4
    queue.forget("a")
    assert queue.failures("a") == 0
    assert queue.add_rate_limited("a") == pytest.approx(0.005)


def test_a_server_that_asks_for_patience_gets_it(queue, clock):
    assert queue.add_rate_limited("a", at_least=3.0) == 3.0
    clock.advance(2.9)
    assert take(queue) is None
    clock.advance(0.1)
    assert take(queue) == "a"


@pytest.mark.parametrize("again", ["add_rate_limited", "requeue"])
def test_a_key_keeps_its_priority_when_it_goes_back(queue, clock, again):
    queue.add("low", priority=LOW_PRIORITY)
    take(queue)
    if again == "requeue":
        queue.requeue("low", 0.001)
    else:
        queue.add_rate_limited("low")
    queue.done("low")
    clock.advance(1)
    queue.add("normal")
    assert take_all(queue) == ["normal", "low"]


def test_requeueing_what_is_not_in_work_is_an_ordinary_add(queue):
    queue.requeue("a", 0)
    assert queue.snapshot()[0].priority == 0


BACKOFFS = {
    "the first retry comes after 5 ms": (0, 0.5, 0.005),
    "the second after 10 ms": (1, 0.5, 0.01),
    "the eleventh after 5 s": (10, 0.5, 5.12),
    "none after more than 1000 s": (18, 0.5, 1000.0),
    "nor after a million failures": (1_000_000, 0.5, 1000.0),
    "jitter takes off up to 10 %": (0, 0.0, 0.0045),
    "and adds up to 10 %": (0, 1.0, 0.0055),
}


@pytest.mark.parametrize(("failures", "chance", "seconds"), BACKOFFS.values(), ids=BACKOFFS.keys())
def test_backoff(failures, chance, seconds):
    assert Backoff().delay(failures, chance) == pytest.approx(seconds)


def test_close_intake_ignores_adds_and_drops_what_is_not_due(queue, clock):
    queue.add("ready")
    queue.add("due", after=1)
    queue.add("later", after=10)
    clock.advance(1)
    queue.close_intake()
    queue.add("late")
    queue.add_rate_limited("failed")
    queue.requeue("again", 0)
    assert sorted(take_all(queue)) == ["due", "ready"]
    assert len(queue) == 0


def test_a_key_that_is_put_off_for_long_over_and_over_takes_no_more_room(queue):
    queue.add("b", after=1800)  # is due first, and so hides what "a" leaves behind
    for _ in range(1000):
        queue.add("a")
        take(queue)
        queue.requeue("a", 3600)
        queue.done("a")
    assert len(queue._delayed) < 100
    assert [item.key for item in queue.snapshot()] == ["b", "a"]


def test_a_standby_takes_over_only_from_a_worker_that_is_not_back_soon(queue, clock):
    for key in "abc":
        queue.add(key)
    assert queue.get(timeout=0, standby=True) == "a"
    assert queue.get(timeout=0, standby=True) is None
    clock.advance(BACK_SOON)
    assert queue.get(timeout=0, standby=True) == "b"
    assert queue.get(timeout=0, standby=True) is None
    assert take(queue) == "c", "who comes from work goes on"


def test_a_standby_takes_over_at_once_when_nothing_is_in_work(queue):
    queue.add("a")
    queue.done(take(queue) or "")
    queue.add("b")
    assert queue.get(timeout=0, standby=True) == "b"


@pytest.mark.parametrize("drained", [False, True])
def test_workers_that_wait_for_something_are_joined_by_all_the_others(drained):
    queue: WorkQueue[int] = WorkQueue("test")
    together = threading.Barrier(8)
    for number in range(8):
        queue.add(number)

    def work() -> None:
        key = queue.get(standby=True)
        while key is not None:
            together.wait(60)  # nobody goes on before all are here
            key = queue.exchange(key)

    threads = [threading.Thread(target=work) for _ in range(8)]
    if drained:
        queue.close_intake()
    for thread in threads:
        thread.start()
    assert queue.drain(60)
    queue.shut_down()
    for thread in threads:
        thread.join(60)
    assert not together.broken


def test_one_worker_after_the_other_loses_nothing():
    queue: WorkQueue[int] = WorkQueue("test")
    handled: list[int] = []

    def work() -> None:
        key = queue.get(standby=True)
        while key is not None:
            handled.append(key)
            key = queue.exchange(key)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(3000):
        queue.add(number, after=(number % 7) / 2000)
    eventually(lambda: len(handled) >= 3000)
    queue.shut_down()
    for thread in threads:
        thread.join(60)
    assert sorted(handled) == list(range(3000))


def test_a_queue_is_quiet_while_nothing_is_in_work_and_nothing_falls_due(queue, clock):
    queue.add("later", after=5)
    assert queue.is_quiet(4)
    assert not queue.is_quiet(6)
    clock.advance(5)
    assert not queue.is_quiet(0)
    assert take(queue) == "later"
    assert not queue.is_quiet(0)
    queue.done("later")
    assert queue.is_quiet(1000)


def test_drain_of_an_idle_queue_is_immediate(queue):
    assert queue.drain(timeout=0)


def test_drain_gives_up_at_its_deadline_while_a_key_waits(queue):
    queue.add("a")
    assert not queue.drain(timeout=0)


def test_drain_gives_up_at_its_deadline_while_a_key_is_in_work(queue):
    queue.add("a")
    take(queue)
    assert not queue.drain(timeout=0)


def test_drain_waits_for_the_queue_and_for_the_work():
    queue: WorkQueue[str] = WorkQueue("test")
    for key in "abc":
        queue.add(key)
    first, may_go_on = queue.get(), threading.Event()
    assert first is not None
    handled = [first]

    def work() -> None:
        may_go_on.wait()
        queue.done(first)
        while (key := queue.get()) is not None:
            handled.append(key)
            queue.done(key)

    worker = threading.Thread(target=work)
    worker.start()
    queue.add("a")  # in work: it comes back, and drain waits for that too
    may_go_on.set()
    assert queue.drain(timeout=60)
    assert handled == ["a", "b", "c", "a"]
    queue.shut_down()
    worker.join()


def test_a_queue_that_is_shut_down_hands_out_nothing(queue):
    queue.add("a")
    queue.shut_down()
    assert queue.get() is None
    assert not queue.drain(timeout=10)


def test_shut_down_wakes_everybody_who_waits():
    queue: WorkQueue[str] = WorkQueue("test")
    queue.add("later", after=1000)  # one waiter watches the clock, the others do not
    got: list[str | None] = []
    threads = [threading.Thread(target=lambda: got.append(queue.get())) for _ in range(3)]
    for thread in threads:
        thread.start()
    queue.shut_down()
    for thread in threads:
        thread.join(60)
    assert got == [None, None, None]


def test_waiting_workers_get_what_is_added_and_what_becomes_due():
    queue: WorkQueue[str] = WorkQueue("test")
    got: list[str | None] = []

    def work() -> None:
        while (key := queue.get()) is not None:
            got.append(key)
            queue.done(key)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(100):
        queue.add(f"later {number}", after=0.03 - number * 0.0002)  # each is due before the one before it
        queue.add(f"now {number}")
    eventually(lambda: len(got) >= 200)
    queue.shut_down()
    for thread in threads:
        thread.join(60)
    assert len(set(got)) == 200


def test_who_times_out_passes_the_watch_over_the_clock_on():
    # Where the machine is slower than the clock, the impatient one still finds the key: then everything takes longer.
    tries = map(two_wait_for_what_is_due_in, (0.1, 1, 10))
    assert next(patient for impatient, patient in tries if impatient is None) == "later"


def two_wait_for_what_is_due_in(seconds: float) -> tuple[str | None, str | None]:
    """What one who gives up early and one who does not have got."""
    queue: WorkQueue[str] = WorkQueue("test")
    queue.add("later", after=seconds)
    got: dict[str, str | None] = {}
    impatient = threading.Thread(target=lambda: got.update(impatient=queue.get(timeout=seconds / 5)))
    impatient.start()
    patient = threading.Thread(target=lambda: got.update(patient=queue.get()))
    patient.start()
    impatient.join(60)
    if got["impatient"] is None:
        patient.join(60)
    queue.shut_down()
    patient.join(60)
    return got["impatient"], got["patient"]


def test_the_snapshot_says_what_waits_for_what(queue, clock):
    queue.add("running", reason="ARecord default/www")
    take(queue)
    queue.add("running")
    queue.add("retry")
    take(queue)
    queue.add_rate_limited("retry", reason="TimeoutError")
    queue.done("retry")
    queue.add("low", priority=LOW_PRIORITY)
    queue.add("high", priority=1)
    queue.add("delayed", after=60, reason="requeue_after")
    clock.advance(0.001)
    rows = [(item.key, item.state, item.priority, item.failures, item.reason) for item in queue.snapshot()]
    assert rows == [
        ("running", "processing", 0, 0, "ARecord default/www"),
        ("high", "ready", 1, 0, ""),
        ("running", "again", 0, 0, ""),
        ("low", "ready", LOW_PRIORITY, 0, ""),
        ("retry", "delayed", 0, 1, "TimeoutError"),
        ("delayed", "delayed", 0, 0, "requeue_after"),
    ]
    assert queue.snapshot()[-1].seconds == pytest.approx(59.999)
