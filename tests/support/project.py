"""A copy of the project as it stands, for tests that change it. Fixture `copy`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT


def run(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(arguments, cwd=cwd, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Committed, with the environment of this checkout."""
    project = tmp_path / "project"
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, project / name)
    (project / ".venv").symlink_to(sys.prefix)
    run("git", "init", "-q", cwd=project)
    (project / ".git/info/exclude").write_text(".venv\n")
    run("git", "add", "-A", cwd=project)
    run("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "copy", cwd=project)
    return project
