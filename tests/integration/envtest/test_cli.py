"""`python -m envtest`: what people type, from start to nothing left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from envtest.cluster import Cluster


def envtest(*args: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "envtest", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=False, env=env)


def test_up_runs_a_command_on_a_fresh_api_and_stops(cluster: Cluster) -> None:
    done = envtest("up", "--backend", cluster.backend, "--", "kubectl", "get", "namespace", "default", "-o", "name")

    assert (done.returncode, done.stdout) == (0, "namespace/default\n"), done.stderr


def test_up_writes_a_kubeconfig_while_it_runs_and_ends_with_its_commands_code(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "kubeconfig"
    get = f"env -u KUBECONFIG kubectl --kubeconfig {file} get --raw /version && exit 7"

    done = envtest("up", "--backend", cluster.backend, "--kubeconfig", str(file), "--", "sh", "-c", get)

    assert "gitVersion" in done.stdout, done.stderr
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
    done = envtest(
        "up", "--backend", "external", "--", "kubectl", "get", "ns", "default", "-o", "name", env=cluster.environment()
    )

    assert (done.returncode, done.stdout) == (0, "namespace/default\n"), done.stderr


def test_what_cannot_be_had_is_one_line_and_no_traceback(tmp_path: Path) -> None:
    done = envtest("up", "--backend", "external", "--kubeconfig", str(tmp_path / "none"))

    assert done.returncode == 1
    assert "no cluster" in done.stderr
    assert "Traceback" not in done.stderr


def test_named_serves_a_zone_on_all_its_servers() -> None:
    ask = "dig @127.0.0.1 -p $port +tries=5 example.org SOA +short"
    # The secondary needs a moment for its transfer; one that never answers is ended by the limit above.
    both = f"for port in $NAMED_0_PORT $NAMED_1_PORT; do until {ask} | grep hostmaster; do sleep 0.05; done; done"

    done = envtest("named", "--zone", "example.org", "--", "sh", "-c", both)

    assert done.stdout.count("hostmaster.example.org.") == 2, done.stderr


def test_named_registers_its_servers(crds: Cluster, namespace: str) -> None:
    list_them = ["kubectl", "get", "bind9instances", "-n", namespace, "-o", "name"]

    done = envtest("named", "--namespace", namespace, "--", *list_them, env=crds.environment())

    assert done.stdout.split() == [
        "bind9instance.bindy.firestoned.io/primary-0",
        "bind9instance.bindy.firestoned.io/secondary-0",
    ], done.stderr
