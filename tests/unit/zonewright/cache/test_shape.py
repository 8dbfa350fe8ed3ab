"""Which objects a cache holds, and what of each; which requests share one."""

import inspect
import json
from typing import Any

import pytest

from tests.support.model_server import WIDGET, ModelServer, Stored, key
from zonewright.api import decode
from zonewright.api.kind import Kind, Request
from zonewright.cache.informer import Informer
from zonewright.cache.informers import InformerSet
from zonewright.cache.namespaces import NamespacesInformer
from zonewright.cache.shape import Shape, shape_of
from zonewright.client.client import Client
from zonewright.metrics import REGISTRY

NODE: Kind[Any] = Kind("", "v1", "Node", "nodes", namespaced=False)


def informers(**options: Any) -> InformerSet:
    nowhere: Any = None
    return InformerSet(Client(nowhere), **options)


def without_spec(fields: dict[str, Any]) -> dict[str, Any]:
    fields.pop("spec", None)
    return fields


def made(name: str = "a", version: int = 10, namespace: str = "n", **rest: Any) -> Any:
    fields = Stored(name, f"u-{name}", version, **rest).fields()
    fields["metadata"]["namespace"] = namespace
    return decode.single(WIDGET, json.dumps(fields, separators=(",", ":")).encode())


# --- which cache


SHAPES: list[dict[str, Any]] = [
    {},
    {"namespaces": ["a"]},
    {"namespaces": ["a", "b"]},
    {"label_selector": "app=web"},
    {"label_selector": "app=db"},
    {"field_selector": "metadata.name=x"},
    {"transform": without_spec},
    {"metadata_only": True},
]


def test_each_shape_is_a_cache_of_its_own_and_the_same_shape_is_shared():
    set_ = informers()
    first = [set_.informer(WIDGET, **shape) for shape in SHAPES]
    assert len(set(map(id, first))) == len(SHAPES)
    assert [set_.informer(WIDGET, **shape) for shape in SHAPES] == first
    assert set_.informer(WIDGET, namespaces={"b", "a"}) is set_.informer(WIDGET, namespaces=("a", "b", "a"))
    assert set_.informers() == first


def test_caches_of_one_kind_have_names_of_their_own():
    set_ = informers(namespace="dns")
    assert set_.informer(WIDGET).title == "widgets.bench.example.org"
    assert set_.informer(WIDGET, namespaces=[""]).title == "widgets.bench.example.org[all namespaces]"
    assert set_.informer(WIDGET, label_selector="app=web").title == "widgets.bench.example.org[dns app=web]"
    assert set_.informer(WIDGET, transform=lambda fields: fields).title.endswith("[dns <lambda>]")
    assert set_.informer(WIDGET, transform=lambda fields: fields).title.endswith("[dns <lambda>]#2")


def test_metrics_count_all_caches_of_a_kind():
    kind: Kind[Any] = Kind("several.example.org", "v1", "Widget", "widgets")
    set_ = informers()
    for shape in ({}, {"label_selector": "a=b"}, {"namespaces": ["n", "m"]}):
        set_.informer(kind, **shape)
    whole, selected, spread = set_.informers()
    whole.replace([made("a"), made("b")], 20)
    selected.replace([made("a")], 20)
    spread._parts["m"].replace([made("c", namespace="m")], 20)  # type: ignore[attr-defined]
    assert REGISTRY.get_sample_value("zonewright_cache_objects", {"kind": kind.resource}) == 4
    assert REGISTRY.get_sample_value("zonewright_cache_bytes", {"kind": kind.resource}) == sum(
        each.bytes for each in set_.informers()
    )


@pytest.mark.parametrize(
    ("kind", "namespaces", "default", "watched"),
    [
        (WIDGET, None, "", ("",)),
        (WIDGET, None, "dns", ("dns",)),
        (NODE, None, "dns", ("",)),
        (WIDGET, ["b", "a", "b"], "dns", ("a", "b")),
        (WIDGET, ["", "a"], "dns", ("",)),
    ],
)
def test_the_namespaces_that_are_watched(kind: Any, namespaces: Any, default: str, watched: tuple[str, ...]):
    options: Any = {} if namespaces is None else {"namespaces": namespaces}
    assert shape_of(kind, options, default).namespaces == watched


class Unhashable:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, fields: dict[str, Any]) -> dict[str, Any]:
        return fields


MISUSE: dict[str, tuple[Kind[Any], dict[str, Any], str]] = {
    "a kind without namespaces": (NODE, {"namespaces": ["a"]}, "^namespaces cannot be chosen for Node"),
    "no namespace at all": (WIDGET, {"namespaces": []}, "^namespaces is empty: leave it out"),
    "a name in place of names": (WIDGET, {"namespaces": "dns"}, r"^namespaces .*\['dns'\], not 'dns'"),
    "a number among the names": (WIDGET, {"namespaces": ["dns", 5]}, "^namespaces takes names, not 5"),
    "a name that no namespace has": (WIDGET, {"namespaces": ["dns/web"]}, "^namespaces: 'dns/web' is not the name"),
    "the option of another library": (WIDGET, {"namespace": "dns"}, "^unknown option 'namespace': .*namespaces"),
    "labels as a mapping": (WIDGET, {"label_selector": {"app": "web"}}, "^label_selector takes text such as"),
    "labels that do not parse": (WIDGET, {"label_selector": "app web"}, "^label_selector: 'app web' is not"),
    "a field without a value": (WIDGET, {"field_selector": "metadata.name"}, "^field_selector: 'metadata.name' comp"),
    "fields as a mapping": (WIDGET, {"field_selector": {"metadata.name": "a"}}, "^field_selector takes text such as"),
    "a transform that is data": (WIDGET, {"transform": {"spec": None}}, "^transform takes a function"),
    "a transform without identity": (WIDGET, {"transform": Unhashable()}, "^transform must be hashable"),
    "metadata in words": (WIDGET, {"metadata_only": "yes"}, "^metadata_only takes True or False, not 'yes'"),
}


@pytest.mark.parametrize(("kind", "options", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse_names_the_argument_and_makes_no_cache(kind: Kind[Any], options: dict[str, Any], message: str):
    set_ = informers()
    with pytest.raises((TypeError, ValueError), match=message):
        set_.informer(kind, **options)
    assert set_.informers() == []


@pytest.mark.parametrize(
    "options",
    [
        {"label_selector": "app=web,tier!=cache,env in (a, b),!legacy,team,size>3"},
        {"field_selector": r"metadata.name!=a\,b,status.phase==Running"},
        {"label_selector": "", "field_selector": " "},
    ],
)
def test_what_api_servers_understand_is_left_to_them(options: Any):
    assert informers().informer(WIDGET, **options)


# --- what of each object


def shaped(**options: Any) -> Informer[Any]:
    shape = Shape(**options)
    return Informer(shape.kind(WIDGET), ModelServer(), shape=shape)


def fill(informer: Informer[Any], *objects: Any) -> None:
    """As a reflector does it."""
    informer.replace([informer.reduced(each) for each in objects], 20)


def stored(informer: Informer[Any], name: str = "a") -> dict[str, Any]:
    found = informer.object(key(name))
    assert found is not None
    return found.fields()


def test_a_transform_decides_what_is_stored_of_lists_events_and_own_writes():
    informer = shaped(transform=without_spec)
    fill(informer, made("a"))
    informer.apply(informer.reduced(made("b", 21)), deleted=False)
    informer.wrote(made("c", 22))
    assert [stored(informer, name).keys() for name in "abc"] == [{"metadata"}] * 3
    assert informer.bytes < 2 * len(made("a").raw)


def test_handlers_and_indexes_see_what_is_stored():
    informer = shaped(transform=without_spec)
    seen: list[Any] = []
    informer.add_handler(lambda old, new, initial: seen.append((old and old.fields(), new and new.fields())))
    informer.add_index("spec", lambda found: ["yes" if "spec" in found.fields() else "no"])
    fill(informer, made("a"))
    informer.apply(informer.reduced(made("a", 21)), deleted=True)
    (_, new), (old, gone) = seen
    assert "spec" not in new
    assert "spec" not in old
    assert gone is None
    assert informer.by_index("spec", "yes") == []


def test_a_transform_cannot_take_an_objects_identity_away():
    informer = shaped(transform=lambda fields: {"spec": fields["spec"]})
    fill(informer, made("a", labels=(("x", "y"),)))
    metadata = stored(informer)["metadata"]
    assert metadata == {"name": "a", "namespace": "n", "uid": "u-a", "resourceVersion": "10"}


def failures() -> float:
    return REGISTRY.get_sample_value("zonewright_cache_transform_errors_total", {"kind": WIDGET.resource}) or 0


@pytest.mark.parametrize("result", [None, 5, {"spec": object()}, {"metadata": 3}])
def test_an_object_that_a_transform_fails_on_is_stored_whole_and_counted(result: Any):
    before = failures()
    informer = shaped(transform=lambda fields: result)
    fill(informer, made("a"))
    assert stored(informer)["spec"] == {"value": 0}
    assert failures() == before + 1


def test_an_object_that_is_nested_too_deep_is_stored_as_it_is():
    deep = b'{"metadata":{"name":"a","namespace":"n","resourceVersion":"10"},"spec":' + b"[" * 5000 + b"]" * 5000 + b"}"
    informer = shaped(transform=without_spec)
    fill(informer, decode.single(WIDGET, deep))
    found = informer.object(key("a"))
    assert found is not None
    assert found.unreadable is not None


PARTIAL = (
    b'{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",'
    b'"metadata":{"name":"a","namespace":"n","resourceVersion":"10","uid":"u-a","labels":{"x":"y"}}}'
)


@pytest.mark.parametrize(
    "raw",
    [PARTIAL, b" " + PARTIAL, made("a", labels=(("x", "y"),)).raw],
    ids=["as servers write it", "otherwise", "whole, from a server that cannot do less, or the reply to a write"],
)
def test_metadata_is_all_that_is_stored_under_the_objects_own_kind(raw: bytes):
    informer = shaped(metadata_only=True)
    fill(informer, decode.single(WIDGET, raw))
    fields = stored(informer)
    assert fields.keys() == {"apiVersion", "kind", "metadata"}
    assert (fields["apiVersion"], fields["kind"]) == ("bench.example.org/v1", "Widget")
    model: Any = informer.get(key("a"))
    assert model.metadata.labels == {"x": "y"}
    assert (model.api_version, model.kind, type(model).__name__) == (
        "bench.example.org/v1",
        "Widget",
        "PartialObjectMetadata",
    )


def test_metadata_may_be_transformed_too():
    informer = shaped(metadata_only=True, transform=lambda fields: {"kind": fields["kind"]})
    fill(informer, made("a", labels=(("x", "y"),)))
    assert "labels" not in stored(informer)["metadata"]


def test_a_write_is_read_back_from_every_cache_of_its_kind():
    set_ = informers()
    whole, metadata = set_.informer(WIDGET), set_.informer(WIDGET, metadata_only=True)
    for informer in set_.informers():
        informer.replace([], 20)
    set_.wrote(made("a", 25))
    assert stored(whole)["spec"] == {"value": 0}
    assert "spec" not in stored(metadata)


WRITES: dict[str, tuple[dict[str, Any], bool]] = {
    "labels match": ({"label_selector": "x=y"}, True),
    "labels match, and are not kept": ({"label_selector": "x=y", "transform": lambda fields: {}}, True),
    "labels do not match": ({"label_selector": "x!=y"}, False),
    "labels are compared in a way that only the server knows": ({"label_selector": "x>1"}, False),
    "fields are for the server to compare": ({"field_selector": "metadata.name=new"}, False),
    "both": ({"label_selector": "x=y", "field_selector": "metadata.name=new"}, False),
}


@pytest.mark.parametrize(("options", "there"), WRITES.values(), ids=WRITES)
def test_an_object_that_we_created_is_read_at_once_where_it_surely_belongs(options: dict[str, Any], there: bool):
    set_ = informers()
    selected = set_.informer(WIDGET, **options)
    selected.replace([], 20)
    set_.wrote(made("new", 25, labels=(("x", "y"),)))
    assert (selected.object(key("new")) is not None) is there


@pytest.mark.parametrize("options", [{"label_selector": "x=y"}, {"field_selector": "spec.value=0"}])
def test_a_write_that_moves_an_object_out_is_read_until_the_watch_takes_it_away(options: dict[str, Any]):
    """The server sends it as DELETED with the version of the write."""
    set_ = informers()
    selected = set_.informer(WIDGET, **options)
    selected.replace([made("a", labels=(("x", "y"),))], 20)
    set_.wrote(made("a", 25, value=7))
    assert stored(selected)["spec"] == {"value": 7}
    selected.apply(made("a", 25, labels=(("x", "y"),)), deleted=True)
    assert selected.object(key("a")) is None
    set_.wrote(made("a", 25, value=7))  # the reply came after the event
    assert selected.object(key("a")) is None


def test_a_reply_is_read_as_the_model_of_the_cache():
    """Kinds are equal whatever their model is: a write by one of them must not change what readers of another get."""
    set_ = informers()
    whole, metadata = set_.informer(WIDGET), set_.informer(WIDGET, metadata_only=True)
    for informer in set_.informers():
        informer.replace([], 20)
    set_.wrote(decode.single(metadata.kind, made("a", 25).raw))
    assert type(whole.get(key("a"))) is dict
    assert type(metadata.get(key("a"))).__name__ == "PartialObjectMetadata"


# --- several namespaces


@pytest.fixture
def spread() -> NamespacesInformer[Any]:
    found = informers().informer(WIDGET, namespaces=["n", "m"])
    assert isinstance(found, NamespacesInformer)
    return found


def part(spread: NamespacesInformer[Any], namespace: str) -> Informer[Any]:
    return spread._parts[namespace]


def test_several_namespaces_are_read_as_one(spread: NamespacesInformer[Any]):
    spread.add_index("name", lambda found: [found.name])
    part(spread, "n").replace([made("a")], 20)
    assert not spread.has_synced()
    assert not spread.wait(0)
    part(spread, "m").replace([made("a", namespace="m"), made("b", namespace="m")], 7)
    assert spread.has_synced()
    assert spread.wait(0)
    assert sorted(map(str, spread.keys())) == ["m/a", "m/b", "n/a"]
    assert [str(found.key) for found in spread.objects("n")] == ["n/a"]
    assert spread.objects("elsewhere") == []
    assert len(spread.objects()) == len(spread.list()) == len(spread) == 3
    assert len(spread.list("m")) == 2
    assert {found.namespace for found in spread.by_index("name", "a")} == {"m", "n"}
    read: Any = spread.get(Request("m", "b"))
    assert read["metadata"]["name"] == "b"
    assert spread.get(Request("elsewhere", "b")) is spread.object(Request("elsewhere", "b")) is None
    assert spread.bytes == part(spread, "n").bytes + part(spread, "m").bytes
    assert spread.state().synced is False  # no reflector has run
    assert spread.alive is False


def test_a_list_of_one_namespace_leaves_the_others_alone(spread: NamespacesInformer[Any]):
    part(spread, "n").replace([made("a")], 20)
    part(spread, "m").replace([made("b", namespace="m")], 20)
    part(spread, "n").replace([], 30)
    assert list(map(str, spread.keys())) == ["m/b"]


def test_a_handler_hears_of_all_of_them_and_is_synced_after_the_last(spread: NamespacesInformer[Any]):
    heard: list[str] = []
    order: list[str] = []
    handler = spread.add_handler(lambda old, new, initial: heard.append(str((new or old).key)))  # type: ignore[union-attr]
    spread.add_handler(lambda *_: order.append("handler"))
    spread.add_view(lambda *_: order.append("view"))
    part(spread, "n").replace([made("a")], 20)
    assert not handler.has_synced()
    part(spread, "m").replace([made("b", namespace="m")], 20)
    assert handler.has_synced()
    assert handler.wait(0)
    handler.remove()
    part(spread, "m").apply(made("b", 25, namespace="m"), deleted=True)
    assert heard == ["n/a", "m/b"]
    assert order[:2] == ["view", "handler"]


def test_handlers_of_several_namespaces_are_called_one_at_a_time(spread: NamespacesInformer[Any]):
    assert part(spread, "n")._delivery is part(spread, "m")._delivery


def test_a_write_reaches_the_namespace_that_it_belongs_to(spread: NamespacesInformer[Any]):
    for namespace in ("n", "m"):
        part(spread, namespace).replace([], 20)
    for namespace in ("n", "elsewhere"):
        spread.wrote(made("a", 25, namespace=namespace))
    assert [str(found.key) for found in spread.objects()] == ["n/a"]


def test_it_answers_for_everything_that_an_informer_does():
    public = {name for name, _ in inspect.getmembers(Informer) if not name.startswith("_")} | {"__len__"}
    assert {name for name in public if name not in vars(NamespacesInformer)} == set()


def test_nobody_fills_it_as_a_whole(spread: NamespacesInformer[Any]):
    for call in (
        lambda: spread.replace([], 1),
        lambda: spread.apply(made(), deleted=False),
        lambda: spread.progress(1),
    ):
        with pytest.raises(NotImplementedError):
            call()
