"""A server that has said everything before it was asked: bytes in a socket pair, no thread, no port."""

import socket
from collections.abc import Sequence


class ScriptedServer:
    """A Dialer. Each connection answers with the next script, whatever is sent to it, and then hangs up."""

    def __init__(self, *scripts: bytes, hang_up: bool = True) -> None:
        self._scripts: Sequence[bytes] = scripts
        self._hang_up = hang_up
        self._ends: list[socket.socket] = []
        self.dialled: list[tuple[str, int]] = []

    def connect(self, address: str, port: int, timeout: float) -> socket.socket:
        script = self._scripts[min(len(self.dialled), len(self._scripts) - 1)]
        self.dialled.append((address, port))
        ours, theirs = socket.socketpair()
        ours.settimeout(timeout)
        theirs.setblocking(False)
        theirs.sendall(script)
        if self._hang_up:
            theirs.shutdown(socket.SHUT_WR)
        self._ends.append(theirs)
        return ours

    def received(self) -> bytes:
        """What the last connection got."""
        return self._ends[-1].recv(1_000_000)

    def close(self) -> None:
        for end in self._ends:
            end.close()


def reply(body: bytes, status: int = 200, head: bytes = b"") -> bytes:
    return b"HTTP/1.1 %d X\r\n%sContent-Length: %d\r\n\r\n%s" % (status, head, len(body), body)
