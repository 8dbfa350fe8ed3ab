"""Manifests are read, put in order and sent; whatever is wrong is told with the file, the object and the reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from zonewright.envtest.api import Response
from zonewright.envtest.apply import apply, ordered, read
from zonewright.envtest.discovery import Discovery, resources
from zonewright.envtest.errors import ApplyFailed
from zonewright.envtest.waiting import for_absence, for_condition

WIDGETS_SPEC = {
    "group": "example.org",
    "names": {"kind": "Widget", "plural": "widgets"},
    "versions": [{"name": "v1", "served": True}],
}
WIDGETS_CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.org"},
    "spec": WIDGETS_SPEC,
}
CORE = [
    {"name": "namespaces", "kind": "Namespace", "namespaced": False},
    {"name": "configmaps", "kind": "ConfigMap", "namespaced": True, "shortNames": ["cm"], "singularName": "configmap"},
    {"name": "configmaps/status", "kind": "ConfigMap", "namespaced": True},
]
WIDGET = {"name": "widgets", "kind": "Widget", "namespaced": True, "categories": ["all"]}


def named(kind: str, name: str, namespace: str | None = None, api_version: str = "v1") -> dict[str, Any]:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata}


@dataclass
class FakeApi:
    """Serves the core kinds and CRDs; a CRD is established and served some looks after it was applied."""

    looks: int = 2
    refuse: dict[str, list[Response]] = field(default_factory=dict)
    applied: list[str] = field(default_factory=list)
    stored: dict[str, Any] = field(default_factory=dict)
    queries: list[Mapping[str, str]] = field(default_factory=list)

    def request(self, method, path, body=None, *, query=None, content_type="application/json"):
        if self.refuse.get(path):
            return self.refuse[path].pop(0)
        return self.patch(path, body, query, content_type) if method == "PATCH" else self.get(path)

    def patch(self, path, body, query, content_type):
        assert content_type == "application/apply-patch+yaml"
        self.applied.append(path)
        self.queries.append(query)
        self.stored[path] = json.loads(body)
        return Response(200, self.stored[path], ('299 - "old"',))

    def get(self, path):
        documents = {
            "/api/v1": CORE,
            "/apis/apiextensions.k8s.io/v1": [
                {"name": "customresourcedefinitions", "kind": "CustomResourceDefinition", "namespaced": False}
            ],
        }
        if path in documents:
            return Response(200, {"resources": documents[path]})
        if path == "/apis":
            return Response(200, {"groups": [{"preferredVersion": {"groupVersion": "example.org/v1"}}]})
        if path.startswith("/apis/example.org/v1"):
            return self.served(Response(200, {"resources": [WIDGET]}))
        if path in self.stored:
            return Response(200, self.stored[path] | {"status": {"conditions": [self.established()]}})
        return Response(404, {"message": "not found"})

    def served(self, reply: Response) -> Response:
        self.looks -= 1
        return reply if self.looks < 0 else Response(404, {"message": "404 page not found"})

    def established(self) -> dict[str, str]:
        return {"type": "Established", "status": "True"}


# --- reading


def test_text_may_hold_several_documents_and_empty_ones() -> None:
    first, second = (f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: x}}\n" for kind in "AB")
    text = f"# a comment\n---\n{first}---\n---\n{second}---\n"

    assert [item.kind for item in read(text)] == ["A", "B"]


def test_a_directory_is_its_yaml_files_in_order_and_not_those_below(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for name in ("2.yml", "1.yaml", "3.json", "README.md", "below/4.yaml"):
        (tmp_path / name).write_text(json.dumps(named("ConfigMap", f"n{name[0]}")))

    assert [item.name for item in read(tmp_path)] == ["n1", "n2", "n3"]


def test_a_list_is_what_it_lists() -> None:
    found = read([{"apiVersion": "v1", "kind": "List", "items": [named("A", "a"), named("B", "b")]}])

    assert [item.kind for item in found] == ["A", "B"]


def test_an_unquoted_time_stays_text() -> None:
    (item,) = read("apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: {at: 2026-01-01T00:00:00Z, on: 2026-01-01}")

    assert item.object["spec"] == {"at": "2026-01-01T00:00:00Z", True: "2026-01-01"}


def test_an_item_is_called_by_file_kind_and_name(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(json.dumps(named("ConfigMap", "c", "team")))

    assert str(read(tmp_path)[0]) == f"{tmp_path}/a.yaml: ConfigMap team/c"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: [", "manifest is not valid YAML: line 2: "),
        ("just text", "manifest: object 1 is not a Kubernetes object: it has no apiVersion, kind, metadata.name"),
        (
            "apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\nkind: B\nmetadata: {name: b}",
            "object 2 .* no apiVersion",
        ),
        ("apiVersion: v1\nkind: A\nmetadata: {generateName: a}", "no metadata.name"),
        ("apiVersion: v1\nkind: A\nmetadata: {name: 5}", "no metadata.name"),
    ],
)
def test_what_is_no_manifest_says_why_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(ApplyFailed, match=complaint) as refused:
        read(text)
    assert "\n" not in str(refused.value)


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(ApplyFailed, match=r"none\.yaml cannot be read: No such file"):
        read(tmp_path / "none.yaml")
    with pytest.raises(ApplyFailed, match=r"no file that ends in \.json, \.yaml, \.yml"):
        read(tmp_path)


def test_namespaces_and_crds_come_first_and_the_rest_keeps_its_order() -> None:
    items = read([named("Z", "1"), WIDGETS_CRD, named("A", "2"), named("Namespace", "n"), named("Z", "3")])

    assert [item.name for item in ordered(items)] == ["n", "widgets.example.org", "1", "2", "3"]


# --- sending


def test_objects_go_to_the_paths_that_discovery_tells() -> None:
    api = FakeApi()

    apply(api, [named("ConfigMap", "a", "team"), named("ConfigMap", "b"), named("Namespace", "team")], namespace="mine")

    assert api.applied == [
        "/api/v1/namespaces/team",
        "/api/v1/namespaces/team/configmaps/a",
        "/api/v1/namespaces/mine/configmaps/b",
    ]
    assert api.queries[0] == {"fieldManager": "envtest", "force": "true", "fieldValidation": "Strict"}


def test_what_came_of_it_is_returned_with_the_warnings() -> None:
    (applied,) = apply(FakeApi(), [named("ConfigMap", "a")])

    assert (applied.object["metadata"]["name"], applied.warnings) == ("a", ('299 - "old"',))


def test_custom_objects_wait_until_their_crd_is_served() -> None:
    api = FakeApi(looks=3)

    apply(api, [named("Widget", "w", api_version="example.org/v1"), WIDGETS_CRD])

    assert api.applied[-1] == "/apis/example.org/v1/namespaces/default/widgets/w"


def test_a_version_that_is_not_served_is_not_waited_for() -> None:
    versions = [{"name": "v1", "served": True}, {"name": "v2", "served": False}]
    retired = WIDGETS_CRD | {"spec": WIDGETS_SPEC | {"versions": versions}}

    (applied,) = apply(FakeApi(), [retired], timeout=5)

    assert applied.object["spec"]["versions"] == versions


def test_a_crd_that_is_never_served_says_what_stands_in_its_way() -> None:
    api = FakeApi()
    api.established = lambda: {"type": "NamesAccepted", "status": "False", "message": "taken"}  # type: ignore[method-assign]

    with pytest.raises(ApplyFailed, match=r"CustomResourceDefinition widgets\.example\.org: .*NamesAccepted: taken"):
        apply(api, [WIDGETS_CRD], timeout=0.1)


def test_a_kind_that_nobody_serves_is_told() -> None:
    with pytest.raises(ApplyFailed, match=r"manifest: Gadget g: .* no such kind in example.com/v1: is its CRD"):
        apply(FakeApi(), [named("Gadget", "g", api_version="example.com/v1")])


def test_a_refusal_is_the_api_servers_own_words() -> None:
    path = "/api/v1/namespaces/default/configmaps/a"
    api = FakeApi(refuse={path: [Response(422, {"message": "data.b: Invalid value"})]})

    with pytest.raises(ApplyFailed, match=r"manifest: ConfigMap a: 422 data.b: Invalid value"):
        apply(api, [named("ConfigMap", "a")])


def test_an_api_server_that_is_busy_is_asked_again() -> None:
    path = "/api/v1/namespaces/default/configmaps/a"
    api = FakeApi(refuse={path: [Response(429, {}), Response(503, "later")]})

    apply(api, [named("ConfigMap", "a")])

    assert api.applied == [path]


def test_but_not_for_ever() -> None:
    path = "/api/v1/namespaces/default/configmaps/a"
    api = FakeApi(refuse={path: [Response(429, {"message": "busy"})] * 100})

    with pytest.raises(ApplyFailed, match="ConfigMap a: 429 busy"):
        apply(api, [named("ConfigMap", "a")], timeout=0.1)


def test_silence_is_told_with_the_object_that_met_it() -> None:
    class Silent(FakeApi):
        def patch(self, path, body, query, content_type):
            raise ConnectionRefusedError("refused")

    with pytest.raises(ApplyFailed, match="ConfigMap a: the API server does not answer: refused"):
        apply(Silent(), [named("ConfigMap", "a")])


# --- discovery


def test_subresources_are_no_resources() -> None:
    assert [each.plural for each in resources("v1", {"resources": CORE})] == ["namespaces", "configmaps"]


@pytest.mark.parametrize("word", ["configmaps", "configmap", "ConfigMap", "cm"])
def test_a_resource_is_found_by_every_word_for_it(word: str) -> None:
    (found,) = Discovery(FakeApi()).named(word)

    assert found.path("team", "a") == "/api/v1/namespaces/team/configmaps/a"
    assert found.path() == "/api/v1/configmaps"


@pytest.mark.parametrize("word", ["widgets.example.org", "all"])
def test_a_resource_is_found_by_its_group_or_category(word: str) -> None:
    (found,) = Discovery(FakeApi(looks=0)).named(word)

    assert found.kind == "Widget"


def test_of_two_groups_with_the_same_word_the_first_is_meant() -> None:
    class Events(FakeApi):
        def get(self, path):
            if path == "/apis":
                return Response(200, {"groups": [{"preferredVersion": {"groupVersion": "events.k8s.io/v1"}}]})
            return Response(200, {"resources": [{"name": "events", "kind": "Event", "namespaced": True}]})

    assert [each.api_version for each in Discovery(Events()).named("events")] == ["v1"]
    assert [each.api_version for each in Discovery(Events()).named("events.events.k8s.io")] == ["events.k8s.io/v1"]


def test_an_unknown_word_finds_nothing() -> None:
    assert Discovery(FakeApi()).named("gadgets") == []


# --- waiting


class Replies:
    """Answers with one reply after the other; the last stays."""

    def __init__(self, *replies: Response) -> None:
        self.replies = list(replies)

    def request(self, method, path, body=None, *, query=None, content_type="application/json"):
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def ready(status: str = "True", *, generation: int = 1, observed: int = 1) -> Response:
    each = {"type": "Ready", "status": status, "observedGeneration": observed, "reason": "Why", "message": "because"}
    return Response(200, {"metadata": {"generation": generation}, "status": {"conditions": [each]}})


def test_a_condition_is_waited_for_from_before_the_object_is_there() -> None:
    api = Replies(Response(404, {}), Response(200, {"metadata": {}}), ready("False"), ready())

    assert for_condition(api, "/a", "Ready", timeout=5)["metadata"] == {"generation": 1}


def test_a_condition_of_an_earlier_generation_does_not_count() -> None:
    with pytest.raises(TimeoutError, match=r"/a: Ready is not true after 0.1 s"):
        for_condition(Replies(ready(generation=2, observed=1)), "/a", "Ready", timeout=0.1)


def test_a_condition_without_a_generation_counts_as_those_of_crds_do() -> None:
    established = {"conditions": [{"type": "Established", "status": "True"}]}
    api = Replies(Response(200, {"metadata": {"generation": 2}, "status": established}))

    assert for_condition(api, "/a", "Established", timeout=0.1)["status"] == established


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        (ready("False"), "it is False, Why: because"),
        (Response(200, {"metadata": {}}), "it has no such condition"),
        (Response(404, {"message": "not found"}), "the API server says: 404 not found"),
    ],
)
def test_a_condition_that_does_not_come_is_told_with_what_is_there(reply: Response, complaint: str) -> None:
    with pytest.raises(TimeoutError, match=complaint):
        for_condition(Replies(reply), "/a", "Ready", timeout=0.1)


def test_the_end_of_an_object_is_waited_for() -> None:
    for_absence(Replies(Response(200, {}), Response(404, {})), "/a", timeout=5)


def test_what_does_not_end_is_told_with_its_finalizers() -> None:
    held = Response(200, {"metadata": {"finalizers": ["example.org/keep"]}})
    with pytest.raises(
        TimeoutError, match=r"/a is still there after 0.1 s; these finalizers hold it: example.org/keep"
    ):
        for_absence(Replies(held), "/a", timeout=0.1)
