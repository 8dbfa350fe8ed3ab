"""End-to-end tests need a cluster with nodes: they run on kind (`make kind-up e2e`) or on a cluster of your own."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _needs_nodes(request: pytest.FixtureRequest) -> None:
    backend = request.config.getoption("--backend")
    if backend not in {"kind", "external"}:
        pytest.skip("end-to-end tests need nodes: --backend=kind (make kind-up e2e) or --backend=external")
