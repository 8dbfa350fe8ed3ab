"""What is told, and when, where an extra is not installed. The test of the wheel does it in an empty environment."""

import tomllib

import pytest
from typer.testing import CliRunner

from tests.support import ROOT
from zonewright import cli, extras
from zonewright.envtest import Unavailable
from zonewright.envtest.backend import make_backend, prepare
from zonewright.envtest.controlplane import binaries


@pytest.fixture
def bare(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda _name: None)


def test_the_table_is_what_pyproject_says():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra, lines in declared.items():
        modules = [line.split(">")[0].split("=")[0].replace("-", "_") for line in lines]
        assert modules == list(extras.EXTRAS[extra])
    assert declared.keys() == extras.EXTRAS.keys()


@pytest.mark.parametrize("extra", extras.EXTRAS)
def test_an_installed_extra_is_not_missing(extra):
    assert extras.missing(extra) is None


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("extra", extras.EXTRAS)
def test_a_missing_extra_is_told_with_what_to_install(extra):
    assert extras.missing(extra) == f"{extras.EXTRAS[extra][0]} is not installed: pip install 'zonewright[{extra}]'"


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("flags", [[], ["--check"], ["--watch"]], ids=" ".join)
def test_generate_says_what_it_needs_before_it_reads_anything(flags, tmp_path):
    done = CliRunner().invoke(
        cli.app, ["generate", "--crds", str(tmp_path / "none"), "--out", str(tmp_path / "out"), *flags]
    )
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [f"error: {extras.missing('codegen')}"]


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("name", ["controlplane", "embedded"])
def test_a_backend_of_our_own_needs_the_extra(name):
    with pytest.raises(Unavailable, match=r"zonewright\[envtest\]"):
        make_backend(name)


@pytest.mark.usefixtures("bare")
def test_nothing_is_built_for_a_control_plane_that_cannot_start(monkeypatch):
    monkeypatch.setattr(binaries, "ensure", lambda: pytest.fail("built"))
    with pytest.raises(Unavailable, match=r"zonewright\[envtest\]"):
        prepare("controlplane")


@pytest.mark.usefixtures("bare")
def test_a_cluster_that_is_there_needs_no_extra():
    assert make_backend("external").name == "external"
