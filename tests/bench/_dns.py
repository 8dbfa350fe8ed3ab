"""Questions and updates as bytes on kept sockets: what a server takes, without what a library takes."""

import socket
import struct
import time
from collections.abc import Iterable

import dns.message
import dns.name
import dns.tsigkeyring
import dns.update

from testbed.named import NameServer

BETWEEN_QUESTIONS = 0.0003  # seconds: asking without a pause would take the server's only processor


class Asker:
    """Asks one server for the address of one name, again and again."""

    def __init__(self, server: NameServer, name: str) -> None:
        self._question = dns.message.make_query(name, "A", use_edns=False).to_wire()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.settimeout(2)
        self._socket.connect((server.address, server.port))

    def address(self) -> str | None:
        """The first address in the answer: its record follows the question, 12 bytes before its data."""
        self._socket.send(self._question)
        answer = self._socket.recv(512)
        count, data = struct.unpack_from("!H", answer, 6)[0], len(self._question) + 12
        return socket.inet_ntoa(answer[data : data + 4]) if count else None

    def close(self) -> None:
        self._socket.close()


def when_served(servers: Iterable[NameServer], name: str, address: str, *, timeout: float = 30) -> dict[str, float]:
    """Server -> the moment at which it first answered with the address."""
    waiting = {server.name: Asker(server, name) for server in servers}
    askers, moments, deadline = list(waiting.values()), dict[str, float](), time.perf_counter() + timeout
    while waiting:
        for server, asker in list(waiting.items()):
            if asker.address() == address:
                moments[server] = time.perf_counter()
                del waiting[server]
        if time.perf_counter() > deadline:
            raise TimeoutError(f"{name} is not {address} on {', '.join(waiting)} after {timeout:g} s")
        time.sleep(BETWEEN_QUESTIONS)
    for asker in askers:
        asker.close()
    return moments


class Updater:
    """Replaces one address per UPDATE on one primary, signed, over one connection."""

    def __init__(self, server: NameServer, zone: str) -> None:
        self._zone = dns.name.from_text(zone)
        key = server.key
        self._keys = dns.tsigkeyring.from_text({key.name: (key.algorithm, key.secret)})
        self._socket = socket.create_connection((server.address, server.port), timeout=10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._replies = self._socket.makefile("rb")

    def replace(self, name: str, address: str) -> float:
        """Seconds until it was acknowledged; building and signing the message is not counted."""
        message = dns.update.UpdateMessage(self._zone, keyring=self._keys)
        message.replace(dns.name.from_text(name), 300, "A", address)
        wire = message.to_wire()
        begun = time.perf_counter()
        self._socket.sendall(struct.pack("!H", len(wire)) + wire)
        reply = self._replies.read(struct.unpack("!H", self._replies.read(2))[0])
        elapsed = time.perf_counter() - begun
        if reply[3] & 0x0F:
            raise RuntimeError(f"UPDATE of {name}: rcode {reply[3] & 0x0F}")
        return elapsed

    def close(self) -> None:
        self._replies.close()
        self._socket.close()
