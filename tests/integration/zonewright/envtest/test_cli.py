"""`python -m zonewright envtest`: what people type, from start to nothing left."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from testbed.stage import CRDS
from zonewright.envtest.backend import backend
from zonewright.envtest.cluster import Cluster


def envtest(*args: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "zonewright", "envtest", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=False, env=env)


A_RECORD = {"apiVersion": "bindy.firestoned.io/v1beta1", "kind": "ARecord"}
MOMENT = {"lastTransitionTime": "2026-01-01T00:00:00Z"}
GET = [sys.executable, "-m", "zonewright", "envtest", "get"]


def test_up_runs_a_command_on_a_fresh_api_and_stops(cluster: Cluster) -> None:
    done = envtest("up", "--backend", cluster.backend, "--", *GET, "namespaces")

    assert done.returncode == 0, done.stderr
    assert ["Namespace", "-", "default", "-", "-"] in [line.split() for line in done.stdout.splitlines()]


@pytest.mark.kubectl
def test_up_has_kubectl_in_its_path(cluster: Cluster) -> None:
    done = envtest("up", "--backend", cluster.backend, "--", "kubectl", "get", "namespace", "default", "-o", "name")

    assert (done.returncode, done.stdout) == (0, "namespace/default\n"), done.stderr


def test_up_writes_a_kubeconfig_while_it_runs_and_ends_with_its_commands_code(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "kubeconfig"
    get = f"KUBECONFIG={file} {shlex.join(GET)} namespaces && exit 7"

    done = envtest("up", "--backend", cluster.backend, "--kubeconfig", str(file), "--", "sh", "-c", get)

    assert "default" in done.stdout, done.stderr
    assert done.returncode == 7
    assert not file.exists()


def test_up_does_not_overwrite_somebody_elses_kubeconfig(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text("precious")

    done = envtest("up", "--backend", cluster.backend, "--kubeconfig", str(file), "--", "true")

    assert done.returncode == 1
    assert "choose a new file" in done.stderr.replace("\n", " ")
    assert file.read_text() == "precious"


def test_an_external_cluster_is_used_as_it_is(cluster: Cluster) -> None:
    done = envtest("up", "--backend", "external", "--", *GET, "ns", env=cluster.environment())

    assert done.returncode == 0, done.stderr
    assert "default" in done.stdout


def test_what_cannot_be_had_is_one_line_and_no_traceback(tmp_path: Path) -> None:
    done = envtest("up", "--backend", "external", "--kubeconfig", str(tmp_path / "none"))

    assert done.returncode == 1
    assert "no cluster" in done.stderr
    assert "Traceback" not in done.stderr


def test_get_lists_a_category_with_ready_and_its_message() -> None:
    # On an API of its own: on the one that tests share, an operator may write its own status.
    with backend("embedded") as own:
        own.install_crds(CRDS)
        records = "/apis/bindy.firestoned.io/v1beta1/namespaces/default/arecords"
        spec = {"name": "www", "ipv4Address": "192.0.2.1"}
        own.create(records, {"metadata": {"name": "www"}, "spec": spec} | A_RECORD)
        own.create("/api/v1/namespaces", {"metadata": {"name": "other"}})
        elsewhere = records.replace("/default/", "/other/")
        own.create(elsewhere, {"metadata": {"name": "www"}, "spec": spec} | A_RECORD)
        ready = {"type": "Ready", "status": "False", "reason": "NotSelected", "message": "no zone selects it"}
        own.patch(f"{records}/www/status", {"status": {"conditions": [ready | MOMENT]}})

        done = envtest("get", "dnsrecords", "-n", "default", env=own.environment())

    assert done.stdout.split("\n") == [
        "KIND     NAMESPACE  NAME  READY  MESSAGE",
        "ARecord  default    www   False  no zone selects it",
        "",
    ], done.stderr


def test_get_says_that_nobody_serves_such_a_thing(cluster: Cluster) -> None:
    done = envtest("get", "gadgets", env=cluster.environment())

    assert (done.returncode, done.stdout) == (1, "")
    assert "no resource and no category 'gadgets'" in done.stderr


def test_a_command_that_a_signal_ended_is_told_as_shells_do(cluster: Cluster) -> None:
    done = envtest("up", "--backend", cluster.backend, "--", "sh", "-c", "kill -TERM $$")

    assert done.returncode == 143


def test_the_kubeconfig_is_for_its_owner_only(cluster: Cluster, tmp_path: Path) -> None:
    file = str(tmp_path / "kubeconfig")

    done = envtest("up", "--backend", cluster.backend, "--kubeconfig", file, "--", "stat", "-c", "%a", file)

    assert done.stdout == "600\n", done.stderr
