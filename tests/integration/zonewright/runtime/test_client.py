"""The client on an API server: every verb, every way to configure it, credentials that change."""

import base64
import gc
import json
import os
import secrets
import socket
import struct
import threading
from pathlib import Path

import kubernetes
import pytest

from tests.support.gadgets import forward_proxy, gadget, install, kind_of, uninstall
from zonewright.api import errors
from zonewright.api.kind import Kind, Request
from zonewright.cache.informers import InformerSet
from zonewright.client.client import Client, Patch
from zonewright.client.config import Config
from zonewright.client.transport import Call, DirectTransport
from zonewright.envtest.chaos import DropReply, Fail, Hang, Reset
from zonewright.envtest.cluster import Cluster
from zonewright.testing import eventually

CONFIG_MAP: Kind[dict] = Kind("", "v1", "ConfigMap", "configmaps")


@pytest.fixture(params=["our loader", "the official loader"])
def client(cluster, request):
    made = Client.from_config(Config.load(cluster.kubeconfig, official=request.param == "the official loader"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def kind(cluster):
    kind = kind_of(f"client-{secrets.token_hex(3)}.example.org")
    api = Client.from_config(Config.load(cluster.kubeconfig))
    install(api, kind)
    yield kind
    uninstall(api, kind)
    api.close()


def test_the_official_client_is_one_that_we_support():
    assert kubernetes.__version__.split(".")[0] in {"36", "37"}


def test_an_objects_life(client, kind, namespace):
    created = client.create(kind, gadget("a", namespace))
    assert created["spec"] == {"size": 1}
    assert client.get(kind, "a", namespace)["metadata"]["uid"] == created["metadata"]["uid"]

    created["spec"]["size"] = 2
    updated = client.update(kind, created)
    assert updated["spec"] == {"size": 2}
    with pytest.raises(errors.Conflict):
        client.update(kind, created)

    updated["status"] = {"ready": True}
    assert client.update_status(kind, updated)["status"] == {"ready": True}
    patched = client.patch(kind, "a", {"status": {"ready": False}}, namespace=namespace, subresource="status")
    assert patched.fields()["status"] == {"ready": False}
    assert patched.generation == 2

    assert [found["metadata"]["name"] for found in client.list(kind, namespace)] == ["a"]
    client.delete(kind, "a", namespace)
    with pytest.raises(errors.NotFound):
        client.get(kind, "a", namespace)


def test_patches_of_every_type(client, kind, namespace):
    client.create(kind, gadget("a", namespace))
    merged = client.patch(kind, "a", {"spec": {"colour": "red"}}, namespace=namespace)
    assert merged.fields()["spec"] == {"size": 1, "colour": "red"}
    operations = [{"op": "replace", "path": "/spec/size", "value": 5}]
    assert client.patch(kind, "a", operations, namespace=namespace, type=Patch.JSON).fields()["spec"]["size"] == 5
    applied = {"apiVersion": kind.api_version, "kind": kind.kind, "spec": {"shape": "round"}}
    body = {**applied, "metadata": {"name": "a"}}
    shaped = client.patch(kind, "a", body, namespace=namespace, type=Patch.APPLY, field_manager="test")
    assert shaped.fields()["spec"]["shape"] == "round"
    contested = {**body, "spec": {"size": 7}}
    with pytest.raises(errors.Conflict):
        client.patch(kind, "a", contested, namespace=namespace, type=Patch.APPLY, field_manager="test")
    forced = client.patch(kind, "a", contested, namespace=namespace, type=Patch.APPLY, field_manager="test", force=True)
    assert forced.fields()["spec"]["size"] == 7


def test_refusals_are_exceptions(client, kind, namespace):
    client.create(kind, gadget("a", namespace))
    with pytest.raises(errors.AlreadyExists):
        client.create(kind, gadget("a", namespace))
    with pytest.raises(errors.Invalid) as invalid:
        client.create(kind, gadget("b", namespace, size="large"))
    assert "spec.size" in invalid.value.message
    with pytest.raises(errors.NotFound):
        client.delete(kind, "missing", namespace)
    with pytest.raises(errors.Conflict):
        client.delete(kind, "a", namespace, uid="another")
    with pytest.raises(errors.NotFound):
        client.list(Kind("nobody.example.org", "v1", "Nothing", "nothings"))


def test_a_list_is_read_in_pages(client, namespace, monkeypatch):
    monkeypatch.setattr("zonewright.client.client.PAGE_SIZE", 2)
    for number in range(5):
        client.create(CONFIG_MAP, {"metadata": {"name": f"c{number}", "namespace": namespace, "labels": {"x": "y"}}})
    names = [found["metadata"]["name"] for found in client.list(CONFIG_MAP, namespace, label_selector="x=y")]
    assert names == [f"c{number}" for number in range(5)]


def test_many_threads_share_a_few_connections(client, namespace):
    client.create(CONFIG_MAP, {"metadata": {"name": "c", "namespace": namespace}})
    found: list[str] = []

    def work():
        found.extend(client.get(CONFIG_MAP, "c", namespace)["metadata"]["name"] for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["c"] * 160
    assert len(client.transport._idle) <= 8


# --- configurations that only the official loader reads


def kubeconfig(cluster, tmp_path, user):
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "test",
        "clusters": [
            {
                "name": "test",
                "cluster": {
                    "server": cluster.server_url,
                    "certificate-authority-data": base64.b64encode(Path(cluster.ca).read_bytes()).decode(),
                },
            }
        ],
        "users": [{"name": "test", "user": user}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
    }
    file = tmp_path / "kubeconfig"
    file.write_text(json.dumps(document))
    return file


def test_an_exec_plugin(cluster, tmp_path):
    credential = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "kind": "ExecCredential",
        "status": {"token": cluster.token},
    }
    (tmp_path / "credential").write_text(json.dumps(credential))
    user = {
        "exec": {
            "apiVersion": "client.authentication.k8s.io/v1",
            "command": "cat",
            "args": [str(tmp_path / "credential")],
            "interactiveMode": "Never",
        }
    }
    client = Client.from_config(Config.load(kubeconfig(cluster, tmp_path, user)))
    assert client.get(Kind("", "v1", "Namespace", "namespaces", namespaced=False), "default")
    client.close()


def test_behind_a_proxy(cluster, namespace, kind, monkeypatch):
    with forward_proxy() as (url, asked):
        for name in list(os.environ):
            if name.lower().endswith("_proxy"):
                monkeypatch.delenv(name)
        monkeypatch.setenv("HTTPS_PROXY", url)
        client = Client.from_config(Config.load(cluster.kubeconfig))
        informers = InformerSet(client, namespace=namespace)
        client.on_write = informers.wrote
        informer = informers.informer(kind)
        informers.start()
        assert informers.wait(120)
        client.create(kind, gadget("a", namespace))
        eventually(lambda: informer.state().version and len(informer) == 1, what="the object by the watch")
        with pytest.raises(errors.NotFound):
            client.get(kind, "missing", namespace)
        informers.stop()
        assert not informer.alive
        client.close()
    assert asked
    assert all(line.startswith("CONNECT ") for line in asked)


# --- credentials that change


def test_a_rotated_token_is_read_again_when_the_old_one_is_refused(cluster, namespace, kind, tmp_path):
    old = cluster.new_token()
    file = cluster.write_kubeconfig(tmp_path / "kubeconfig", token=old)
    client = Client.from_config(Config.load(file))
    informers = InformerSet(client, namespace=namespace)
    informer = informers.informer(kind)
    informers.start()
    assert informers.wait(120)
    cluster.write_kubeconfig(file, token=cluster.new_token())
    cluster.revoke_token(old)
    eventually(lambda: client.create(kind, gadget("a", namespace)), what="a write with the new token")
    eventually(lambda: informer.object(Request(namespace, "a")), what="the object by the watch")
    informers.stop()
    client.close()


def test_without_a_good_token_it_is_unauthorized(cluster, tmp_path):
    client = Client.from_config(Config.load(cluster.write_kubeconfig(tmp_path / "k", token="wrong")))
    with pytest.raises(errors.Unauthorized):
        client.get(CONFIG_MAP, "a", "default")
    client.close()


# --- an API server that misbehaves


@pytest.fixture
def suffering(chaos):
    client = Client.from_config(Config.load(chaos.kubeconfig))
    yield client
    client.close()


def test_a_server_that_hangs_is_given_up_in_time(chaos, suffering, namespace):
    chaos.add(Hang(), verb="GET")
    with pytest.raises(errors.Unreachable):
        suffering.get(CONFIG_MAP, "a", namespace, timeout=0.5)


def test_a_write_whose_reply_is_lost_is_ambiguous_and_not_repeated(chaos, suffering, kind, namespace):
    suffering.list(kind, namespace)  # an idle connection
    chaos.add(DropReply(), verb="POST", times=1)
    with pytest.raises(errors.Unreachable) as lost:
        suffering.create(kind, gadget("a", namespace))
    assert lost.value.sent
    assert suffering.get(kind, "a", namespace)


def test_a_read_whose_idle_connection_breaks_is_repeated(chaos, suffering, kind, namespace):
    suffering.list(kind, namespace)
    chaos.add(Reset(), verb="LIST", times=1)
    assert suffering.list(kind, namespace) == []


def test_a_busy_server_says_when_to_come_back(chaos, suffering, namespace):
    chaos.add(Fail(429, retry_after=3), times=1)
    with pytest.raises(errors.TooManyRequests) as busy:
        suffering.get(CONFIG_MAP, "a", namespace)
    assert busy.value.retry_after == 3


def test_a_peer_that_is_gone_before_the_handshake_leaks_no_socket(cluster: Cluster):
    """CPython's wrap_socket leaves the socket of a connection that was reset open; a warning is an error here."""
    config = Config.load(cluster.kubeconfig)

    def reset(_address: tuple[str, int], timeout: float) -> socket.socket:
        with socket.create_server(("127.0.0.1", 0)) as server:
            mine = socket.create_connection(server.getsockname(), timeout=timeout)
            peer, _ = server.accept()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close with RST
        peer.close()
        return mine

    with pytest.raises(errors.Unreachable):
        DirectTransport(config, dial=reset).request(Call("GET", "/version"))
    gc.collect()
