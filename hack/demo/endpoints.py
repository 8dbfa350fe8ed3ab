"""DNSEndpoints, a Service and an Ingress: served, changed, broken, mended, deleted, with what status says of it."""

from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import dns.name
import dns.query
import dns.rcode
import dns.tsigkeyring
import dns.update

from generated import kinds
from hack.demo.steps import NAMESPACE, Look, Step, apply, delete, deployed, dig, patch, wait
from testbed.stage import SAMPLES, Stage
from zonewright import Client, Config, InformerSet, Object, Request
from zonewright.envtest.waiting import condition
from zonewright.testing import eventually

ZONE = "example.org"
FILES = SAMPLES.relative_to(SAMPLES.parents[1])
RIVAL = """\
apiVersion: externaldns.k8s.io/v1alpha1
kind: DNSEndpoint
metadata: {name: rival, namespace: dns-system}
spec:
  endpoints:
    - {dnsName: shop.example.org, recordType: A, targets: [198.51.100.1]}
"""
RECORD = """\
apiVersion: bindy.firestoned.io/v1beta1
kind: ARecord
metadata: {name: shop, namespace: dns-system, labels: {zone: example.org}}
spec: {name: shop, ipv4Address: 203.0.113.80, ttl: 300}
"""
BLUE = """\
apiVersion: externaldns.k8s.io/v1alpha1
kind: DNSEndpoint
metadata: {name: blue, namespace: dns-system}
spec:
  endpoints:
    - {dnsName: blue.example.org, recordType: A, targets: [192.0.2.70]}
"""
TEAM = """\
apiVersion: v1
kind: Namespace
metadata: {name: team-b}
---
apiVersion: externaldns.k8s.io/v1alpha1
kind: DNSEndpoint
metadata: {name: tool, namespace: team-b}
spec:
  endpoints:
    - {dnsName: tool.example.org, recordType: AAAA, targets: ["2001:db8::7"]}
"""
ALLOW = '{"spec":{"allowEndpointsFrom":{"matchLabels":{"kubernetes.io/metadata.name":"team-b"}}}}'
BALANCED = '{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.91"}]}}}'
TTL = '{"metadata":{"annotations":{"external-dns.kubernetes.io/ttl":"90"}}}'
TYPO = '{"metadata":{"annotations":{"external-dns.kubernetes.io/target":"192.0.2.999"}}}'
MENDED = '{"metadata":{"annotations":{"external-dns.kubernetes.io/target":"192.0.2.90"}}}'


def steps() -> list[Step]:
    return [
        # The default is 30 seconds between looks at each server: too long to watch.
        deployed(["--poll-interval", "1"]),
        Step("create the zone that will publish", [apply(FILES / "10-zones.yaml")], [wait("dnszone", "example-org")]),
        *(_served() + _changed() + _broken() + _contested() + _foreign() + _allowed() + _deleted()),
    ]


def _served() -> list[Step]:
    return [
        Step(
            "a DNSEndpoint is served",
            [apply(FILES / "endpoints/dnsendpoint.yaml")],
            [
                wait("dnsendpoint", "shop"),
                dig("shop.example.org", "A", "192.0.2.80", "192.0.2.81", ttl=300),
                dig("pay.example.org", "CNAME", "shop.example.org."),
            ],
        ),
        Step(
            "the registry beside it says whose it is, as external-dns writes it",
            holds=[dig("a-shop.example.org", "TXT", _entry("default", f"crd/{NAMESPACE}/shop"))],
        ),
        Step(
            "an annotated Service is served, and says so in an event",
            [apply(FILES / "endpoints/service.yaml")],
            [dig("api.example.org", "A", "192.0.2.90", ttl=300), event("service", "api", "RecordReady")],
        ),
        Step(
            "an Ingress is served as soon as its controller gives it an address",
            [apply(FILES / "endpoints/ingress.yaml"), patch("ingress", "news", BALANCED, status=True)],
            [dig("news.example.org", "A", "192.0.2.91"), event("ingress", "news", "RecordReady")],
        ),
    ]


def _changed() -> list[Step]:
    return [
        Step(
            "change a target of the DNSEndpoint",
            [patch("dnsendpoint", "shop", _targets("192.0.2.82"), how="json")],
            [wait("dnsendpoint", "shop"), dig("shop.example.org", "A", "192.0.2.82")],
        ),
        Step(
            "change the TTL of the Service",
            [patch("service", "api", TTL)],
            [dig("api.example.org", "A", "192.0.2.90", ttl=90)],
        ),
    ]


def _broken() -> list[Step]:
    return [
        Step(
            "break it with a bad target: the status names it, what was served stays, the other endpoint goes on",
            [patch("dnsendpoint", "shop", _targets("192.0.2.999"), how="json")],
            [
                wait("dnsendpoint", "shop", reason="Invalid"),
                wait("dnsendpoint", "shop", what="Accepted", reason="Invalid"),
                told("shop", "spec.endpoints[0].targets[0]", "192.0.2.999"),
                dig("shop.example.org", "A", "192.0.2.82"),
                dig("pay.example.org", "CNAME", "shop.example.org."),
            ],
        ),
        Step(
            "mend it",
            [patch("dnsendpoint", "shop", _targets("192.0.2.80"), how="json")],
            [wait("dnsendpoint", "shop"), dig("shop.example.org", "A", "192.0.2.80")],
        ),
        Step(
            "break the Service with a bad target: an event says so, what was served stays",
            [patch("service", "api", TYPO)],
            [event("service", "api", "RecordError"), dig("api.example.org", "A", "192.0.2.90")],
        ),
        Step("mend it", [patch("service", "api", MENDED)], [dig("api.example.org", "A", "192.0.2.90", ttl=90)]),
    ]


def _contested() -> list[Step]:
    return [
        Step(
            "another DNSEndpoint for the same name loses: who has it keeps it",
            [apply(RIVAL)],
            [
                wait("dnsendpoint", "rival", reason="ConflictLost"),
                told("rival", f"DNSEndpoint {NAMESPACE}/shop"),
                dig("shop.example.org", "A", "192.0.2.80"),
            ],
        ),
        Step(
            "both lose to a record object",
            [apply(RECORD)],
            [
                wait("dnsendpoint", "shop", reason="ConflictLost"),
                told("shop", f"ARecord {NAMESPACE}/shop"),
                dig("shop.example.org", "A", "203.0.113.80"),
            ],
        ),
        Step(
            "without the record and without the rival, the name is the first one's again",
            [delete("dnsendpoint", "rival"), delete("arecord", "shop")],
            [wait("dnsendpoint", "shop"), dig("shop.example.org", "A", "192.0.2.80")],
        ),
    ]


def _foreign() -> list[Step]:
    return [
        Step(
            "a name of a foreign owner is left alone",
            [foreigner("add"), apply(BLUE)],
            [
                wait("dnsendpoint", "blue", reason="OwnerMismatch"),
                told("blue", "belongs to owner 'blue-team'"),
                dig("blue.example.org", "A", "203.0.113.9"),
            ],
        ),
        Step(
            "the foreign owner gives it up: it is taken by itself",
            [foreigner("delete")],
            [wait("dnsendpoint", "blue"), dig("blue.example.org", "A", "192.0.2.70")],
        ),
    ]


def _allowed() -> list[Step]:
    return [
        Step(
            "another namespace may not publish in the zone",
            [apply(TEAM)],
            [
                wait("dnsendpoint", "tool", reason="Filtered", namespace="team-b"),
                told("tool", "spec.allowEndpointsFrom", namespace="team-b"),
                dig("tool.example.org", "AAAA"),
            ],
        ),
        Step(
            "until the zone lets it",
            [patch("dnszone", "example-org", ALLOW)],
            [wait("dnsendpoint", "tool", namespace="team-b"), dig("tool.example.org", "AAAA", "2001:db8::7")],
        ),
    ]


def _deleted() -> list[Step]:
    return [
        Step(
            "delete the DNSEndpoints, the Service and the Ingress: their names go, and the registry's with them",
            [
                delete("dnsendpoint", "shop"),
                delete("dnsendpoint", "blue"),
                delete("dnsendpoint", "tool", "team-b"),
                delete("service", "api"),
                delete("ingress", "news"),
            ],
            [
                *(dig(f"{name}.example.org", "A") for name in ("shop", "blue", "api", "news")),
                Look(left_with_nothing, "dig ... example.org AXFR: nothing but the zone's own records is left"),
            ],
        ),
        Step("delete the zone", [delete("dnszone", "example-org")], [dig(ZONE, "SOA")]),
    ]


def _targets(*targets: str) -> str:
    values = ", ".join(f'"{target}"' for target in targets)
    return f'[{{"op": "replace", "path": "/spec/endpoints/0/targets", "value": [{values}]}}]'


def _entry(owner: str, resource: str) -> str:
    return f'"heritage=external-dns,external-dns/owner={owner},external-dns/resource={resource}"'


# -- looking


def told(name: str, *words: str, namespace: str = NAMESPACE) -> Look:
    """`Ready` says this: what a user reads."""

    def look(running: Stage) -> str:
        said = str(condition(running.object("dnsendpoints", name, namespace), "Ready").get("message"))
        return said if all(word in said for word in words) else ""

    return Look(look, f"kubectl -n {namespace} get dnsendpoint {name} -o yaml")


def event(kind: str, name: str, reason: str) -> Look:
    """The object has an event; Services and Ingresses have no status of ours."""

    def look(running: Stage) -> str:
        events = running.cluster.get(f"/api/v1/namespaces/{NAMESPACE}/events")["items"]
        found = [each for each in events if _is_about(each, kind, name) and each["reason"] == reason]
        return f"{reason}: {found[-1]['message']}" if found else ""

    return Look(look, f"kubectl -n {NAMESPACE} events --for {kind}/{name}")


def _is_about(each: dict[str, Any], kind: str, name: str) -> bool:
    subject = each["involvedObject"]
    return (subject["kind"].lower(), subject["name"]) == (kind, name)


def left_with_nothing(running: Stage) -> bool:
    own = (" NS ", f"ns1.{ZONE}.", f"ns2.{ZONE}.")
    return all(any(word in each for word in own) for each in running.transfer(running.primaries[0], ZONE))


# -- somebody else


def foreigner(verb: str) -> Look:
    """What another team's external-dns, with an owner id of its own, writes."""
    records = ("blue.example.org", "A", "203.0.113.9"), ("a-blue.example.org", "TXT", _entry("blue-team", "crd/blue/w"))

    def act(running: Stage) -> None:
        server = running.primaries[0]
        ring = dns.tsigkeyring.from_text({server.key.name: (server.key.algorithm, server.key.secret)})
        message = dns.update.UpdateMessage(ZONE, keyring=ring)
        for name, rdtype, value in records:
            owner = dns.name.from_text(name)
            message.add(owner, 300, rdtype, value) if verb == "add" else message.delete(owner, rdtype, value)
        reply = dns.query.tcp(message, server.address, port=server.port, timeout=30)
        assert reply.rcode() == dns.rcode.NOERROR, f"nsupdate: {dns.rcode.to_text(reply.rcode())}"

    return Look(act, f"nsupdate: {verb} blue.example.org A 203.0.113.9, and its TXT of owner blue-team")


# -- watching


@contextmanager
def watch(running: Stage) -> Iterator["News"]:
    """What the status of DNSEndpoints said since the last step."""
    running.install_crds()
    with closing(Client.from_config(Config.load(kubeconfig=running.cluster.kubeconfig))) as client:
        informers = InformerSet(client)
        news = News(running, informers)
        informers.start()
        try:
            yield news
        finally:
            informers.stop()


class News:
    """The watch of all DNSEndpoints. Each time it is gone through, it has what is new."""

    def __init__(self, running: Stage, informers: InformerSet) -> None:
        self._running = running
        self._endpoints = informers.informer(kinds.DNSEndpoint)
        self._endpoints.add_handler(self._on_change)
        self._lines = deque[str]()

    def __iter__(self) -> Iterator[str]:
        eventually(self._is_up_to_date, what="the watch of DNSEndpoints")
        while self._lines:
            yield self._lines.popleft()

    def _is_up_to_date(self) -> bool:
        stored = self._running.cluster.get(kinds.DNSEndpoint.path(""))["items"]
        return all(self._has(each["metadata"]) for each in stored)

    def _has(self, metadata: dict[str, Any]) -> bool:
        found = self._endpoints.object(Request(metadata["namespace"], metadata["name"]))
        return found is not None and found.resource_version == metadata["resourceVersion"]

    def _on_change(self, old: Object[Any] | None, new: Object[Any] | None, _initial: bool) -> None:
        after = lines(new)
        if new is None and old is not None:
            self._lines.append(f"dnsendpoint/{old.name} is gone")
        elif after != lines(old):
            self._lines.extend(after)


def lines(found: Object[Any] | None) -> list[str]:
    """The status as a person wants it: what Ready says, and each endpoint that is not in DNS."""
    status = (found.fields().get("status") if found is not None else None) or {}
    ready = condition({"status": status}, "Ready")
    if found is None or not ready:
        return []
    head = (
        f"dnsendpoint/{found.name}  Ready={ready['status']} {ready['reason']}  {status['records']}: {ready['message']}"
    )
    missing = status.get("endpointStatuses") or ()
    return [head, *(f"    {each.get('dnsName')} {each.get('recordType')}: {each['reason']}" for each in missing)]
