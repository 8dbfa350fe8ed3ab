"""The players' side of the API: makes random changes, remembers them in the model, and compares what came of them.

Every change is told to the model when the API server has acknowledged it. Knows nothing of the manager's life."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import dns.exception

from testbed.stage import GROUP, Stage
from tests.chaos.model import BOTH, KINDS, PLACES, ZONE_TTL, ZONES, Key, Model, Record, without_ttl
from zonewright.testing import eventually

NAMESPACE = "chaos"
OWNERS = ("@", "www", "api", "db", "edge", "a.b", "mail", "x")
ENOUGH = 36  # objects; above it, deleting is likelier than creating
MASS_DELETE = "bindy.firestoned.io/allow-mass-delete"

# Never touched after the start: whatever dies, these are always served. Two objects to an RRset, one in both zones.
STEADY = (
    Record("MXRecord", "steady-1", "steady", "10 mx1.example.net.", 300, BOTH),
    Record("MXRecord", "steady-2", "steady", "20 mx2.example.net.", 600, BOTH),
    Record("ARecord", "steady-1", "steady", "192.0.2.201", 300, BOTH),
    Record("ARecord", "steady-2", "steady", "192.0.2.202", 300, BOTH),
    Record("TXTRecord", "steady-1", "steady", '"alone"', 300, "alpha"),
)


@dataclass(slots=True)
class World:
    stage: Stage
    rng: random.Random
    model: Model = field(default_factory=Model)
    intended: dict[str, set[str]] = field(default_factory=lambda: {zone: set() for zone in ZONES})
    done: Counter[str] = field(default_factory=Counter)
    history: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many objects there are."""
        return len(self.model.records)

    # -- doing

    def set_up(self) -> None:
        self.stage.cluster.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        self.stage.register_servers(NAMESPACE)
        for zone, zone_name in ZONES.items():
            self.stage.cluster.create(f"{GROUP}/namespaces/{NAMESPACE}/dnszones", zone_object(zone, zone_name))
        for record in STEADY:
            self._create(record)

    def change(self) -> None:
        """One random change."""
        movable = [record for record in self.model.records.values() if not record.name.startswith("steady")]
        makes = self.rng.random() < (0.5 if len(movable) < ENOUGH else 0.15)
        if makes or not movable:
            self._create(self._new())
            return
        record = self.rng.choice(sorted(movable, key=lambda record: record.key))
        self.rng.choice((self._rename, self._relabel, self._relabel, self._revalue, self._delete, self._delete))(record)

    def _new(self) -> Record:
        kind = self.rng.choices(list(KINDS), (5, 2, 4, 2, 2))[0]
        return Record(
            kind=kind,
            name=f"r{self.rng.randrange(60)}",  # names come back, under new UIDs
            owner=self._owner(kind),
            value=self.rng.choice(KINDS[kind].values),
            ttl=self.rng.choice((60, 300, 900)),
            place=self.rng.choice(PLACES),
        )

    def _owner(self, kind: str) -> str:
        return self.rng.choice(OWNERS[1:] if kind == "CNAMERecord" else OWNERS)

    def _create(self, record: Record) -> None:
        """Nothing happens when the name is taken, by a living object or by one that is on its way out."""
        self._intend(record)
        reply = self.stage.cluster.request("POST", _path(record.kind), _body(record))
        if reply.status == 409:
            return
        _must(reply.ok, f"create {record}: {reply.body}")
        created = reply.body["metadata"]["creationTimestamp"]
        self.model.records[record.key] = replace(record, created=created)
        self._note("create", record, f"{record.rdtype} at {record.owner} in {record.place}")

    def _rename(self, record: Record) -> None:
        owner = self._owner(record.kind)
        self._patch({"spec": {"name": owner}}, replace(record, owner=owner))
        self._note("rename", record, f"{record.owner} -> {owner}")

    def _relabel(self, record: Record) -> None:
        place = self.rng.choice(PLACES)
        self._patch({"metadata": {"labels": {"zone": place}}}, replace(record, place=place))
        self._note("relabel", record, f"{record.place} -> {place}")

    def _revalue(self, record: Record) -> None:
        value, ttl = self.rng.choice(KINDS[record.kind].values), self.rng.choice((60, 300, 900))
        spec = {**KINDS[record.kind].spec(value), "ttl": ttl}
        self._patch({"spec": spec}, replace(record, value=value, ttl=ttl))
        self._note("revalue", record, f"{record.value} -> {value}, {ttl} s")

    def _delete(self, record: Record) -> None:
        self.stage.cluster.delete(_path(record.kind, record.name))
        del self.model.records[record.key]
        self._note("delete", record, f"{record.rdtype} at {record.owner} in {record.place}")

    def _patch(self, body: dict[str, Any], after: Record) -> None:
        self._intend(after)
        self.stage.cluster.patch(_path(after.kind, after.name), body)
        self.model.records[after.key] = after

    def _intend(self, record: Record) -> None:
        """Before the request: servers may have it before the API's answer is read."""
        for zone in record.zones():
            self.intended[zone].update(without_ttl(Model({record.key: record}).served(zone)))

    def _note(self, what: str, record: Record, text: str) -> None:
        self.done[what] += 1
        self.history.append(f"{what} {record.kind}/{record.name}: {text}")

    # -- looking

    def differences(self) -> Iterator[str]:
        """What is not yet, or not, as it should be."""
        yield from self._objects()
        for zone in ZONES:
            yield from self._zone(zone)

    def versions(self) -> dict[str, str]:
        """Every object of ours with its resource version: whoever writes one moves it."""
        plurals = ["dnszones", "bind9instances", *(kind.plural for kind in KINDS.values())]
        return {
            f"{plural}/{item['metadata']['name']}": item["metadata"]["resourceVersion"]
            for plural in plurals
            for item in self._list(plural)
        }

    def _list(self, plural: str) -> list[dict[str, Any]]:
        path = f"{GROUP}/namespaces/{NAMESPACE}/{plural}"
        # 429 is a CRD that was just installed: "storage is (re)initializing".
        reply = eventually(lambda: reply if (reply := self.stage.cluster.request("GET", path)).status != 429 else None)
        _must(reply.ok, f"{path}: {reply.body}")
        items: list[dict[str, Any]] = reply.body["items"]
        return items

    def _objects(self) -> Iterator[str]:
        ready = self.model.ready()
        for kind in KINDS:
            items = {item["metadata"]["name"]: item for item in self._list(KINDS[kind].plural)}
            expected = {record.name: record for record in self.model.records.values() if record.kind == kind}
            for name in items.keys() - expected.keys():
                yield f"{kind}/{name} was deleted and is still there: {items[name]['metadata'].get('finalizers')}"
            for name in expected.keys() - items.keys():
                yield f"{kind}/{name} is gone, and nobody deleted it"
            for name in items.keys() & expected.keys():
                yield from _object(items[name], expected[name], ready)
                published = {zone["zoneName"] for zone in (items[name].get("status") or {}).get("zones") or ()}
                if published != self.model.published_in(expected[name]):
                    yield f"{kind}/{name}: status.zones has {published}"

    def _zone(self, zone: str) -> Iterator[str]:
        expected, serials = self.model.served(zone), {}
        for server in self.stage.servers:
            try:
                serials[server.name], found = self.stage.contents(server, ZONES[zone])
            except (OSError, dns.exception.DNSException) as error:
                yield f"{server.name} does not give {ZONES[zone]}: {type(error).__name__} {error}"
                continue
            yield from (f"{server.name}, {ZONES[zone]}: missing: {line}" for line in sorted(expected - found))
            yield from (f"{server.name}, {ZONES[zone]}: unwanted: {line}" for line in sorted(found - expected))
        if len(set(serials.values())) > 1:
            yield f"serials of {ZONES[zone]} differ: {serials}"
        yield from self._zone_status(zone, max(serials.values(), default=0))

    def _zone_status(self, zone: str, serial: int) -> Iterator[str]:
        status = self.stage.object("dnszones", zone, NAMESPACE).get("status") or {}
        selected = [record for record in self.model.records.values() if zone in record.zones()]
        ready = [record for record in selected if record.key in self.model.ready()]
        expected = {"serial": serial, "recordsCount": len(selected), "readyRecordsCount": len(ready)}
        found = {name: status.get(name) for name in expected}
        if found != expected:
            yield f"dnszones/{zone}: status has {found}, expected {expected}"


def _object(item: dict[str, Any], record: Record, ready: set[Key]) -> Iterator[str]:
    title = f"{record.kind}/{record.name}"
    metadata, status = item["metadata"], item.get("status") or {}
    conditions = {each["type"]: each for each in status.get("conditions") or ()}
    found = conditions.get("Ready") or {}
    reason = "RecordPublished" if record.key in ready else "RecordConflict" if record.zones() else "NotSelected"
    if (found.get("reason"), found.get("observedGeneration")) != (reason, metadata["generation"]):
        yield f"{title}: Ready should have {reason} for generation {metadata['generation']}, has {found}"
    if record.key in ready and conditions.get("Propagated", {}).get("status") != "True":
        yield f"{title} is not Propagated: {conditions.get('Propagated')}"
    if record.key in ready or not record.zones():
        zones = ",".join(sorted(ZONES[zone] for zone in record.zones())) or None
        annotation = (metadata.get("annotations") or {}).get("bindy.firestoned.io/zone")
        if annotation != zones:
            yield f"{title}: its zone annotation is {annotation}, should be {zones}"
    if bool(metadata.get("finalizers")) != bool(record.zones()):
        yield f"{title} in {record.place} has finalizers {metadata.get('finalizers')}"


def _must(held: bool, text: str) -> None:
    if not held:
        raise RuntimeError(text)


def _path(kind: str, name: str = "") -> str:
    return f"{GROUP}/namespaces/{NAMESPACE}/{KINDS[kind].plural}" + (f"/{name}" if name else "")


def _body(record: Record) -> dict[str, Any]:
    return {
        "apiVersion": "bindy.firestoned.io/v1beta1",
        "kind": record.kind,
        "metadata": {"name": record.name, "labels": {"zone": record.place}},
        "spec": {"name": record.owner, "ttl": record.ttl, **KINDS[record.kind].spec(record.value)},
    }


def zone_object(zone: str, zone_name: str) -> dict[str, Any]:
    """A DNSZone that takes the records with its label, on all servers."""
    selects = {"matchExpressions": [{"key": "zone", "operator": "In", "values": [zone, BOTH]}]}
    return {
        "apiVersion": "bindy.firestoned.io/v1beta1",
        "kind": "DNSZone",
        # Consent: a small zone may well lose a quarter of its names here, and that is meant.
        "metadata": {"name": zone, "annotations": {MASS_DELETE: "true"}},
        "spec": {
            "zoneName": zone_name,
            "ttl": ZONE_TTL,
            "soaRecord": {"primaryNs": f"ns1.{zone_name}.", "adminEmail": f"admin@{zone_name}"},
            "recordsFrom": [{"selector": selects}],
            "bind9InstancesFrom": [{"selector": {"matchLabels": {"dns.example.org/tier": "demo"}}}],
        },
    }
