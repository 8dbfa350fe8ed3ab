"""What people type at `python -m testbed`."""

from __future__ import annotations

import pytest

from testbed.named.console import VERBS, obey


class Server:
    def __init__(self, name: str) -> None:
        self.name = name
        self.suffered: list[str] = []

    def kill(self) -> None:
        self.suffered.append("kill")

    def restart(self, *, empty: bool = False) -> None:
        self.suffered.append("empty" if empty else "restart")

    def pause(self) -> None:
        self.suffered.append("pause")

    def resume(self) -> None:
        self.suffered.append("resume")

    def cut(self) -> None:
        self.suffered.append("cut")

    def restore(self) -> None:
        self.suffered.append("restore")


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_befalls_the_named_server_only(verb: str) -> None:
    spared, meant = Server("primary-0"), Server("secondary-0")

    said = obey(f" {verb}  secondary-0\n", [spared, meant])

    assert (spared.suffered, meant.suffered) == ([], [verb])
    assert said.startswith("secondary-0 ")


@pytest.mark.parametrize("line", ["", "help", "kill", "kill nobody", "explode primary-0"])
def test_what_makes_no_sense_is_answered_with_what_does(line: str) -> None:
    server = Server("primary-0")

    assert obey(line, [server]) == "kill | restart | empty | pause | resume | cut | restore  primary-0"
    assert server.suffered == []
