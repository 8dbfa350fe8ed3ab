"""A kubeconfig becomes a cluster: whatever form its credentials have, or one line that says what is missing."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
import yaml

from envtest import kubectl
from envtest.errors import Unavailable
from envtest.external import External, from_kubeconfig
from envtest.kubeconfig import write_kubeconfig


@pytest.fixture(autouse=True)
def _needs_kubectl() -> None:
    kubectl.find()


def kubeconfig(directory: Path, user: dict[str, Any]) -> Path:
    (directory / "ca.crt").write_text("authority")
    return write_kubeconfig(directory / "source", "https://192.0.2.1:6443", directory / "ca.crt", user)


def read(tmp_path: Path, user: dict[str, Any]):
    target = tmp_path / "target"
    target.mkdir()
    return from_kubeconfig(kubeconfig(tmp_path, user), target, backend="external")


def test_a_token_is_taken_over_and_the_authority_unpacked(tmp_path: Path) -> None:
    cluster = read(tmp_path, {"token": "t"})

    assert (cluster.token, cluster.server_url, cluster.ca.read_text()) == ("t", "https://192.0.2.1:6443", "authority")


def test_a_token_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("from-file\n")

    assert read(tmp_path, {"tokenFile": str(tmp_path / "token")}).token == "from-file"


def test_a_client_certificate_is_unpacked_for_its_owner_only(tmp_path: Path) -> None:
    encoded = base64.b64encode(b"pem").decode()

    cluster = read(tmp_path, {"client-certificate-data": encoded, "client-key-data": encoded})

    assert cluster.certificate.read_bytes() == cluster.key.read_bytes() == b"pem"
    assert cluster.key.stat().st_mode & 0o077 == 0


def test_the_copy_stands_on_its_own(tmp_path: Path) -> None:
    copy = yaml.safe_load(read(tmp_path, {"token": "t"}).kubeconfig.read_text())

    assert base64.b64decode(copy["clusters"][0]["cluster"]["certificate-authority-data"]) == b"authority"


def test_credentials_that_tests_cannot_use_are_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="neither a token nor a client certificate"):
        read(tmp_path, {"username": "admin", "password": "p"})


def test_an_unknown_context_is_kubectls_complaint_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be used"):
        from_kubeconfig(kubeconfig(tmp_path, {"token": "t"}), tmp_path, backend="external", context="elsewhere")


def test_a_missing_kubeconfig_says_which(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="none is not there"):
        External(kubeconfig=tmp_path / "none").start()
