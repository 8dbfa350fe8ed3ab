"""What the operator may do: a rule per API group from the CRDs, and the hand-written rules for built-in kinds."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from codegen import yaml12
from codegen.crd import Crd

BUILTIN_RULES = Path(__file__).with_name("builtin-rules.yaml")

# The operator reads its kinds and writes their metadata (finalizers, annotations) and status. What else it creates is
# written down in builtin-rules.yaml.
OBJECT_VERBS = ("get", "list", "watch", "patch", "update")
SUBRESOURCE_VERBS = ("get", "patch", "update")

Rule = Mapping[str, Any]


def rules(crds: Sequence[Crd]) -> list[Rule]:
    """Rules in a stable order; cluster-scoped kinds apart, so that a reader sees what reaches beyond namespaces."""
    found: list[Rule] = []
    for group in sorted({crd.group for crd in crds}):
        for namespaced in (False, True):
            kinds = [crd for crd in crds if crd.group == group and crd.namespaced is namespaced]
            if kinds:
                found += _rules(group, kinds)
    return [*found, *builtin_rules()]


def builtin_rules() -> list[Rule]:
    return [rule for document in yaml12.documents(BUILTIN_RULES.read_text(encoding="utf-8")) for rule in document]


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
