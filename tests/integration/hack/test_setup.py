"""hack/setup makes an environment that works, also where an earlier run was interrupted."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

pytestmark = pytest.mark.slow


def setup(venv: Path, requirements: str) -> int:
    file = venv.with_name("requirements.txt")
    file.write_text(requirements)
    variables = os.environ | {"PYTHON_FOR_SETUP": sys.executable}
    return subprocess.run(["hack/setup", venv, file], cwd=ROOT, env=variables, timeout=240, check=False).returncode


def usable(venv: Path) -> bool:
    return subprocess.run([venv / "bin/python", "-m", "pip", "--version"], timeout=120, check=False).returncode == 0


def test_an_environment_that_was_interrupted_is_made_anew(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", venv], timeout=120, check=True)
    (venv / "half").touch()

    assert setup(venv, "") == 0

    assert usable(venv)
    assert (venv / ".complete").exists()
    assert not (venv / "half").exists()


def test_it_is_complete_only_when_all_packages_are_there(tmp_path: Path) -> None:
    venv = tmp_path / "venv"

    assert setup(venv, "nothing-of-this-name==1.0\n") != 0  # it has no hash

    assert usable(venv)
    assert not (venv / ".complete").exists()


def test_what_is_no_python_is_named(tmp_path: Path) -> None:
    variables = os.environ | {"PYTHON_FOR_SETUP": "python9.9"}
    words = ["hack/setup", str(tmp_path / "venv"), os.devnull]
    done = subprocess.run(words, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 1
    assert "python9.9 is not a Python 3.11 or newer that runs here" in done.stderr
