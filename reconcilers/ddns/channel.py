"""Signed questions and answers over one connection.

Between the connection (bytes with a length) and the client (zones and changes): numbers messages, signs them, checks
that the replies belong to them and are authentic. Says of each failure whether it leaves anything in doubt.
"""

from __future__ import annotations

import itertools

import dns.rcode

from reconcilers.ddns.connection import Clock, Connection
from reconcilers.ddns.errors import DnsError, MalformedReply, ServerUnreachable, rcode_error
from reconcilers.ddns.transfer import TransferReader
from reconcilers.ddns.tsig import TsigKey, Verifier, sign
from reconcilers.ddns.wire import Reply


class Channel:
    """One server, one key, one connection that is opened when needed."""

    def __init__(self, connection: Connection, key: TsigKey | None, clock: Clock) -> None:
        self._connection, self.key, self.clock = connection, key, clock
        # Random ids collide when messages are pipelined; on one TCP connection a counter is enough.
        self._ids = itertools.count(1)

    def __str__(self) -> str:
        return str(self._connection)

    @property
    def address(self) -> tuple[str, int]:
        """Where it leads."""
        return self._connection.address, self._connection.port

    def next_id(self) -> int:
        """The id for the next message."""
        return next(self._ids) & 0xFFFF

    def close(self) -> None:
        """Idempotent; the next message opens another connection."""
        self._connection.close()

    def ask(self, request: bytes, doing: str) -> Reply:
        """A question: asked a second time if a connection that was kept open turns out to be dead."""
        reused = self._connection.open()
        try:
            return self._exchange(request, doing)
        except DnsError as error:
            if not (reused and isinstance(error, ServerUnreachable) and isinstance(error.__cause__, ConnectionError)):
                raise _definite(error) from error.__cause__
        return self.ask(request, doing)  # on a fresh connection now, so at most once more

    def send_update(self, request: bytes, doing: str) -> Reply:
        """A change: never repeated by itself, because what is lost after sending may have been applied."""
        self._connection.open()
        return self._exchange(request, doing)

    def stream(self, request: bytes, reader: TransferReader, doing: str) -> None:
        """A transfer: many messages, signed as one chain."""
        self._connection.open()
        wire, verifier = self._signed(request)
        try:
            self._connection.send(wire)
            while not reader.done:
                reply = self._receive(request, verifier, doing)
                if reply.rcode != dns.rcode.NOERROR:
                    hint = "check allow-transfer" if reply.rcode == dns.rcode.REFUSED else ""
                    raise rcode_error(reply.rcode, doing, hint)
                reader.feed(reply)
            if verifier:
                verifier.finish(doing)
        except DnsError as error:
            self.close()  # the rest of the stream would be taken for the next reply
            raise _definite(error) from error.__cause__

    def _exchange(self, request: bytes, doing: str) -> Reply:
        wire, verifier = self._signed(request)
        self._connection.send(wire)
        return self._receive(request, verifier, doing)

    def _receive(self, request: bytes, verifier: Verifier | None, doing: str) -> Reply:
        try:
            reply = _matching(Reply.parse(self._connection.receive()), request, doing)
            signature = reply.signature()
        except MalformedReply:
            self.close()
            raise
        # A server that cannot read a message cannot check its signature either, so FORMERR comes unsigned.
        if verifier and (signature or reply.rcode != dns.rcode.FORMERR):
            verifier.check(reply.message, signature, doing=doing)
        return reply

    def _signed(self, request: bytes) -> tuple[bytes, Verifier | None]:
        if self.key is None:
            return request, None
        now = self.clock.time()
        wire, mac = sign(request, self.key, now)
        return wire, Verifier(self.key, mac, now)


def _matching(reply: Reply, request: bytes, doing: str) -> Reply:
    if reply.message[:2] != request[:2]:
        raise MalformedReply(f"{doing}: the reply is to another question", ambiguous=True)
    return reply


def _definite(error: DnsError) -> DnsError:
    """A read changes nothing, so losing its reply leaves nothing in doubt."""
    error.ambiguous = False
    return error
