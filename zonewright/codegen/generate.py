"""CRDs -> everything that is written, in memory. The whole flow on one page; `output` brings it to disk."""

import keyword
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from zonewright.codegen import load, models, output, rbac, registry
from zonewright.codegen import lock as locks
from zonewright.codegen.crd import Crd
from zonewright.codegen.lock import Lock
from zonewright.codegen.output import Difference, Tree
from zonewright.codegen.registry import Entry, Package
from zonewright.codegen.render import render
from zonewright.codegen.shared import shared_types
from zonewright.codegen.tidy import tidy

Progress = Callable[[str, int, int], None]
"""What is being done, how many are done, and how many there are."""

# Where the package goes when the chosen directory cannot be a package itself (`tmp.k3V9`, `my-crds`).
INNER_PACKAGE = "crds"


@dataclass(frozen=True, slots=True)
class Target:
    """Where the output belongs, and what it says about the project.

    package    the Python package, replaced as a whole
    role       where the ClusterRole goes; without it, into the package
    reference  where the API reference goes; likewise
    name       of the ClusterRole
    rules      what the operator needs besides the kinds of its CRDs and what the framework needs
    command    what people run to generate again: it stands at the top of every file
    """

    package: Path
    role: Path | None = None
    reference: Path | None = None
    name: str = "operator"
    rules: tuple[rbac.Rule, ...] = ()
    command: str = "zonewright generate"

    @classmethod
    def at(cls, directory: Path, *, name: str = "operator", rules: Sequence[rbac.Rule] = ()) -> "Target":
        """A package of its own: role.yaml and api.md go into it."""
        directory = directory.resolve()
        importable = directory.name.isidentifier() and not keyword.iskeyword(directory.name)
        package = directory if importable else directory / INNER_PACKAGE
        return cls(package, name=name, rules=tuple(rules))


@dataclass(frozen=True, slots=True)
class Result:
    """What is to be written, and what people want to know about it."""

    tree: Tree
    files: dict[Path, str]
    kinds: int
    versions: int
    classes: int
    noun: str = "CRDs"

    def differences(self, target: Target) -> list[Difference]:
        found = output.compare(self.tree, target.package)
        for file, text in self.files.items():
            found += output.compare_file(text, file)
        return found

    def write(self, target: Target) -> None:
        output.replace_directory(self.tree, target.package)
        for file, text in self.files.items():
            output.replace_file(text, file)


def generate(crds: Path, target: Target, progress: Progress | None = None) -> Result:
    """Everything in memory, nothing on disk: an error leaves what was there."""
    output.refuse_foreign(target.package)
    found = load.load(crds)
    previous, kept = locks.read(target.package / locks.FILE), Lock()
    places = registry.places(found, previous, kept)
    packages = _packages(places, previous, kept, progress)
    entries = registry.entries(places, previous, kept)
    tree = _python(packages, entries, target)
    tree[locks.FILE] = kept.text()
    files = _manifests(found, entries, target, tree)
    classes = sum(len(module.source.names) for package in packages for module in package.modules)
    return Result(tidied(tree), files, len(found), len(places), classes)


def _packages(places: Sequence[registry.Place], previous: Lock, kept: Lock, progress: Progress | None) -> list[Package]:
    shapes = shared_types().shapes
    modules: dict[str, list[registry.Module]] = {}
    taken: dict[str, set[str]] = {}
    for place in places:
        # Kinds of a package share one name space, and the kinds themselves come first.
        taken.setdefault(place.package, set()).add(place.class_name)
    for done, place in enumerate(places):
        if progress:
            progress(f"{place.crd.kind} {place.version.name}", done, len(places))
        module = registry.module(place, shapes=shapes, taken=taken[place.package], lock=previous, kept=kept)
        modules.setdefault(place.package, []).append(module)
    return [
        Package(name, f"{inside[0].place.crd.group}/{inside[0].place.version.name}", tuple(inside))
        for name, inside in modules.items()
    ]


def _python(packages: Sequence[Package], entries: Sequence[Entry], target: Target) -> dict[str, str]:
    header = render("header.jinja", command=target.command)
    shared = models.write(shared_types().definitions, dots=".")
    tree = {
        "__init__.py": render("root.py.jinja"),
        "base.py": render("base.py.jinja"),
        "informers.py": render("informers.py.jinja", packages=packages, entries=entries),
        "kinds.py": render("kinds.py.jinja", packages=packages, entries=entries),
        "resource.py": render("resource.py.jinja", metadata="shapes"),
        "shapes.py": f'"""Types that CRDs share: an object of this shape, wherever it stands."""\n\n{shared.text}',
    }
    for package in packages:
        tree[f"{package.name}/__init__.py"] = render("package.py.jinja", package=package)
        for module in package.modules:
            docstring = f'"""{module.place.crd.kind} of {package.api_version}."""\n\n'
            tree[f"{package.name}/{module.name}.py"] = docstring + module.source.text
    return {name: header + text for name, text in tree.items()} | {"py.typed": ""}


def _manifests(crds: Sequence[Crd], entries: Sequence[Entry], target: Target, tree: dict[str, str]) -> dict[Path, str]:
    """Role and reference: into the project where the target says so, else into the tree."""
    role = render("header.jinja", command=target.command)
    role += render("role.yaml.jinja", name=target.name, rules=rbac.rules(crds, target.rules))
    reference = render("api.md.jinja", entries=entries, command=target.command)
    files: dict[Path, str] = {}
    for text, file, name in ((role, target.role, "role.yaml"), (reference, target.reference, "api.md")):
        if file:
            files[file] = text
        else:
            tree[name] = text
    return files


def tidied(tree: Tree) -> Tree:
    """Formatted, imports sorted."""
    with tempfile.TemporaryDirectory(prefix="codegen-") as name:
        directory = Path(name)
        output.write_tree(tree, directory)
        tidy(directory)
        return output.read_tree(directory)
