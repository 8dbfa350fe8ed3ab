"""The server without its sockets: verbs, deletion and what follows; the test holds time and background work."""

import datetime as dt
import json

import pytest
import yaml

from tests.support import WIDGETS
from zonewright.envtest.embedded import codec
from zonewright.envtest.embedded.api import Api
from zonewright.envtest.embedded.deletion import DeleteOptions
from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.intake import Options
from zonewright.envtest.embedded.routing import find_target
from zonewright.envtest.embedded.store import Key
from zonewright.envtest.embedded.tables import age
from zonewright.envtest.embedded.verbs import Query
from zonewright.envtest.embedded.views import View, form_of

CRD = WIDGETS
NOW = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)


class World:
    """An API and the work it has put off."""

    def __init__(self) -> None:
        self.pending: list = []
        self.api = Api(self.pending.append, now=lambda: NOW)
        self.create("customresourcedefinitions", yaml.safe_load(CRD.read_text()), namespace="")
        self.settle()

    def settle(self) -> None:
        while self.pending:
            self.pending.pop(0)()

    def resource(self, plural):
        return next(one for one in self.api.registry if one.plural == plural)

    def create(self, plural, body, namespace="default", **options):
        done = self.api.verbs.create(self.resource(plural), namespace, body, Options(**options))
        return codec.decode(done.raw)

    def widget(self, name, **meta):
        return self.create("widgets", widget(name, **meta))

    def get(self, plural, name, namespace="default"):
        entry = self.api.store.get(self.resource(plural).collection, Key(namespace, name))
        return codec.decode(entry.raw) if entry else None

    def patch(self, name, change, **options):
        body = json.dumps(change).encode()
        kind = "application/merge-patch+json"
        done = self.api.verbs.patch(self.resource("widgets"), Key("default", name), body, kind, Options(**options))
        return codec.decode(done.raw)

    def delete(self, plural, name, namespace="default", **options):
        return self.api.deleter.delete(self.resource(plural), Key(namespace, name), DeleteOptions(**options))


def widget(name, spec=None, **meta):
    spec = spec or {"color": "red"}
    return {"apiVersion": "envtest.example.org/v1", "kind": "Widget", "metadata": {"name": name, **meta}, "spec": spec}


def owner(fields, **more):
    reference = {"apiVersion": fields["apiVersion"], "kind": fields["kind"], "name": fields["metadata"]["name"]}
    return reference | {"uid": fields["metadata"]["uid"], **more}


@pytest.fixture
def world():
    return World()


def test_a_created_object_has_its_identity_and_defaults(world):
    made = world.widget("a")
    meta = made["metadata"]
    assert meta["generation"] == 1
    assert meta["creationTimestamp"] == "2026-01-02T03:04:05Z"
    assert made["spec"]["size"] == 7
    assert meta["resourceVersion"] == str(world.api.store.revision)


def test_the_generation_follows_the_spec_and_nothing_else(world):
    world.widget("a")
    assert world.patch("a", {"metadata": {"labels": {"x": "y"}}})["metadata"]["generation"] == 1
    assert world.patch("a", {"status": {"phase": "Up"}}, subresource="status")["metadata"]["generation"] == 1
    assert world.patch("a", {"spec": {"size": 9}})["metadata"]["generation"] == 2


def test_status_and_the_rest_cannot_be_changed_through_each_other(world):
    world.widget("a")
    assert "status" not in world.patch("a", {"status": {"phase": "Up"}})
    changed = world.patch("a", {"status": {"phase": "Up"}, "spec": {"size": 9}}, subresource="status")
    assert (changed["status"], changed["spec"]["size"]) == ({"phase": "Up"}, 7)


def test_a_write_that_changes_nothing_makes_no_revision(world):
    before = world.widget("a")["metadata"]["resourceVersion"]
    assert world.patch("a", {"spec": {"color": "red"}})["metadata"]["resourceVersion"] == before


def test_a_dry_run_answers_and_stores_nothing(world):
    revision = world.api.store.revision
    made = world.create("widgets", widget("a"), dry_run=True)
    assert "resourceVersion" not in made["metadata"]
    assert world.get("widgets", "a") is None
    assert world.api.store.revision == revision


def test_an_object_with_finalizers_goes_with_the_last_of_them(world):
    world.widget("a", finalizers=["example.org/x"])
    assert not world.delete("widgets", "a").gone
    assert world.get("widgets", "a")["metadata"]["deletionTimestamp"] == "2026-01-02T03:04:05Z"
    with pytest.raises(ApiError, match="no new finalizers"):
        world.patch("a", {"metadata": {"finalizers": ["example.org/x", "example.org/y"]}})
    world.patch("a", {"metadata": {"finalizers": []}})
    assert world.get("widgets", "a") is None


@pytest.mark.parametrize(("policy", "child_stays"), [("Background", False), ("Foreground", False), ("Orphan", True)])
def test_dependents_follow_their_owner_as_the_policy_says(world, policy, child_stays):
    parent = world.widget("parent")
    world.widget("child", ownerReferences=[owner(parent, blockOwnerDeletion=True)])
    world.delete("widgets", "parent", propagation=policy)
    world.settle()
    assert world.get("widgets", "parent") is None
    child = world.get("widgets", "child")
    assert (child is not None) is child_stays
    if child:
        assert "ownerReferences" not in child["metadata"]


def test_foreground_deletion_waits_for_a_dependent_that_is_held(world):
    parent = world.widget("parent")
    held = owner(parent, blockOwnerDeletion=True)
    world.widget("child", ownerReferences=[held], finalizers=["example.org/x"])
    world.delete("widgets", "parent", propagation="Foreground")
    world.settle()
    assert world.get("widgets", "parent") is not None
    world.patch("child", {"metadata": {"finalizers": None}})
    world.settle()
    assert world.get("widgets", "parent") is None


def test_an_object_with_a_living_owner_stays_and_forgets_the_dead_one(world):
    one, other = world.widget("one"), world.widget("other")
    world.widget("child", ownerReferences=[owner(one), owner(other)])
    world.delete("widgets", "one")
    world.settle()
    assert [ref["name"] for ref in world.get("widgets", "child")["metadata"]["ownerReferences"]] == ["other"]


def test_an_object_whose_owner_never_was_is_collected(world):
    parent = world.widget("parent")
    parent["metadata"]["uid"] = "no-such-uid"
    world.widget("child", ownerReferences=[owner(parent)])
    world.settle()
    assert world.get("widgets", "child") is None


def test_a_namespace_ends_when_the_last_of_its_contents_does(world):
    world.create("namespaces", {"metadata": {"name": "team"}}, namespace="")
    held = widget("held", finalizers=["example.org/x"])
    world.create("widgets", held, namespace="team")
    world.create("configmaps", {"metadata": {"name": "free"}}, namespace="team")
    world.delete("namespaces", "team", namespace="")
    world.settle()
    assert world.get("namespaces", "team", "")["status"]["phase"] == "Terminating"
    assert world.get("configmaps", "free", "team") is None
    with pytest.raises(ApiError, match="because it is being terminated"):
        world.create("widgets", widget("late"), namespace="team")
    body = b'{"metadata":{"finalizers":null}}'
    key = Key("team", "held")
    world.api.verbs.patch(world.resource("widgets"), key, body, "application/merge-patch+json", Options())
    world.settle()
    assert world.get("namespaces", "team", "") is None


def test_a_definition_goes_after_its_objects_and_is_served_no_more(world):
    world.widget("a", finalizers=["example.org/x"])
    world.delete("customresourcedefinitions", "widgets.envtest.example.org", namespace="")
    world.settle()
    assert world.get("customresourcedefinitions", "widgets.envtest.example.org", "") is not None
    world.patch("a", {"metadata": {"finalizers": None}})
    world.settle()
    assert world.api.registry.find("envtest.example.org", "v1", "widgets") is None


def test_a_changed_definition_shows_in_what_is_stored(world):
    world.widget("a")
    crd = world.get("customresourcedefinitions", "widgets.envtest.example.org", "")
    properties = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
    properties["fresh"] = {"type": "string", "default": "new"}
    del properties["enabled"]
    key = Key("", "widgets.envtest.example.org")
    world.api.verbs.update(world.resource("customresourcedefinitions"), key, crd, Options())
    spec = world.get("widgets", "a")["spec"]
    assert spec["fresh"] == "new"
    assert "enabled" not in spec


def test_pages_show_one_revision_while_the_world_moves_on(world):
    for name in ("a", "b", "c"):
        world.widget(name)
    verbs, resource = world.api.verbs, world.resource("widgets")
    first = verbs.page(resource, Query(), limit=2)
    world.delete("widgets", "c")
    world.widget("d")
    second = verbs.page(resource, Query(), limit=2, token=first.token)
    assert [entry.key.name for entry in (*first.entries, *second.entries)] == ["a", "b", "c"]
    assert second.revision == first.revision
    world.api.store.compact()
    with pytest.raises(ApiError) as refused:
        verbs.page(resource, Query(), limit=2, token=first.token)
    assert refused.value.code == 410


def test_a_pod_on_a_node_is_given_its_grace(world):
    pod = {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "x"}], "nodeName": "n"}}
    world.create("pods", pod)
    assert not world.delete("pods", "p").gone
    assert world.get("pods", "p")["metadata"]["deletionGracePeriodSeconds"] == 30
    assert world.delete("pods", "p", grace=0).gone


def test_both_kinds_of_event_show_the_same_object(world):
    world.create("events", {"metadata": {"name": "e"}, "involvedObject": {"kind": "Pod"}, "message": "hello"})
    newer = world.api.registry.find("events.k8s.io", "v1", "events")
    entry = world.api.verbs.entry(newer, Key("default", "e"))
    shown = codec.decode(world.api.verbs.shown(newer, entry))
    assert (shown["apiVersion"], shown["note"], shown["regarding"]) == ("events.k8s.io/v1", "hello", {"kind": "Pod"})


def test_unknown_fields_are_dropped_refused_or_passed_over(world):
    body = widget("a", {"color": "red", "odd": 1})
    resource = world.resource("widgets")
    with pytest.raises(ApiError, match=r'strict decoding error: unknown field "spec\.odd"'):
        world.api.verbs.create(resource, "default", body, Options(validation="Strict"))
    body = widget("a", {"color": "red", "odd": 1})
    done = world.api.verbs.create(resource, "default", body, Options(validation="Warn"))
    assert done.warnings == ('unknown field "spec.odd"',)
    assert "odd" not in codec.decode(done.raw)["spec"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/api/v1/namespaces", ("namespaces", "", "", "")),
        ("/api/v1/namespaces/x", ("namespaces", "", "x", "")),
        ("/api/v1/namespaces/x/status", ("namespaces", "", "x", "status")),
        ("/api/v1/namespaces/x/pods", ("pods", "x", "", "")),
        ("/apis/apps/v1/namespaces/x/deployments/d/scale", ("deployments", "x", "d", "scale")),
        ("/apis/apps/v1/deployments", ("deployments", "", "", "")),
        ("/apis/apps/v1/deployments/d", None),
        ("/api/v1/namespaces/x/nothing", None),
        ("/api/v1", None),
        ("/metrics", None),
    ],
)
def test_paths_lead_to_what_they_name(world, path, expected):
    target = find_target(world.api.registry, path)
    found = target and (target.resource.plural, target.namespace, target.name, target.subresource)
    assert found == expected


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (119, "119s"),
        (120, "2m"),
        (200, "3m20s"),
        (3600, "60m"),
        (4 * 3600 + 60, "4h1m"),
        (50 * 3600, "2d2h"),
    ],
)
def test_ages_read_as_in_kubectl(seconds, text):
    assert age((NOW - dt.timedelta(seconds=seconds)).isoformat(), NOW) == text


def test_tables_have_the_columns_of_the_definition(world):
    made = world.widget("a")
    view = View("Table", "None", world.resource("widgets"), lambda: NOW)
    table = codec.decode(view.one(codec.encode(made)))
    assert [column["name"] for column in table["columnDefinitions"]] == [
        "Name",
        "Color",
        "Size",
        "Ready",
        "Tags",
        "Age",
    ]
    assert table["rows"] == [{"cells": ["a", "red", 7, None, None, "0s"]}]


@pytest.mark.parametrize(
    ("accept", "many", "form"),
    [
        ("application/json", False, ""),
        ("*/*", True, ""),
        ("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", False, "Table"),
        ("application/vnd.kubernetes.protobuf,application/json", False, ""),
        ("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", True, "PartialObjectMetadata"),
    ],
)
def test_the_first_form_that_can_be_served_is_taken(accept, many, form):
    assert form_of(accept, many=many) == form


def test_a_form_that_cannot_be_served_is_not_acceptable():
    with pytest.raises(ApiError) as refused:
        form_of("application/vnd.kubernetes.protobuf", many=False)
    assert refused.value.code == 406
