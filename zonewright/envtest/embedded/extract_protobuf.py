"""`python -m zonewright.envtest.embedded.extract_protobuf`: field numbers of built-in kinds from the .proto files.

A developer's tool like extract.py, run after it when the pinned version moves: kubectl's `create` commands send
built-in kinds as protobuf. Needs the Go toolchain, for the modules that zonewright/envtest/controlplane/pins pins."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from zonewright.envtest.controlplane.build import PINS
from zonewright.envtest.embedded.builtin import definitions

TARGET = Path(__file__).with_name("protobuf.json")
MODULES = ("k8s.io/api", "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver")
PACKAGE = re.compile(r"^package ([\w.]+);", re.MULTILINE)
MESSAGE = re.compile(r"^message (\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (optional|repeated|map<string, ([\w.]+)>) ?([\w.]*) (\w+) = (\d+);", re.MULTILINE)
SCALARS = frozenset({"string", "bytes", "bool", "int32", "int64", "double"})


def directory(module: str) -> Path:
    command = ["go", "list", "-m", "-f", "{{.Dir}}", module]
    where = PINS / "kubernetes"
    return Path(subprocess.run(command, cwd=where, check=True, capture_output=True, text=True).stdout.strip())


def messages(text: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    package = PACKAGE.search(text)
    prefix = package[1] if package else ""
    for name, body in MESSAGE.findall(text):
        fields = {}
        for label, mapped, plain, field, number in FIELD.findall(body):
            fields[number] = [field, qualified(mapped or plain, prefix), "map" if mapped else label]
        yield openapi_name(f"{prefix}.{name}"), fields


def qualified(kind: str, prefix: str) -> str:
    return kind if kind in SCALARS else openapi_name(kind.lstrip(".") if kind.startswith(".") else f"{prefix}.{kind}")


def openapi_name(name: str) -> str:
    """Schemas and protobuf name the same types in different order: io.k8s.api and k8s.io.api."""
    return "io.k8s." + name.removeprefix("k8s.io.")


def extract() -> dict[str, dict[str, list[str]]]:
    found = {
        name: fields
        for module in MODULES
        for path in directory(module).rglob("generated.proto")
        for name, fields in messages(path.read_text())
    }
    wanted: dict[str, dict[str, list[str]]] = {}
    pending = [name for name in definitions() if "x-kubernetes-group-version-kind" in definitions()[name]]
    while pending:
        name = pending.pop()
        if name in found and name not in wanted:
            wanted[name] = found[name]
            pending.extend(kind for _, kind, _ in found[name].values())
    return dict(sorted(wanted.items()))


if __name__ == "__main__":
    TARGET.write_text(json.dumps(extract(), separators=(",", ":")) + "\n")
