"""Servers that fail, come back empty, are badly described or belong to somebody else."""

import contextlib
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import dns.exception
import dns.flags
import dns.message
import dns.query
import dns.rcode
import pytest

from generated import kinds
from testbed.named import NameServer, register
from testbed.stage import Stage, stage
from tests.support.scene import LABEL, Scene, start_manager
from zonewright import Client, Config, find_condition
from zonewright.api.nesting import MAX_DEPTH
from zonewright.envtest.processes import Run
from zonewright.testing import eventually


@pytest.fixture
def own(operator: Stage, background: Run, namespace: str) -> Iterator[Scene]:
    """A scene with servers of its own, because these tests break them; the manager is everybody's.

    A second manager would be a second owner of the same objects: one cluster has one.
    """
    with stage("", primaries=2, secondaries=1, cluster=operator.cluster, run=background) as running:
        running.register_servers(namespace)
        scene = Scene(running, namespace)
        yield scene
        scene.delete_zones()  # while there are servers to take them from


def _same_everywhere(running: Stage, zone: str) -> bool:
    contents = [running.transfer(server, zone) for server in running.servers]
    return all(content == contents[0] for content in contents)


@contextmanager
def denials(server: NameServer, name: str) -> Iterator[list[str]]:
    """Asks for the name all the while; the list has an entry for each time that it was said not to exist."""
    found, over = [], threading.Event()

    def ask() -> None:
        question = dns.message.make_query(name, "A")
        while not over.is_set():
            with contextlib.suppress(OSError, dns.exception.DNSException):
                answer = dns.query.udp(question, server.address, port=server.port, timeout=0.05)
                if answer.rcode() == dns.rcode.NXDOMAIN or (answer.flags & dns.flags.AA and not answer.answer):
                    found.append(str(answer))
            over.wait(0.001)

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield found
    finally:
        over.set()
        asker.join()


@pytest.mark.parametrize("levels", [1_100, 9_900])
def test_nothing_lost_an_instance_nested_deep_says_so_and_stops_nothing_else(scene: Scene, levels: int):
    """Its CRD keeps unknown fields: an API server stores them, and Python's decoders do not get to their end."""
    cluster = scene.stage.cluster
    if levels > 2_000 and cluster.backend == "embedded":
        pytest.skip("the embedded API takes 2,000 levels")
    head = json.dumps({"apiVersion": kinds.Bind9Instance.api_version, "kind": "Bind9Instance"}).encode()[:-1]
    spec = b'"spec":{"clusterRef":"none","role":"primary","storage":{"emptyDir":'
    nested = b'{"a":' * levels + b"{}" + b"}" * levels
    deep = head + b',"metadata":{"name":"deep"},' + spec + nested + b"}}}"
    assert cluster.request("POST", scene.path("bind9instances"), deep).status == 201
    with contextlib.closing(Client.from_config(Config.load(cluster.kubeconfig))) as client:
        for generation, image in ((1, None), (2, {"image": "bind9"})):
            if image:  # a change of it is seen as well
                client.patch(kinds.Bind9Instance, "deep", {"spec": {"image": image}}, namespace=scene.namespace)
            told = f"spec.storage: nested deeper than {MAX_DEPTH} levels"
            eventually(lambda: told in _complaint(client, scene, generation), what=told)  # noqa: B023 - called at once
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www", "Propagated")
    scene.served("www", "192.0.2.1")
    scene.wait("dnszones", "zone")
    one = scene.stage.primaries[0].name
    scene.patch("bind9instances", one, {"metadata": {"labels": {LABEL: "nobody"}}})
    eventually(lambda: one not in json.dumps(scene.get("dnszones", "zone")["status"]["bind9Instances"]))
    scene.delete("bind9instances", "deep")
    assert not scene.exists("bind9instances", "deep")


def _complaint(client: Client, scene: Scene, generation: int) -> str:
    """Why the instance of that name cannot be used, as its status says it of this generation."""
    status = client.get_object(kinds.Bind9Instance, "deep", scene.namespace).status()
    found = find_condition(status.get("conditions"), "Configured") or {}
    current = found.get("observedGeneration") == generation and found.get("reason") == "ConfigurationInvalid"
    return str(found["message"]) if current else ""


def test_a_dead_primary_shows_on_zone_and_instance_and_only_pending_records_say_so(own: Scene):
    one, two = own.stage.primaries
    own.create_zone()
    for name in ("old", "changing"):
        own.create_a(name)
        own.wait("arecords", name, "Propagated")
    untouched = own.get("arecords", "old")["metadata"]["resourceVersion"]
    two.kill()
    own.patch("arecords", "changing", {"spec": {"ipv4Address": "192.0.2.2"}})
    # A changed instance is probed at once. It would be after half a minute, too.
    own.patch("bind9instances", two.name, {"metadata": {"labels": {"probe": "now"}}})
    own.wait("bind9instances", two.name, status="False")
    own.wait("dnszones", "zone", "Degraded")
    assert two.name in own.condition("dnszones", "zone", "Degraded")["message"]
    own.wait("arecords", "changing")  # every primary that is itself Ready has it
    assert own.stage.ask(one, f"changing.{own.zone}", "A") == {"192.0.2.2"}
    assert own.get("arecords", "old")["metadata"]["resourceVersion"] == untouched
    two.restart()
    eventually(lambda: own.stage.ask(two, f"changing.{own.zone}", "A") == {"192.0.2.2"}, what="the change on it")
    own.wait("dnszones", "zone", "Degraded", status="False")


def test_what_cannot_be_deleted_while_a_server_is_away_says_so_and_goes_when_it_is_back(own: Scene):
    two, secondary = own.stage.primaries[1], own.stage.secondaries[0]
    own.create_zone()
    for name in ("www", "other"):
        own.create_a(name)
        own.wait("arecords", name, "Propagated")
    for server in (two, secondary):
        server.kill()
    own.delete("arecords", "www")
    assert two.name in own.refused("arecords", "www", "ServerUnreachable")
    own.delete("dnszones", "zone")
    eventually(lambda: secondary.name in own.refused("dnszones", "zone", "Deleting"), what="what the zone waits for")
    for server in (two, secondary):
        server.restart()
    eventually(lambda: not own.exists("dnszones", "zone"), what="the zone's end")
    eventually(lambda: not own.exists("arecords", "www"), what="the record's end")
    assert own.exists("arecords", "other")
    assert own.serials() == [None] * 3


def test_a_zone_that_left_a_server_is_gone_from_it_and_comes_to_rest(scene: Scene):
    one, two = scene.stage.primaries
    scene.create_zone()
    scene.create_a("www")
    scene.wait("dnszones", "zone")
    scene.patch("bind9instances", two.name, {"metadata": {"labels": {LABEL: "others"}}})

    def holders() -> set[str]:
        return {each["name"] for each in scene.get("dnszones", "zone")["status"]["bind9Instances"]}

    eventually(lambda: holders() == {one.name, scene.stage.secondaries[0].name}, what="a status without the server")
    assert scene.stage.serial(two, scene.zone) is None
    one.rndc("querylog", "on")
    try:
        eventually(lambda: _rests(scene, one), what="the zone's rest")
    finally:
        one.rndc("querylog", "off")


def _rests(scene: Scene, server: NameServer) -> bool:
    """Whether no zone is reconciled while this one is polled several times: polls go on, but bring nothing new."""

    def polls() -> int:
        return server.log(100_000).count(f"query: {scene.zone} IN SOA")

    seen, before = polls(), scene.metric("controller_runtime_reconcile_total", controller="dnszone")
    eventually(lambda: polls() >= seen + 3, what="polls of the zone")
    return scene.metric("controller_runtime_reconcile_total", controller="dnszone") == before


def test_a_server_that_returns_empty_is_filled_again_with_the_same_serial(own: Scene):
    own.create_zone()
    for number in range(5):
        own.create_a(f"host{number}", f"192.0.2.{number + 1}")
    for number in range(5):
        own.wait("arecords", f"host{number}", "Propagated")
    with denials(own.stage.primaries[1], f"host3.{own.zone}.") as denied:
        own.stage.primaries[1].restart(empty=True)
        own.stage.secondaries[0].restart(empty=True)
        own.served("host3", "192.0.2.4")
    assert denied == [], "a copy that is not complete must not say that a name does not exist"
    eventually(
        lambda: len(set(own.serials())) == 1 and _same_everywhere(own.stage, own.zone),
        what=lambda: f"one serial and content everywhere, not {own.serials()},",
        ignoring=(OSError, dns.exception.DNSException),
    )


def test_a_foreign_change_to_our_rrset_is_repaired_and_a_foreign_rrset_is_left_alone(own: Scene):
    primary = own.stage.primaries[0]
    own.create_zone()
    own.create_a("www")
    own.wait("arecords", "www", "Propagated")
    _nsupdate(
        primary,
        own.zone,
        f"update delete www.{own.zone}. A",
        f"update add www.{own.zone}. 300 A 203.0.113.9",
        f'update add _acme-challenge.{own.zone}. 60 TXT "token"',
    )
    own.served("www", "192.0.2.1")
    assert own.stage.ask(primary, f"_acme-challenge.{own.zone}", "TXT") == {'"token"'}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"tsigSecretRef": {"name": "nobody"}}, "spec.external.tsigSecretRef"),
        ({"bindcarTokenSecretRef": {"name": "nobody"}}, "spec.external.bindcarTokenSecretRef"),
    ],
)
def test_a_missing_secret_is_named_in_the_instances_status(scene: Scene, change, field):
    name = scene.stage.primaries[0].name
    scene.patch("bind9instances", name, {"spec": {"external": change}})
    assert scene.refused("bind9instances", name, "ConfigurationInvalid", "Configured").startswith(field)


def test_a_wrong_key_is_told_as_such_and_never_printed(scene: Scene):
    server = scene.stage.primaries[0]
    wrong = "d3Jvbmctd3Jvbmctd3Jvbmctd3Jvbmc="
    secret = f"/api/v1/namespaces/{scene.namespace}/secrets/{server.name}-tsig"
    scene.stage.cluster.patch(secret, {"stringData": {"secret": wrong}})
    scene.patch(
        "bind9instances", server.name, {"spec": {"external": {"port": server.port}}, "metadata": {"labels": {"a": "b"}}}
    )
    assert wrong not in scene.refused("bind9instances", server.name, "TsigVerificationFailed")
    assert wrong not in scene.stage.manager_log()


def adopt(own: Scene) -> NameServer:
    """Hand a zone with somebody's record in it, on a server without bindcar, to the operator."""
    one = own.stage.primaries[0]
    one.add_zone(own.zone, "theirs A 192.0.2.77")
    own.patch("bind9instances", one.name, {"spec": {"external": {"bindcarUrl": None, "bindcarTokenSecretRef": None}}})
    own.patch("bind9instances", one.name, {"metadata": {"labels": {LABEL: "adopted"}}})
    own.create_zone(bind9InstancesFrom=[{"selector": {"matchLabels": {LABEL: "adopted"}}}])
    return one


def test_an_adopted_zone_is_filled_and_never_deleted_and_what_others_put_there_stays(own: Scene):
    one = adopt(own)
    own.create_a("www")
    own.wait("arecords", "www")
    assert own.stage.ask(one, f"www.{own.zone}", "A") == {"192.0.2.1"}
    own.create_a("theirs", "192.0.2.99")
    own.refused("arecords", "theirs", "RecordConflict")
    assert own.stage.ask(one, f"theirs.{own.zone}", "A") == {"192.0.2.77"}
    own.delete("arecords", "theirs")
    eventually(lambda: not own.exists("arecords", "theirs"))
    assert own.stage.ask(one, f"theirs.{own.zone}", "A") == {"192.0.2.77"}
    own.delete("dnszones", "zone")
    eventually(lambda: not own.exists("dnszones", "zone"))
    assert own.stage.ask(one, f"theirs.{own.zone}", "A") == {"192.0.2.77"}
    assert own.stage.ask(one, f"www.{own.zone}", "A") == set()


def test_a_zone_that_moves_to_a_server_of_others_leaves_what_they_have_there(own: Scene):
    one, two = own.stage.primaries
    two.add_zone(own.zone, "www A 192.0.2.77")
    without = {"spec": {"external": {"bindcarUrl": None, "bindcarTokenSecretRef": None}}}
    own.patch("bind9instances", two.name, {"metadata": {"labels": {LABEL: "others"}}, **without})
    own.create_zone()
    for name in ("www", "free"):
        own.create_a(name)
        own.wait("arecords", name)
    own.patch("dnszones", "zone", {"spec": {"bind9InstancesFrom": [{"selector": {"matchLabels": {LABEL: "others"}}}]}})
    own.refused("arecords", "www", "RecordConflict")
    eventually(lambda: own.stage.ask(two, f"free.{own.zone}", "A") == {"192.0.2.1"}, what="the other record there")
    eventually(lambda: own.stage.serial(one, own.zone) is None, what="the zone's end where it was")
    own.delete("dnszones", "zone")
    eventually(lambda: not own.exists("dnszones", "zone"), what="the end of the zone")
    assert own.stage.ask(two, f"www.{own.zone}", "A") == {"192.0.2.77"}
    assert own.stage.ask(two, f"ns1.{own.zone}", "A") == {"192.0.2.53"}
    assert own.stage.ask(two, f"free.{own.zone}", "A") == set()


def test_what_was_being_taken_out_of_an_adopted_zone_is_taken_out_after_a_crash(own: Scene, operator: Stage):
    one = adopt(own)
    own.create_a("www")
    own.wait("arecords", "www")
    one.kill()
    own.delete("dnszones", "zone")
    own.refused("arecords", "www", "NotSelected")
    assert operator.manager is not None
    operator.manager.kill()
    one.restart()
    start_manager(operator)
    eventually(lambda: not own.exists("dnszones", "zone"), what="the end of the zone")
    assert own.stage.ask(one, f"www.{own.zone}", "A") == set()
    assert own.stage.ask(one, f"theirs.{own.zone}", "A") == {"192.0.2.77"}
    eventually(lambda: not own.get("arecords", "www")["metadata"].get("finalizers"), what="its record let go")


@pytest.mark.parametrize("theirs", [False, True], ids=["created", "adopted"])
def test_nothing_lost_line_4_what_others_publish_at_names_that_we_left_stays(own: Scene, operator: Stage, theirs: bool):
    if theirs:
        adopt(own)
    else:
        own.create_zone()
    one = own.stage.primaries[0]
    names = [f"left{number}" for number in range(20)]
    own.create_a("stays", "192.0.2.50")
    for name in names:
        own.create_a(name)
    for name in names:
        own.wait("arecords", name)
    for name in names[:10]:
        own.delete("arecords", name)
        own.patch("arecords", "stays", {"spec": {"name": f"{name}-stays"}})  # another claim changes on the way
    for name in names[10:]:
        own.patch("arecords", name, {"spec": {"name": f"new-{name}"}})
    eventually(lambda: not any(own.exists("arecords", name) for name in names[:10]), what="the end of the records")
    for name in names[10:]:
        own.wait("arecords", name)
    _nsupdate(one, own.zone, *[f"update add {name}.{own.zone}. 300 A 203.0.113.9" for name in names])

    def theirs_there() -> bool:
        return all(own.stage.ask(one, f"{name}.{own.zone}", "A") == {"203.0.113.9"} for name in names)

    assert operator.manager is not None
    for address in ("192.0.2.51", "192.0.2.52"):
        own.patch("arecords", "stays", {"spec": {"ipv4Address": address}})
        own.wait("arecords", "stays")
        assert theirs_there()
        operator.manager.kill()
        start_manager(operator)
    own.wait("dnszones", "zone")
    own.create_a("last")
    own.wait("arecords", "last")
    assert theirs_there()


def test_nothing_lost_what_others_add_on_one_primary_between_our_changes_stays(own: Scene):
    one = own.stage.primaries[0]
    own.create_zone()
    own.create_a("a")
    own.wait("arecords", "a", "Propagated")
    for number in range(8):
        _nsupdate(one, own.zone, f"update add t{number}.{own.zone}. 60 A 203.0.113.9")
        for last in range(3):
            own.patch("arecords", "a", {"spec": {"ipv4Address": f"192.0.2.{10 + 3 * number + last}"}})
        own.wait("arecords", "a")
    left = [number for number in range(8) if own.stage.ask(one, f"t{number}.{own.zone}", "A")]
    assert left == list(range(8))


def test_nothing_lost_an_instance_that_only_a_finalizer_of_others_keeps_holds_up_nothing(own: Scene):
    two = own.stage.primaries[1]
    own.create_zone()
    own.create_a("www")
    own.wait("arecords", "www", "Propagated")
    own.patch("bind9instances", two.name, {"metadata": {"finalizers": ["example.org/hold"]}})
    own.delete("bind9instances", two.name)
    own.refused("bind9instances", two.name, "Deleting")
    own.create_a("gone")
    own.wait("arecords", "gone")
    own.delete("arecords", "gone")
    eventually(lambda: not own.exists("arecords", "gone"), what="the end of the record")
    eventually(lambda: two.name not in _instances_of(own, "zone"), what="a status without the instance")
    own.delete("dnszones", "zone")
    eventually(lambda: not own.exists("dnszones", "zone"), what="the end of the zone")
    own.patch("bind9instances", two.name, {"metadata": {"finalizers": None}})


@pytest.mark.slow
def test_a_zone_that_bind_answers_for_by_itself_says_what_to_do(operator: Stage, namespace: str, named):
    """RFC 6303: a recursive BIND has empty zones for private addresses. It refuses to replace them at run time, and
    named 9.18 aborts when one is deleted."""
    server = named("primary")
    _make_recursive(server, empty_zones="yes")
    register(server, operator.cluster, namespace)
    scene = Scene(operator, namespace)
    scene.zone = "10.in-addr.arpa"
    assert operator.ask(server, scene.zone, "SOA"), "BIND's own"
    soa = {"primaryNs": "ns1.example.org.", "adminEmail": "a@example.org"}
    scene.create_zone(soaRecord=soa, nameServers=[{"hostname": "ns1.example.org."}])
    assert "empty-zones-enable no" in scene.refused("dnszones", "zone", "Conflict")
    scene.delete_zones()
    assert operator.ask(server, scene.zone, "SOA"), "named is alive"

    scene.create_zone(soaRecord=soa, nameServers=[{"hostname": "ns1.example.org."}])
    scene.refused("dnszones", "zone", "Conflict")
    _make_recursive(server, empty_zones="no")
    scene.wait("dnszones", "zone")
    scene.create("PTRRecord", "host", {"name": "1.0.0", "target": "host.example.org."})
    scene.wait("ptrrecords", "host")
    assert operator.ask(server, "1.0.0.10.in-addr.arpa", "PTR") == {"host.example.org."}
    scene.delete_zones()


def _instances_of(scene: Scene, zone: str) -> set[str]:
    return {each["name"] for each in scene.get("dnszones", zone)["status"]["bind9Instances"]}


def _make_recursive(server: NameServer, *, empty_zones: str) -> None:
    configuration = server.directory / "named.conf"
    text = re.sub("recursion no;", "recursion yes;", configuration.read_text())
    configuration.write_text(re.sub("empty-zones-enable \\w+;", f"empty-zones-enable {empty_zones};", text))
    server.restart()


def _nsupdate(server, zone: str, *lines: str) -> None:
    """What another program would do, with the real tool."""
    script = "\n".join([f"server {server.address} {server.port}", f"zone {zone}.", *lines, "send", ""])
    subprocess.run(["nsupdate", "-k", str(server.key_file)], input=script, text=True, check=True, timeout=120)
