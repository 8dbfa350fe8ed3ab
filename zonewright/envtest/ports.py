"""Ports on the loopback interface that are free and stay ours, among any number of test runs at the same time.

A port that was free a moment ago is the classic flake: another run probes the same one, or the kernel gives it to an
outgoing connection. So ports come from below the kernel's ephemeral range, are probed for TCP and UDP (some
servers share UDP ports without a word), and are held by a lock on a file that ends with this process.
"""

from __future__ import annotations

import errno
import fcntl
import os
import random
import socket
import threading
from collections.abc import Iterable

from zonewright.envtest.paths import make_cache_directory, unusable_cache

# Above what services are registered on and below 32768, where Linux starts to pick ports for outgoing connections.
PORTS = range(20000, 32000)

_held: dict[int, int] = {}
_lock = threading.Lock()


def reserve(address: str = "127.0.0.1") -> int:
    """Return a port that is free for TCP and UDP; no other run gets it before release() or the end of this process."""
    candidates = random.sample(PORTS, k=500)
    return first_free(candidates, address)


def first_free(candidates: Iterable[int], address: str = "127.0.0.1") -> int:
    """Take the first candidate that nobody holds or uses."""
    with _lock:
        for port in candidates:
            if port not in _held and _take(port, address):
                return port
    raise OSError(errno.EADDRINUSE, "no free port: too many test runs at the same time?")


def release(port: int) -> None:
    """Let others have the port again."""
    with _lock:
        descriptor = _held.pop(port, None)
        if descriptor is not None:
            os.close(descriptor)


def _take(port: int, address: str) -> bool:
    descriptor = _open_lock(port)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    if not (_free(port, address, socket.SOCK_STREAM) and _free(port, address, socket.SOCK_DGRAM)):
        os.close(descriptor)
        return False
    _held[port] = descriptor
    return True


def _open_lock(port: int) -> int:
    directory = make_cache_directory("ports")
    try:
        return os.open(directory / str(port), os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise unusable_cache(error) from error


def _free(port: int, address: str, kind: socket.SocketKind) -> bool:
    with socket.socket(socket.AF_INET, kind) as probe:
        if kind is socket.SOCK_STREAM:
            # As servers do: what an earlier one left in TIME_WAIT is no obstacle.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError:
            return False
    return True
