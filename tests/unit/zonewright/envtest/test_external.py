"""A kubeconfig becomes a cluster: whatever form its credentials have, or one line that says what is missing."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from zonewright.envtest.errors import Unavailable
from zonewright.envtest.external import CertificateCluster, External, from_kubeconfig
from zonewright.envtest.kubeconfig import read_kubeconfig, write_kubeconfig

ENCODED = base64.b64encode(b"pem").decode()


@pytest.fixture(autouse=True)
def _without_kubectl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """None of this needs a program."""
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))


def kubeconfig(directory: Path, user: dict[str, Any], name: str = "envtest") -> Path:
    (directory / "ca.crt").write_text("authority")
    return write_kubeconfig(directory / name, "https://192.0.2.1:6443", directory / "ca.crt", user, name=name)


def read(tmp_path: Path, user: dict[str, Any]) -> CertificateCluster:
    target = tmp_path / "target"
    target.mkdir()
    cluster = from_kubeconfig(kubeconfig(tmp_path, user), target, backend="external")
    assert isinstance(cluster, CertificateCluster)
    return cluster


def edited(path: Path, **sections: Any) -> Path:
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()) | sections))
    return path


# --- what is understood


def test_a_token_is_taken_over_and_the_authority_unpacked(tmp_path: Path) -> None:
    cluster = read(tmp_path, {"token": "t"})

    assert (cluster.token, cluster.server_url, cluster.ca.read_text()) == ("t", "https://192.0.2.1:6443", "authority")


def test_a_token_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("from-file\n")

    assert read(tmp_path, {"tokenFile": str(tmp_path / "token")}).token == "from-file"


def test_a_token_file_comes_before_a_token(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("from-file")

    assert read(tmp_path, {"tokenFile": str(tmp_path / "token"), "token": "t"}).token == "from-file"


def test_a_client_certificate_is_unpacked_for_its_owner_only(tmp_path: Path) -> None:
    cluster = read(tmp_path, {"client-certificate-data": ENCODED, "client-key-data": ENCODED})

    assert cluster.certificate is not None
    assert cluster.key is not None
    assert cluster.certificate.read_bytes() == cluster.key.read_bytes() == b"pem"
    assert cluster.key.stat().st_mode & 0o077 == 0


def test_paths_are_relative_to_the_kubeconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    (tmp_path / "client.crt").write_text("certificate")
    (tmp_path / "client.key").write_text("key")
    path = kubeconfig(tmp_path, {"client-certificate": "client.crt", "client-key": "client.key"})
    edited(path, clusters=[{"name": "envtest", "cluster": {"server": "https://a", "certificate-authority": "ca.crt"}}])

    found = read_kubeconfig(path)

    assert (found.ca, found.certificate, found.key) == (b"authority", b"certificate", b"key")


def test_data_comes_before_a_file(tmp_path: Path) -> None:
    user = {"client-certificate": "/nowhere", "client-certificate-data": ENCODED, "client-key-data": ENCODED}

    assert read_kubeconfig(kubeconfig(tmp_path, user)).certificate == b"pem"


def test_the_copy_stands_on_its_own(tmp_path: Path) -> None:
    copy = yaml.safe_load(read(tmp_path, {"token": "t"}).kubeconfig.read_text())

    assert base64.b64decode(copy["clusters"][0]["cluster"]["certificate-authority-data"]) == b"authority"
    assert copy["users"][0]["user"] == {"token": "t"}
    assert copy["current-context"] == "envtest"


def test_a_context_can_be_chosen(tmp_path: Path) -> None:
    path = kubeconfig(tmp_path, {"token": "t"})
    contexts = yaml.safe_load(path.read_text())["contexts"]
    edited(path, contexts=[*contexts, {"name": "other", "context": {"cluster": "envtest", "user": "envtest"}}])

    assert read_kubeconfig(path).context == "envtest"
    assert read_kubeconfig(path, "other").context == "other"


def test_several_files_are_joined_and_the_first_counts(tmp_path: Path) -> None:
    first, second = kubeconfig(tmp_path, {"token": "1"}, "a"), kubeconfig(tmp_path, {"token": "2"}, "b")
    joined = os.pathsep.join([str(tmp_path / "none"), str(first), str(second)])

    assert read_kubeconfig(joined).token == "1"
    assert read_kubeconfig(joined, "b").token == "2"


def test_of_entries_with_the_same_name_the_first_counts(tmp_path: Path) -> None:
    files = []
    for number in ("1", "2"):
        (tmp_path / number).mkdir()
        files.append(str(kubeconfig(tmp_path / number, {"token": number})))

    assert read_kubeconfig(os.pathsep.join(files)).token == "1"
    assert read_kubeconfig(os.pathsep.join(reversed(files))).token == "2"


def test_extensions_do_no_harm(tmp_path: Path) -> None:
    assert read(tmp_path, {"token": "t", "extensions": [{"name": "minikube"}]}).token == "t"


def test_no_secret_is_shown(tmp_path: Path) -> None:
    user = {"token": "secret", "client-certificate-data": ENCODED, "client-key-data": ENCODED}

    assert "secret" not in repr(read_kubeconfig(kubeconfig(tmp_path, user)))
    assert "pem" not in repr(read_kubeconfig(kubeconfig(tmp_path, user)))


# --- what is refused, in one line


@pytest.mark.parametrize(
    ("user", "complaint"),
    [
        ({}, "the user of context 'envtest' has no credentials: envtest needs a token"),
        ({"client-certificate-data": ENCODED}, "has no credentials"),
        ({"username": "admin", "password": "p"}, "uses password, username, which envtest does not support"),
        (
            {"exec": {"command": "aws"}},
            "user 'envtest' of .* uses exec, which envtest does not support: it needs a tok",
        ),
        ({"auth-provider": {"name": "gcp"}}, "uses auth-provider"),
        ({"token": "t", "client-certificate-data": "%"}, "client-certificate-data is not base64"),
        ({"tokenFile": "nowhere"}, "refers to .*/nowhere, which cannot be read: No such file"),
    ],
)
def test_credentials_that_cannot_be_used_are_named(tmp_path: Path, user: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Unavailable, match=complaint) as refused:
        read(tmp_path, user)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("sections", "complaint"),
    [
        ({"current-context": ""}, "has no current-context: choose one of envtest"),
        ({"current-context": "elsewhere"}, "has no context 'elsewhere': it has envtest"),
        ({"users": []}, "has no user 'envtest': it has none"),
        ({"clusters": None}, "has no cluster 'envtest': it has none"),
        ({"users": "envtest"}, "clusters, users and contexts must be lists"),
        ({"users": ["envtest"]}, "clusters, users and contexts must be lists"),
        ({"clusters": [{"name": "envtest", "cluster": {}}]}, "the server of context 'envtest' is ''"),
        ({"clusters": [{"name": "envtest", "cluster": {"proxy-url": "http://p"}}]}, "uses proxy-url, which"),
    ],
)
def test_a_kubeconfig_with_a_hole_says_where(tmp_path: Path, sections: dict[str, Any], complaint: str) -> None:
    path = edited(kubeconfig(tmp_path, {"token": "t"}), **sections)

    with pytest.raises(Unavailable, match=complaint) as refused:
        read_kubeconfig(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("text", ["clusters: [", "a: b: c", "just text", "- a\n- b", "", "\0"])
def test_what_is_no_kubeconfig_is_said_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config"
    path.write_text(text)

    with pytest.raises(Unavailable, match=r"config is not a kubeconfig: ") as refused:
        read_kubeconfig(path)
    assert "\n" not in str(refused.value)


def test_a_chosen_context_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="has no context 'elsewhere': it has envtest"):
        from_kubeconfig(kubeconfig(tmp_path, {"token": "t"}), tmp_path, backend="external", context="elsewhere")


def test_a_missing_kubeconfig_says_which(tmp_path: Path) -> None:
    external = External(kubeconfig=tmp_path / "none")
    with pytest.raises(Unavailable, match="none is not there"):
        external.start()
    external.stop()


def test_a_directory_is_no_kubeconfig(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be read: Is a directory"):
        read_kubeconfig(tmp_path)
