"""Probes: one line per check, well only if all are."""

import pytest

from zonewright.cache.reflector import ReflectorState
from zonewright.manager.health import STALE_AFTER, Health, cache_complaint


def test_without_checks_all_is_well():
    assert Health().report() == (True, "ok")


def test_one_complaint_is_enough():
    health = Health()
    health.add("caches", lambda: None)
    health.add("workers", lambda: "one has ended")
    assert health.report() == (False, "[+]caches ok\n[-]workers: one has ended")


def test_a_check_that_raises_has_failed():
    health = Health()

    def broken() -> None:
        raise OSError("no disk")

    health.add("disk", broken)
    assert health.report() == (False, "[-]disk: OSError: no disk")


def state(synced=True, age=1.0, error=""):
    return ReflectorState("zones", synced, 7, age, 0, error, True)


CACHES = {
    "synced and fresh": (state(), None),
    "silent for a minute, which is normal": (state(age=61), None),
    "silent for long": (state(age=STALE_AFTER + 1), "nothing heard for 181 s: the API server is silent"),
    "silent, and it is known why": (state(age=500, error="refused"), "nothing heard for 500 s: refused"),
    "not synced": (state(synced=False), "not synced yet: waiting for the first list"),
    "not synced, and it is known why": (state(synced=False, error="forbidden"), "not synced yet: forbidden"),
}  # fmt: skip


@pytest.mark.parametrize(("state", "complaint"), CACHES.values(), ids=CACHES.keys())
def test_a_cache_is_ready_when_it_is_synced_and_fresh(state, complaint):
    assert cache_complaint(state) == complaint
