"""Every class that the glossary names is there under that name."""

import importlib
import re

import pytest

from tests.support import ROOT

ROWS = [line.split("|")[1:4] for line in (ROOT / "docs/glossary.md").read_text().splitlines() if "| `" in line]
HOMES = ("", "zonewright.", "reconcilers.", "reconcilers.engine.", "zonewright.cache.informer.")
EXTRA = ("reconcilers.engine.core.protocol.", "reconcilers.desired.ownership.")


def resolves(path: str) -> bool:
    """A module, or an attribute (a dataclass field counts) of one."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            if not hasattr(found, name):
                return name in getattr(found, "__dataclass_fields__", {})
            found = getattr(found, name)
        return True
    return False


@pytest.mark.parametrize(("word", "path"), [(word.strip(), re.findall("`(.*?)`", path)[0]) for word, _, path in ROWS])
def test_the_class_of_a_word_is_there(word: str, path: str):
    assert any(resolves(home + path) for home in (*HOMES, *EXTRA)), f"{word}: {path}"


def test_every_word_has_one_row():
    words = [word.strip() for word, _, _ in ROWS]
    assert len(words) == len(set(words)) >= 25
