"""`make demo`: both plans, with what a machine has and without."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

PLANS = {
    (): ["kubectl -n dns-system delete dnszone test-zone", "www.test.example.com A"],
    ("--endpoints",): [
        "kubectl apply -f config/samples/endpoints/ingress.yaml",
        "dnsendpoint/shop  Ready=True Programmed  2/2: 2 endpoints in DNS",
        "'192.0.2.999' is not an IPv4 address",
        "dnsendpoint/rival  Ready=False ConflictLost",
        "dnsendpoint/blue  Ready=False OwnerMismatch",
        "dnsendpoint/tool  Ready=False Filtered",
        "RecordError: 1 of 1 endpoint not in DNS",
        "dnsendpoint/shop is gone",
    ],
}
plans = pytest.mark.parametrize("plan", PLANS, ids=" ".join)


def walk(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hack.demo", *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240, check=False)


def holds(done: subprocess.CompletedProcess[str], shown: list[str]) -> None:
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all steps hold\n")
    assert [each for each in shown if each not in done.stdout] == []


@plans
def test_it_needs_neither_kubectl_nor_dig_and_shows_what_a_person_would_type(
    plan: tuple[str, ...], environment: dict[str, str]
) -> None:
    Path(environment["PATH"], "dig").unlink(missing_ok=True)
    holds(walk(environment, *plan), PLANS[plan])


@pytest.mark.kubectl
@plans
def test_with_kubectl_and_dig_it_types_what_it_shows(plan: tuple[str, ...]) -> None:
    holds(walk({**os.environ, "KUBECONFIG": ""}, *plan), PLANS[plan])


@pytest.mark.controlplane
@plans
def test_on_a_real_control_plane(plan: tuple[str, ...]) -> None:
    holds(walk({**os.environ, "KUBECONFIG": ""}, *plan, "--backend", "controlplane"), PLANS[plan])


def test_a_step_that_does_not_hold_ends_it_with_what_the_operator_says(environment: dict[str, str]) -> None:
    """A kubectl that fails stands for whatever goes wrong."""
    program = Path(environment["PATH"], "kubectl")
    program.write_text("#!/bin/sh\necho no such thing >&2; exit 1\n")
    program.chmod(0o755)
    done = walk(environment)
    assert done.returncode == 1
    assert "all steps hold" not in done.stdout
    assert "no such thing" in done.stdout
    assert '"working"' in done.stdout, "the log"
    assert "Traceback" not in done.stdout + done.stderr
