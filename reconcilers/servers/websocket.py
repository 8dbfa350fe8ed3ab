"""The part of RFC 6455 that a port-forward needs: an upgrade, and binary frames over a connected socket.

Knows no Kubernetes. One thread sends, one receives."""

import base64
import contextlib
import os
import socket
import struct

_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
_LONGEST_HEAD = 65536
_LONGEST_FRAME = 16 * 1024 * 1024


class UpgradeRefused(OSError):
    """The server did not switch protocols; the text is its answer."""


class WebSocket:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = b""

    def upgrade(self, target: str, host: str, protocol: str, authorization: str | None) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {target} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Protocol: {protocol}"]
        lines += [f"Authorization: {authorization}"] if authorization else []
        self._connection.sendall("\r\n".join([*lines, "", ""]).encode())
        status = self._read_head().split("\r\n", 1)[0]
        if " 101 " not in f"{status} ":
            raise UpgradeRefused(f"no port-forward: the API server answered {status!r}")

    def send(self, payload: bytes) -> None:
        """One binary frame; a client's frames are masked (RFC 6455 5.3)."""
        self._send(_BINARY, payload)

    def receive(self) -> bytes | None:
        """The payload of the next binary message; None at the end."""
        message = b""
        while True:
            opcode, final, payload = self._frame()
            if opcode == _CLOSE:
                return None
            if opcode == _PING:
                self._send(_PONG, payload)
            elif opcode in {_CONTINUATION, _TEXT, _BINARY}:
                message += payload
                if final:
                    return message

    def close(self) -> None:
        with contextlib.suppress(OSError):  # it may be gone already
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()

    def _send(self, opcode: int, payload: bytes) -> None:
        mask = os.urandom(4)
        length = len(payload)
        if length < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | length)
        elif length < 65536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, length)
        self._connection.sendall(head + mask + _masked(payload, mask))

    def _frame(self) -> tuple[int, bool, bytes]:
        first, second = self._exactly(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack("!H", self._exactly(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._exactly(8))
        if length > _LONGEST_FRAME:
            raise OSError(f"a frame of {length} bytes is no port-forward's")
        return first & 0x0F, bool(first & 0x80), self._exactly(length)

    def _read_head(self) -> str:
        while b"\r\n\r\n" not in self._buffer:
            if len(self._buffer) > _LONGEST_HEAD:
                raise UpgradeRefused("the answer's header has no end")
            self._fill()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        return head.decode("latin-1")

    def _exactly(self, count: int) -> bytes:
        while len(self._buffer) < count:
            self._fill()
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def _fill(self) -> None:
        more = self._connection.recv(65536)
        if not more:
            raise ConnectionResetError("the API server ended the port-forward")
        self._buffer += more


def _masked(payload: bytes, mask: bytes) -> bytes:
    """XOR by whole integers: a loop over bytes would cost more than everything else."""
    pad = (mask * (len(payload) // 4 + 1))[: len(payload)]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(pad, "big")).to_bytes(len(payload), "big")
