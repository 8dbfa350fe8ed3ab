"""A taste of `make chaos`: a few rounds in the ordinary test run, on a stage of its own."""

import pytest

from envtest.backend import DEFAULT
from tests.chaos.kill9 import play


def test_a_killed_manager_finds_everything_again(pytestconfig: pytest.Config) -> None:
    asked = pytestconfig.getoption("--backend")
    play(asked if asked == "controlplane" else DEFAULT, rounds=3, seed=pytestconfig.getoption("--seed"), tell=print)
