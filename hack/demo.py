"""`make demo`: the manual test plan, step by step, as a person would type it; ends at the first that does not hold.

Each step is what a person does and what must come of it; the API and the servers' answers are the only judges. Steps
show the kubectl command that a person would type; it is carried out over the API, so kubectl need not be there."""

import os
import signal

if __name__ == "__main__":
    # Nothing is started yet: until main() takes over, an interrupt just ends it, without a traceback out of an import.
    for _number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(_number, lambda *_: os._exit(130))

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from hack.command import command
from testbed.stage import Stage, path, stage
from zonewright.envtest.waiting import holds
from zonewright.testing import eventually

NAMESPACE = "dns-system"
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
K = f"kubectl -n {NAMESPACE}"
console = Console(highlight=False)


@dataclass(frozen=True, slots=True)
class Step:
    """What a person does, and what they must see. `holds` may be false for a while: DNS takes a moment.

    `typed` is the command that does the same where kubectl is installed.
    """

    text: str
    does: Callable[[Stage], object]
    holds: Callable[[Stage], object]
    typed: str = ""


def steps() -> list[Step]:
    return [
        Step("deploy the operator: CRDs, name servers of `my-cluster`, the manager", deploy, manager_works),
        Step(
            "create a DNSZone with a selector",
            apply(ZONE),
            met("dnszones", "test-zone", "Ready"),
            f"{K} apply -f zone.yaml; {K} wait --for=condition=Ready dnszone/test-zone",
        ),
        Step(
            "create a matching ARecord",
            apply(RECORD),
            met("arecords", "www-test", "Ready"),
            f"{K} apply -f record.yaml; {K} wait --for=condition=Ready arecord/www-test",
        ),
        Step("the DNSZone's status lists the record", nothing, lists_the_record, f"{K} get dnszone test-zone -o yaml"),
        Step(
            "the ARecord has the zone annotation and status.zone",
            nothing,
            is_annotated,
            f"{K} get arecord www-test -o yaml",
        ),
        Step("every server answers", nothing, answered("192.0.2.1"), f"dig {NAME} A"),
        Step(
            "update the record",
            patch,
            answered("192.0.2.2"),
            f"""{K} patch arecord www-test --type=merge -p '{{"spec":{{"ipv4Address":"192.0.2.2"}}}}'""",
        ),
        Step("the log tells of the update: grep nsupdate", nothing, logged("nsupdate")),
        Step('the log tells of the transfer: grep "zone transfer"', nothing, logged("zone transfer")),
        Step(
            "the record is Propagated",
            nothing,
            met("arecords", "www-test", "Propagated"),
            f"{K} wait --for=condition=Propagated arecord/www-test",
        ),
        Step("delete the record", delete("arecords", "www-test"), answered(), f"{K} delete arecord www-test"),
        Step("the DNSZone's status forgets it", nothing, lists_nothing, f"{K} get dnszone test-zone -o yaml"),
        Step("delete the zone", delete("dnszones", "test-zone"), not_served, f"{K} delete dnszone test-zone"),
    ]


def main(backend: Annotated[str, typer.Option(help="embedded or controlplane")] = "embedded") -> None:
    """Walk the manual test plan."""
    with command():
        with stage(backend) as running:
            for number, step in enumerate(steps(), 1):
                take(number, step, running)
        console.print("all steps hold")


def take(number: int, step: Step, running: Stage) -> None:
    """One step, to its end; exits when it does not hold."""
    console.print(f"[bold]{number:2}[/]  {step.text} … ", end="")
    try:
        step.does(running)
        eventually(functools.partial(step.holds, running), timeout=30, what=step.text)
    except (TimeoutError, RuntimeError) as error:
        console.print("[red]no[/]")
        console.print(f"{error}\n{running.manager_log()[-4000:]}", markup=False)
        sys.exit(1)
    console.print("[green]yes[/]")
    if step.typed:
        console.print(f"      [dim]{escape(step.typed)}[/]", soft_wrap=True)


# -- doing


def nothing(_: Stage) -> None:
    """This step only looks."""


def deploy(running: Stage) -> None:
    running.install_crds()
    running.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    running.register_servers(NAMESPACE)
    for server in running.servers:
        running.cluster.patch(path("bind9instances", server.name, NAMESPACE), {"spec": {"clusterRef": "my-cluster"}})
    running.start_manager()


def apply(manifest: str) -> Callable[[Stage], object]:
    return lambda running: running.cluster.apply(manifest)


def patch(running: Stage) -> None:
    running.cluster.patch(path("arecords", "www-test", NAMESPACE), {"spec": {"ipv4Address": "192.0.2.2"}})


def delete(plural: str, name: str) -> Callable[[Stage], object]:
    """And wait until it is gone: finalizers hold it until no server has it."""

    def act(running: Stage) -> None:
        running.cluster.delete(path(plural, name, NAMESPACE))
        running.cluster.wait_gone(path(plural, name, NAMESPACE), timeout=30)

    return act


# -- looking


def manager_works(running: Stage) -> bool:
    if running.manager is not None:
        running.manager.check()
    return '"working"' in running.manager_log()


def met(plural: str, name: str, condition: str) -> Callable[[Stage], object]:
    return lambda running: holds(running.object(plural, name, NAMESPACE), condition)


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


def answered(*addresses: str) -> Callable[[Stage], bool]:
    return lambda running: all(running.ask(server, NAME, "A") == set(addresses) for server in running.servers)


def logged(words: str) -> Callable[[Stage], bool]:
    return lambda running: words in running.manager_log()


def not_served(running: Stage) -> bool:
    return all(not running.ask(server, "test.example.com", "SOA") for server in running.servers)


if __name__ == "__main__":
    typer.run(main)
