"""Values around a cluster: request counts, kubeconfig files, certificates, flags."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from zonewright.envtest.backend import BACKENDS, make_backend
from zonewright.envtest.cluster import Cluster, RequestKey, count, parse_request_counts
from zonewright.envtest.controlplane import flags
from zonewright.envtest.controlplane.certificates import Authority, write_credentials
from zonewright.envtest.errors import Unavailable, Unsupported
from zonewright.envtest.kubeconfig import write_kubeconfig


def counted(value: str, *, verb: str, subresource: str = "", code: str = "200", scope: str = "resource") -> str:
    labels = f'code="{code}",group="bindy.firestoned.io",resource="arecords",scope="{scope}"'
    return f'apiserver_request_total{{{labels},subresource="{subresource}",verb="{verb}",version="v1beta1"}} {value}'


METRICS = "\n".join(
    [
        "# TYPE apiserver_request_total counter",
        counted("12", verb="PATCH", subresource="status"),
        counted("3", verb="PATCH", subresource="status", scope="namespace"),
        counted("1e+06", verb="PUT", code="409"),
        'apiserver_request_duration_seconds_count{verb="PATCH"} 99',
    ]
)


def a_cluster() -> Cluster:
    return Cluster("external", Path("/kubeconfig"), "https://127.0.0.1:6443", Path("/ca.crt"), "very-secret")


def test_requests_are_summed_over_the_labels_that_nobody_asks_for() -> None:
    counts = parse_request_counts(METRICS)

    assert counts[RequestKey("PATCH", "bindy.firestoned.io", "arecords", "status", "200")] == 15
    assert count(counts, verb="PUT") == 1_000_000
    assert count(counts, resource="dnszones") == 0


def test_the_difference_of_two_counts_is_what_happened_in_between() -> None:
    before, after = parse_request_counts(METRICS), parse_request_counts(METRICS.replace("} 12", "} 20"))

    assert after - before == Counter({RequestKey("PATCH", "bindy.firestoned.io", "arecords", "status", "200"): 8})


def test_a_cluster_does_not_show_its_token() -> None:
    assert "very-secret" not in repr(a_cluster())


@pytest.mark.parametrize(
    "ask",
    [
        lambda cluster: cluster.stop_api(),
        lambda cluster: cluster.start_api(),
        lambda cluster: cluster.forget_history(),
        lambda cluster: cluster.new_token(),
        lambda cluster: cluster.revoke_token("x"),
    ],
)
def test_what_a_backend_cannot_do_it_says(ask) -> None:
    with pytest.raises(Unsupported, match="the external backend cannot"):
        ask(a_cluster())


def test_an_unknown_backend_is_answered_with_the_known_ones() -> None:
    with pytest.raises(Unavailable, match=", ".join(BACKENDS)):
        make_backend("minikube")


def test_a_kubeconfig_is_for_its_owner_only(tmp_path: Path) -> None:
    path = write_kubeconfig(tmp_path / "kubeconfig", "https://127.0.0.1:1", tmp_path / "ca.crt", {"tokenFile": "/t"})

    config = yaml.safe_load(path.read_text())
    assert config["users"][0]["user"] == {"tokenFile": "/t"}
    assert config["current-context"] == config["contexts"][0]["name"]
    assert path.stat().st_mode & 0o077 == 0


def test_a_server_certificate_is_signed_by_its_authority_and_names_the_server() -> None:
    authority = Authority.create()

    pem, key = authority.issue_server(["localhost"], ["127.0.0.1"])

    certificate = x509.load_pem_x509_certificate(pem)
    certificate.verify_directly_issued_by(authority.certificate)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(each.value) for each in names] == ["localhost", "127.0.0.1"]
    assert load_pem_private_key(key, None).public_key() == certificate.public_key()


def test_private_keys_are_written_for_their_owner_only(tmp_path: Path) -> None:
    write_credentials(tmp_path, ["localhost"], ["127.0.0.1"])

    assert {path.name for path in tmp_path.iterdir()} == {
        "ca.crt",
        "apiserver.crt",
        "apiserver.key",
        "service-account.key",
    }
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.iterdir())


def test_the_control_plane_listens_on_loopback_only_and_checks_rights(tmp_path: Path) -> None:
    settings = flags.Settings(tmp_path, etcd_port=1, etcd_peer_port=2, api_port=3)

    arguments = flags.apiserver(settings) + flags.etcd(settings)

    assert {"--bind-address=127.0.0.1", "--authorization-mode=RBAC", "--unsafe-no-fsync"} <= set(arguments)
    assert all(
        "127.0.0.1" in each for each in arguments if each.startswith(("--listen", "--advertise", "--etcd-servers"))
    )
