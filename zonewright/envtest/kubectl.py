"""Which kubectl to run: the one beside the control plane's programs where there is one, else the one in PATH.

The cached one comes first because it has the API server's version; what PATH holds may be years older, or a wrapper
of some cloud's tools.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from zonewright.envtest.errors import Unavailable
from zonewright.envtest.paths import controlplane_directories


def find() -> Path:
    """Return kubectl's path; say how to get one where there is none."""
    found = search()
    if found is None:
        raise Unavailable("kubectl is missing: install it, or run `python -m zonewright envtest install` once")
    return found


def search() -> Path | None:
    """Return kubectl's path, or None where there is none."""
    candidates = (directory / "kubectl" for directory in controlplane_directories())
    in_path = shutil.which("kubectl")
    return next((path for path in candidates if path.is_file()), Path(in_path) if in_path else None)
