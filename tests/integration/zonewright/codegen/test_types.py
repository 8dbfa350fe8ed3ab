"""The generated packages are clean under `mypy --strict`, and every module of them imports.

See crds.py for which CRDs. The package lies outside the project, under a name of its own, as other people's would."""

import os
import subprocess
import sys

import pytest

from tests.support import ROOT
from tests.support.sample_crds import DIRECTORIES

IMPORT_ALL = """
import importlib, pathlib, sys
root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root.parent))
for file in sorted(root.rglob("*.py")):
    importlib.import_module(".".join(file.relative_to(root.parent).with_suffix("").parts).removesuffix(".__init__"))
kinds = importlib.import_module(f"{root.name}.kinds")
print(len([kind.model() for kind in kinds.KINDS.values()]))
"""


def run(*arguments):
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, timeout=280, check=False, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "sample" else ()) for name in DIRECTORIES]
)
def test_the_package_is_well_typed_and_imports(tmp_path, name):
    out = tmp_path / f"types_{name}"
    generated = run("-m", "zonewright", "generate", "--crds", DIRECTORIES[name], "--out", out)
    assert generated.returncode == 0, generated.stderr
    typed = run("-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", out)
    assert typed.returncode == 0, typed.stdout
    imported = run("-W", "error", "-c", IMPORT_ALL, out)
    assert imported.returncode == 0, imported.stderr
    assert int(imported.stdout) > 0


def test_a_directory_whose_name_is_no_package_works_too(tmp_path):
    out = tmp_path / "tmp.k3V9"
    assert run("-m", "zonewright", "generate", "--crds", DIRECTORIES["golden"], "--out", out).returncode == 0
    typed = run("-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", out)
    assert typed.returncode == 0, typed.stdout
    assert run("-c", IMPORT_ALL, out / "crds").returncode == 0


def test_importing_the_registry_loads_no_model():
    done = run("-c", "import sys, generated, generated.kinds; sys.exit('pydantic' in sys.modules)")
    assert done.returncode == 0
