"""What the pytest plugin does before tests, and for tests whose programs are missing. Runs pytest in a process each."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support import ROOT
from zonewright.envtest.errors import Unavailable
from zonewright.testing import plugin as pytest_plugin

TESTS = """
import pytest

@pytest.mark.controlplane
def test_of_the_control_plane(): pass

@pytest.mark.kubectl
def test_of_kubectl(): pass

def test_of_neither(): pass
"""


def session(backend: str, **more: Any) -> Any:
    return SimpleNamespace(config=SimpleNamespace(getoption=lambda _: backend, **more))


def test_the_backend_is_prepared_once_and_not_by_the_workers(monkeypatch):
    prepared: list[str] = []
    monkeypatch.setattr(pytest_plugin, "prepare", prepared.append)

    pytest_plugin.pytest_sessionstart(session("controlplane"))
    pytest_plugin.pytest_sessionstart(session("controlplane", workerinput={}))

    assert prepared == ["controlplane"]


def test_what_cannot_be_had_is_one_error_before_any_test(monkeypatch):
    def prepare(_: str) -> None:
        raise Unavailable("no network; no compiler")

    monkeypatch.setattr(pytest_plugin, "prepare", prepare)
    with pytest.raises(pytest.UsageError, match="no network; no compiler"):
        pytest_plugin.pytest_sessionstart(session("controlplane"))


@pytest.mark.parametrize(("ci", "outcome"), [("", "1 passed, 2 skipped"), ("true", "3 passed")])
def test_without_programs_their_tests_are_skipped_but_never_in_ci(ci: str, outcome: str, tmp_path: Path):
    (tmp_path / "test_programs.py").write_text(TESTS)
    bare = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PATH": str(tmp_path), "PYTHONPATH": str(ROOT), "CI": ci}
    variables = {name: value for name, value in os.environ.items() if name != "KUBEBUILDER_ASSETS"} | bare

    words = [sys.executable, "-m", "pytest", "-q", "-p", "zonewright.testing.plugin", "-p", "no:cacheprovider", "."]
    done = subprocess.run(words, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=120, check=False)

    assert outcome in done.stdout, done.stdout + done.stderr


FIXTURES = """
import pytest
from zonewright.envtest.errors import Unsupported

def test_of_the_cluster(cluster): pass

@pytest.mark.parametrize("cluster", [1])
def test_with_a_parameter_of_that_name(cluster): pass

def test_of_more_than_the_backend_can(): raise Unsupported("not here")
"""


def plugged(directory: Path, *words: str, ci: str = "") -> tuple[int, str]:
    (directory / "test_plugged.py").write_text(FIXTURES)
    bare = {"XDG_CACHE_HOME": str(directory / "cache"), "PATH": str(directory), "PYTHONPATH": str(ROOT), "CI": ci}
    variables = os.environ | bare | {"KUBECONFIG": str(directory / "none")}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "zonewright.testing.plugin",
        "-p",
        "no:cacheprovider",
        *words,
    ]
    done = subprocess.run(
        command, cwd=directory, env=variables, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_what_uses_the_cluster_is_marked_before_tests_are_chosen(tmp_path: Path):
    code, output = plugged(tmp_path, "--collect-only", "-m", "cluster")

    assert code == 0, output
    assert "test_of_the_cluster" in output
    assert "1/3 tests collected (2 deselected)" in output


def test_what_the_backend_cannot_do_is_skipped(tmp_path: Path):
    _, output = plugged(tmp_path, "-k", "more_than")

    assert "1 skipped, 2 deselected" in output, output


@pytest.mark.parametrize(("backend", "ci", "code"), [("kind", "", 0), ("kind", "true", 1), ("external", "", 1)])
def test_without_a_cluster_only_kind_is_skipped_and_never_in_ci(backend: str, ci: str, code: int, tmp_path: Path):
    ended, output = plugged(tmp_path, f"--backend={backend}", "-k", "of_the_cluster", ci=ci)

    assert ended == code, output
    assert ("1 skipped" if code == 0 else "no cluster to test on: ") in output


def test_without_pytest_kind_its_options_are_not_asked_for(tmp_path: Path):
    code, output = plugged(tmp_path, "-p", "no:pytest-kind", "--backend=kind", "-k", "of_the_cluster", "-rs")

    assert code == 0, output
    assert "the program kind is missing: install it" in output
