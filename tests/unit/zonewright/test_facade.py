"""`from zonewright import ...`: everything is there, nothing is loaded before it is used."""

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import zonewright as facade
from tests.support import ROOT


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


@pytest.mark.parametrize("name", facade.__all__)
def test_every_public_name_and_its_public_methods_have_a_docstring(name):
    home = importlib.import_module(f"zonewright.{facade._HOME[name]}")
    body = ast.parse(inspect.getsource(home)).body
    (at,) = [index for index, node in enumerate(body) if name in _names(node)]
    defined = body[at]
    if isinstance(defined, ast.ClassDef):
        public = [each for each in defined.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]
        assert [each.name for each in public if not ast.get_docstring(each)] == []
        assert ast.get_docstring(defined)
    elif isinstance(defined, ast.FunctionDef):
        assert ast.get_docstring(defined)
    else:  # an alias: the string after it
        assert isinstance(body[at + 1], ast.Expr)


def _names(node):
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return {node.name}
    return {ast.unparse(node.target)} if isinstance(node, ast.AnnAssign) else set()


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="Nonsense"):
        facade.Nonsense  # noqa: B018


def test_importing_the_facade_loads_nothing():
    code = "import sys, zonewright; sys.exit(sum(m.startswith('zonewright.') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("name", ["Client", "Controller", "Informer", "Kind", "Manager", "Selector"])
def test_what_a_manager_is_made_of_needs_no_extra(name):
    """Neither DNS, nor templates, nor a web framework, nor the models' library until a model is read."""
    heavy = ["dns", "jinja2", "aiohttp", "pydantic", "rich", "typer", "cryptography", "kubernetes"]
    code = f"import sys; from zonewright import {name}; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
