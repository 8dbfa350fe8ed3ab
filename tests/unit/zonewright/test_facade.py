"""`from zonewright import ...`: everything is there, nothing is loaded before it is used."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import zonewright as facade


@pytest.mark.parametrize("name", facade.__all__)
def test_every_public_name_is_what_its_module_defines(name):
    home = importlib.import_module(f"zonewright.{facade._HOME[name]}")
    assert getattr(facade, name) is getattr(home, name)


def test_all_is_sorted_and_agrees_with_what_type_checkers_see():
    tree = ast.parse(Path(facade.__file__).read_text())
    imported = {
        (alias.name, node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("zonewright.")
        for alias in node.names
    }
    assert imported == {(name, f"zonewright.{home}") for name, home in facade._HOME.items()}
    assert facade.__all__ == sorted(facade._HOME) == dir(facade)


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="Nonsense"):
        facade.Nonsense  # noqa: B018


def test_importing_the_facade_loads_nothing():
    code = "import sys, zonewright; sys.exit(sum(m.startswith('zonewright.') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
