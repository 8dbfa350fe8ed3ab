"""The UPDATE messages of one `update` call: built, fenced, sent, counted, logged.

A `Sender` for push.py. Hands out serials so that no two contents ever share one: the first serial is for all changes
in one message. What is sent after that message was refused is another content, so it gets another serial.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Protocol

import dns.name
import dns.rcode

from reconcilers.ddns.channel import Channel
from reconcilers.ddns.errors import DnsError, Refused, rcode_error
from reconcilers.ddns.script import nsupdate_script
from reconcilers.ddns.soa import Soa, serial_add, serial_gt
from reconcilers.ddns.update import Unit, budget, build, soa_exact
from reconcilers.ddns.wire import Section

log = logging.getLogger("zonewright.ddns")

SerialSource = Callable[[int], int]
"""Given the last serial used, the next one to use."""


class UpdateObserver(Protocol):
    """Hears of every UPDATE message: for metrics."""

    def __call__(self, *, rcode: str, seconds: float, records: int) -> None:
        """`rcode` is the mnemonic, or `timeout` or `unreachable` when there was no reply."""
        ...


class Session:
    """State of one update: which serials went out, how many messages were accepted."""

    def __init__(
        self,
        channel: Channel,
        zone: dns.name.Name,
        *,
        soa: Soa | None,
        expect: Soa | None,
        prerequisites: tuple[Section, ...],
        next_serial: SerialSource,
        observer: UpdateObserver | None,
        before_write: Callable[[], None] | None,
    ) -> None:
        self._channel, self._zone, self._soa = channel, zone, soa
        self._expect = expect
        self._prerequisites, self._next_serial = prerequisites, next_serial
        self._observer, self._before_write = observer, before_write
        self.messages = 0
        self.serials: list[int] = []
        self._offered: int | None = None
        signing = channel.key.overhead if channel.key else 0
        self.budget = budget(zone, soa=soa, prerequisites=self._conditions(), signing=signing)

    def send(self, batch: Sequence[Unit]) -> None:
        """One UPDATE with the next serial."""
        soa = self._next_soa()
        changes = [change for unit in batch for change in unit]
        if log.isEnabledFor(logging.DEBUG):
            log.debug("%s", nsupdate_script(*self._channel.address, self._zone, changes, soa))
        message = build(self._channel.next_id(), self._zone, batch, soa=soa, prerequisites=self._conditions())
        started = self._channel.clock.monotonic()
        records = sum(change.records for change in changes)
        try:
            self._deliver(message)
        except DnsError as error:
            self._report(error.rcode or _lost(error), started, records)
            raise
        self._report("NOERROR", started, records)
        self.messages += 1
        if self._expect:
            self._expect = soa  # the next message builds on this one
        if soa:
            self.serials.append(soa.serial)

    def probe(self) -> None:
        """Only the prerequisites of the whole call, and nothing to do."""
        try:
            self.check(self._conditions())
        except Refused as error:
            hint = "check that allow-update names its key" if self._channel.key else "no key given"
            text = f"{self._doing}: the server takes no updates from us ({error.rcode}): {hint}"
            raise Refused(text, rcode=error.rcode) from error

    def check(self, prerequisites: Sequence[Section]) -> None:
        """One UPDATE that changes nothing."""
        self._deliver(build(self._channel.next_id(), self._zone, [], prerequisites=prerequisites))

    def _conditions(self) -> tuple[Section, ...]:
        """What every message of the call is conditional on."""
        return (*self._prerequisites, soa_exact(self._zone, self._expect)) if self._expect else self._prerequisites

    def _next_soa(self) -> Soa | None:
        if self._soa is None or self._offered is None:
            self._offered = self._soa.serial if self._soa else None
            return self._soa
        serial = self._next_serial(self._offered)
        if not serial_gt(serial, self._offered):
            raise ValueError(f"serial {serial} is not ahead of {self._offered}")
        self._offered = serial
        return self._soa.at(serial)

    @property
    def _doing(self) -> str:
        return f"update of {self._zone} at {self._channel}"

    def _deliver(self, message: bytes) -> None:
        if self._before_write is not None:
            self._before_write()
        try:
            reply = self._channel.send_update(message, self._doing)
        except DnsError as error:
            # Earlier messages of this call have been applied, so the zone is not what it was before.
            error.ambiguous = error.ambiguous or bool(self.messages)
            raise
        if reply.rcode != dns.rcode.NOERROR:
            raise rcode_error(reply.rcode, self._doing)

    def _report(self, rcode: str, started: float, records: int) -> None:
        seconds = self._channel.clock.monotonic() - started
        fields = {"zone": str(self._zone), "server": str(self._channel), "rcode": rcode, "records": records}
        text = "nsupdate %s at %s: %s, %d records, %.1f ms"
        log.info(text, self._zone, self._channel, rcode, records, seconds * 1000, extra=fields)
        if self._observer is not None:
            self._observer(rcode=rcode, seconds=seconds, records=records)


def one_more(last: int) -> int:
    """The serial after `last`, for callers that keep no account of serials."""
    return serial_add(last, 1)


def _lost(error: DnsError) -> str:
    return "timeout" if isinstance(error.__cause__, TimeoutError) else "unreachable"
