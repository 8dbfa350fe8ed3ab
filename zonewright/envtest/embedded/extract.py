"""`python -m zonewright.envtest.embedded.extract [KUBECONFIG]`: schemas of the built-in kinds from a real API server.

A developer's tool, run when the pinned Kubernetes version moves:

    zonewright envtest up --backend controlplane -- python -m zonewright.envtest.embedded.extract

The result, builtin.json, is committed. It is all that the embedded server knows about the shape of built-in kinds, and
what the typed kinds of zonewright/api/builtin are generated from. Descriptions are cut to their first sentence: whole,
they are nine tenths of it.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TARGET = Path(__file__).with_name("builtin.json")
META = "io.k8s.apimachinery.pkg.apis.meta.v1."
# Where each built-in kind lives; `v1` stands for the core group.
KINDS = {
    "v1": (
        "ConfigMap", "Event", "Namespace", "Node", "PersistentVolume", "PersistentVolumeClaim", "Pod", "Secret",
        "Service", "ServiceAccount",
    ),
    "apps/v1": ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
    "apiextensions.k8s.io/v1": ("CustomResourceDefinition",),
    "batch/v1": ("CronJob", "Job"),
    "coordination.k8s.io/v1": ("Lease",),
    "discovery.k8s.io/v1": ("EndpointSlice",),
    "events.k8s.io/v1": ("Event",),
    "networking.k8s.io/v1": ("Ingress", "IngressClass", "NetworkPolicy"),
    "policy/v1": ("PodDisruptionBudget",),
    "rbac.authorization.k8s.io/v1": ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"),
}  # fmt: skip
# Where a first sentence ends: before a capital and not after "e.g."; the list of an enum's values is beside it anyway.
SENTENCE = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.) +(?=[A-Z`\"\[*])| *Possible enum values:")
LONGEST = 240


class ApiServer:
    def __init__(self, kubeconfig: str | None) -> None:
        self._options = ["--kubeconfig", kubeconfig] if kubeconfig else []

    def get(self, path: str) -> dict[str, Any]:
        command = ["kubectl", *self._options, "get", "--raw", path]
        found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        return found

    def schemas(self, group_version: str) -> dict[str, Any]:
        found: dict[str, Any] = self.get(f"/openapi/v3{_path(group_version)}")["components"]["schemas"]
        return found

    def resources(self, group_version: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.get(_path(group_version))["resources"]
        return found


def _path(group_version: str) -> str:
    return ("/apis/" if "/" in group_version else "/api/") + group_version


def trimmed(schema: Any) -> Any:
    """The schema with short prose; `description` may also be the name of a property, which is a dict."""
    if isinstance(schema, dict):
        cut = {"description": first_sentence(schema["description"])} if _has_prose(schema) else {}
        return {key: trimmed(value) for key, value in schema.items()} | cut
    return [trimmed(item) for item in schema] if isinstance(schema, list) else schema


def _has_prose(schema: dict[str, Any]) -> bool:
    return isinstance(schema.get("description"), str)


def first_sentence(text: str) -> str:
    sentence = SENTENCE.split(" ".join(text.split()), maxsplit=1)[0]
    return sentence if len(sentence) <= LONGEST else f"{sentence[:LONGEST].rpartition(' ')[0]} ..."


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


def resource(served: list[dict[str, Any]], kind: str, definition: str) -> dict[str, Any]:
    """What discovery says about a kind: its URL, its scope, and which subresources it has."""
    (own,) = (one for one in served if one["kind"] == kind and "/" not in one["name"])
    prefix = own["name"] + "/"
    return {
        "definition": definition,
        "plural": own["name"],
        "namespaced": own["namespaced"],
        "subresources": sorted(one["name"].removeprefix(prefix) for one in served if one["name"].startswith(prefix)),
    }


def extract(server: ApiServer) -> dict[str, Any]:
    definitions: dict[str, Any] = {}
    resources: dict[str, dict[str, Any]] = {}
    for group_version, kinds in KINDS.items():
        schemas, served = server.schemas(group_version), server.resources(group_version)
        roots = {kind: next(n for n, one in schemas.items() if is_wanted(one, group_version, kind)) for kind in kinds}
        resources[group_version] = {kind: resource(served, kind, roots[kind]) for kind in kinds}
        # A DeleteOptions or Status names every group there is; only its own version is of use here.
        definitions |= closure(schemas, [*roots.values(), META + "ListMeta", META + "DeleteOptions"])
    definitions[META + "DeleteOptions"].pop("x-kubernetes-group-version-kind")
    return {
        "version": server.get("/version")["gitVersion"],
        "resources": resources,
        "definitions": {name: trimmed(schema) for name, schema in sorted(definitions.items())},
    }


def text(document: dict[str, Any]) -> str:
    """One definition to a line: a new version's changes can be read."""
    definitions = document["definitions"]
    lines = ",\n".join(f"{_json(name)}:{_json(schema)}" for name, schema in definitions.items())
    return f"{_json(document | {'definitions': {}})[:-2]}\n{lines}\n}}}}\n"


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


if __name__ == "__main__":
    TARGET.write_text(text(extract(ApiServer(sys.argv[1] if len(sys.argv) > 1 else None))), encoding="utf-8")
