"""names.lock.json: which class stands for which place, so that a name once published never moves to another type.

Without it a field added upstream could take over a name, or the name of a class that several places share could jump to
another of them. The lock lives beside the output and is committed with it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from zonewright.codegen.errors import CodegenError

FILE = "names.lock.json"
FORMAT = 1


@dataclass(slots=True)
class Lock:
    """Owner (`Kind.version.group`, or a registry) -> path in its schema -> name."""

    names: dict[str, dict[str, str]] = field(default_factory=dict)

    def of(self, owner: str) -> Mapping[str, str]:
        return self.names.get(owner, {})

    def keep(self, owner: str, names: Mapping[str, str]) -> None:
        self.names[owner] = dict(sorted(names.items()))

    def text(self) -> str:
        document = {"format": FORMAT, "names": dict(sorted(self.names.items()))}
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def read(file: Path) -> Lock:
    """The lock of the last run; an empty one when there was none."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Lock()
    except ValueError as error:
        raise CodegenError("is not JSON: restore it from version control", file=file) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise CodegenError(f"is not a lock of format {FORMAT}: restore it from version control", file=file)
    return Lock({owner: dict(names) for owner, names in document["names"].items()})
