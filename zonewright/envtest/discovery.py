"""Which kinds an API server serves and at which paths: the discovery documents, read. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from zonewright.envtest.api import Api


@dataclass(frozen=True, slots=True)
class Resource:
    """One kind in one version, and the words that people use for it."""

    api_version: str
    kind: str
    plural: str
    namespaced: bool
    names: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()

    def path(self, namespace: str = "", name: str = "") -> str:
        """Return the path of an object, or of the collection when there is no name."""
        within = f"/namespaces/{quote(namespace, safe='')}" if self.namespaced and namespace else ""
        return f"{version_path(self.api_version)}{within}/{self.plural}" + (f"/{quote(name, safe='')}" if name else "")


def version_path(api_version: str) -> str:
    """Return where a version is served: /api/v1, /apis/GROUP/VERSION."""
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


def resources(api_version: str, document: Mapping[str, Any]) -> list[Resource]:
    """Read an APIResourceList; subresources are left out."""
    return [_resource(api_version, entry) for entry in document.get("resources") or () if "/" not in entry["name"]]


def _resource(api_version: str, entry: Mapping[str, Any]) -> Resource:
    plural, kind = entry["name"], entry["kind"]
    group = api_version.rpartition("/")[0]
    names = {plural, entry.get("singularName") or kind.lower(), kind.lower(), *(entry.get("shortNames") or ())}
    return Resource(
        api_version=api_version,
        kind=kind,
        plural=plural,
        namespaced=bool(entry["namespaced"]),
        names=frozenset(names | ({f"{plural}.{group}"} if group else set())),
        categories=frozenset(entry.get("categories") or ()),
    )


class Discovery:
    """Asks an API server once per version, and again for what was not there: a CRD may have come meanwhile."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[str, list[Resource]] = {}

    def find(self, api_version: str, kind: str) -> Resource | None:
        """Return the resource of a kind, None where the API server does not serve it."""
        return self._known_kind(api_version, kind) or self._known_kind(api_version, kind, again=True)

    def _known_kind(self, api_version: str, kind: str, *, again: bool = False) -> Resource | None:
        if again or api_version not in self._known:
            reply = self._api.request("GET", version_path(api_version))
            self._known[api_version] = resources(api_version, reply.body) if reply.ok else []
        return next((each for each in self._known[api_version] if each.kind == kind), None)

    def named(self, word: str) -> list[Resource]:
        """Return what `kubectl get WORD` would list: the resource of that name, else all of that category."""
        served = list(self._served())
        named = [each for each in served if word.lower() in each.names]
        return named[:1] or [each for each in served if word in each.categories]

    def _served(self) -> Iterator[Resource]:
        groups = self._api.request("GET", "/apis").body.get("groups") or ()
        for api_version in ("v1", *(group["preferredVersion"]["groupVersion"] for group in groups)):
            reply = self._api.request("GET", version_path(api_version))
            yield from resources(api_version, reply.body) if reply.ok else []
