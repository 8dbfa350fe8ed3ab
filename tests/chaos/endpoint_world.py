"""The players' side with endpoints: DNSEndpoints, annotated Services and Ingresses, and a few records, in two zones.

Every change is told to the model when the API server has acknowledged it. Knows nothing of the manager's life."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import dns.exception

from testbed.stage import Stage, path
from tests.chaos.endpoint_model import (
    FOREIGN,
    NAMESPACE,
    NOWHERE,
    Asking,
    Key,
    Verdict,
    Wish,
    entry_name,
    entry_text,
    judge,
    loose,
    normal,
)
from tests.chaos.model import ZONES, without_ttl
from tests.chaos.world import zone_object
from tests.support.tenants import ANNOTATION, write
from zonewright.testing import eventually

LABELS = ("www", "api", "db", "a.b", "mail", "taken", "green", "alias", "lone")
FREE = LABELS[:5]  # where nobody else has anything: records take other people's names
TTLS = (60, 300, 900)
VALUES = {
    "A": tuple(f"192.0.2.{number}" for number in range(1, 6)),
    "AAAA": tuple(f"2001:db8::{number}" for number in range(1, 4)),
    "CNAME": ("a.example.net.", "b.example.net."),
    "MX": tuple(f"{number}0 mx{number}.example.net." for number in range(1, 4)),
    "TXT": ('"text 1"', '"text 2"'),
}
PLURALS = {"DNSEndpoint": "dnsendpoints", "Service": "services", "Ingress": "ingresses", "ARecord": "arecords"}
ENOUGH = 30  # objects; above it, deleting is likelier than creating

# The first that applies is what Ready says.
WORST = ("OwnerMismatch", "ConflictLost", "Filtered")


def steady() -> list[Asking]:
    """Never touched after the start: whatever dies, these are always served."""
    alpha, beta = (f"steady.{origin}" for origin in ZONES.values())
    return [
        Asking("DNSEndpoint", "steady", (Wish(alpha, "MX", VALUES["MX"][:2], 300), Wish(beta, "TXT", ('"s"',), 60))),
        Asking(
            "Service", "steady", (Wish(alpha, "A", VALUES["A"][:2], 300), Wish(alpha, "AAAA", ("2001:db8::9",), 300))
        ),
        Asking("Ingress", "steady", (Wish(beta, "A", ("192.0.2.99",), 900),)),
    ]


@dataclass(slots=True)
class EndpointWorld:
    stage: Stage
    rng: random.Random
    adopted: bool  # the zones are somebody else's; else the operator has made them
    objects: dict[Key, Asking] = field(default_factory=dict)
    base: dict[str, set[str]] = field(default_factory=dict)  # zone -> its apex, and what others have there
    intended: dict[str, set[str]] = field(default_factory=dict)
    of_records: set[str] = field(default_factory=set)
    winners: dict[tuple[str, str], str] = field(default_factory=dict)  # by the end of the last round
    touched: set[str] = field(default_factory=set)  # names, since then
    done: Counter[str] = field(default_factory=Counter)
    history: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.objects)

    # -- doing

    def set_up(self) -> None:
        """Namespace, servers and zones; others write into the zones while nobody else does. A manager may run."""
        self.stage.cluster.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        self.stage.register_servers(NAMESPACE)
        for zone, origin in ZONES.items():
            if self.adopted:
                for server in self.stage.primaries:
                    server.add_zone(origin)
            self.stage.cluster.create(path("dnszones", "", NAMESPACE), zone_object(zone, origin))

    def intrude(self) -> None:
        """Once the zones are there, and while nobody else writes."""
        for zone, origin in ZONES.items():
            for server in self.stage.primaries:
                write(server, origin, *FOREIGN)
            self.base[zone] = self.stage.transfer(self.stage.primaries[0], origin)
            self.intended[zone] = set(without_ttl(self.base[zone]))
        for asking in steady():
            self._create(asking)

    def has_zones(self) -> bool:
        servers = self.stage.primaries
        return all(self.stage.serial(server, origin) is not None for server in servers for origin in ZONES.values())

    def change(self) -> None:
        """One random change."""
        movable = sorted(key for key in self.objects if key[1] != "steady")
        if not movable or self.rng.random() < (0.45 if len(movable) < ENOUGH else 0.15):
            kind = self.rng.choices(list(PLURALS), (6, 3, 3, 1))[0]
            self._create(self._asking(kind, f"o{self.rng.randrange(25)}"))  # names come back, under new UIDs
            return
        kind, name = self.rng.choice(movable)
        if self.rng.random() < 0.4:
            self._delete(self.objects[kind, name])
        else:
            self._replace(self._asking(kind, name))

    def _asking(self, kind: str, name: str) -> Asking:
        makers = {"DNSEndpoint": self._endpoint, "Service": self._service, "Ingress": self._ingress}
        return Asking(kind, name, makers.get(kind, self._record)())

    def _endpoint(self) -> tuple[Wish, ...]:
        wishes = (self._wish(self._name(), self.rng.choice(list(VALUES))) for _ in range(self.rng.randint(1, 4)))
        return tuple({wish.row: wish for wish in wishes}.values())

    def _service(self) -> tuple[Wish, ...]:
        name, ttl = self._name(), self.rng.choice(TTLS)
        return tuple(self._wish(name, rdtype, ttl) for rdtype in self.rng.choice((("A",), ("AAAA",), ("A", "AAAA"))))

    def _ingress(self) -> tuple[Wish, ...]:
        return (self._wish(self._name(), self.rng.choice(("A", "A", "CNAME"))),)

    def _record(self) -> tuple[Wish, ...]:
        name = f"{self.rng.choice(FREE)}.{self.rng.choice(list(ZONES.values()))}"
        return (Wish(name, "A", (self.rng.choice(VALUES["A"]),), self.rng.choice(TTLS)),)

    def _wish(self, name: str, rdtype: str, ttl: int = 0) -> Wish:
        count = 1 if rdtype == "CNAME" else self.rng.randint(1, 2)
        return Wish(name, rdtype, tuple(sorted(self.rng.sample(VALUES[rdtype], count))), ttl or self.rng.choice(TTLS))

    def _name(self) -> str:
        origins = [*ZONES.values()] * 8 + [NOWHERE]
        return f"{self.rng.choice(LABELS)}.{self.rng.choice(origins)}"

    def _create(self, asking: Asking) -> None:
        """Nothing happens when the name is taken, by a living object or by one that is on its way out."""
        self._intend(asking)
        reply = self.stage.cluster.request("POST", self._path(asking), body(asking))
        if reply.status == 409:
            return
        if not reply.ok:
            raise RuntimeError(f"create {asking}: {reply.body}")
        self.objects[asking.key] = asking
        self._note("create", asking)

    def _replace(self, asking: Asking) -> None:
        self._intend(asking)
        changed = body(asking)
        metadata = {key: value for key, value in changed["metadata"].items() if key != "name"}
        self.stage.cluster.patch(self._path(asking, asking.name), {"metadata": metadata, "spec": changed["spec"]})
        self._touch(self.objects[asking.key])
        self.objects[asking.key] = asking
        self._note("change", asking)

    def _delete(self, asking: Asking) -> None:
        self.stage.cluster.delete(self._path(asking, asking.name))
        del self.objects[asking.key]
        self._note("delete", asking)

    def _path(self, asking: Asking, name: str = "") -> str:
        return path(PLURALS[asking.kind], name, NAMESPACE)

    def _intend(self, asking: Asking) -> None:
        """Before the request: servers may have it before the API's answer is read."""
        for wish in asking.wishes:
            if asking.is_record:
                self.of_records.add(wish.name)
            lines = {f"{wish.name}. {wish.rdtype} {value}" for value in wish.values}
            if not asking.is_record:
                lines.add(f"{entry_name(wish.row)}. TXT {entry_text(asking.resource)}")
            for zone, origin in ZONES.items():
                if wish.name.endswith(f".{origin}"):
                    self.intended[zone] |= lines

    def _touch(self, asking: Asking) -> None:
        self.touched |= {wish.name for wish in asking.wishes}

    def _note(self, what: str, asking: Asking) -> None:
        self._touch(asking)
        self.done[what] += 1
        wishes = "; ".join(f"{wish.name} {wish.ttl} {wish.rdtype} {', '.join(wish.values)}" for wish in asking.wishes)
        self.history.append(f"{what} {asking.kind}/{asking.name}: {wishes}")

    # -- looking

    def differences(self) -> Iterator[str]:
        """What is not yet, or not, as it should be. Once nothing differs, the winners are those of this round."""
        found: list[str] = []
        verdicts: list[Verdict] = []
        for zone in ZONES:
            try:
                contents = [self.stage.transfer(server, ZONES[zone]) for server in self.stage.primaries]
            except (OSError, dns.exception.DNSException) as error:
                yield f"{ZONES[zone]} cannot be transferred: {type(error).__name__} {error}"
                return
            verdict = judge(zone, self.objects.values(), contents[0])
            verdict.lines |= self.base[zone]
            verdicts.append(verdict)
            found += self._zone(zone, verdict, contents)
        found += self._objects(verdicts)
        yield from found
        if not found:
            self.winners = {row: winner for verdict in verdicts for row, winner in verdict.winners.items()}
            self.touched.clear()

    def _zone(self, zone: str, verdict: Verdict, contents: list[set[str]]) -> Iterator[str]:
        yield from verdict.wrong
        held = normal(contents[0])
        yield from (f"{ZONES[zone]}: missing: {line}" for line in sorted(verdict.lines - held))
        yield from (f"{ZONES[zone]}: unwanted: {line}" for line in sorted(held - verdict.lines))
        for server, other in zip(self.stage.primaries, contents, strict=True):
            if other != contents[0]:
                yield f"{ZONES[zone]} is another one at {server.name}: {sorted(other ^ contents[0])}"
        serials = {self.stage.serial(server, ZONES[zone]) for server in self.stage.primaries}
        told = (self.stage.object("dnszones", zone, NAMESPACE).get("status") or {}).get("serial")
        if serials != {told}:
            yield f"{ZONES[zone]} has serials {serials}, its status {told}"
        for row, winner in verdict.winners.items():
            if row[0] not in self.touched and self.winners.get(row, winner) != winner:
                yield f"{' '.join(row)} went from {self.winners[row]} to {winner}, though nobody touched the name"

    def _objects(self, verdicts: list[Verdict]) -> Iterator[str]:
        items = {item["metadata"]["name"]: item for item in self._list("dnsendpoints")}
        expected = {asking.name: asking for asking in self.objects.values() if asking.kind == "DNSEndpoint"}
        yield from (f"DNSEndpoint/{name} was deleted and is still there" for name in items.keys() - expected.keys())
        for name, asking in expected.items():
            yield from _status(items[name], asking, verdicts)

    def loose(self, zone: str, content: set[str]) -> Iterator[str]:
        """What must not be seen at any moment."""
        return loose(content - self.base[zone], self.of_records)

    def versions(self) -> dict[str, str]:
        """Every object with its resource version: whoever writes one moves it."""
        plurals = ["dnszones", "bind9instances", *PLURALS.values()]
        return {
            f"{plural}/{item['metadata']['name']}": item["metadata"]["resourceVersion"]
            for plural in plurals
            for item in self._list(plural)
        }

    def _list(self, plural: str) -> list[dict[str, Any]]:
        # 429 is a CRD that was just installed: "storage is (re)initializing".
        where = path(plural, "", NAMESPACE)
        reply = eventually(lambda: reply if (reply := self.stage.cluster.request("GET", where)).status != 429 else None)
        items: list[dict[str, Any]] = reply.body["items"]
        return items


def _status(item: dict[str, Any], asking: Asking, verdicts: list[Verdict]) -> Iterator[str]:
    title, status = f"DNSEndpoint/{asking.name}", item.get("status") or {}
    reasons = {(wish.name, wish.rdtype): "Filtered" for wish in asking.wishes if wish.name.endswith(NOWHERE)}
    for verdict in verdicts:
        reasons |= {row: reason for (key, row), reason in verdict.reasons.items() if key == asking.key}
    told = {(each["dnsName"], each["recordType"]): each["reason"] for each in status.get("endpointStatuses") or ()}
    if told != reasons:
        yield f"{title}: endpointStatuses should have {reasons}, has {told}"
    conditions = {each["type"]: each for each in status.get("conditions") or ()}
    found = conditions.get("Ready") or {}
    worst = next((reason for reason in WORST if reason in reasons.values()), "Programmed")
    generation = item["metadata"]["generation"]
    if (found.get("reason"), found.get("observedGeneration")) != (worst, generation):
        yield f"{title}: Ready should have {worst} for generation {generation}, has {found}"
    synced = (conditions.get("Synced") or {}).get("status")
    records = f"{len(asking.wishes) - len(reasons)}/{len(asking.wishes)}"
    if (synced, status.get("records")) != ("True", records):
        yield f"{title}: Synced is {synced}, records {status.get('records')}, should be {records}"


# -- the objects as the API has them


def body(asking: Asking) -> dict[str, Any]:
    makers = {"DNSEndpoint": _dnsendpoint, "Service": _service, "Ingress": _ingress, "ARecord": _arecord}
    api_version, annotations, spec = makers[asking.kind](asking.wishes)
    metadata: dict[str, Any] = {"name": asking.name, "labels": {"zone": _zone_of(asking.wishes[0])}}
    if annotations:
        metadata["annotations"] = {ANNOTATION + key: value for key, value in annotations.items()}
    return {"apiVersion": api_version, "kind": asking.kind, "metadata": metadata, "spec": spec}


def _zone_of(wish: Wish) -> str:
    return next((zone for zone, origin in ZONES.items() if wish.name.endswith(f".{origin}")), "nowhere")


Parts = tuple[str, dict[str, str], dict[str, Any]]


def _dnsendpoint(wishes: tuple[Wish, ...]) -> Parts:
    endpoints = [
        {"dnsName": wish.name, "recordType": wish.rdtype, "targets": list(wish.values), "recordTTL": wish.ttl}
        for wish in wishes
    ]
    return "externaldns.k8s.io/v1alpha1", {}, {"endpoints": endpoints}


def _service(wishes: tuple[Wish, ...]) -> Parts:
    addresses = [value for wish in wishes for value in wish.values]
    spec = {"type": "LoadBalancer", "ports": [{"port": 80}], "externalIPs": addresses}
    return "v1", {"hostname": wishes[0].name, "ttl": str(wishes[0].ttl)}, spec


def _ingress(wishes: tuple[Wish, ...]) -> Parts:
    paths = [{"path": "/", "pathType": "Prefix", "backend": {"service": {"name": "any", "port": {"number": 80}}}}]
    (wish,) = wishes
    targets = ",".join(value.rstrip(".") for value in wish.values)
    rules = [{"host": wish.name, "http": {"paths": paths}}]
    return "networking.k8s.io/v1", {"target": targets, "ttl": str(wish.ttl)}, {"rules": rules}


def _arecord(wishes: tuple[Wish, ...]) -> Parts:
    (wish,) = wishes
    label = wish.name.removesuffix(f".{ZONES[_zone_of(wish)]}")
    return "bindy.firestoned.io/v1beta1", {}, {"name": label, "ipv4Address": wish.values[0], "ttl": wish.ttl}
