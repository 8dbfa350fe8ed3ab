"""`python -m zonewright.envtest.embedded.extract KUBECONFIG`: schemas of the built-in kinds from a real API server.

A developer's tool, run when the pinned Kubernetes version moves; the result, builtin.json, is committed and is all that
the embedded server knows about the shape of built-in kinds. Descriptions are left out: they are nine tenths of it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TARGET = Path(__file__).with_name("builtin.json")
META = "io.k8s.apimachinery.pkg.apis.meta.v1."
# Where each built-in kind lives; `v1` stands for the core group.
KINDS = {
    "v1": ("ConfigMap", "Event", "Namespace", "Pod", "Secret", "Service", "ServiceAccount"),
    "apps/v1": ("Deployment",),
    "apiextensions.k8s.io/v1": ("CustomResourceDefinition",),
    "coordination.k8s.io/v1": ("Lease",),
    "discovery.k8s.io/v1": ("EndpointSlice",),
    "events.k8s.io/v1": ("Event",),
    "policy/v1": ("PodDisruptionBudget",),
}


def schemas_of(kubeconfig: str, group_version: str) -> dict[str, Any]:
    path = "/openapi/v3/" + ("apis/" if "/" in group_version else "api/") + group_version
    command = ["kubectl", "--kubeconfig", kubeconfig, "get", "--raw", path]
    reply = subprocess.run(command, check=True, capture_output=True)
    schemas: dict[str, Any] = json.loads(reply.stdout)["components"]["schemas"]
    return schemas


def bare(schema: Any) -> Any:
    """The schema without prose; `description` may also be the name of a property, which is a dict."""
    if isinstance(schema, dict):
        return {key: bare(value) for key, value in schema.items() if key != "description" or isinstance(value, dict)}
    return [bare(item) for item in schema] if isinstance(schema, list) else schema


def references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from references(item)


def is_wanted(schema: dict[str, Any], group_version: str, kind: str) -> bool:
    group, _, version = group_version.rpartition("/")
    wanted = {"group": group, "version": version, "kind": kind}
    return wanted in schema.get("x-kubernetes-group-version-kind", [])


def closure(schemas: dict[str, Any], roots: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    pending = list(roots)
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = schemas[name]
            pending.extend(references(found[name]))
    return found


def extract(kubeconfig: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for group_version, kinds in KINDS.items():
        schemas = schemas_of(kubeconfig, group_version)
        roots = [name for name, schema in schemas.items() for kind in kinds if is_wanted(schema, group_version, kind)]
        # A DeleteOptions or Status names every group there is; only its own version is of use here.
        found |= closure(schemas, [*roots, META + "ListMeta", META + "DeleteOptions"])
    found[META + "DeleteOptions"].pop("x-kubernetes-group-version-kind")
    return {name: bare(schema) for name, schema in sorted(found.items())}


if __name__ == "__main__":
    TARGET.write_text(json.dumps(extract(sys.argv[1]), separators=(",", ":")) + "\n")
