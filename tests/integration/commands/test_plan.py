"""`python -m controllers plan` and `--dry-run` on real name servers: what they say is what happens; they do nothing."""

import json
import re
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dns.query
import dns.tsigkeyring
import dns.update
import pytest
import yaml

from testbed.named import NameServer, register
from testbed.stage import SOURCES, Stage, path, stage
from tests.support import ROOT
from tests.support.commands import controllers
from tests.support.scene import LABEL, start_manager
from zonewright.envtest.backend import backend
from zonewright.envtest.chaos.faults import Fail
from zonewright.envtest.chaos.proxy import ChaosProxy
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.ports import reserve
from zonewright.testing import eventually

FOREIGN = '"heritage=external-dns,external-dns/owner=somebody,external-dns/resource=crd/x/y"'
RBAC = "/apis/rbac.authorization.k8s.io/v1"
READS = {"GET", "LIST", "WATCH"}
UPDATES = re.compile(r"^\s*(\d+) UPDATE$", re.MULTILINE)


@dataclass(frozen=True)
class Told:
    """What a plan printed."""

    code: int
    text: str
    errors: str

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found

    def lines(self, server: NameServer, namespace: str, zone: str) -> list[str]:
        """The diff of one zone on one server."""
        heading = re.compile(rf"^[-+~] zone {re.escape(zone)} \(.*\) on \w+ {namespace}/{server.name} would be .*:$")
        found: list[str] = []
        inside = False
        for line in self.text.splitlines():
            inside = bool(heading.match(line)) or (inside and line.startswith("  "))
            found += [line.strip()] if inside else []
        return found


class World:
    """Two tenants: `shop` has two servers, `blog` one; each has a zone of its own."""

    def __init__(self, running: Stage, proxy: ChaosProxy) -> None:
        self.stage, self.proxy = running, proxy

    @property
    def first(self) -> NameServer:
        return self.stage.primaries[0]

    @property
    def second(self) -> NameServer:
        return self.stage.primaries[1]

    @property
    def third(self) -> NameServer:
        return self.stage.primaries[2]

    @property
    def cluster(self) -> Cluster:
        return self.stage.cluster

    # -- objects

    def tenant(self, namespace: str, *servers: NameServer) -> None:
        self.cluster.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
        for server in servers:
            register(server, self.cluster, namespace)
        self.zone(namespace, f"{namespace}.test")

    def zone(self, namespace: str, zone: str) -> None:
        spec = {
            "zoneName": zone,
            "soaRecord": {"primaryNs": f"ns1.{zone}.", "adminEmail": f"admin@{zone}"},
            "recordsFrom": [{"selector": {"matchLabels": {"zone": zone}}}],
            "bind9InstancesFrom": [{"selector": {"matchLabels": {LABEL: "demo"}}}],
        }
        self.create("DNSZone", "dnszones", namespace, zone.partition(".")[0], spec, "bindy.firestoned.io/v1beta1")

    def endpoint(self, namespace: str, name: str, *targets: str, dns_name: str = "", **more: Any) -> None:
        wanted = {"dnsName": dns_name or f"{name}.{namespace}.test", "recordType": "A", "targets": list(targets)}
        spec = {"endpoints": [{**wanted, **more}]}
        self.create("DNSEndpoint", "dnsendpoints", namespace, name, spec, "externaldns.k8s.io/v1alpha1")

    def create(self, kind: str, plural: str, namespace: str, name: str, spec: dict[str, Any], version: str) -> None:
        body = {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}
        self.cluster.create(path(plural, "", namespace), body)

    def record(self, namespace: str, name: str, address: str) -> None:
        metadata = {"name": name, "labels": {"zone": f"{namespace}.test"}}
        body = {"apiVersion": "bindy.firestoned.io/v1beta1", "kind": "ARecord", "metadata": metadata}
        self.cluster.create(
            path("arecords", "", namespace), {**body, "spec": {"name": name, "ipv4Address": address, "ttl": 300}}
        )

    def metadata(self) -> dict[str, Any]:
        """Versions of all that an operator might write on, and the leases and events there are."""
        kinds = ("dnszones", "dnsendpoints", "bind9instances", "arecords")
        found = {
            f"{plural}/{item['metadata']['namespace']}/{item['metadata']['name']}": item["metadata"]["resourceVersion"]
            for namespace in ("shop", "blog")
            for plural in kinds
            for item in self.cluster.get(path(plural, "", namespace))["items"]
        }
        others = ("/apis/coordination.k8s.io/v1/leases", "/api/v1/events")
        return found | {each: len(self.cluster.get(each)["items"]) for each in others}

    def annotate(
        self, kind: str, plural: str, version: str, spec: dict[str, Any], hostname: str, target: str = ""
    ) -> None:
        """A Service or an Ingress of tenant `shop` that asks for a name."""
        wanted = {"hostname": hostname, "target": target}
        annotations = {f"external-dns.alpha.kubernetes.io/{key}": value for key, value in wanted.items() if value}
        metadata = {"name": hostname.partition(".")[0], "annotations": annotations}
        body = {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}
        self.cluster.create(path(plural, "", "shop"), body)

    # -- servers

    def updates(self) -> list[int]:
        """How many UPDATE messages each server has had."""
        counts = []
        for server in self.stage.primaries:
            file = server.directory / "data" / "named.stats"
            file.unlink(missing_ok=True)
            server.rndc("stats")
            found = UPDATES.search(file.read_text())
            counts.append(int(found[1]) if found else 0)
        return counts

    def held(self) -> dict[str, tuple[int, set[str]]]:
        """Serial and records of every zone on every server that has it."""
        found = {}
        for server in self.stage.primaries:
            for zone in ("shop.test", "blog.test", "new.test"):
                if server.named is not None and self.stage.serial(server, zone) is not None:
                    found[f"{server.name} {zone}"] = self.stage.contents(server, zone)
        return found

    def others_write(self, server: NameServer, zone: str, *records: tuple[str, str, str]) -> None:
        keyring = dns.tsigkeyring.from_text({server.key.name: (server.key.algorithm, server.key.secret)})
        update = dns.update.UpdateMessage(zone, keyring=keyring)
        for name, rdtype, value in records:
            update.add(name, 300, rdtype, value)
        assert dns.query.tcp(update, server.address, port=server.port, timeout=10).rcode() == 0

    def reader(self, kubeconfig: Path) -> Path:
        """Of a service account that may read what the operator's role names, and write nothing."""
        rules = yaml.safe_load((ROOT / "config/rbac/role.yaml").read_text())["rules"]
        kept = [{**rule, "verbs": sorted({"get", "list", "watch"} & set(rule["verbs"]))} for rule in rules]
        rules = [rule for rule in kept if rule["verbs"]]
        self.cluster.create("/api/v1/namespaces/shop/serviceaccounts", {"metadata": {"name": "reader"}})
        self.cluster.create(f"{RBAC}/clusterroles", {"metadata": {"name": "reader"}, "rules": rules})
        subject = {"kind": "ServiceAccount", "name": "reader", "namespace": "shop"}
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "reader"}
        binding = {"metadata": {"name": "reader"}, "subjects": [subject], "roleRef": role}
        self.cluster.create(f"{RBAC}/clusterrolebindings", binding)
        tokens = "/api/v1/namespaces/shop/serviceaccounts/reader/token"
        token = self.cluster.create(tokens, {"spec": {"expirationSeconds": 3600}})["status"]["token"]
        return self.cluster.write_kubeconfig(kubeconfig, token=token)

    # -- the commands

    def plan(self, *flags: str, through_proxy: bool = False) -> Told:
        kubeconfig = self.proxy.kubeconfig if through_proxy else self.cluster.kubeconfig
        done = controllers(kubeconfig, "plan", "--cluster-name", "stage", *SOURCES, *flags)
        return Told(done.returncode, done.stdout, done.stderr)

    def operate(self) -> None:
        """Run the operator until everything is as the objects say."""
        start_manager(self.stage)
        eventually(self.is_done, what="an operator that has done its work")
        assert self.stage.manager is not None
        self.stage.manager.stop(timeout=30)
        self.stage.manager = None

    def is_done(self) -> bool:
        assert self.stage.manager is not None
        self.stage.manager.check()
        items = [
            item
            for namespace in ("shop", "blog")
            for plural in ("dnszones", "dnsendpoints", "arecords")
            for item in self.cluster.get(path(plural, "", namespace))["items"]
        ]
        return all(_is_told(item) for item in items)


def _is_told(item: dict[str, Any]) -> bool:
    """Its status is about it as it is, and nothing is on its way."""
    if item["metadata"].get("deletionTimestamp"):
        return False
    conditions = (item.get("status") or {}).get("conditions") or ()
    ready: dict[str, Any] = next((each for each in conditions if each["type"] == "Ready"), {})
    current = ready.get("observedGeneration") == item["metadata"]["generation"]
    return bool(current) and ready["reason"] not in {"Reconciling", "Progressing", "ZoneNotReady"}


@pytest.fixture
def world(cluster: Cluster) -> Iterator[World]:
    with stage(cluster.backend, primaries=3, secondaries=0) as running:
        running.install_crds()
        with ChaosProxy(running.cluster) as proxy:
            made = World(running, proxy)
            made.tenant("shop", made.first, made.second)
            made.tenant("blog", made.third)
            for name in ("a", "b", "c"):
                made.endpoint("shop", name, "192.0.2.1")
            made.endpoint("blog", "a", "192.0.2.1")
            made.record("shop", "r", "192.0.2.1")
            yield made


@pytest.fixture
def published(world: World) -> World:
    world.operate()
    return world


def change_everything(world: World) -> None:
    """Created, changed, deleted; owned by somebody else, for no zone, lost to a record, impossible."""
    world.endpoint("shop", "new", "192.0.2.7")
    spec = {"endpoints": [{"dnsName": "b.shop.test", "recordType": "A", "targets": ["192.0.2.2"], "recordTTL": 60}]}
    world.cluster.patch(path("dnsendpoints", "b", "shop"), {"spec": spec})
    world.cluster.delete(path("dnsendpoints", "c", "shop"))
    world.endpoint("blog", "nowhere", "192.0.2.1", dns_name="www.elsewhere.test")
    world.endpoint("blog", "taken", "192.0.2.1")
    world.endpoint("shop", "r", "192.0.2.9")
    world.endpoint("shop", "bad", "not an address")
    world.record("blog", "www", "192.0.2.3")
    world.others_write(world.third, "blog.test", ("taken", "A", "192.0.2.66"), ("a-taken", "TXT", FOREIGN))


def test_a_plan_says_what_happens_and_nothing_else(published: World):
    world = published
    unchanged = world.plan()
    assert (unchanged.code, unchanged.text) == (0, "No changes: nothing would be written.\n"), unchanged
    change_everything(world)
    before = world.metadata(), world.updates(), world.held()

    told = world.plan(through_proxy=True)

    assert (world.metadata(), world.updates(), world.held()) == before
    assert {call.verb for call in world.proxy.calls} <= READS, "only reads reach the API server"
    assert (told.code, told.errors) == (2, "")
    for server in (world.first, world.second):
        assert told.lines(server, "shop", "shop.test")[1:] == [
            f"- a-c.shop.test TXT: 3600 {entry('shop', 'c')}",
            f"+ a-new.shop.test TXT: 3600 {entry('shop', 'new')}",
            "~ b.shop.test A: 3600 192.0.2.1 -> 60 192.0.2.2",
            "- c.shop.test A: 3600 192.0.2.1",
            "+ new.shop.test A: 3600 192.0.2.7",
        ]
    document = world.plan("--output=json").document
    assert document["complete"] is True
    assert {(each["name"], each["reason"]) for each in document["notPublished"]} == {
        ("nowhere", "Filtered"),
        ("taken", "OwnerMismatch"),
        ("r", "ConflictLost"),
        ("bad", "Invalid"),
    }
    world.operate()
    assert after(before[2], document) == {where: records for where, (_, records) in world.held().items()}
    assert world.plan().code == 0


def entry(namespace: str, name: str) -> str:
    return f'"heritage=external-dns,external-dns/owner=default,external-dns/resource=crd/{namespace}/{name}"'


def after(held: dict[str, tuple[int, set[str]]], document: dict[str, Any]) -> dict[str, set[str]]:
    """What servers hold once all is done that a plan says."""
    found = {where: set(records) for where, (_, records) in held.items()}
    for zone in document["zones"]:
        where = f"{zone['server'].partition('/')[2]} {zone['zone']}"
        records = found.setdefault(where, set())
        for change in zone["changes"]:
            assert lines(change, "before") <= records
            records -= lines(change, "before")
            records |= lines(change, "after")
        if zone["action"] == "delete":
            del found[where]
    return found


def lines(change: dict[str, Any], side: str) -> set[str]:
    rrset = change[side]
    return {f"{change['name']}. {rrset['ttl']} {change['type']} {data}" for data in rrset["data"]} if rrset else set()


def test_new_and_deleted_zones_are_foretold_whole(published: World):
    world = published
    world.zone("blog", "new.test")
    world.endpoint("blog", "www", "192.0.2.1", dns_name="www.new.test")
    world.cluster.delete(path("dnszones", "shop", "shop"))
    before = world.held()
    told = world.plan("--output=json")
    assert told.code == 2, told
    actions = {(each["zone"], each["server"].partition("/")[0], each["action"]) for each in told.document["zones"]}
    assert actions == {("new.test", "blog", "create"), ("shop.test", "shop", "delete")}
    assert world.held() == before
    start_manager(world.stage)
    eventually(lambda: world.stage.ask(world.third, "www.new.test", "A") == {"192.0.2.1"}, what="www.new.test")
    eventually(lambda: not world.cluster.get(path("dnszones", "", "shop"))["items"], what="the end of the zone")
    eventually(
        lambda: after(before, told.document) == {where: records for where, (_, records) in world.held().items()},
        what="what was foretold",
    )


def test_a_server_that_does_not_answer_is_named_and_nothing_is_claimed(published: World):
    world = published
    world.second.kill()
    told = world.plan()
    assert told.code == 1
    assert "No changes" not in told.text
    about = f"zone shop.test (DNSZone shop/shop) on server shop/{world.second.name}: BindcarUnreachable: "
    assert about in told.text
    assert told.text.splitlines()[-1] == "The plan is not complete: see above what could not be read."
    world.endpoint("shop", "new", "192.0.2.7")
    changed = world.plan()
    assert changed.code == 1
    assert any(line.startswith("+ new.shop.test A") for line in changed.lines(world.first, "shop", "shop.test"))
    assert changed.lines(world.second, "shop", "shop.test") == []


def test_a_server_that_refuses_a_transfer_is_named(published: World):
    """Its zone looks empty to whoever takes a refusal for an answer."""
    world = published
    options = 'type primary; file "refused.test.zone"; allow-update { any; }; allow-transfer { none; };'
    world.third.add_zone("refused.test")
    world.third.rndc("modzone", "refused.test", f"{{ {options} }};")
    external = {"bindcarUrl": None, "bindcarTokenSecretRef": None}
    world.cluster.patch(path("bind9instances", world.third.name, "blog"), {"spec": {"external": external}})
    world.zone("blog", "refused.test")
    told = world.plan()
    assert told.code == 1, told
    assert f"zone refused.test (DNSZone blog/refused) on server blog/{world.third.name}: " in told.text


def test_a_kind_that_may_not_be_read_is_named_and_nothing_is_planned(published: World):
    """Without its objects all that they have in DNS would look like what is to be removed."""
    world = published
    for verb in ("LIST", "WATCH"):
        world.proxy.add(Fail(403, message="dnsendpoints are forbidden"), verb=verb, resource="dnsendpoints")
    told = world.plan(through_proxy=True)
    assert told.code == 1
    needed = "it takes get, list and watch on this kind (config/rbac/role.yaml)"
    assert told.text.splitlines() == [
        "Could not be read:",
        f"  dnsendpoints.externaldns.k8s.io: {needed}: dnsendpoints are forbidden",
        "",
        "The plan is not complete: see above what could not be read.",
    ]


def test_a_cluster_without_the_crds_is_told_which_are_missing():
    with backend("embedded") as bare:
        told = controllers(bare.kubeconfig, "plan", "--cluster-name", "stage")
    assert (told.returncode, "No changes" in told.stdout) == (1, False), told
    missing = "the cluster does not serve this kind, is its CRD installed (config/crd)?"
    for kind in ("dnsendpoints.externaldns.k8s.io", "dnszones.bindy.firestoned.io", "arecords.bindy.firestoned.io"):
        assert f"  {kind}: {missing}" in told.stdout


def test_what_else_is_forbidden_is_named_too(published: World):
    world = published
    server = f"zone blog.test (DNSZone blog/blog) on server blog/{world.third.name}"
    for resource, problem in (
        ("secrets", server),
        ("namespaces", "the operator: cannot start: the service account may get neither"),
    ):
        world.proxy.add(Fail(403, message="it is forbidden"), verb="GET", resource=resource)
        told = world.plan("--lease-namespace=shop", through_proxy=True)
        world.proxy.clear()
        assert (told.code, "No changes" in told.text, "Plan:" in told.text) == (1, False, False), told
        assert problem in told.text
        assert "forbidden" in told.text or "may get neither" in told.text


def test_a_role_that_only_reads_is_enough(world: World, tmp_path: Path):
    """On a real API server, and the endings of `release` without its permission."""
    if world.cluster.backend == "embedded":
        pytest.skip("the embedded API has no RBAC")
    reading = world.reader(tmp_path / "reader")
    told = controllers(reading, "plan", "--cluster-name", "stage", *SOURCES)
    assert (told.returncode, told.stderr) == (2, ""), told
    assert "The plan is not complete" not in told.stdout
    world.operate()
    world.cluster.delete(path("dnsendpoints", "a", "shop"))
    left = controllers(reading, "release", "--deleting", "--yes", "--force")
    assert left.returncode == 1
    assert left.stderr.startswith("left DNSEndpoint shop/a: ")
    assert "it takes the verb patch on dnsendpoints.externaldns.k8s.io" in left.stderr
    unknown = controllers(reading, "release", "--deleting", "--yes", "--lease-namespace=blog")
    assert unknown.returncode == 1
    assert "left DNSEndpoint" in unknown.stderr  # the role may read leases, and there is none


def test_it_may_be_asked_beside_an_operator_at_work(published: World):
    world = published
    start_manager(world.stage)
    assert world.plan().code == 0
    change_everything(world)
    eventually(world.is_done, what="an operator that has done its work")
    told = world.plan()
    assert told.code == 0, told
    assert "DNSEndpoint blog/taken (taken.blog.test A): OwnerMismatch" in told.text


def test_secondaries_services_and_ingresses_are_a_part_of_it(cluster: Cluster):
    with stage(cluster.backend, primaries=1, secondaries=1) as running, ChaosProxy(running.cluster) as proxy:
        running.install_crds()
        world = World(running, proxy)
        world.tenant("shop", *running.servers)
        world.annotate(
            "Service",
            "services",
            "v1",
            {"type": "LoadBalancer", "ports": [{"port": 80}], "externalIPs": ["192.0.2.5"]},
            "svc.shop.test",
        )
        rules = {"rules": [{"host": "www.elsewhere.test"}]}
        world.annotate("Ingress", "ingresses", "networking.k8s.io/v1", rules, "ing.shop.test", target="lb.example.org")
        told = world.plan("--output=json")
        assert (told.code, told.document["complete"]) == (2, True), told
        primary, secondary = sorted(told.document["zones"], key=lambda each: str(each["role"]))
        assert (primary["action"], secondary["action"]) == ("create", "create")
        assert secondary["waitsFor"] == ["a primary that has the zone"]
        made = {f"{each['name']} {each['type']}": each["after"]["data"] for each in primary["changes"]}
        assert made["ing.shop.test CNAME"] == ["lb.example.org."]
        assert [(each["kind"], each["name"], each["reason"]) for each in told.document["notPublished"]] == [
            ("Ingress", "ing", "Filtered")
        ]
        world.operate()
        assert world.plan().code == 0
        assert running.ask(running.secondaries[0], "ing.shop.test", "CNAME") == {"lb.example.org."}


def test_what_takes_too_long_is_an_error(published: World):
    world = published
    world.second.pause()
    told = world.plan("--timeout=2")
    world.second.resume()
    assert told.code == 1
    assert "No changes" not in told.text
    assert "(--timeout)" in told.text


def test_a_dry_run_tells_each_change_once_and_writes_nothing(published: World):
    world = published
    change_everything(world)
    before = world.metadata(), world.updates(), world.held()
    port = reserve()
    command = [
        sys.executable,
        "-m",
        "controllers",
        "--cluster-name",
        "stage",
        "--dry-run",
        "--poll-interval",
        "1",
        *SOURCES,
    ]
    command += ["--kubeconfig", str(world.proxy.kubeconfig), "--http", f"127.0.0.1:{port}"]
    operator = world.stage.run.start("dry-run", command, cwd=ROOT)

    def foretold(name: str) -> int:
        operator.check()
        return sum("dry run: not done" in line and f"{name} A" in line for line in operator.output().splitlines())

    eventually(lambda: foretold("new.shop.test.") == 2, what="new.shop.test. on both servers")
    world.proxy.drop_watches()
    world.endpoint("shop", "later", "192.0.2.8")
    eventually(lambda: foretold("later.shop.test.") == 2, what="later.shop.test. on both servers")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/debug/dry-run", timeout=60) as reply:
        shown = json.load(reply)
    assert shown["complete"] is True
    assert {each["zone"] for each in shown["zones"]} == {"shop.test", "blog.test"}
    operator.stop(timeout=30)
    later = world.metadata()
    del later["dnsendpoints/shop/later"]
    assert (later, world.updates(), world.held()) == before
    assert {call.verb for call in world.proxy.calls} <= READS
    world.operate()
    assert world.stage.ask(world.first, "later.shop.test", "A") == {"192.0.2.8"}


def test_flags_that_make_no_sense_are_errors_and_not_changes(cluster: Cluster):
    for flags in (["--nonsense"], [], ["--cluster-name", " "], ["--cluster-name", "x", "--output", "yaml"]):
        done = controllers(cluster.kubeconfig, "plan", *flags)
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        assert "Traceback" not in done.stderr
