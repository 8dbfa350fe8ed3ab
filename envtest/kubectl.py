"""Which kubectl to run: the one beside the control plane's programs where there is one, else the one in PATH.

The cached one comes first because it has the API server's version; what PATH holds may be years older, or a wrapper
of some cloud's tools.
"""

from __future__ import annotations

import functools
import shutil
from pathlib import Path

from envtest.paths import controlplane_directories


@functools.cache
def find() -> Path:
    """Return kubectl's path; say how to get one where there is none."""
    for directory in controlplane_directories():
        if (directory / "kubectl").is_file():
            return directory / "kubectl"
    found = shutil.which("kubectl")
    if found is None:
        raise FileNotFoundError(
            "kubectl is missing: install it, or run `python -m envtest up --backend controlplane` once"
        )
    return Path(found)
