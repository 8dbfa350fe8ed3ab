"""The OpenAPI of an API server -> typed built-in kinds: zonewright/api/builtin, written by this repository's codegen.

As for CRDs: models in a package per API version, whose modules load on first use, and a registry of kinds that loads
none of them. Classes have Kubernetes' own names, so there is nothing to lock.

A module is what one kind needs and no other does. What several kinds share is in the `common` module of its package,
and a pod's spec, which is three quarters of all classes, in one of its own: reading Services does not load it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from zonewright.codegen import lock, names, output
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.generate import Progress, Result, Target, tidied
from zonewright.codegen.models import Source, write
from zonewright.codegen.render import render
from zonewright.codegen.schema import openapi
from zonewright.codegen.schema.root import inject_root
from zonewright.codegen.schema.walk import Node

COMMON = "common"
# Not kinds, and modules of their own all the same.
APART = ("io.k8s.api.core.v1.PodSpec", "io.k8s.api.core.v1.PodTemplateSpec")
METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


@dataclass(frozen=True, slots=True)
class BuiltinKind:
    """A kind as discovery and its schema describe it."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool
    subresources: tuple[str, ...]
    definition: str

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version


@dataclass(frozen=True, slots=True)
class Home:
    """Where a definition's class is written."""

    package: str
    module: str
    class_name: str

    @property
    def path(self) -> str:
        return f"{self.package}.{self.module}"


@dataclass(frozen=True, slots=True)
class Module:
    name: str
    source: Source


@dataclass(frozen=True, slots=True)
class Package:
    name: str
    api_version: str
    modules: tuple[Module, ...]


class Catalogue:
    """What the document holds: kinds, definitions, and where the class of each goes."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.version: str = document["version"]
        self.definitions: Mapping[str, Any] = document["definitions"]
        self.kinds = {one.definition: one for one in _kinds(document["resources"])}

    @cached_property
    def homes(self) -> Mapping[str, Home]:
        """Each definition in the module of the only root that needs it, or in `common` of its package."""
        roots: dict[str, set[str]] = {}
        for root in (*self.kinds, *APART, METADATA):
            for name in self._reached(root):
                roots.setdefault(name, set()).add(root)
        return {name: self._home(name, needed) for name, needed in sorted(roots.items())}

    def _reached(self, root: str) -> set[str]:
        """The classes below a root, up to other roots: these have modules of their own."""
        found: set[str] = set()
        pending = [root]
        while pending:
            name = pending.pop()
            if name not in found and openapi.is_class(self.definitions[name]):
                found.add(name)
                below = set(_references(self.definitions[name]))
                pending.extend(each for each in below if each not in self.kinds and each not in APART)
        return found

    def _home(self, name: str, needed: set[str]) -> Home:
        package, class_name = _package(name), name.rpartition(".")[2]
        root = next(iter(needed)) if len(needed) == 1 else name
        alone = root in self.kinds or root in APART
        at_home = alone and _package(root) == package
        return Home(package, names.module_name(root.rpartition(".")[2]) if at_home else COMMON, class_name)


def generate(source: Path, target: Target, progress: Progress | None = None) -> Result:
    """Everything in memory, as for CRDs: `output` compares it or swaps it in."""
    output.refuse_foreign(target.package)
    catalogue = Catalogue(json.loads(source.read_text(encoding="utf-8")))
    packages = _packages(catalogue, progress)
    tree = _python(catalogue, packages)
    # There are no names to keep; the file says that the directory is codegen's to replace.
    tree[lock.FILE] = lock.Lock().text()
    classes = sum(len(module.source.names) for package in packages for module in package.modules)
    return Result(tidied(tree), {}, len(catalogue.kinds), len(packages), classes, noun="built-in kinds")


def _packages(catalogue: Catalogue, progress: Progress | None) -> list[Package]:
    modules: dict[tuple[str, str], list[str]] = {}
    for name, home in catalogue.homes.items():
        modules.setdefault((home.package, home.module), []).append(name)
    packages: dict[str, list[Module]] = {}
    for done, ((package, module), inside) in enumerate(sorted(modules.items())):
        if progress:
            progress(f"{package}.{module}", done, len(modules))
        packages.setdefault(package, []).append(Module(module, _source(catalogue, inside)))
    return [Package(name, _title(catalogue, name), tuple(inside)) for name, inside in packages.items()]


def _source(catalogue: Catalogue, inside: Sequence[str]) -> Source:
    homes = catalogue.homes
    classes = {name: home.class_name for name, home in homes.items()}
    root = next((name for name in inside if name in catalogue.kinds), None)
    definitions = {classes[name]: _definition(catalogue, name, classes) for name in inside}
    needed = {each for name in inside for each in _references(catalogue.definitions[name]) if each in homes}
    shared = {classes[name]: homes[name].path for name in needed - set(inside)}
    if shared.keys() & definitions.keys() or len(shared) < len(needed - set(inside)):
        raise CodegenError(f"two definitions of one name meet in {homes[inside[0]].path}")
    return write(definitions, shared=shared, root=classes[root] if root else None)


def _definition(catalogue: Catalogue, name: str, classes: Mapping[str, str]) -> Node:
    definition = openapi.convert(catalogue.definitions[name], catalogue.definitions, classes)
    kind = catalogue.kinds.get(name)
    return inject_root(definition, api_version=kind.api_version, kind=kind.kind) if kind else definition


def _python(catalogue: Catalogue, packages: Sequence[Package]) -> dict[str, str]:
    header = render("builtin_header.jinja", version=catalogue.version)
    homes = catalogue.homes
    entries = sorted((_constant(kind, catalogue), kind, homes[kind.definition]) for kind in catalogue.kinds.values())
    tree = {
        "__init__.py": render("builtin.py.jinja", version=catalogue.version),
        "base.py": render("base.py.jinja"),
        "kinds.py": render("builtin_kinds.py.jinja", entries=entries, packages=sorted({e[2].package for e in entries})),
        "resource.py": render("resource.py.jinja", metadata=homes[METADATA].path),
    }
    for package in packages:
        tree[f"{package.name}/__init__.py"] = render("package.py.jinja", package=package)
        for module in package.modules:
            docstring = f'"""{_contents(module)} of {package.api_version}."""\n\n'
            tree[f"{package.name}/{module.name}.py"] = docstring + module.source.text
    return {name: header + text for name, text in tree.items()}


def _contents(module: Module) -> str:
    return "What kinds share" if module.name == COMMON else module.source.names[-1]


def _constant(kind: BuiltinKind, catalogue: Catalogue) -> str:
    """The kind's name; of two with one name (Event), the one of the core group has it."""
    twins = [one.group for one in catalogue.kinds.values() if one.kind == kind.kind]
    return kind.kind if kind.group == min(twins) else names.pascal(kind.group.partition(".")[0]) + kind.kind


def _title(catalogue: Catalogue, package: str) -> str:
    kinds = (kind for name, kind in catalogue.kinds.items() if _package(name) == package)
    return next((kind.api_version for kind in kinds), "meta/v1")


def _kinds(resources: Mapping[str, Mapping[str, Any]]) -> Iterator[BuiltinKind]:
    for api_version, kinds in resources.items():
        group, _, version = api_version.rpartition("/")
        for kind, about in kinds.items():
            yield BuiltinKind(
                group=group,
                version=version,
                kind=kind,
                plural=about["plural"],
                namespaced=about["namespaced"],
                subresources=tuple(about["subresources"]),
                definition=about["definition"],
            )


def _package(definition: str) -> str:
    """`io.k8s.api.core.v1.Service` is in core_v1."""
    group, version, _ = definition.split(".")[-3:]
    return f"{group}_{version}"


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].removeprefix(openapi.REF)
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _references(item)
