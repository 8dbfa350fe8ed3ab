"""What several tests of the runtime need."""

import os
import subprocess
import sys
import textwrap

import pytest

from zonewright.api.kind import Kind


@pytest.fixture
def widget_kind() -> Kind:
    """A kind with a model: `spec.size` must be an integer."""
    return Kind("bench.example.org", "v1", "Widget", "widgets", model_path="tests.support.widgets:Widget")


@pytest.fixture
def run_python():
    """Runs code in a fresh interpreter: for what depends on what was imported."""

    def run(code: str) -> None:
        environ = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        subprocess.run([sys.executable, "-W", "error", "-c", textwrap.dedent(code)], env=environ, check=True)

    return run
