"""What tests share: worlds to play in, servers to talk to, documents and CRDs to read."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WIDGETS = Path(__file__).with_name("widgets.yaml")  # the CRD that tests of envtest install
