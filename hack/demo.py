"""`make demo`: the manual test plan, step by step, as a person would type it; ends at the first that does not hold.

Each step is a command and what must come of it; kubectl and the servers' answers are the only judges."""

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console

from hack.stage import Stage, eventually, stage

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
console = Console(highlight=False)


@dataclass(frozen=True, slots=True)
class Step:
    """What a person does, and what they must see. `holds` may be false for a while: DNS takes a moment."""

    text: str
    does: Callable[[Stage], object]
    holds: Callable[[Stage], object]


def steps() -> list[Step]:
    return [
        Step("deploy the operator: CRDs, name servers of `my-cluster`, the manager", deploy, manager_works),
        Step("create a DNSZone with a selector", apply(ZONE), waited("dnszone/test-zone", "Ready")),
        Step("create a matching ARecord", apply(RECORD), waited("arecord/www-test", "Ready")),
        Step("the DNSZone's status lists the record", nothing, lists_the_record),
        Step("the ARecord has the zone annotation and status.zone", nothing, is_annotated),
        Step("every server answers", nothing, answered("192.0.2.1")),
        Step("update the record", patch, answered("192.0.2.2")),
        Step("the log tells of the update: grep nsupdate", nothing, logged("nsupdate")),
        Step('the log tells of the transfer: grep "zone transfer"', nothing, logged("zone transfer")),
        Step("the record is Propagated", nothing, waited("arecord/www-test", "Propagated")),
        Step("delete the record", delete("arecord/www-test"), answered()),
        Step("the DNSZone's status forgets it", nothing, lists_nothing),
        Step("delete the zone", delete("dnszone/test-zone"), not_served),
    ]


def main(backend: Annotated[str, typer.Option(help="embedded or controlplane")] = "embedded") -> None:
    """Walk the manual test plan."""
    with stage(backend) as running:
        for number, step in enumerate(steps(), 1):
            console.print(f"[bold]{number:2}[/]  {step.text} … ", end="")
            try:
                step.does(running)
                eventually(functools.partial(step.holds, running), timeout=30, what=step.text)
            except (TimeoutError, RuntimeError) as error:
                console.print(f"[red]no[/]\n{error}\n{running.manager_log()[-4000:]}", markup=False)
                sys.exit(1)
            console.print("[green]yes[/]")
    console.print("all steps hold")


# -- doing


def nothing(_: Stage) -> None:
    """This step only looks."""


def deploy(running: Stage) -> None:
    running.install_crds()
    running.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    running.register_servers(NAMESPACE)
    for server in running.servers:
        belongs = '{"spec":{"clusterRef":"my-cluster"}}'
        running.cluster.kubectl("-n", NAMESPACE, "patch", "bind9instance", server.name, "--type=merge", "-p", belongs)
    running.start_manager()


def apply(manifest: str) -> Callable[[Stage], object]:
    return lambda running: running.cluster.kubectl("apply", "-f", "-", stdin=manifest)


def patch(running: Stage) -> None:
    body = '{"spec":{"ipv4Address":"192.0.2.2"}}'
    running.cluster.kubectl("-n", NAMESPACE, "patch", "arecord", "www-test", "--type=merge", "-p", body)


def delete(what: str) -> Callable[[Stage], object]:
    return lambda running: running.cluster.kubectl("-n", NAMESPACE, "delete", what, "--timeout=30s")


# -- looking


def manager_works(running: Stage) -> bool:
    if running.manager is not None:
        running.manager.check()
    return '"working"' in running.manager_log()


def waited(what: str, condition: str) -> Callable[[Stage], object]:
    return lambda running: running.cluster.kubectl(
        "-n", NAMESPACE, "wait", f"--for=condition={condition}", what, "--timeout=30s"
    )


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
