"""A kind cluster that cannot be had is explained in one line, before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from zonewright.envtest import kind
from zonewright.envtest.errors import Unavailable


def program(directory: Path, name: str, script: str) -> None:
    path = directory / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("KIND_IMAGE", raising=False)
    return tmp_path


def test_without_kind(path: Path) -> None:
    with pytest.raises(Unavailable, match="the program kind is missing"):
        kind.find_kind()


def test_without_docker(path: Path) -> None:
    program(path, "kind", "exit 0")

    with pytest.raises(Unavailable, match="docker is missing"):
        kind.find_kind()


def test_when_docker_does_not_answer(path: Path) -> None:
    program(path, "kind", "exit 0")
    program(path, "docker", "echo noise >&2; echo 'Cannot connect to the Docker daemon' >&2; exit 1")

    with pytest.raises(Unavailable, match=r"docker does not answer \(Cannot connect to the Docker daemon\)"):
        kind.find_kind()


def test_when_the_node_image_can_be_found_nowhere(path: Path) -> None:
    program(path, "docker", "echo 'no such host' >&2; exit 1")

    with pytest.raises(Unavailable, match=r"no node image node:v1 \(no such host\)"):
        kind.require_image("node:v1")


def test_when_kind_fails_to_make_one(path: Path) -> None:
    program(path, "docker", "exit 0")
    program(path, "kind", '[ "$1" = get ] || exit 7')

    with pytest.raises(Unavailable, match="`kind create cluster` failed with 7"):
        kind.up()


def test_without_kubectl(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(path))
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
    program(path, "docker", "exit 0")
    program(path, "kind", '[ "$1" = get ] || exit 7')
    cluster = kind.Kind()

    with pytest.raises(Unavailable, match="kubectl is missing: install it"):
        cluster.start()
    cluster.stop()


def test_a_cluster_that_is_there_is_not_made_again(path: Path) -> None:
    program(path, "docker", "exit 0")
    program(path, "kind", f"case $1 in get) echo {kind.CLUSTER_NAME} ;; export) exit 0 ;; *) exit 7 ;; esac")

    assert not kind.up()


def test_a_cluster_that_does_not_run_says_how_to_remove_it(path: Path) -> None:
    program(path, "docker", "exit 0")
    program(path, "kind", f'case $1 in get) echo {kind.CLUSTER_NAME} ;; *) echo "no nodes" >&2; exit 1 ;; esac')

    with pytest.raises(Unavailable, match=r"`zonewright envtest kind down` removes it \(no nodes\)"):
        kind.up()


def test_the_image_asked_for_is_the_one_used(path: Path) -> None:
    program(path, "docker", "exit 0")
    program(path, "kind", f'[ "$1" = get ] || echo "$*" > {path}/called')

    assert kind.up("node:v1")
    assert "--image node:v1" in (path / "called").read_text()
