"""Which CRD version becomes which package, module, class and constant. Pure naming; templates only print it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zonewright.codegen import names
from zonewright.codegen.crd import Crd, Version, rank
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.lock import Lock
from zonewright.codegen.models import Source, write
from zonewright.codegen.schema.prepare import prepare
from zonewright.codegen.schema.shape import Shapes

# Names that kinds.py defines or imports itself.
TAKEN_CONSTANTS = frozenset({"CustomKind", "KINDS", "Mapping", "MappingProxyType", "PrinterColumn"})
REGISTRY = "kinds"
PACKAGES = "packages"
MODULES = "modules"


@dataclass(frozen=True, slots=True)
class Place:
    """One version of one CRD, and the module it goes to."""

    crd: Crd
    version: Version
    package: str
    module: str
    class_name: str

    @property
    def owner(self) -> str:
        return f"{self.crd.kind}.{self.version.name}.{self.crd.group}"


@dataclass(frozen=True, slots=True)
class Module:
    name: str
    place: Place
    source: Source


@dataclass(frozen=True, slots=True)
class Package:
    name: str
    api_version: str
    modules: tuple[Module, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the registry."""

    constant: str
    key: str
    attribute: str
    crd: Crd
    version: Version
    package: str
    module: str
    class_name: str
    example: Mapping[str, Any] | None


def places(crds: Sequence[Crd], lock: Lock, kept: Lock) -> list[Place]:
    """Every version of every CRD with its names, packages in order; names of the last run come first."""
    versions = sorted(((crd, version) for crd in crds for version in crd.versions), key=_order)
    packages = _allocate(
        {f"{crd.group}/{version.name}": names.package_name(crd.group, version.name) for crd, version in versions},
        lock.of(PACKAGES),
    )
    kept.keep(PACKAGES, packages)
    found: list[Place] = []
    modules: dict[str, str] = {}
    for api_version, package in packages.items():
        inside = [(crd, version) for crd, version in versions if f"{crd.group}/{version.name}" == api_version]
        owners = {f"{api_version}/{crd.kind}": names.module_name(crd.kind) for crd, _ in inside}
        homes = _allocate(owners, lock.of(MODULES))
        classes = _allocate({crd.kind: names.class_name(crd.kind) for crd, _ in inside}, {})
        modules |= homes
        found += [
            Place(crd, version, package, homes[f"{api_version}/{crd.kind}"], classes[crd.kind])
            for crd, version in inside
        ]
    kept.keep(MODULES, modules)
    return found


def module(place: Place, *, shapes: Shapes, taken: set[str], lock: Lock, kept: Lock) -> Module:
    """The models of one place. Errors are told which file and schema they are about."""
    try:
        hoisted = prepare(
            place.version.schema,
            api_version=f"{place.crd.group}/{place.version.name}",
            kind=place.crd.kind,
            root=place.class_name,
            locked=lock.of(place.owner),
            shapes=shapes,
            taken=taken,
        )
        source = write(hoisted.definitions, shared=dict.fromkeys(shapes.names, "shapes"), root=hoisted.root)
    except CodegenError as error:
        raise error.within(place.crd.file, place.version.path) from error
    kept.keep(place.owner, hoisted.names)
    return Module(place.module, place, source)


def entries(found: Sequence[Place], lock: Lock, kept: Lock) -> list[Entry]:
    """The registry. Versions that are not served are left out: nobody can read their objects."""
    served = sorted((place for place in found if place.version.served), key=_preference)
    constants = _allocate({place.owner: _constant(place) for place in served}, lock.of(REGISTRY), TAKEN_CONSTANTS)
    kept.keep(REGISTRY, constants)
    attributes = _allocate({owner: names.module_name(constant) for owner, constant in constants.items()}, {})
    return sorted(
        (
            Entry(
                constant=constants[place.owner],
                key=_key(place, constants[place.owner]),
                attribute=attributes[place.owner],
                crd=place.crd,
                version=place.version,
                package=place.package,
                module=place.module,
                class_name=place.class_name,
                example=example(place.version),
            )
            for place in served
        ),
        key=lambda entry: entry.constant,
    )


def example(version: Version) -> Mapping[str, Any] | None:
    """The spec that the CRD gives as an example."""
    spec = (version.schema.get("properties") or {}).get("spec") or {}
    found = spec.get("example")
    return found if isinstance(found, Mapping) else None


def _order(pair: tuple[Crd, Version]) -> tuple[str, str, str]:
    crd, version = pair
    return (crd.group, version.name, crd.kind)


def _preference(place: Place) -> tuple[bool, str, tuple[int, int, int], str]:
    """Preferred versions first: they get the plain names. Then by kind, the newest version first, then by group."""
    stage, major, minor, _ = rank(place.version.name)
    older = place.version is not place.crd.preferred
    return (older, place.crd.kind, (-stage, -major, -minor), place.crd.group)


def _constant(place: Place) -> str:
    name = names.class_name(place.crd.kind)
    return name if place.version is place.crd.preferred else f"{name}{names.pascal(place.version.name)}"


def _key(place: Place, constant: str) -> str:
    if place.version is not place.crd.preferred:
        return place.owner
    plain = constant == names.class_name(place.crd.kind)
    return place.crd.kind if plain else f"{place.crd.kind}.{place.crd.group}"


def _allocate(
    wanted: Mapping[str, str], locked: Mapping[str, str], taken: frozenset[str] = frozenset()
) -> dict[str, str]:
    """Owner -> a name that no other owner has: locked names first, then the wanted ones in their order."""
    given = {owner: locked[owner] for owner in wanted if owner in locked}
    used = set(given.values()) | taken
    for owner, name in wanted.items():
        if owner not in given:
            given[owner] = names.unused(name, used)
            used.add(given[owner])
    return {owner: given[owner] for owner in wanted}
