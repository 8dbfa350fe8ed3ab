"""The adapter between the engine's operations and a real BIND9 server: DNS for content, bindcar for the zone itself.

One `BindServer` is one connection of each kind and is used by one thread at a time. It carries out what it is told
and says what came of it; it keeps no state about zones and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import dns.name

from reconcilers.ddns.client import DnsServer
from reconcilers.ddns.dialer import Dialer
from reconcilers.ddns.errors import DnsError, NotAuthoritative, PrerequisiteFailed, Rejected, TsigFailed
from reconcilers.ddns.plan import UNTOUCHABLE
from reconcilers.ddns.session import UpdateObserver
from reconcilers.ddns.soa import Soa
from reconcilers.engine.api import Role, ServerSpec
from reconcilers.engine.core.protocol import (
    Absent,
    Applied,
    Configure,
    Create,
    Delete,
    Failed,
    Observe,
    Op,
    Ownership,
    Present,
    Refused,
    Result,
    Sync,
    Unchanged,
    ZoneOptions,
)
from reconcilers.reasons import Reason
from reconcilers.servers.answers import shortened
from reconcilers.servers.bindcar import (
    BindcarBadRequest,
    BindcarClient,
    BindcarError,
    CreateZone,
    Owner,
    ZoneExists,
    ZoneInfo,
    ZoneNotFound,
    ZonePatch,
)
from reconcilers.servers.cluster_id import ClusterId


class ZoneServer(Protocol):
    """What the engine needs of a server."""

    def carry_out(self, op: Op, next_serial: Callable[[], int]) -> Result:
        """Do it, and say what came of it. `next_serial` gives every further message of a SYNC a serial of its own."""
        ...

    def close(self) -> None:
        """Let the connections go."""
        ...


class BindServer:
    """A BIND9 server, with or without bindcar beside it."""

    def __init__(
        self,
        spec: ServerSpec,
        cluster: ClusterId,
        *,
        dial: Dialer | None = None,
        timeout: float = 5.0,
        observer: UpdateObserver | None = None,
        before_write: Callable[[], None] | None = None,
    ) -> None:
        self._cluster = cluster
        self._before_write = before_write or (lambda: None)
        self._dns = DnsServer(
            spec.address,
            spec.port,
            key=spec.key,
            dial=dial,
            timeout=timeout,
            observer=observer,
            before_write=before_write,
        )
        car = spec.bindcar
        self._bindcar = BindcarClient(car.url, car.token, dial=dial, timeout=2 * timeout) if car else None
        self._update_key = spec.key.name.to_text(omit_final_dot=True) if spec.key else None

    def close(self) -> None:
        """Let the connections go."""
        self._dns.close()
        if self._bindcar:
            self._bindcar.close()

    def carry_out(self, op: Op, next_serial: Callable[[], int]) -> Result:
        """Do it; errors of DNS and bindcar become results."""
        try:
            return self._carry_out(op, next_serial)
        except DnsError as error:
            # "I do not serve it" contradicts what we believed, so it has to be looked at; a rejected key does not.
            doubt = error.ambiguous or isinstance(error, NotAuthoritative)
            return Failed(_reason(error), str(error), ambiguous=doubt)
        except BindcarBadRequest as error:
            return Refused(error.reason, str(error))
        except BindcarError as error:
            doubt = error.ambiguous or isinstance(error, ZoneNotFound | ZoneExists)
            return Failed(error.reason, str(error), ambiguous=doubt)

    def _carry_out(self, op: Op, next_serial: Callable[[], int]) -> Result:
        match op.payload:
            case Observe() as request:
                return self._observe(op, request)
            case Create() as request:
                return self._create(op, request)
            case Configure() as request:
                return self._configure(op, request)
            case Sync(soa=None):
                return self._transfer_again(op)
            case Sync() as request:
                return self._sync(op, request, next_serial)
            case Delete() as request:
                return self._delete(op, request)

    # --- looking -----------------------------------------------------------------------------------------------------

    def _observe(self, op: Op, request: Observe) -> Result:
        if request.known_serial is not None and self._serial(op) == request.known_serial:
            return Unchanged()
        if self._bindcar is None:
            return self._look(op, request, Ownership.ADOPTED)
        info = self._bindcar.get_zone(op.key.zone)
        if info is None:
            return self._look(op, request, Ownership.FOREIGN)
        if info.owner is None or info.owner.cluster not in {str(self._cluster), self._cluster.name}:
            return Present(Ownership.FOREIGN, info.serial, holder=shortened(info.owner.cluster) if info.owner else "")
        if info.owner == self._former_owner(op.ref.uid):
            # A zone may never change again, so its marker is brought up to date when it is seen.
            self._rewrite_owner(op.key.zone, op.ref.uid)
        options = _options(info)
        if op.role is Role.SECONDARY and not request.content:
            return Present(Ownership.OURS, self._serial(op), owner_uid=info.owner.uid, options=options)
        return self._look(op, request, Ownership.OURS, info.owner.uid, options)

    def _serial(self, op: Op) -> int | None:
        """None for a zone that the server does not serve, or not yet: a secondary before its first transfer."""
        try:
            return self._dns.soa(op.key.zone).serial
        except (NotAuthoritative, Rejected):
            return None

    def _look(
        self, op: Op, request: Observe, ownership: Ownership, uid: str = "", options: ZoneOptions | None = None
    ) -> Result:
        """The zone by DNS. A failed read is a failure, never an empty zone."""
        try:
            soa = self._dns.soa(op.key.zone)
        except NotAuthoritative as error:
            if ownership is not Ownership.OURS:
                return Absent()
            return Failed(Reason.ZONE_NOT_READY, f"the zone is configured but not served: {error}")
        if ownership is not Ownership.OURS and _is_automatic(soa):
            return Absent()
        if ownership is Ownership.FOREIGN or not request.content:
            return Present(ownership, soa.serial, soa, owner_uid=uid, options=options)
        content = self._dns.transfer(op.key.zone)
        records = {key: rrset for key, rrset in content.rrsets.items() if key.rdtype not in UNTOUCHABLE}
        return Present(ownership, content.soa.serial, content.soa, records, uid, options)

    # --- writing -----------------------------------------------------------------------------------------------------

    def _car(self) -> BindcarClient:
        if self._bindcar is None:
            raise BindcarBadRequest("the server has no bindcar: its zones cannot be created, changed or deleted")
        return self._bindcar

    def _owner(self, uid: str) -> Owner:
        return Owner(str(self._cluster), uid)

    def _former_owner(self, uid: str) -> Owner:
        """As version 0.1 wrote it: anybody could have the name, but then not a zone object with this UID."""
        return Owner(self._cluster.name, uid)

    def _as_owner(self, zone: dns.name.Name, uid: str, change: Callable[[Owner], object]) -> None:
        """Make a change that only the owner can make. A marker of 0.1 is rewritten first, if bindcar can do that."""
        self._before_write()
        try:
            change(self._owner(uid))
        except ZoneExists:
            info = self._car().get_zone(zone)
            if info is None or info.owner != self._former_owner(uid):
                raise
            change(self._rewrite_owner(zone, uid))

    def _rewrite_owner(self, zone: dns.name.Name, uid: str) -> Owner:
        """From the name to name and UID; returns the owner that stands there now."""
        self._before_write()
        rewritten = self._car().rewrite_owner(zone, self._former_owner(uid), self._owner(uid))
        return self._owner(uid) if rewritten else self._former_owner(uid)

    def _create(self, op: Op, request: Create) -> Result:
        """Create it, and read it back: what named made of it is what counts."""
        wanted = self._create_request(op, request)
        self._as_owner(op.key.zone, op.ref.uid, lambda owner: self._car().create_zone(replace(wanted, owner=owner)))
        if op.role is Role.SECONDARY:
            return Applied()
        return self._look(op, Observe(), Ownership.OURS, op.ref.uid, request.options)

    def _create_request(self, op: Op, request: Create) -> CreateZone:
        options, owner = request.options, self._owner(op.ref.uid)
        if op.role is Role.SECONDARY:
            secondary = CreateZone(op.key.zone, "secondary", owner, primaries=options.primaries)
            return replace(secondary, update_key=self._update_key)  # lets us read what it holds
        return CreateZone(
            op.key.zone,
            "primary",
            owner,
            ttl=request.soa.ttl,
            soa=request.soa,
            records=request.content,
            also_notify=options.also_notify,
            allow_transfer=options.allow_transfer,
            dnssec_policy=options.dnssec_policy or None,
            update_key=self._update_key,
        )

    def _configure(self, op: Op, request: Configure) -> Result:
        options = request.options
        patch = ZonePatch(
            also_notify=options.also_notify if op.role is Role.PRIMARY else None,
            allow_transfer=options.allow_transfer if op.role is Role.PRIMARY else None,
            primaries=options.primaries if op.role is Role.SECONDARY else None,
            dnssec_policy=options.dnssec_policy or None,
        )
        zone = op.key.zone
        self._as_owner(zone, op.ref.uid, lambda owner: self._car().patch_zone(zone, patch, owner=owner))
        return Applied()

    def _sync(self, op: Op, request: Sync, next_serial: Callable[[], int]) -> Result:
        try:
            done = self._dns.update(
                op.key.zone,
                request.changes,
                soa=request.soa,
                expect=request.before,
                next_serial=lambda _: next_serial(),
            )
        except PrerequisiteFailed:
            return Failed(
                Reason.PROGRESSING, "somebody else changed the zone meanwhile: it is read again", ambiguous=True
            )
        rejected = tuple((change.key, _reason(error), str(error)) for change, error in done.rejected)
        return Applied(done.serial, done.serials[-1] if done.serials else None, rejected)

    def _transfer_again(self, op: Op) -> Result:
        self._before_write()
        if self._bindcar is None:
            self._dns.notify(op.key.zone)
        else:
            self._bindcar.retransfer(op.key.zone)
        return Applied()

    def _delete(self, op: Op, request: Delete) -> Result:
        zone = op.key.zone
        if request.unknown:
            # A marker of 0.1 has a name that another cluster may have too, where the object is alive.
            self._before_write()
            self._car().delete_zone(zone, owner=self._owner(request.uid))
        else:
            self._as_owner(zone, request.uid, lambda owner: self._car().delete_zone(zone, owner=owner))
        return Applied()


def _is_automatic(soa: Soa) -> bool:
    """One of the empty zones that BIND answers for by itself (RFC 6303): nobody's, and it takes no updates."""
    return (soa.serial, soa.refresh, soa.retry, soa.expire, soa.minimum) == (0, 28800, 7200, 604800, 86400)


def _reason(error: DnsError) -> Reason:
    return TsigFailed.reason if isinstance(error, TsigFailed) else error.reason


def _options(info: ZoneInfo) -> ZoneOptions:
    """As bindcar remembers what it was asked for."""
    config = info.config
    secondary = info.type == "secondary"
    return ZoneOptions(
        Role.SECONDARY if secondary else Role.PRIMARY,
        primaries=config.primaries or () if secondary else (),
        also_notify=() if secondary else config.also_notify or (),
        allow_transfer=() if secondary else config.allow_transfer or (),
        dnssec_policy="" if secondary else config.dnssec_policy or "",
    )
