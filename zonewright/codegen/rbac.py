"""What an operator may do: rules from its CRDs, what the framework needs, and the project's own rules."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from zonewright.codegen import yaml12
from zonewright.codegen.crd import Crd
from zonewright.codegen.errors import CodegenError

# The operator reads its kinds and writes their metadata (finalizers, annotations) and status. What else it creates is
# the project's own rules say.
OBJECT_VERBS = ("get", "list", "watch", "patch", "update")
SUBRESOURCE_VERBS = ("get", "patch", "update")

Rule = Mapping[str, Any]
REQUIRED = {"apiGroups", "resources", "verbs"}
ALLOWED = {*REQUIRED, "resourceNames"}

# What a manager needs of built-in kinds, whatever the operator does.
FRAMEWORK_RULES: tuple[Rule, ...] = (
    {"apiGroups": [""], "resources": ["events"], "verbs": ["create", "patch"]},
    {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["create", "get", "update"]},
)


def rules(crds: Sequence[Crd], extra: Sequence[Rule] = ()) -> list[Rule]:
    """Rules in a stable order; cluster-scoped kinds apart, so that a reader sees what reaches beyond namespaces."""
    found: list[Rule] = []
    for group in sorted({crd.group for crd in crds}):
        for namespaced in (False, True):
            kinds = [crd for crd in crds if crd.group == group and crd.namespaced is namespaced]
            if kinds:
                found += _rules(group, kinds)
    return [*found, *extra, *FRAMEWORK_RULES]


def read(file: Path) -> tuple[Rule, ...]:
    """The rules of a YAML list; raises CodegenError where it is not one."""
    try:
        documents = list(yaml12.documents(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise CodegenError(f"cannot be read: {error.strerror}", file=file) from error
    except CodegenError as error:
        raise error.within(file) from error
    found = [rule for document in documents for rule in (document if isinstance(document, list) else [document])]
    for number, rule in enumerate(found):
        # A field that the role would be written without could only make the role wider.
        if not isinstance(rule, Mapping) or not REQUIRED <= rule.keys() <= ALLOWED:
            fields = "apiGroups, resources and verbs, and resourceNames where wanted"
            raise CodegenError(f"is not a rule with {fields}", file=file, path=f"[{number}]")
    return tuple(found)


def _rules(group: str, crds: Iterable[Crd]) -> list[Rule]:
    plurals = sorted(crd.plural for crd in crds)
    # Owner references that block deletion need `update` on finalizers where the API server enforces it.
    finalizers = [f"{plural}/finalizers" for plural in plurals]
    subresources = sorted(
        {f"{crd.plural}/{name}" for crd in crds for version in crd.versions for name in version.subresources}
    )
    found: list[Rule] = [_rule(group, plurals, OBJECT_VERBS), _rule(group, finalizers, ("update",))]
    return [*found, _rule(group, subresources, SUBRESOURCE_VERBS)] if subresources else found


def _rule(group: str, resources: Sequence[str], verbs: Sequence[str]) -> Rule:
    return {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}
