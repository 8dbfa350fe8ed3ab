"""Which Bind9Instances are one and the same server, and which of them counts. Pure.

A server is where it is, not what its object is called. Under two names it would have each zone twice, and what is
removed under one name would be gone under the other: the first registration counts, any further does nothing."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from reconcilers.reasons import Reason
from reconcilers.servers.exchange import Endpoint, InvalidUrl
from zonewright import Object, Request, find_condition

DEFAULT_PORT = 53
SERVER_ID = "server id"


_UNUSABLE = frozenset({Reason.CONFIGURATION_INVALID, Reason.TSIG_VERIFICATION_FAILED, Reason.BINDCAR_AUTH_FAILED})


class Place(NamedTuple):
    """One thing that tells a server from others."""

    kind: str
    value: str

    @property
    def is_told(self) -> bool:
        """It is the server's own word, not that of its instance."""
        return self.kind == SERVER_ID

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"


@dataclass(frozen=True, slots=True)
class Registration:
    """An instance, as far as it stands for a server.

    server_id   what its bindcar says it is; "" if that is not known
    address     address and port, in one spelling; "" if there is none
    bindcar     host, port and path of its bindcar, in one spelling; "" if there is none
    created     when the object was made
    duplicate   its status says that it is a further registration of another's server
    moved       its status is not about this spec yet, or its bindcar said that it is another server: what it has may
                be elsewhere
    unusable    its status says that it has no key or token which the server takes
    deleting    it is on its way out and stands for nothing any more
    """

    server_id: str = ""
    address: str = ""
    bindcar: str = ""
    created: str = ""
    duplicate: bool = False
    moved: bool = False
    unusable: bool = False
    deleting: bool = False

    @property
    def identity(self) -> str:
        """What tells the server from others best."""
        return self.server_id or self.address

    @property
    def places(self) -> tuple[Place, ...]:
        """Two registrations that have one of these in common are the same server."""
        if self.deleting:
            return ()
        given = (("address", self.address), ("bindcarUrl", self.bindcar), (SERVER_ID, self.server_id))
        return tuple(Place(kind, value) for kind, value in given if value)

    def found(self, server_id: str) -> "Registration":
        """As it is after its bindcar said what it is."""
        if server_id == self.server_id:
            return self
        return replace(self, server_id=server_id, moved=self.moved or self.server_id != "")


class Duplicate(NamedTuple):
    """A further registration: of whose server, and how that is known."""

    first: Request
    place: Place

    @property
    def is_certain(self) -> bool:
        """It needs no probe: the instances themselves say so."""
        return not self.place.is_told


def duplicates(registrations: Mapping[Request, Registration], holding: frozenset[Request]) -> dict[Request, Duplicate]:
    """The registrations that do not count. `holding` are instances that have zones.

    One that was told that it is a duplicate stays one while its first is there: the choice lasts, also over a restart.
    Else the one that has zones there is the first, then one that the server takes or that was not tried yet: who has no
    key must not keep out who has one. Then the one that was there before the other moved, then the older.
    A duplicate does nothing, so a third instance that has something in common with that one alone is none.

    Ids count within a namespace: a hostile bindcar could say the id of another tenant's server, and so have that one's
    instance do nothing. Across namespaces the owner markers protect the zones of a server that has two addresses."""

    def rank(key: Request) -> tuple[bool, bool, bool, bool, str, Request]:
        known = registrations[key]
        idle = known.moved or key not in holding
        return (known.duplicate, idle, known.unusable, known.moved, known.created, key)

    firsts: dict[tuple[str, Place], Request] = {}
    found: dict[Request, Duplicate] = {}
    for key in sorted(registrations, key=rank):
        places = [(key.namespace if place.is_told else "", place) for place in registrations[key].places]
        taken = next((place for place in places if place in firsts), None)
        if taken is not None:
            found[key] = Duplicate(firsts[taken], taken[1])
        else:
            firsts |= dict.fromkeys(places, key)
    return found


def registration_of(obj: Object[Any]) -> Registration:
    """Read from plain fields: also an instance that fits no model is somewhere."""
    fields = obj.readable_fields()
    status = fields.get("status") or {}
    external = (fields.get("spec") or {}).get("external") or {}
    address = _address(external)
    ready = find_condition(status.get("conditions"), "Ready") or {}
    server = status.get("server") or {}
    moved = status.get("observedGeneration") != obj.generation
    return Registration(
        # What was found at another address says nothing of this one.
        server_id=server.get("id") or "" if server.get("address") == address else "",
        address=address,
        bindcar=_bindcar(external),
        created=obj.creation_timestamp or "",
        duplicate=ready.get("reason") == Reason.DUPLICATE_SERVER,
        moved=moved,
        unusable=not moved and ready.get("reason") in _UNUSABLE,
        deleting=obj.deleting,
    )


def _address(external: Mapping[str, Any]) -> str:
    given = external.get("address")
    return f"{_host(given)}:{external.get('port') or DEFAULT_PORT}" if isinstance(given, str) and given else ""


def _bindcar(external: Mapping[str, Any]) -> str:
    try:
        endpoint = Endpoint.parse(external.get("bindcarUrl") or "")
    except (InvalidUrl, AttributeError, TypeError):
        return ""  # the instance's own reconcile says why
    return f"{_host(endpoint.host)}:{endpoint.port}{endpoint.path.rstrip('/')}"


def _host(text: str) -> str:
    """One spelling of an address or a host name."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text.lower().removesuffix(".")
    mapped = address.ipv4_mapped if address.version == 6 else None
    return f"[{address}]" if address.version == 6 and mapped is None else str(mapped or address)
