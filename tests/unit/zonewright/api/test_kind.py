"""Kinds, their paths, and requests."""

from typing import Any

import pytest

from zonewright.api.kind import Kind, Request

WIDGET: Kind[Any] = Kind("bench.example.org", "v1", "Widget", "widgets", subresources=frozenset({"status"}))
NODE: Kind[Any] = Kind("", "v1", "Node", "nodes", namespaced=False)
CONFIG_MAP: Kind[Any] = Kind("", "v1", "ConfigMap", "configmaps")


@pytest.mark.parametrize(
    ("kind", "arguments", "path"),
    [
        pytest.param(WIDGET, (), "/apis/bench.example.org/v1/widgets", id="a collection over all namespaces"),
        pytest.param(WIDGET, ("a",), "/apis/bench.example.org/v1/namespaces/a/widgets", id="one namespace"),
        pytest.param(WIDGET, ("a", "b"), "/apis/bench.example.org/v1/namespaces/a/widgets/b", id="an object"),
        pytest.param(
            WIDGET, ("a", "b", "status"), "/apis/bench.example.org/v1/namespaces/a/widgets/b/status", id="a subresource"
        ),
        pytest.param(CONFIG_MAP, ("a", "b"), "/api/v1/namespaces/a/configmaps/b", id="the core group"),
        pytest.param(NODE, ("ignored", "n"), "/api/v1/nodes/n", id="a cluster-scoped kind has no namespace"),
        pytest.param(NODE, (None, "system:node:a"), "/api/v1/nodes/system:node:a", id="colons are fine in names"),
        pytest.param(NODE, (None, "a/../b?c"), "/api/v1/nodes/a%2F..%2Fb%3Fc", id="a name stays one segment"),
    ],
)
def test_paths(kind, arguments, path):
    assert kind.path(*arguments) == path


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_what_cannot_name_an_object_is_refused(name):
    with pytest.raises(ValueError, match="cannot name"):
        NODE.path(None, name)


def test_an_object_of_a_namespaced_kind_needs_its_namespace():
    with pytest.raises(ValueError, match="say which"):
        WIDGET.path(None, "a")


def test_kinds_are_equal_by_group_version_and_kind_whatever_else_they_know():
    assert Kind("g", "v1", "K", "ks") == Kind("g", "v1", "K", "other", model_path="x:Y")
    assert len({Kind("g", "v1", "K", "ks"), Kind("g", "v1", "K", "other"), Kind("g", "v2", "K", "ks")}) == 2
    assert Kind("g", "v1", "K", "ks") != "K"


@pytest.mark.parametrize(
    ("kind", "api_version", "resource", "text"),
    [
        (WIDGET, "bench.example.org/v1", "widgets.bench.example.org", "Widget.bench.example.org"),
        (NODE, "v1", "nodes", "Node"),
    ],
)
def test_names(kind, api_version, resource, text):
    assert (kind.api_version, kind.resource, str(kind)) == (api_version, resource, text)


def test_a_model_is_imported_when_it_is_asked_for():
    assert Kind("", "v1", "X", "xs", model_path="collections:OrderedDict").model().__name__ == "OrderedDict"
    assert CONFIG_MAP.model() is dict


def test_a_request_reads_as_people_write_it():
    assert str(Request("dns", "example-org")) == "dns/example-org"
    assert str(Request("", "node-1")) == "node-1"
