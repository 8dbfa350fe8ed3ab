"""docs/how-to/add-a-record-kind.md, followed literally: its shell commands are run in a copy of the project."""

import subprocess

import pytest

from tests.support import ROOT
from tests.support.documents import blocks
from tests.support.project import run

COMMANDS = blocks("docs/how-to/add-a-record-kind.md", "sh")
GENERATED = ("generated/", "config/rbac/role.yaml", "docs/reference/api.md")


@pytest.mark.skipif(not (ROOT / ".venv/bin/pytest").exists(), reason="the how-to is written for `make setup`'s .venv")
@pytest.mark.slow
def test_the_how_to_works_as_written(copy):
    for command in COMMANDS:
        run("bash", "-euo", "pipefail", "-c", command.text, cwd=copy)
    status = run("git", "status", "--porcelain", "--untracked-files=all", cwd=copy).splitlines()
    by_hand = [line for line in status if not line[3:].startswith(GENERATED)]
    assert sorted(by_hand) == ["?? config/crd/sshfprecords.yaml", "?? reconcilers/records/sshfp.py"]
    python = copy / ".venv/bin/python"
    run(str(python), "-m", "codegen", "--check", cwd=copy)
    run(str(python), "-m", "ruff", "check", "reconcilers/records", "--no-cache", cwd=copy)
    run(str(python), "-m", "ruff", "format", "--check", "reconcilers/records", "--no-cache", cwd=copy)
    run(str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/unit/crd", cwd=copy)


def test_a_kind_without_a_handler_is_told_what_to_do(copy):
    (copy / "reconcilers/records/mx.py").unlink()
    test = "tests/unit/reconcilers/records/test_every_kind_has_a_handler.py"
    done = subprocess.run(
        [str(copy / ".venv/bin/python"), "-m", "pytest", "-q", test],
        cwd=copy, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "MXRecord has no handler: write reconcilers/records/mx.py" in done.stdout
