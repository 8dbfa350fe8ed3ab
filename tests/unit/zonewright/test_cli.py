"""The command `zonewright`: exit codes, and its version."""

from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import zonewright
from zonewright import cli
from zonewright.envtest import orphans
from zonewright.envtest.controlplane import binaries


@pytest.mark.parametrize(("found", "code"), [([], 0), ([SimpleNamespace(what="etcd", remedy="kill 1")], 1)])
def test_what_was_left_behind_is_an_error(found: list[object], code: int, monkeypatch) -> None:
    monkeypatch.setattr(orphans, "find", lambda: found)
    assert CliRunner().invoke(cli.app, ["envtest", "orphans"]).exit_code == code


def test_an_interrupted_install_says_so(monkeypatch, tmp_path) -> None:
    def ensure() -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(binaries, "ensure", ensure)
    assert CliRunner().invoke(cli.app, ["envtest", "install"]).exit_code == 130


def test_the_version_is_the_packages_own() -> None:
    assert CliRunner().invoke(cli.app, ["version"]).output == f"{zonewright.__version__}\n"
