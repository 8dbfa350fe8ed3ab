"""One DNS-over-TCP connection that is kept open and opened again when needed.

named closes idle connections; that is normal and found out before anything is sent. What is lost after sending is the
caller's to judge: a read is simply asked again, an UPDATE is ambiguous.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
from typing import Protocol

from reconcilers.ddns.dialer import Dialer
from reconcilers.ddns.errors import ServerUnreachable

_LENGTH = struct.Struct("!H")


class Clock(Protocol):
    """What of time is needed here; the `time` module itself is one."""

    def time(self) -> float:
        """Seconds since the epoch: what TSIG signs."""
        ...

    def monotonic(self) -> float:
        """For deadlines."""
        ...


class Connection:
    """Not thread-safe: one per operation or worker."""

    def __init__(self, address: str, port: int, *, dial: Dialer, timeout: float, clock: Clock) -> None:
        self.address, self.port = address, port
        self._dial, self._timeout, self._clock = dial, timeout, clock
        self._socket: socket.socket | None = None
        self._buffer = bytearray()

    def __str__(self) -> str:
        return f"{self.address} port {self.port}"

    def open(self) -> bool:
        """Make sure that there is a live connection; True if it was there before."""
        if self._socket is not None and not self._hung_up():
            return True
        self.close()
        try:
            self._socket = self._dial.connect(self.address, self.port, self._timeout)
        except OSError as exc:
            raise ServerUnreachable(f"no connection to {self}: {exc.strerror or exc}") from exc
        return False

    def send(self, message: bytes) -> None:
        """Send one message; a failure here may have sent a part of it."""
        try:
            self._live().settimeout(self._timeout)
            self._live().sendall(_LENGTH.pack(len(message)) + message)
        except OSError as exc:
            self.close()
            raise ServerUnreachable(f"the connection to {self} broke: {exc.strerror or exc}", ambiguous=True) from exc

    def receive(self) -> bytes:
        """The next message, within the time-out."""
        deadline = self._clock.monotonic() + self._timeout
        try:
            (length,) = _LENGTH.unpack(self._read(2, deadline))
            return self._read(length, deadline)
        except OSError as exc:
            self.close()
            why = (
                f"no reply within {self._timeout:g} s" if isinstance(exc, TimeoutError) else (exc.strerror or str(exc))
            )
            raise ServerUnreachable(f"{self}: {why}", ambiguous=True) from exc

    def close(self) -> None:
        """Idempotent."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.close()
        self._socket = None
        self._buffer.clear()

    def _live(self) -> socket.socket:
        if self._socket is None:
            raise ConnectionResetError("closed")
        return self._socket

    def _hung_up(self) -> bool:
        """An idle connection must have nothing to read: if it has, that is the server's good-bye (or stray data)."""
        try:
            return bool(self._buffer) or bool(select.select([self._live()], [], [], 0)[0])
        except (OSError, ValueError):
            return True

    def _read(self, size: int, deadline: float) -> bytes:
        while len(self._buffer) < size:
            remaining = deadline - self._clock.monotonic()
            if remaining <= 0:
                raise TimeoutError("timed out")
            self._live().settimeout(remaining)
            chunk = self._live().recv(262144)
            if not chunk:
                raise ConnectionResetError("the server closed the connection")
            self._buffer += chunk
        piece = bytes(self._buffer[:size])
        del self._buffer[:size]
        return piece
