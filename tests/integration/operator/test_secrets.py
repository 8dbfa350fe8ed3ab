"""Secrets: only those that say so are read, only where they may go is anything sent, and nothing of them is printed."""

import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from testbed.stage import Stage
from tests.support.hostile_bindcar import hostile_bindcar
from tests.support.scene import Scene
from zonewright.testing import eventually

PASSWORD = "hunter2-nobody-may-see-this"
LABEL = "bindy.firestoned.io/secret-use"
HOSTS = "bindy.firestoned.io/hosts"


class Listener:
    """Somebody else's host: it notes what it is sent."""

    def __init__(self) -> None:
        self.received = b""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            while True:
                connection, _ = self._socket.accept()
                with connection:
                    connection.settimeout(5)
                    self.received += connection.recv(65536) or b"(nothing)"
        except OSError:
            return

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


def make_secret(scene: Scene, name: str, data: dict[str, str], **fields: Any) -> None:
    metadata = {"name": name, **fields.pop("metadata", {})}
    body = {"metadata": metadata, "stringData": data, **fields}
    scene.stage.cluster.create(f"/api/v1/namespaces/{scene.namespace}/secrets", body)


def change_secret(scene: Scene, name: str, metadata: dict[str, Any]) -> None:
    scene.stage.cluster.patch(f"/api/v1/namespaces/{scene.namespace}/secrets/{name}", {"metadata": metadata})


def make_instance(scene: Scene, name: str, **external: Any) -> None:
    fields = {"address": "127.0.0.1", "role": "primary", **external}
    scene.create("Bind9Instance", name, {"external": fields}, labels={})


def everything_said(scene: Scene, operator: Stage) -> str:
    """All that the operator wrote about this namespace: objects, events, its log."""
    paths = [scene.path("bind9instances"), scene.path("dnszones")]
    paths += [f"/api/v1/namespaces/{scene.namespace}/events"]
    return "".join(json.dumps(scene.stage.cluster.get(path)) for path in paths) + operator.manager_log()


def test_nothing_lost_secrets_opt_in_and_are_never_printed(scene: Scene, operator: Stage, listener: Listener):
    make_secret(scene, "payroll", {"password": PASSWORD})
    entries = {"keyNameKey": "password", "algorithmKey": "password", "secretKey": "password"}
    make_instance(scene, "key", port=listener.port, tsigSecretRef={"name": "payroll", **entries})
    url = f"http://127.0.0.1:{listener.port}"
    server = scene.stage.primaries[0]
    scene.delete("bind9instances", server.name)  # a second one for the same server would do nothing
    make_instance(
        scene,
        "token",
        port=server.port,
        bindcarUrl=url,
        tsigSecretRef={"name": f"{server.name}-tsig"},
        bindcarTokenSecretRef={"name": "payroll", "key": "password"},
    )
    label = f"kubectl label secret payroll --namespace {scene.namespace} {LABEL}="
    told = scene.refused("bind9instances", "key", "ConfigurationInvalid")
    assert f"{label}tsig" in told
    told = scene.refused("bind9instances", "token", "ConfigurationInvalid")
    assert f"{label}bindcar-token" in told
    assert listener.received == b""

    # With the label it is read, and what is wrong with it is told without it.
    change_secret(scene, "payroll", {"labels": {LABEL: "tsig"}})
    scene.patch("bind9instances", "key", {"metadata": {"labels": {"look": "again"}}})
    eventually(lambda: "keyNameKey" in scene.condition("bind9instances", "key")["message"], what="another complaint")
    assert listener.received == b""
    assert PASSWORD not in everything_said(scene, operator)


@pytest.mark.parametrize("entry", ["key-name", "algorithm", "secret"])
def test_no_entry_of_a_key_is_printed_however_wrong_it_is(scene: Scene, operator: Stage, entry: str):
    good = {"key-name": "update", "algorithm": "hmac-sha256", "secret": "c2VjcmV0"}
    make_secret(scene, "tsig", {**good, entry: f"{PASSWORD}..!"}, type="bindy.firestoned.io/tsig")
    make_instance(scene, "key", tsigSecretRef={"name": "tsig"})
    assert f"entry {entry!r}" in scene.refused("bind9instances", "key", "ConfigurationInvalid")
    assert PASSWORD not in everything_said(scene, operator)


def test_the_name_of_a_key_that_a_server_does_not_accept_is_not_printed(scene: Scene, operator: Stage):
    server = scene.stage.primaries[0]
    scene.delete("bind9instances", server.name)  # a second one for the same server would do nothing
    good = {"key-name": PASSWORD, "algorithm": "hmac-sha256", "secret": "c2VjcmV0"}
    make_secret(scene, "tsig", good, type="bindy.firestoned.io/tsig")
    make_instance(scene, "key", port=server.port, tsigSecretRef={"name": "tsig"})
    scene.refused("bind9instances", "key", "TsigVerificationFailed")
    assert PASSWORD not in everything_said(scene, operator)


def test_a_secret_goes_only_to_the_hosts_that_it_names(scene: Scene, listener: Listener):
    server = scene.stage.primaries[0]
    for use, field in (("tsig", "tsigSecretRef"), ("bindcar", "bindcarTokenSecretRef")):
        secret = f"{server.name}-{use}"
        change_secret(scene, secret, {"annotations": {HOSTS: "192.0.2.1, bind.example.org"}})
        scene.patch("bind9instances", server.name, {"metadata": {"labels": {"look": f"at-{use}"}}})
        told = scene.refused("bind9instances", server.name, "ConfigurationInvalid")
        assert told.startswith(f"spec.external.{field}: Secret {scene.namespace}/{secret} ")
        assert HOSTS in told
        change_secret(scene, secret, {"annotations": {HOSTS: "192.0.2.1, 127.0.0.1"}})
        scene.patch("bind9instances", server.name, {"metadata": {"labels": {"look": f"again-at-{use}"}}})
        scene.wait("bind9instances", server.name)


def test_a_token_follows_no_redirect_and_is_not_printed_when_it_is_sent_back(
    scene: Scene, operator: Stage, listener: Listener
):
    server = scene.stage.primaries[0]
    with hostile_bindcar(server) as bindcar:
        elsewhere = f"HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:{listener.port}/\r\nContent-Length: 0\r\n\r\n"
        bindcar.nonsense = lambda _method, _path, _body: [elsewhere.encode()]
        scene.patch("bind9instances", server.name, {"spec": {"external": {"bindcarUrl": bindcar.url}}})
        assert "307" in scene.refused("bind9instances", server.name, "BindcarUnreachable")
        echo = json.dumps({"message": f"who is Bearer {server.token}?"})
        refusal = f"HTTP/1.1 401 X\r\nContent-Length: {len(echo)}\r\n\r\n{echo}"
        bindcar.nonsense = lambda _method, _path, _body: [refusal.encode()]
        scene.patch("bind9instances", server.name, {"metadata": {"labels": {"look": "again"}}})
        scene.refused("bind9instances", server.name, "BindcarAuthFailed")
    assert listener.received == b""
    assert server.token not in everything_said(scene, operator)
