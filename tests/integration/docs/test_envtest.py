"""docs/concepts/envtest.md: its commands are typed and its tests are run by a pytest of their own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.documents import blocks, commands, environment
from zonewright.envtest.cluster import Cluster
from zonewright.testing import eventually

START, ORPHANS = blocks("docs/concepts/envtest.md", "sh")
FIXTURES, CHAOS = blocks("docs/concepts/envtest.md", "python")
RUN, UP, NAMED = commands(START)


def test_an_api_for_the_length_of_a_command():
    done = subprocess.run(
        ["bash", "-c", RUN], cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=240, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "kube-system" in done.stdout


@pytest.mark.parametrize(("command", "ready"), [(UP, "Ctrl-C ends it"), (NAMED, "nsupdate -k")], ids=["up", "named"])
def test_until_ctrl_c(command: str, ready: str, tmp_path: Path):
    log = tmp_path / "log"
    with log.open("w") as output:
        started = subprocess.Popen(
            ["bash", "-c", command], cwd=ROOT, env=environment(),
            stdin=subprocess.DEVNULL, stderr=output, start_new_session=True,
        )  # fmt: skip
    try:
        eventually(lambda: ready in log.read_text() or started.poll() is not None, timeout=60, what=ready)
        os.killpg(started.pid, signal.SIGINT)
        assert started.wait(30) == 0, log.read_text()
    finally:
        started.kill()


def test_nothing_is_left_behind_by_a_killed_command():
    done = subprocess.run(
        ["bash", "-c", ORPHANS.text],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "nothing was left behind" in done.stderr


def test_the_fixtures_work_in_a_project_of_its_own(cluster: Cluster, tmp_path: Path):
    plugins, tests = FIXTURES.text.split("\n", 1)
    assert plugins.endswith("# in conftest.py")
    (tmp_path / "conftest.py").write_text(plugins)
    (tmp_path / "test_document.py").write_text(tests + CHAOS.text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--backend=external", "--rootdir=."]
    variables = cluster.environment() | {"PYTHONPATH": str(ROOT)}

    done = subprocess.run(
        command, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=120, check=False
    )

    assert "2 passed" in done.stdout, done.stdout + done.stderr
