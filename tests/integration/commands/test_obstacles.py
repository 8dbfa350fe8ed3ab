"""What stands in the way of a command is one line that says what to do, and an exit code; never a traceback."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from testbed.named.configuration import USUAL_PLACES
from tests.support import ROOT
from zonewright.envtest.kubeconfig import write_kubeconfig

RUN, DEMO, CONTROLLERS, TESTBED = "hack.run", "hack.demo", "controllers", "testbed"
ENVTEST = ("zonewright", "envtest")
MANAGER = (CONTROLLERS, "--cluster-name", "test", "--no-leader-elect")


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return finish([sys.executable, "-m", *words], environment)


def finish(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "KUBECONFIG"}
    env = inherited | {"COLUMNS": "500"} | environment
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False)


def told(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """One line on stderr with these words."""
    assert done.returncode in {1, 2}, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    for each in words:
        assert each in done.stderr


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[Path]:
    """The kubeconfig of an API server that is not there: the port is taken, and nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        (tmp_path / "ca.crt").touch()
        address = f"https://127.0.0.1:{taken.getsockname()[1]}"
        path = write_kubeconfig(tmp_path / "silent", address, tmp_path / "ca.crt", {"token": "t"})
        path.write_text(
            path.read_text().replace(f"certificate-authority: {tmp_path}/ca.crt", "disable-compression: true")
        )
        yield path


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ((RUN,), "embedded or controlplane"),
        ((DEMO,), "embedded or controlplane"),
        ((*ENVTEST, "up"), "controlplane, embedded, kind, external"),
    ],
)
def test_an_unknown_backend_is_answered_with_the_known_ones(words: tuple[str, ...], known: str) -> None:
    told(run(*words, "--backend", "foo"), "no backend is called foo", known)


def test_make_run_puts_its_samples_into_no_cluster_of_yours(silent: Path) -> None:
    told(run(RUN, "--backend", "external", KUBECONFIG=str(silent)), "choose embedded or controlplane")


@pytest.mark.parametrize(
    "words", [(RUN,), MANAGER, (*ENVTEST, "up", "--backend", "external"), (*ENVTEST, "get", "ns")], ids=" ".join
)
def test_a_broken_kubeconfig_is_named(words: tuple[str, ...], tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("apiVersion: v1\nclusters: [\n")

    told(run(*words, KUBECONFIG=str(broken)), str(broken), "not valid YAML", "line 3")


@pytest.mark.parametrize(
    "words", [(RUN,), MANAGER, (*ENVTEST, "up", "--backend", "external"), (*ENVTEST, "get", "ns")], ids=" ".join
)
def test_a_missing_kubeconfig_is_named(words: tuple[str, ...], tmp_path: Path) -> None:
    told(run(*words, KUBECONFIG=str(tmp_path / "none")), str(tmp_path / "none"))


def test_who_needs_no_cluster_is_told_how_to_run_without(tmp_path: Path) -> None:
    told(run(RUN, KUBECONFIG=str(tmp_path / "none")), "unset KUBECONFIG to run without a cluster")


@pytest.mark.parametrize("words", [(RUN,), MANAGER, (*ENVTEST, "get", "ns")], ids=" ".join)
def test_an_unknown_context_is_answered_with_the_known_ones(words: tuple[str, ...], silent: Path) -> None:
    told(run(*words, "--context", "elsewhere", KUBECONFIG=str(silent)), str(silent), "'elsewhere'", "it has envtest")


@pytest.mark.parametrize(
    "words",
    [(RUN,), (RUN, "--install-crds"), (*ENVTEST, "up", "--backend", "external"), (*ENVTEST, "get", "ns")],
    ids=" ".join,
)
def test_an_api_server_that_does_not_answer_is_named(words: tuple[str, ...], silent: Path) -> None:
    told(run(*words, KUBECONFIG=str(silent)), "https://127.0.0.1:", "Connection refused")


def test_a_port_in_use_is_told_with_the_flag_to_change(silent: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"

        done = run(*MANAGER, "--http", address, KUBECONFIG=str(silent))

    told(done, f"cannot listen on {address}: Address already in use", "--http", "ZONEWRIGHT_HTTP")
    assert done.returncode == 2


def test_an_address_of_another_machine_is_told_too(silent: Path) -> None:
    told(run(*MANAGER, "--http", "192.0.2.1:8080", KUBECONFIG=str(silent)), "cannot listen on 192.0.2.1:8080", "--http")


NAMED = (TESTBED, "--zone", "example.org", "--", "true")


@pytest.mark.parametrize(
    ("missing", "package", "words"),
    [
        ("named-checkconf", "bind9-utils", (RUN,)),
        ("named", "bind9", (RUN,)),
        ("named", "bind9", (DEMO,)),
        ("named", "bind9", NAMED),
        ("rndc", "bind9-utils", NAMED),
    ],
)
def test_a_missing_program_is_told_with_its_package(
    missing: str, package: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    for name in {"named", "named-checkconf", "rndc"} - {missing}:
        found = shutil.which(name, path=f"{os.environ['PATH']}:{USUAL_PLACES}")
        assert found is not None
        (tmp_path / name).symlink_to(found)
    # The programs are looked for in the usual places too, whatever PATH is.
    begin = "import runpy, sys, testbed.named.configuration as c; c.USUAL_PLACES = ''; sys.argv = sys.argv[1:]"
    start = f"{begin}; runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)"

    done = finish([sys.executable, "-c", start, *words], {"PATH": str(tmp_path)})

    told(done)
    assert f"the program {missing} is missing: on Debian and Ubuntu, apt-get install {package} " in done.stderr


@pytest.mark.parametrize("words", [(RUN,), (DEMO,), (*ENVTEST, "up"), (TESTBED,)], ids=" ".join)
def test_a_cache_that_cannot_be_written_is_told(words: tuple[str, ...]) -> None:
    told(run(*words, XDG_CACHE_HOME="/dev/null"), "the cache /dev/null/zonewright cannot be used", "XDG_CACHE_HOME")


def test_a_program_that_up_shall_run_and_that_is_not_there_is_named() -> None:
    done = run(*ENVTEST, "up", "--backend", "embedded", "--", "no-such-program")

    assert done.returncode == 127
    assert "no-such-program: no such program" in done.stderr
