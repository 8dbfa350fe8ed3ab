"""The embedded server as kubectl, our own client and a manager's watches meet it, over its sockets.

It has a server of its own whatever --backend says: these are the promises of this backend. What must be the same on all
backends is in test_differential.py."""

import http.client
import json
import secrets
import shutil
import ssl
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psutil
import pytest
import yaml

from tests.support import WIDGETS
from zonewright.envtest import kubectl as kubectl_program
from zonewright.envtest.cluster import RequestKey, count
from zonewright.envtest.embedded import Embedded
from zonewright.envtest.embedded.api import LEFT_OUT
from zonewright.envtest.errors import ApplyFailed, Unavailable
from zonewright.envtest.external import External
from zonewright.envtest.kubeconfig import write_kubeconfig
from zonewright.envtest.processes import started_at
from zonewright.testing import eventually

CRD = WIDGETS


def kubectls():
    """The one beside the control plane's programs and the one in PATH; where there is none, tests of it say so."""
    try:
        found = str(kubectl_program.find())
    except Unavailable:
        return [""]
    return sorted({found, shutil.which("kubectl") or found})


@pytest.fixture(scope="module")
def server():
    running = Embedded()
    try:
        cluster = running.start()
        cluster.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", yaml.safe_load(CRD.read_text()))
        yield cluster
    finally:
        running.stop()


@pytest.fixture
def space(server):
    name = f"t{secrets.token_hex(4)}"
    server.create("/api/v1/namespaces", {"metadata": {"name": name}})
    yield name
    server.request("DELETE", f"/api/v1/namespaces/{name}")


@pytest.fixture
def widgets(space):
    return f"/apis/envtest.example.org/v1/namespaces/{space}/widgets"


@pytest.fixture(params=kubectls(), ids=lambda path: Path(path).parent.name)
def kubectl(request, server, space):
    kubectl_program.find()

    def run(*args, stdin=None, check=True):
        command = [request.param, "--kubeconfig", str(server.kubeconfig), "--namespace", space, *args]
        done = subprocess.run(command, input=stdin, text=True, capture_output=True, timeout=120, check=False)
        assert not check or done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    return run


def widget(name="w", **spec):
    meta = {"name": name}
    return {"apiVersion": "envtest.example.org/v1", "kind": "Widget", "metadata": meta, "spec": {"color": "red"} | spec}


class Watch:
    def __init__(self, server, path, **query):
        url = urlsplit(server.server_url)
        tls = ssl.create_default_context(cafile=str(server.ca))
        self._connection = http.client.HTTPSConnection(url.hostname, url.port, timeout=60, context=tls)
        target = f"{path}?{urlencode({'watch': 'true', **query})}"
        self._connection.request("GET", target, headers={"Authorization": f"Bearer {server.token}"})
        self._reply = self._connection.getresponse()
        assert self._reply.status == 200

    def event(self):
        line = self._reply.readline()
        return json.loads(line) if line else None

    def events(self):
        return list(iter(self.event, None))

    def close(self):
        self._connection.close()


def summary(event):
    return event["type"], event["object"]["metadata"].get("name")


# ---- kubectl ----


@pytest.mark.kubectl
def test_kubectl_applies_changes_shows_and_deletes_a_custom_object(kubectl):
    assert "created" in kubectl("apply", "-f", "-", stdin=json.dumps(widget()))
    assert "unchanged" in kubectl("apply", "-f", "-", stdin=json.dumps(widget()))
    assert "configured" in kubectl("apply", "-f", "-", stdin=json.dumps(widget(color="blue", tags=["a"])))
    assert "labeled" in kubectl("label", "widget", "w", "x=y")
    assert "annotated" in kubectl("annotate", "widget", "w", "note=text")
    assert "patched" in kubectl("patch", "wd", "w", "--type=merge", "-p", '{"spec":{"size":9}}')
    assert "patched" in kubectl("patch", "wd", "w", "--type=json", "-p", '[{"op":"remove","path":"/spec/tags"}]')
    shown = json.loads(kubectl("get", "widget", "w", "-o", "json"))
    assert shown["spec"] == {"color": "blue", "size": 9, "enabled": True, "limits": {"low": 0, "high": 10}}
    assert kubectl("get", "wd").split()[:5] == ["NAME", "COLOR", "SIZE", "READY", "AGE"]
    assert "deleted" in kubectl("delete", "widget", "w")
    assert "NotFound" in kubectl("get", "widget", "w", check=False)


@pytest.mark.kubectl
def test_kubectl_waits_for_conditions_and_fields(kubectl):
    kubectl("apply", "-f", "-", stdin=json.dumps(widget()))
    ready = '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}'
    kubectl("patch", "widget", "w", "--subresource=status", "--type=merge", "-p", ready)
    assert "condition met" in kubectl("wait", "--for=condition=Ready", "widget/w", "--timeout=100s")
    assert "condition met" in kubectl("wait", "--for=jsonpath={.spec.size}=7", "widget/w", "--timeout=100s")


@pytest.mark.kubectl
def test_kubectl_is_told_what_is_wrong_with_which_field(kubectl):
    refused = kubectl("apply", "-f", "-", stdin=json.dumps(widget(color="pink", size=0)), check=False)
    assert 'spec.color: Unsupported value: "pink": supported values: "red", "green", "blue"' in refused
    assert "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1" in refused
    assert 'unknown field "spec.odd"' in kubectl("apply", "-f", "-", stdin=json.dumps(widget(odd=1)), check=False)


@pytest.mark.kubectl
def test_kubectl_applies_server_side_with_conflicts(kubectl):
    assert "serverside-applied" in kubectl("apply", "--server-side", "-f", "-", stdin=json.dumps(widget()))
    other = ("apply", "--server-side", "--field-manager=other", "-f", "-")
    blue = json.dumps(widget(color="blue"))
    assert "conflict" in kubectl(*other, stdin=blue, check=False)
    assert "serverside-applied" in kubectl(*other, "--force-conflicts", stdin=blue)


@pytest.mark.kubectl
def test_kubectl_finds_and_explains_kinds(kubectl):
    assert "widgets" in kubectl("api-resources", "--api-group=envtest.example.org")
    assert "The paint." in kubectl("explain", "widget.spec.color")
    assert "containers" in kubectl("explain", "pod.spec")


@pytest.mark.kubectl
def test_kubectl_runs_a_namespace_through_its_life(kubectl, space):
    name = f"{space}-b"
    manifest = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    kubectl("apply", "-f", "-", stdin=json.dumps(manifest))
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": name}}
    kubectl("apply", "--namespace", name, "-f", "-", stdin=json.dumps(config))
    assert "Active" in kubectl("get", "namespace", name)
    assert "deleted" in kubectl("delete", "namespace", name)
    assert "NotFound" in kubectl("get", "namespace", name, check=False)


@pytest.mark.kubectl
def test_kubectl_applies_built_in_kinds_twice_without_a_change(kubectl):
    labels = {"app": "x"}
    container = {"name": "c", "image": "example.org/x:1"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d"},
        "spec": {"selector": {"matchLabels": labels}, "template": template},
    }
    assert "created" in kubectl("apply", "-f", "-", stdin=json.dumps(deployment))
    assert "unchanged" in kubectl("apply", "-f", "-", stdin=json.dumps(deployment))
    container["image"] = "example.org/x:2"
    assert "configured" in kubectl("apply", "-f", "-", stdin=json.dumps(deployment))
    assert "scaled" in kubectl("scale", "deployment", "d", "--replicas=3")
    assert "0/3" in kubectl("get", "deployment", "d")


@pytest.mark.kubectl
def test_kubectl_creates_built_in_kinds_in_whatever_encoding_it_likes(kubectl, space):
    kubectl("create", "configmap", "c", "--from-literal=a=b")
    kubectl("create", "secret", "generic", "s", "--from-literal=a=b")
    kubectl("create", "deployment", "d", "--image=example.org/x:1", "--replicas=2", "--port=80")
    kubectl("create", "poddisruptionbudget", "p", "--selector=app=d", "--max-unavailable=50%")
    assert json.loads(kubectl("get", "configmap", "c", "-o", "json"))["data"] == {"a": "b"}
    assert json.loads(kubectl("get", "secret", "s", "-o", "json"))["data"] == {"a": "Yg=="}
    assert json.loads(kubectl("get", "pdb", "p", "-o", "json"))["spec"]["maxUnavailable"] == "50%"
    deployment = json.loads(kubectl("get", "deployment", "d", "-o", "json"))
    assert deployment["metadata"]["creationTimestamp"].startswith("20")
    assert deployment["spec"]["replicas"] == 2
    assert deployment["spec"]["template"]["spec"]["containers"][0]["ports"] == [
        {"containerPort": 80, "protocol": "TCP"}
    ]
    kubectl("create", "namespace", f"{space}-c")
    kubectl("delete", "namespace", f"{space}-c")


# ---- without kubectl ----


def test_a_manifest_is_applied_changed_and_applied_again_without_a_change(server, widgets):
    path = f"{widgets}/w"
    manifest = {**widget(), "metadata": {"name": "w", "namespace": widgets.split("/")[5]}}
    (first,) = server.apply([manifest])
    (again,) = server.apply([manifest])
    (changed,) = server.apply([{**manifest, "spec": {"color": "blue"}}])
    assert first.object["metadata"]["resourceVersion"] == again.object["metadata"]["resourceVersion"]
    assert (changed.object["spec"]["color"], server.get(path)["metadata"]["generation"]) == ("blue", 2)


def test_a_refused_manifest_is_told_with_the_field(server, space):
    with pytest.raises(ApplyFailed, match=r"manifest: Widget w: 422 .*spec\.color: Unsupported value: \"pink\""):
        server.apply([widget(color="pink")], namespace=space)
    with pytest.raises(ApplyFailed, match=r"manifest: Widget w: .*\.spec\.odd: field not declared in schema"):
        server.apply([widget(odd=1)], namespace=space)


def test_conditions_are_waited_for(server, space, widgets):
    server.apply([widget()], namespace=space)
    ready = {"conditions": [{"type": "Ready", "status": "True"}]}
    server.patch(f"{widgets}/w/status", {"status": ready})
    assert server.wait_for(f"{widgets}/w", timeout=5)["status"] == ready


def test_a_namespace_ends_with_all_that_is_in_it(server, space):
    name = f"{space}-b"
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": name}}
    server.apply([config, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}])
    assert server.get(f"/api/v1/namespaces/{name}")["status"]["phase"] == "Active"
    server.delete(f"/api/v1/namespaces/{name}")
    server.wait_gone(f"/api/v1/namespaces/{name}", timeout=10)
    assert server.request("GET", f"/api/v1/namespaces/{name}/configmaps/c").status == 404


# ---- watches ----


def test_a_watch_shows_what_is_there_and_then_what_changes(server, widgets):
    server.create(widgets, widget("a"))
    with closing(Watch(server, widgets)) as watch:
        assert summary(watch.event()) == ("ADDED", "a")
        server.create(widgets, widget("b"))
        server.patch(f"{widgets}/a", {"spec": {"size": 3}})
        server.delete(f"{widgets}/b")
        seen = [summary(watch.event()) for _ in range(3)]
    assert seen == [("ADDED", "b"), ("MODIFIED", "a"), ("DELETED", "b")]


def test_a_watch_resumes_where_another_ended(server, widgets):
    version = server.create(widgets, widget("a"))["metadata"]["resourceVersion"]
    server.create(widgets, widget("b"))
    server.delete(f"{widgets}/a")
    with closing(Watch(server, widgets, resourceVersion=version)) as watch:
        assert [summary(watch.event()) for _ in range(2)] == [("ADDED", "b"), ("DELETED", "a")]


def test_a_watch_from_forgotten_history_is_told_so_in_the_stream(server, widgets):
    version = server.create(widgets, widget("a"))["metadata"]["resourceVersion"]
    server.forget_history()
    with closing(Watch(server, widgets, resourceVersion=version)) as watch:
        (event,) = watch.events()
    assert (event["type"], event["object"]["code"], event["object"]["reason"]) == ("ERROR", 410, "Expired")


def test_a_page_of_forgotten_history_is_gone(server, widgets):
    for name in ("a", "b"):
        server.create(widgets, widget(name))
    token = server.get(widgets, query={"limit": "1"})["metadata"]["continue"]
    server.forget_history()
    assert server.request("GET", widgets, query={"limit": "1", "continue": token}).status == 410


def test_a_watch_list_ends_its_beginning_with_a_bookmark(server, widgets):
    server.create(widgets, widget("a"))
    options = {"sendInitialEvents": "true", "resourceVersionMatch": "NotOlderThan", "allowWatchBookmarks": "true"}
    with closing(Watch(server, widgets, **options)) as watch:
        assert summary(watch.event()) == ("ADDED", "a")
        mark = watch.event()
        server.create(widgets, widget("b"))
        assert summary(watch.event()) == ("ADDED", "b")
    assert mark["type"] == "BOOKMARK"
    assert mark["object"]["metadata"]["annotations"] == {"k8s.io/initial-events-end": "true"}


def test_a_watch_ends_when_its_time_is_up_with_a_bookmark_if_asked(server, widgets):
    with closing(Watch(server, widgets, timeoutSeconds="1", allowWatchBookmarks="true")) as watch:
        events = watch.events()
    assert [event["type"] for event in events] == ["BOOKMARK"]


def test_a_watcher_by_label_sees_objects_come_and_go(server, widgets):
    with closing(Watch(server, widgets, labelSelector="on=yes")) as watch:
        server.create(widgets, widget("a"))
        server.patch(f"{widgets}/a", {"metadata": {"labels": {"on": "yes"}}})
        server.patch(f"{widgets}/a", {"spec": {"size": 3}})
        server.patch(f"{widgets}/a", {"metadata": {"labels": {"on": "no"}}})
        seen = [summary(watch.event()) for _ in range(3)]
    assert seen == [("ADDED", "a"), ("MODIFIED", "a"), ("DELETED", "a")]


def test_objects_are_selected_by_declared_fields(server, widgets):
    server.create(widgets, widget("a"))
    server.create(widgets, widget("b", color="blue"))
    found = server.get(widgets, query={"fieldSelector": "spec.color=blue"})
    assert [item["metadata"]["name"] for item in found["items"]] == ["b"]


# ---- the server ----


def test_only_those_with_a_token_are_let_in_and_tokens_come_and_go(server):
    assert server.request("GET", "/api/v1/namespaces", token="wrong").status == 401
    fresh = server.new_token()
    assert server.request("GET", "/api/v1/namespaces", token=fresh).status == 200
    server.revoke_token(fresh)
    assert server.request("GET", "/api/v1/namespaces", token=fresh).status == 401


def test_a_cluster_of_ones_own_that_refuses_the_token_says_so(server, tmp_path):
    external = External(
        kubeconfig=write_kubeconfig(tmp_path / "kubeconfig", server.server_url, server.ca, {"token": "wrong"})
    )
    try:
        with pytest.raises(Unavailable, match=f"kubeconfig at {server.server_url} refuses: 401 Unauthorized"):
            external.start()
    finally:
        external.stop()


def test_the_api_can_be_taken_away_and_comes_back_with_its_objects(server, widgets):
    server.create(widgets, widget("a"))
    watch = Watch(server, widgets)
    server.stop_api()
    with pytest.raises(OSError, match="refused"):
        server.request("GET", widgets)
    watch.close()
    server.start_api()
    assert server.get(f"{widgets}/a")["spec"]["color"] == "red"


def test_requests_are_counted_as_on_a_real_server(server, widgets):
    before = server.requests()
    server.create(widgets, widget("a"))
    server.patch(f"{widgets}/a/status", {"status": {"phase": "Up"}})
    server.request("GET", f"{widgets}/none")
    server.get(widgets)
    since: Counter[RequestKey] = Counter()

    def counted():  # after they are answered
        since.clear()
        since.update(server.requests())
        since.subtract(before)
        return count(since, verb="LIST", resource="widgets", code="200")

    eventually(counted, what=lambda: f"a count of the requests: {since}")
    assert count(since, verb="POST", resource="widgets", code="201") == 1
    assert count(since, verb="PATCH", resource="widgets", subresource="status", code="200") == 1
    assert count(since, verb="GET", resource="widgets", code="404") == 1
    assert count(since, verb="LIST", resource="widgets", code="200") == 1


def test_discovery_comes_in_one_document_for_those_who_ask(server):
    url = urlsplit(server.server_url)
    tls = ssl.create_default_context(cafile=str(server.ca))
    accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"
    with closing(http.client.HTTPSConnection(url.hostname, url.port, timeout=60, context=tls)) as connection:
        connection.request("GET", "/apis", headers={"Authorization": f"Bearer {server.token}", "Accept": accept})
        reply = connection.getresponse()
        groups = {item["metadata"]["name"] for item in json.load(reply)["items"]}
    assert "as=APIGroupDiscoveryList" in reply.headers["Content-Type"]
    assert {"apps", "envtest.example.org"} <= groups


def test_openapi_v2_has_every_kind(server):
    definitions = server.get("/openapi/v2")["definitions"]
    assert definitions["org.example.envtest.v1.Widget"]["properties"]["spec"]["type"] == "object"
    assert "io.k8s.api.core.v1.Pod" in definitions


def test_too_large_a_body_is_refused(server, widgets):
    body = widget("a", free={"text": "x" * 4_000_000})
    assert server.request("POST", widgets, body).status == 413


def test_it_says_at_start_what_it_leaves_out(server):
    assert LEFT_OUT in server.program.output()


def test_it_weighs_less_than_eighty_megabytes(server):
    assert psutil.Process(server.program.pid).memory_info().rss < 80 << 20


def test_it_ends_with_those_who_started_it():
    start = (
        "from zonewright.envtest.embedded import Embedded; import os; print(Embedded().start().program.pid, flush=True)"
    )
    command = [sys.executable, "-c", f"{start}; os._exit(9)"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    eventually(lambda: started_at(int(done.stdout)) is None, what="its end")
