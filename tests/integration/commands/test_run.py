"""`make run` as a newcomer has it: no kubectl, no terminal. What it offers works, and it ends when it is told to."""

from __future__ import annotations

import functools
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import dns.exception
import dns.message
import dns.query
import pytest
import yaml

from tests.support import ROOT
from zonewright.envtest import orphans
from zonewright.envtest.backend import backend
from zonewright.envtest.paths import RUN_PREFIX, run_root
from zonewright.envtest.processes import owner_marker

DIG = re.compile(r"dig @(\S+) -p (\d+) www\.example\.org A")


class Running:
    """`python -m hack.run` with its output in a file."""

    def __init__(self, output: Path, environment: dict[str, str], *words: str) -> None:
        self.output = output
        with output.open("w") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "hack.run", *words],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        self.marker = owner_marker(self.process.pid)

    def takes_signals(self) -> bool:
        """Before its first lines have run, a signal is Python's own business."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
        return bool(int(caught.split()[1], 16) & 1 << (signal.SIGTERM - 1))

    def text(self) -> str:
        return self.output.read_text()

    def programs(self) -> list[str]:
        """Everything that it started and that lives."""
        processes = (each for each in Path("/proc").iterdir() if each.name.isdigit())
        return [each.name for each in processes if orphans._owner_of(each) == self.marker]

    def directories(self) -> list[Path]:
        return list(run_root().glob(f"{RUN_PREFIX}{self.process.pid}-*"))

    def stop(self, number: signal.Signals) -> tuple[int, float]:
        """Its exit code, and how long it took."""
        begun = time.monotonic()
        self.process.send_signal(number)
        return self.process.wait(timeout=30), time.monotonic() - begun


@pytest.fixture
def start(tmp_path: Path, environment: dict[str, str]) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def make(*words: str) -> Running:
        started.append(Running(tmp_path / f"output-{len(started)}", environment, *words))
        return started[-1]

    yield make
    for each in started:
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait()


def until(condition: Callable[[], object], running: Running, *, within: float = 60) -> None:
    deadline = time.monotonic() + within
    while not condition():
        assert running.process.poll() is None, running.text()
        assert time.monotonic() < deadline, running.text()
        time.sleep(0.05)


def answers(address: str, port: str) -> bool:
    question = dns.message.make_query("www.example.org", "A")
    try:
        return bool(dns.query.tcp(question, address, port=int(port), timeout=2).answer)
    except (OSError, dns.exception.DNSException):
        return False


def test_it_serves_dns_shows_commands_that_work_and_leaves_nothing(start, environment: dict[str, str]) -> None:
    running = start()
    until(lambda: "Ctrl-C stops everything" in running.text(), running)
    shown = running.text()
    for address, port in DIG.findall(shown):
        until(functools.partial(answers, address, port), running)
    assert running.programs()

    assert "# kubectl is not installed" in shown
    output = type_in(panel(shown), environment)
    for expected in ("DNSZone  dns-system  example-org", "ARecord", "192.0.2.10"):
        assert expected in output
    if shutil.which("curl"):
        assert '"kind":"DNSZoneList"' in output
        assert "DNSEndpoint  dns-system  shop" in output
        assert "engine_" in output
        keeps_its_token_to_itself(shown)

    code, seconds = running.stop(signal.SIGINT)
    assert code == 0, running.text()
    assert seconds < 60
    assert "Traceback" not in running.text()
    assert (running.programs(), running.directories()) == ([], [])


def panel(shown: str) -> list[str]:
    """The commands, but for the one that never ends."""
    between = shown.split("try, in another terminal", 1)[1].split("Ctrl-C stops everything", 1)[0]
    lines = [line.strip() for line in between.splitlines()[1:]]
    return [line for line in lines if line and not line.startswith(("#", "tail -f"))]


def type_in(commands: list[str], environment: dict[str, str]) -> str:
    script = "set -e\n" + "\n".join(commands)
    done = subprocess.run(
        ["sh", "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def keeps_its_token_to_itself(shown: str) -> None:
    found = re.search(r"-H @(\S+)", shown)
    assert found is not None
    header = Path(found[1])
    assert header.stat().st_mode & 0o777 == 0o600
    assert header.read_text().split()[-1] not in shown


# From before Python has read its modules to after the manager has started.
@pytest.mark.parametrize("after", [0.0, 0.4, 0.7, 1.0, 1.4, 2.0])
def test_it_ends_at_any_moment(start, after: float) -> None:
    number = signal.SIGTERM if after in {0.4, 1.0} else signal.SIGINT
    running = start()
    until(running.takes_signals, running)
    time.sleep(after)

    code, seconds = running.stop(number)

    assert code in {0, 130}, running.text()
    assert seconds < 60
    assert "Traceback" not in running.text()
    deadline = time.monotonic() + 60  # a supervisor that was just started has to notice first
    while running.programs() or running.directories():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_on_your_own_cluster_it_installs_the_crds_and_becomes_the_manager(start, environment: dict[str, str]) -> None:
    with backend("embedded") as own:
        environment |= {"KUBECONFIG": str(own.kubeconfig), "ZONEWRIGHT_HTTP": "off", "ZONEWRIGHT_LOG_FORMAT": "json"}
        running = start("--install-crds")
        until(lambda: '"working"' in running.text(), running)
        crd = own.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/dnszones.bindy.firestoned.io")
        lease = own.get("/apis/coordination.k8s.io/v1/namespaces/zonewright-system/leases/zonewright-leader")
        assert lease["spec"]["holderIdentity"], "two people, or a deployed operator, do not work at the same time"

        assert running.stop(signal.SIGINT)[0] == 0
    assert crd["metadata"]["managedFields"][0]["manager"] == "zonewright"
    assert "Traceback" not in running.text()


def test_on_your_own_cluster_the_manager_uses_the_chosen_context(start, environment: dict[str, str], tmp_path) -> None:
    with backend("embedded") as own:
        config = yaml.safe_load(own.kubeconfig.read_text())
        (chosen,) = [each["name"] for each in config["contexts"]]
        config["clusters"].append({"name": "dead", "cluster": {"server": "https://127.0.0.1:1"}})
        config["contexts"].append({"name": "dead", "context": {"cluster": "dead", "user": config["users"][0]["name"]}})
        config["current-context"] = "dead"
        (tmp_path / "kubeconfig").write_text(yaml.safe_dump(config))
        environment |= {"KUBECONFIG": str(tmp_path / "kubeconfig"), "ZONEWRIGHT_HTTP": "off"}
        running = start("--context", chosen, "--install-crds")
        until(lambda: "working" in running.text(), running)

        assert running.stop(signal.SIGINT)[0] == 0


def test_a_second_signal_does_not_wait_for_the_end_in_order() -> None:
    stuck = """
import os, signal, time
from hack.command import command
with command():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(300)
"""
    assert subprocess.run([sys.executable, "-c", stuck], cwd=ROOT, timeout=120, check=False).returncode == 130


def test_it_ends_by_itself_when_asked_to(start) -> None:
    running = start("--seconds", "0.5")

    assert running.process.wait(timeout=60) == 0, running.text()
    assert (running.programs(), running.directories()) == ([], [])
