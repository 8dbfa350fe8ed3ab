"""`python -m codegen`, this operator's generation step, as people and CI run it."""

import subprocess
import sys

import pytest

from tests.support import ROOT


def codegen(*arguments):
    command = [sys.executable, "-m", "codegen", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_this_project_is_up_to_date():
    done = codegen("--check")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("arguments", [("--check", "--watch"), ("--nonsense",), ("new-kind",), ("new-kind", "NOSUCH")])
def test_wrong_use_is_told_without_a_traceback(arguments):
    done = codegen(*arguments)
    assert done.returncode != 0
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_new_kind_generates_nothing():
    assert "CRDs, " not in codegen("new-kind", "NOSUCH").stderr
