"""One name server, spoken to over TCP with TSIG: SOA, transfers, updates, NOTIFY.

The surface that the engine sees of ddns. A `DnsServer` is one connection and is used by one thread at a time; it keeps
no state about zones, so throwing one away loses nothing. Does not retry, back off or decide.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import dns.name
import dns.rcode
import dns.rdatatype as rt

from reconcilers.ddns.channel import Channel
from reconcilers.ddns.connection import Clock, Connection
from reconcilers.ddns.dialer import Dialer, DirectDialer
from reconcilers.ddns.errors import DnsError, NotAuthoritative, rcode_error, rcode_text
from reconcilers.ddns.names import canonical
from reconcilers.ddns.plan import Change
from reconcilers.ddns.push import Push, Rejection
from reconcilers.ddns.rrset import RRset, RRsetKey
from reconcilers.ddns.session import SerialSource, Session, UpdateObserver, one_more
from reconcilers.ddns.soa import Soa
from reconcilers.ddns.transfer import TransferReader, ZoneContent, read_rrset, read_soa
from reconcilers.ddns.tsig import TsigKey
from reconcilers.ddns.update import units
from reconcilers.ddns.wire import AUTHORITATIVE, EMPTY, NOTIFY, QUERY, Section, assemble


@dataclass(frozen=True, slots=True)
class UpdateResult:
    """What became of an update. `serial` was read from the server afterwards, `serials` were asked for."""

    applied: tuple[Change, ...]
    rejected: tuple[Rejection, ...]
    serial: int
    messages: int
    serials: tuple[int, ...] = ()


class DnsServer:
    """A name server at an address, with the key that it knows us by."""

    def __init__(
        self,
        address: str,
        port: int = 53,
        *,
        key: TsigKey | None = None,
        dial: Dialer | None = None,
        timeout: float = 5.0,
        clock: Clock = time,
        observer: UpdateObserver | None = None,
        before_write: Callable[[], None] | None = None,
    ) -> None:
        connection = Connection(address, port, dial=dial or DirectDialer(), timeout=timeout, clock=clock)
        self._channel = Channel(connection, key, clock)
        self._observer = observer
        self._before_write = before_write

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        self._channel.close()

    def soa(self, zone: dns.name.Name) -> Soa:
        """The zone's SOA as this server holds it: the cheap check that nothing changed.

        Raises NotAuthoritative when the server does not serve the zone (BIND answers REFUSED then, as it does when
        allow-query keeps us out), ServerFailure for a secondary whose copy has expired.
        """
        doing = f"SOA of {zone} at {self._channel}"
        reply = self._channel.ask(assemble(self._channel.next_id(), QUERY, canonical(zone), rt.SOA), doing)
        if reply.rcode == dns.rcode.REFUSED:
            raise NotAuthoritative(f"{doing}: REFUSED: it does not serve the zone, or not to us", rcode="REFUSED")
        if reply.rcode not in {dns.rcode.NOERROR, dns.rcode.NXDOMAIN}:
            raise rcode_error(reply.rcode, doing)
        for record in reply.answers():
            if record.rdtype == rt.SOA and reply.authoritative:
                return read_soa(reply.message, record)
        raise NotAuthoritative(f"{doing}: the server does not serve the zone", rcode=rcode_text(reply.rcode))

    def rrset(self, key: RRsetKey) -> RRset | None:
        """One RRset as the server answers it, authoritatively; None if there is none."""
        doing = f"query for {key} at {self._channel}"
        reply = self._channel.ask(assemble(self._channel.next_id(), QUERY, canonical(key.name), key.rdtype), doing)
        if reply.rcode not in {dns.rcode.NOERROR, dns.rcode.NXDOMAIN}:
            raise rcode_error(reply.rcode, doing)
        return read_rrset(reply, key)

    def transfer(self, zone: dns.name.Name, known: ZoneContent | None = None) -> ZoneContent:
        """The whole zone. With `known`, only what changed since is read (IXFR); unchanged costs one small message.

        A failed or refused read raises; it never looks like an empty zone.
        """
        apex = canonical(zone)
        doing = f"transfer of {zone} from {self._channel}"
        if known is None:
            request = assemble(self._channel.next_id(), QUERY, apex, rt.AXFR)
        else:
            since = Section(1, known.soa.wire(apex))
            request = assemble(self._channel.next_id(), QUERY, apex, rt.IXFR, authority=since)
        reader = TransferReader(apex, known)
        self._channel.stream(request, reader, doing)
        return reader.content()

    def update(
        self,
        zone: dns.name.Name,
        changes: Iterable[Change],
        *,
        soa: Soa | None = None,
        expect: Soa | None = None,
        prerequisites: Iterable[Section] = (),
        next_serial: SerialSource | None = None,
        verify: bool = True,
    ) -> UpdateResult:
        """Make the changes; bad ones are told apart from good ones, and what was accepted is verified.

        With `soa`, the first message carries it; every further one carries the serial that `next_serial(last)` gives
        (default: one more), because one serial must never name two contents. Without changes it is an SOA-only
        UPDATE. With `expect`, nothing is done unless the zone still has that very SOA: PrerequisiteFailed says that
        somebody else changed it. Raises for what concerns the zone or server as a whole; `.ambiguous` then says
        whether some of it may have been applied.
        """
        apex = canonical(zone)
        session = Session(
            self._channel,
            apex,
            soa=soa,
            expect=expect,
            prerequisites=tuple(prerequisites),
            next_serial=next_serial or one_more,
            observer=self._observer,
            before_write=self._before_write,
        )
        ready = units(changes)
        push = Push(apex, session, session.budget)
        if ready:
            push.run(ready)
        elif soa:
            session.send([])
        if verify and push.applied:
            push.verify()
        serial = self._serial_after(apex, session)
        return UpdateResult(tuple(push.applied), tuple(push.rejected), serial, session.messages, tuple(session.serials))

    def notify(self, zone: dns.name.Name, serial: Soa | None = None) -> None:
        """Tell this server (a secondary) that the zone changed. It may ignore us; its serial will tell."""
        apex = canonical(zone)
        answer = Section(1, serial.wire(apex)) if serial else EMPTY
        request = assemble(self._channel.next_id(), NOTIFY, apex, rt.SOA, answer=answer, flags=AUTHORITATIVE)
        doing = f"NOTIFY for {zone} to {self._channel}"
        reply = self._channel.ask(request, doing)
        if reply.rcode != dns.rcode.NOERROR:
            raise rcode_error(reply.rcode, doing)

    def _serial_after(self, zone: dns.name.Name, session: Session) -> int:
        """NOERROR does not mean that the serial was taken: a lower one is ignored in silence."""
        try:
            return self.soa(zone).serial
        except DnsError as error:
            # The update is done; only its serial is not known. The caller must look again.
            error.ambiguous = error.ambiguous or session.messages > 0
            raise
