"""The manual test plan of zones and records."""

from collections.abc import Iterator
from contextlib import contextmanager

from hack.demo.steps import NAMESPACE, Look, Step, apply, delete, deployed, dig, patch, wait
from testbed.stage import Stage

ZONE = """\
apiVersion: bindy.firestoned.io/v1beta1
kind: DNSZone
metadata:
  name: test-zone
  namespace: dns-system
spec:
  zoneName: test.example.com
  clusterRef: my-cluster
  soaRecord:
    primaryNs: ns1.test.example.com.
    adminEmail: admin@test.example.com
    serial: 1
    refresh: 3600
    retry: 600
    expire: 604800
    negativeTtl: 86400
  recordsFrom:
    - selector:
        matchLabels:
          zone: test.example.com
"""
RECORD = """\
apiVersion: bindy.firestoned.io/v1beta1
kind: ARecord
metadata:
  name: www-test
  namespace: dns-system
  labels:
    zone: test.example.com
spec:
  name: www
  ipv4Address: 192.0.2.1
  ttl: 300
"""
NAME = "www.test.example.com"
SHOW_ZONE = f"kubectl -n {NAMESPACE} get dnszone test-zone -o yaml"
SHOW_RECORD = f"kubectl -n {NAMESPACE} get arecord www-test -o yaml"


def steps() -> list[Step]:
    return [
        deployed(),
        Step("create a DNSZone with a selector", [apply(ZONE)], [wait("dnszone", "test-zone")]),
        Step("create a matching ARecord", [apply(RECORD)], [wait("arecord", "www-test")]),
        Step("the DNSZone's status lists the record", holds=[Look(lists_the_record, SHOW_ZONE)]),
        Step("the ARecord has the zone annotation and status.zone", holds=[Look(is_annotated, SHOW_RECORD)]),
        Step("every server answers", holds=[dig(NAME, "A", "192.0.2.1")]),
        Step(
            "update the record",
            [patch("arecord", "www-test", '{"spec":{"ipv4Address":"192.0.2.2"}}')],
            [dig(NAME, "A", "192.0.2.2")],
        ),
        Step("the log tells of the update: grep nsupdate", holds=[logged("nsupdate")]),
        Step('the log tells of the transfer: grep "zone transfer"', holds=[logged("zone transfer")]),
        Step("the record is Propagated", holds=[wait("arecord", "www-test", what="Propagated")]),
        Step("delete the record", [delete("arecord", "www-test")], [dig(NAME, "A")]),
        Step("the DNSZone's status forgets it", holds=[Look(lists_nothing, SHOW_ZONE)]),
        Step("delete the zone", [delete("dnszone", "test-zone")], [dig("test.example.com", "SOA")]),
    ]


@contextmanager
def watch(_: Stage) -> Iterator[Iterator[str]]:
    """Nothing more than the steps show."""
    yield iter(())


def lists_the_record(running: Stage) -> bool:
    status = running.object("dnszones", "test-zone", NAMESPACE)["status"]
    return [entry["name"] for entry in status.get("records") or ()] == ["www-test"]


def lists_nothing(running: Stage) -> bool:
    status = running.object("dnszones", "test-zone", NAMESPACE)["status"]
    return not status.get("records") and status.get("recordsCount") == 0


def is_annotated(running: Stage) -> bool:
    record = running.object("arecords", "www-test", NAMESPACE)
    annotation = record["metadata"]["annotations"].get("bindy.firestoned.io/zone")
    return bool(annotation == record["status"]["zone"] == "test.example.com")


def logged(words: str) -> Look:
    return Look(lambda running: words in running.manager_log())
