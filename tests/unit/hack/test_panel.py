"""The panel shows commands whose programs are installed, and names those that are not."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hack import panel
from testbed.stage import Stage


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)


def a_stage(directory: Path) -> Stage:
    servers = [SimpleNamespace(name=name, address="127.0.0.1", port=5300) for name in ("primary-0", "secondary-0")]
    cluster = SimpleNamespace(kubeconfig=directory / "k", ca=directory / "ca", server_url="https://a", token="secret")
    stage: Any = SimpleNamespace(
        cluster=cluster,
        servers=servers,
        primaries=servers[:1],
        run=SimpleNamespace(directory=directory),
        manager=SimpleNamespace(log=directory / "log"),
        http_port=8080,
    )
    return cast("Stage", stage)


def shown(tmp_path: Path, *installed: str) -> str:
    return "\n".join(panel.lines(a_stage(tmp_path), which=lambda name: name if name in installed else None))


def test_with_kubectl_its_commands(tmp_path: Path) -> None:
    text = shown(tmp_path, "kubectl", "dig", "curl")

    assert "\nkubectl -n dns-system get dnsrecords,dnszones,bind9instances\n" in text
    assert "not installed" not in text
    assert "# --source=crd --source=service --source=ingress are read too: config/samples/endpoints/ has one" in text
    assert "\nkubectl apply -f config/samples/endpoints/\n" in text
    assert "\ndig @127.0.0.1 -p 5300 shop.example.org A\n" in text
    assert not (tmp_path / "authorization").exists()


def test_without_kubectl_what_does_without(tmp_path: Path) -> None:
    text = shown(tmp_path, "dig", "curl")

    assert "# kubectl is not installed" in text
    assert "-m zonewright envtest get dnszones" in text
    assert f"curl -sS --cacert {tmp_path}/ca -H @{tmp_path}/authorization https://a/apis/" in text
    assert "--data-binary @config/samples/endpoints/dnsendpoint.yaml 'https://a/apis/externaldns.k8s.io/" in text
    assert "secret" not in text
    assert (tmp_path / "authorization").read_text() == "Authorization: Bearer secret\n"
    assert (tmp_path / "authorization").stat().st_mode & 0o777 == 0o600


def test_the_cached_kubectl_is_shown_with_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kubectl").touch()
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(tmp_path))

    assert f"\n{tmp_path}/kubectl -n dns-system get " in shown(tmp_path, "dig")


def test_without_dig_the_servers_and_the_package(tmp_path: Path) -> None:
    text = shown(tmp_path, "curl")

    assert "# dig is not installed: on Debian and Ubuntu, apt-get install bind9-dnsutils" in text
    assert "#   secondary-0: @127.0.0.1 -p 5300 www.example.org A" in text
    assert "\ndig " not in text


def test_without_curl_no_curl(tmp_path: Path) -> None:
    assert "\ncurl " not in shown(tmp_path)
