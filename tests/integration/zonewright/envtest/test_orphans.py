"""Nothing is left behind: not by a run that ends, not by one that is killed, and what would be left is found."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from zonewright.envtest import orphans, ports
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.errors import Unavailable
from zonewright.envtest.processes import OWNER_VARIABLE, ProgramFailed, Run, started_at
from zonewright.testing import eventually

# A test run: starts a program that starts another, tells their numbers, and waits to be killed.
TEST_RUN = """
import sys, time
from zonewright.envtest.processes import Run
run = Run()
parent = run.start("parent", ["sh", "-c", "setsid sleep 300 & echo $!; wait"])
while not parent.output().strip():
    time.sleep(0.01)
print(parent.pid, parent.output().strip(), run.directory, flush=True)
time.sleep(300)
"""


def gone(pid: int) -> bool:
    return started_at(pid) is None


def test_a_closed_run_leaves_neither_programs_nor_files() -> None:
    with Run() as run:
        program = run.start("sleeper", ["sleep", "300"])
        assert program.running

    assert gone(program.pid)
    assert not run.directory.exists()


def test_a_killed_test_run_leaves_neither_programs_nor_files() -> None:
    with subprocess.Popen([sys.executable, "-c", TEST_RUN], stdout=subprocess.PIPE, text=True) as test_run:
        assert test_run.stdout is not None
        parent, child, directory = test_run.stdout.readline().split()
        test_run.send_signal(signal.SIGKILL)

    eventually(lambda: gone(int(parent)) and gone(int(child)) and not Path(directory).exists())


def test_programs_die_even_with_their_supervisor() -> None:
    run = Run()
    program = run.start("sleeper", ["sleep", "300"])

    run._supervisor.send_signal(signal.SIGKILL)

    eventually(lambda: gone(program.pid))
    with pytest.raises(ProgramFailed, match="supervisor is gone"):
        run.start("another", ["true"])
    run.close()
    left = [orphan.what for orphan in orphans.directories() if str(run.directory) in orphan.what]
    assert left == []  # its owner is this process, which lives
    (run.directory / "owner").write_text("1:never")
    assert any(str(run.directory) in orphan.what for orphan in orphans.directories())
    for path in run.directory.iterdir():
        path.unlink()
    run.directory.rmdir()


def test_a_program_that_belongs_to_a_dead_run_is_an_orphan() -> None:
    environment = {**os.environ, OWNER_VARIABLE: "1:never"}
    with subprocess.Popen(["sleep", "300"], env=environment) as abandoned:
        try:
            shown = f"process {abandoned.pid}: sleep 300"
            eventually(lambda: shown in {orphan.what for orphan in orphans.programs()}, what=shown)
        finally:
            abandoned.kill()


def test_what_belongs_to_a_living_run_is_nobodys_orphan() -> None:
    with Run() as run:
        program = run.start("sleeper", ["sleep", "300"])

        assert not any(str(program.pid) in orphan.remedy.split() for orphan in orphans.programs())


def test_how_a_program_ended_is_told_with_the_end_of_its_log() -> None:
    with Run() as run:
        program = run.start("failing", ["sh", "-c", "echo it is too late; exit 3"])

        assert program.wait(timeout=120) == 3
        with pytest.raises(ProgramFailed, match=r"failing ended with 3:\nit is too late"):
            program.check()


def test_a_program_that_does_not_exist_is_said_at_once() -> None:
    with Run() as run, pytest.raises(ProgramFailed, match="no-such-program"):
        run.start("nothing", ["no-such-program"])


def test_a_paused_program_can_be_stopped() -> None:
    with Run() as run:
        program = run.start("sleeper", ["sleep", "300"])
        program.signal(signal.SIGSTOP)

        assert program.stop(timeout=120) == -signal.SIGTERM


def test_a_program_that_ignores_the_polite_request_is_killed() -> None:
    with Run() as run:
        program = run.start("stubborn", ["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"])
        eventually(lambda: "ready" in program.output())

        assert program.stop(timeout=0.2) == -signal.SIGKILL


def test_a_reserved_port_is_taken_for_everybody_else() -> None:
    port = ports.reserve()
    script = f"from zonewright.envtest import ports; ports.first_free([{port}])"

    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert "no free port" in other.stderr
    ports.release(port)


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_port_in_use_for_tcp_or_udp_is_not_given_out(kind: socket.SocketKind) -> None:
    with socket.socket(socket.AF_INET, kind) as used:
        used.bind(("127.0.0.1", 0))
        if kind is socket.SOCK_STREAM:
            used.listen()

        with pytest.raises(OSError, match="no free port"):
            ports.first_free([used.getsockname()[1]])


def test_a_port_whose_lock_cannot_be_opened_says_which_cache_is_unusable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "zonewright" / "ports" / "19999").mkdir(parents=True)

    with pytest.raises(Unavailable, match=f"the cache {tmp_path}/zonewright cannot be used: Is a directory"):
        ports.first_free([19999])


def test_a_cluster_goes_with_the_command_line_that_was_killed(cluster: Cluster, tmp_path: Path) -> None:
    kubeconfig = tmp_path / "kubeconfig"
    command = [sys.executable, "-m", "zonewright", "envtest", "up", "--backend", cluster.backend]
    command += ["--kubeconfig", str(kubeconfig)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as killed:
        address = eventually(
            lambda: yaml.safe_load(kubeconfig.read_text())["clusters"][0]["cluster"], ignoring=(OSError, TypeError)
        )
        killed.send_signal(signal.SIGKILL)

    directory = Path(address["certificate-authority"]).parent
    eventually(lambda: not directory.exists() and refused(int(address["server"].rpartition(":")[2])))


def refused(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) != 0


def test_a_run_that_is_interrupted_while_it_starts_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Run] = []

    def interrupt(run: Run) -> None:
        begun.append(run)
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "_answer", interrupt)

    with pytest.raises(KeyboardInterrupt):
        Run()

    (run,) = begun
    assert run._supervisor.poll() is not None
    assert not run.directory.exists()


def test_an_order_that_was_interrupted_does_not_spoil_the_next() -> None:
    class Interrupted(BaseException):
        pass

    def interrupt(*_: object) -> None:
        raise Interrupted

    with Run() as run:
        stubborn = run.start("stubborn", ["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"])
        eventually(lambda: "ready" in stubborn.output())
        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(Interrupted):
                stubborn.stop(timeout=0.5)
        finally:
            signal.signal(signal.SIGALRM, before)

        assert run.start("next", ["true"]).wait(timeout=10) == 0
        assert stubborn.wait(timeout=10) == -signal.SIGKILL
