"""What people ask before the operator does something, and what they do when it does nothing any more."""

import pytest

from tests.support.commands import controllers
from tests.support.dnsendpoints import a, change, ready
from tests.support.scene import Scene, debug, operating
from zonewright.testing import eventually

OWNER = "heritage=external-dns,external-dns/owner=default,external-dns/resource=crd"


def dry(scene: Scene) -> list[tuple[str, str]]:
    """What the dry run shows for the scene's zone: sign and first label, from each server on which it is changed."""
    zones = [each for each in debug(scene.stage, "dry-run")["zones"] if each["zone"] == scene.zone]
    return [(change["action"], change["name"].partition(".")[0]) for zone in zones for change in zone["changes"]]


@pytest.mark.criterion(number="EP-X1")
def test_a_dry_run_tells_what_would_be_done_and_does_nothing(scene: Scene):
    scene.create_zone()
    scene.create_endpoints("one", a(scene, "www"))
    ready(scene)
    with operating(scene.stage, "--dry-run"):
        scene.create_endpoints("two", a(scene, "new"))
        change(scene, a(scene, "www", "192.0.2.2"))
        wanted = [("create", "a-new"), ("create", "new"), ("change", "www")]
        eventually(lambda: sorted(dry(scene)) == sorted(2 * wanted), what=lambda: f"{wanted} twice, not {dry(scene)},")
        scene.served("www", "192.0.2.1")
        two = scene.get("dnsendpoints", "two")
        assert (two["metadata"].get("finalizers"), two.get("status")) == (None, None)
    scene.served("new", "192.0.2.1")
    scene.served("www", "192.0.2.2")


@pytest.mark.criterion(number="EP-X2")
def test_a_plan_prints_what_would_be_done_and_what_would_not_and_why(scene: Scene):
    flags = ("plan", "--cluster-name", "stage", "--namespace", scene.namespace)
    kubeconfig = scene.stage.cluster.kubeconfig
    scene.create_zone()
    scene.create_endpoints("one", a(scene, "www"))
    ready(scene)
    with operating(scene.stage, "--dry-run"):
        nothing = controllers(kubeconfig, *flags)
        assert (nothing.returncode, nothing.stdout) == (0, "No changes: nothing would be written.\n"), nothing.stderr
        scene.create_endpoints("two", a(scene, "new"), {**a(scene, "x"), "dnsName": "www.elsewhere.test"})
        scene.delete("dnsendpoints", "one")
        told = controllers(kubeconfig, *flags)
    assert told.returncode == 2, told.stderr
    printed = [line.strip() for line in told.stdout.splitlines()]
    for line in (
        f'- a-www.{scene.zone} TXT: 3600 "{OWNER}/{scene.namespace}/one"',
        f"- www.{scene.zone} A: 3600 192.0.2.1",
        f'+ a-new.{scene.zone} TXT: 3600 "{OWNER}/{scene.namespace}/two"',
        f"+ new.{scene.zone} A: 3600 192.0.2.1",
    ):
        assert printed.count(line) == 2, told.stdout
    assert f"DNSEndpoint {scene.namespace}/two (www.elsewhere.test A): Filtered" in told.stdout
    eventually(lambda: not scene.exists("dnsendpoints", "one"), what="the end of the DNSEndpoint")
    scene.served("www")
    scene.served("new", "192.0.2.1")


@pytest.mark.criterion(number="EP-X3")
def test_a_deletion_that_no_operator_ends_is_ended_by_release(scene: Scene):
    scene.create_zone()
    scene.create_endpoints("one", a(scene, "www"))
    scene.create_endpoints("two", a(scene, "stays"))
    ready(scene)
    ready(scene, "two")
    with operating(scene.stage, "--dry-run"):
        scene.delete("dnsendpoints", "one")
        words = ("release", "--namespace", scene.namespace, "--deleting")
        refused = controllers(scene.stage.cluster.kubeconfig, *words)
        assert (refused.returncode, scene.exists("dnsendpoints", "one")) == (1, True)
        done = controllers(scene.stage.cluster.kubeconfig, *words, "--yes")
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == "1 released, 0 gone, 0 left"
        assert not scene.exists("dnsendpoints", "one")
        assert scene.get("dnsendpoints", "two")["metadata"]["finalizers"]
        scene.served("www", "192.0.2.1")
    # The registry tells an operator that comes back whose it was.
    scene.served("www")
    scene.served("a-www", rdtype="TXT")
    scene.served("stays", "192.0.2.1")
