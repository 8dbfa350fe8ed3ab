"""A machine as a newcomer has it."""

import os
import shutil
from pathlib import Path

import pytest

from testbed.named.configuration import USUAL_PLACES

# What `make run` and the commands that it shows need.
PROGRAMS = ("curl", "dig", "grep", "named", "named-checkconf", "rndc", "sh")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A machine without kubectl, neither in PATH nor in the cache."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in PROGRAMS:
        if found := shutil.which(name) or shutil.which(name, path=USUAL_PLACES):
            (programs / name).symlink_to(found)
    kept = {name: value for name, value in os.environ.items() if name not in {"KUBECONFIG", "KUBEBUILDER_ASSETS"}}
    return {**kept, "PATH": str(programs), "XDG_CACHE_HOME": str(tmp_path / "cache")}
