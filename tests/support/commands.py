"""`python -m controllers ...` as people type it."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support import ROOT


def controllers(kubeconfig: Path, *words: str, stdin: int = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    """Run it to its end; `words` begin with the command."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ZONEWRIGHT_")}
    return subprocess.run(
        [sys.executable, "-m", "controllers", *words, "--kubeconfig", str(kubeconfig)],
        cwd=ROOT,
        env=inherited | {"COLUMNS": "300"},
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
