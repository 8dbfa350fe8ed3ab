"""The CRDs that the wide tests run on: our own, the small golden ones, and a directory of real ones where there is one.

The directory is named by the environment variable ZONEWRIGHT_CRDS; without it, `../shared/crds` is used if it exists. A
checkout has neither, and the tests then cover the first two."""

import os
from pathlib import Path

from tests.support import ROOT

SAMPLE = Path(os.environ.get("ZONEWRIGHT_CRDS", ROOT.parent / "shared/crds"))

DIRECTORIES = {
    "ours": ROOT / "config/crd",
    "golden": ROOT / "tests/golden/codegen/crds",
    **({"sample": SAMPLE} if SAMPLE.is_dir() else {}),
}
