"""A taste of `make chaos`: a few rounds in the ordinary test run, on a stage of its own."""

import shlex

import pytest

from tests.chaos import endpoints, kill9
from tests.chaos.__main__ import parser
from tests.support.documents import blocks, commands, shell, substitute
from zonewright.envtest.backend import DEFAULT

(COMMANDS,) = blocks("docs/how-to/chaos.md", "sh")


@pytest.mark.slow
def test_a_killed_manager_finds_everything_again(pytestconfig: pytest.Config) -> None:
    kill9.play(backend_of(pytestconfig), rounds=3, seed=pytestconfig.getoption("--seed"), tell=print)


@pytest.mark.slow
@pytest.mark.parametrize("adopted", [False, True], ids=["zones of ours", "zones of others"])
def test_a_killed_manager_finds_all_endpoints_again(pytestconfig: pytest.Config, adopted: bool) -> None:
    seed = pytestconfig.getoption("--seed")
    endpoints.play(backend_of(pytestconfig), rounds=4, seed=seed, tell=print, adopted=adopted)


def backend_of(pytestconfig: pytest.Config) -> str:
    asked = str(pytestconfig.getoption("--backend"))
    return asked if asked == "controlplane" else DEFAULT


@pytest.mark.parametrize("command", commands(COMMANDS))
def test_the_commands_of_the_how_to_are_understood(command: str) -> None:
    # They take minutes: what make would run is looked at here, and a few rounds are played above.
    recipe = shell(substitute(command, {"make ": "make --dry-run "})).splitlines()[-1]
    asked = parser().parse_args(shlex.split(recipe)[3:])
    assert f"ROUNDS={asked.rounds}" in command
