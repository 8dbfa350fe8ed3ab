"""Trouble on demand for people: one line typed at `python -m testbed`, one thing done to a server.

Knows servers only by what can be done to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol


class Troubled(Protocol):
    """What can be done to a server; NameServer is one."""

    name: str

    def kill(self) -> None: ...
    def restart(self, *, empty: bool = False) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def cut(self) -> None: ...
    def restore(self) -> None: ...


class Verb(NamedTuple):
    """What a word does and what is said when it is done."""

    act: Callable[[Troubled], object]
    done: str


VERBS: Mapping[str, Verb] = {
    "kill": Verb(lambda server: server.kill(), "is dead"),
    "restart": Verb(lambda server: server.restart(), "is back with its zones"),
    "empty": Verb(lambda server: server.restart(empty=True), "is back without any zone, like a new pod"),
    "pause": Verb(lambda server: server.pause(), "accepts connections and says nothing"),
    "resume": Verb(lambda server: server.resume(), "goes on"),
    "cut": Verb(lambda server: server.cut(), "is cut off: packets to it are lost"),
    "restore": Verb(lambda server: server.restore(), "can be reached again"),
}


def usage(servers: Sequence[Troubled]) -> str:
    """Return what can be typed."""
    return f"{' | '.join(VERBS)}  {' | '.join(server.name for server in servers)}"


def obey(line: str, servers: Sequence[Troubled]) -> str:
    """Do what a line says and return what to answer; a line that makes no sense is answered with what does."""
    verb, _, name = line.strip().partition(" ")
    server = next((each for each in servers if each.name == name.strip()), None)
    if verb not in VERBS or server is None:
        return usage(servers)
    VERBS[verb].act(server)
    return f"{server.name} {VERBS[verb].done}"
