"""Applies manifests over the public API, server-side: what `kubectl apply --server-side --force-conflicts` does.

    apply(cluster, Path("config/samples"))
    apply(cluster, "apiVersion: v1\\nkind: ConfigMap\\n...", namespace="team")

`read` and `ordered` are pure; `apply` sends one PATCH per object. Namespaces and CRDs come first, and the rest waits
until the CRDs are served. Knows no program and no credentials.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias

import yaml

from zonewright.envtest.api import Api, Response
from zonewright.envtest.discovery import Discovery, Resource, version_path
from zonewright.envtest.errors import ApplyFailed, yaml_problem
from zonewright.envtest.waiting import PAUSE, condition, until

FIELD_MANAGER = "envtest"
APPLY_PATCH = "application/apply-patch+yaml"
SUFFIXES = {".yaml", ".yml", ".json"}
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
# Which kinds must be there before others can be; all others follow in the order of their files.
FOUNDATIONS = ("Namespace", "CustomResourceDefinition")
# 429: "storage is (re)initializing", a CRD that was just installed. 503: the API server is starting or overloaded.
PASSING = {429, 503}
PATIENCE = 60.0

Manifest: TypeAlias = str | Path | Iterable[Mapping[str, Any]]


class Applied(NamedTuple):
    """An object as the API server has it now, and what it warned about."""

    object: dict[str, Any]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One object of a manifest, and where it stands."""

    source: str
    object: Mapping[str, Any]

    @property
    def kind(self) -> str:
        return str(self.object["kind"])

    @property
    def name(self) -> str:
        return str(self.object["metadata"]["name"])

    def __str__(self) -> str:
        namespace = self.object["metadata"].get("namespace")
        return f"{self.source}: {self.kind} {f'{namespace}/' if namespace else ''}{self.name}"


# --- reading


def read(manifest: Manifest) -> list[Item]:
    """Read YAML text, a file, the files of a directory (not of those below it, as kubectl does), or plain objects."""
    if isinstance(manifest, str):
        return list(_items("manifest", _documents("manifest", manifest)))
    if isinstance(manifest, Path):
        return [item for file in _files(manifest) for item in _items(str(file), _documents(str(file), _text(file)))]
    return list(_items("manifest", manifest))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(each for each in path.iterdir() if each.suffix in SUFFIXES)
    if not found:
        raise ApplyFailed(f"{path}: there is no file that ends in {', '.join(sorted(SUFFIXES))}")
    return found


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise ApplyFailed(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from error


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc] # chosen at run time
    """Leaves timestamps text, which is what they are in JSON."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def _documents(source: str, text: str) -> list[Any]:
    try:
        return list(yaml.load_all(text, Loader=_Loader))
    except yaml.YAMLError as error:
        raise ApplyFailed(f"{source} is not valid YAML: {yaml_problem(error)}") from error


def _items(source: str, documents: Iterable[Any]) -> Iterator[Item]:
    for number, document in enumerate(documents, 1):
        if document is None:  # an empty document: comments, or a separator at the end
            continue
        if isinstance(document, Mapping) and str(document.get("kind")).endswith("List") and "items" in document:
            yield from _items(source, document["items"] or ())
        else:
            yield _item(source, number, document)


def _item(source: str, number: int, document: Any) -> Item:
    found = document if isinstance(document, Mapping) else {}
    metadata = found.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    fields = {"apiVersion": found.get("apiVersion"), "kind": found.get("kind"), "metadata.name": name}
    if missing := [field for field, value in fields.items() if not isinstance(value, str) or not value]:
        raise ApplyFailed(f"{source}: object {number} is not a Kubernetes object: it has no {', '.join(missing)}")
    return Item(source, found)


def ordered(items: Iterable[Item]) -> list[Item]:
    """Put first what the others need; otherwise keep the order."""
    return sorted(
        items, key=lambda item: FOUNDATIONS.index(item.kind) if item.kind in FOUNDATIONS else len(FOUNDATIONS)
    )


# --- sending


def apply(
    api: Api,
    manifest: Manifest,
    *,
    namespace: str = "default",
    field_manager: str = FIELD_MANAGER,
    timeout: float = PATIENCE,
) -> list[Applied]:
    """Apply everything; `namespace` is for objects that name none. Raise ApplyFailed at the first that is refused."""
    sending = _Sending(Discovery(api), api, namespace, field_manager, time.monotonic() + timeout)
    items = ordered(read(manifest))
    first = [item for item in items if item.kind in FOUNDATIONS]
    done = [sending.apply(item) for item in first]
    for item in first:
        if item.kind == "CustomResourceDefinition":
            sending.wait_served(item)
    return done + [sending.apply(item) for item in items[len(first) :]]


@dataclass(frozen=True, slots=True)
class _Sending:
    """One call of apply(): where to, and until when."""

    discovery: Discovery
    api: Api
    namespace: str
    field_manager: str
    deadline: float

    @property
    def left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    def apply(self, item: Item) -> Applied:
        api_version = item.object["apiVersion"]
        with _silence_told(item):
            resource = self.discovery.find(api_version, item.kind)
            if resource is None:
                raise ApplyFailed(f"{item}: the API server serves no such kind in {api_version}: is its CRD installed?")
            reply = self._patch(resource, item)
        if not reply.ok:
            raise ApplyFailed(f"{item}: {reply.refusal}")
        return Applied(reply.body, reply.warnings)

    def _patch(self, resource: Resource, item: Item) -> Response:
        path = resource.path(item.object["metadata"].get("namespace") or self.namespace, item.name)
        query = {"fieldManager": self.field_manager, "force": "true", "fieldValidation": "Strict"}
        body = json.dumps(item.object).encode()  # JSON is YAML too
        while True:
            reply = self.api.request("PATCH", path, body, query=query, content_type=APPLY_PATCH)
            if reply.status not in PASSING or not self.left:
                return reply
            time.sleep(PAUSE)

    def wait_served(self, item: Item) -> None:
        """Established is said a moment before the API server serves the kind: look whether it does."""
        with _silence_told(item):
            if until(lambda: True if self._served(item) else None, self.left) is None:
                raise ApplyFailed(f"{item}: not served in time; {self._obstacle(item)}")

    def _served(self, item: Item) -> bool:
        reply = self.api.request("GET", f"{CRDS}/{item.name}")
        if not reply.ok or condition(reply.body, "Established").get("status") != "True":
            return False
        spec = reply.body["spec"]
        versions = [f"{spec['group']}/{each['name']}" for each in spec["versions"] if each["served"]]
        return all(self._lists(version, spec["names"]) for version in versions)

    def _lists(self, api_version: str, names: Mapping[str, Any]) -> bool:
        if self.discovery.find(api_version, names["kind"]) is None:
            return False
        return self.api.request("GET", f"{version_path(api_version)}/{names['plural']}", query={"limit": "1"}).ok

    def _obstacle(self, item: Item) -> str:
        reply = self.api.request("GET", f"{CRDS}/{item.name}")
        conditions = (reply.body.get("status") or {}).get("conditions") or () if reply.ok else ()
        false = [f"{each['type']}: {each.get('message')}" for each in conditions if each.get("status") == "False"]
        return "; ".join(false) or "it is not listed by discovery yet, or cannot be listed"


@contextmanager
def _silence_told(item: Item) -> Iterator[None]:
    try:
        yield
    except OSError as silence:
        raise ApplyFailed(f"{item}: the API server does not answer: {silence}") from silence
