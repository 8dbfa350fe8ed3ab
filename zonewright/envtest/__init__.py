"""A Kubernetes API to develop and test on.

    with envtest.backend("controlplane") as cluster:        # or "embedded", "kind", "external"
        cluster.apply(Path("manifests"))

`zonewright envtest` gives the same on the command line, `zonewright.testing.plugin` as fixtures. What stands behind a
`Cluster` is in one module per backend; the programs they start are owned by `supervisor`, which outlives a test run
that is killed.
"""

from zonewright.envtest.api import Response
from zonewright.envtest.backend import BACKENDS, DEFAULT, Backend, backend, prepare
from zonewright.envtest.cluster import Cluster, RequestKey
from zonewright.envtest.errors import ApplyFailed, Refused, Unavailable, Unsupported

__all__ = [
    "BACKENDS",
    "DEFAULT",
    "ApplyFailed",
    "Backend",
    "Cluster",
    "Refused",
    "RequestKey",
    "Response",
    "Unavailable",
    "Unsupported",
    "backend",
    "prepare",
]
