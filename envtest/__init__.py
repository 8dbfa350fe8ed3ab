"""A Kubernetes API and name servers to develop and test on; usable without the DNS operator.

    with envtest.backend("controlplane") as cluster:        # or "embedded", "kind", "external"
        cluster.apply(Path("manifests"))

`python -m envtest` gives the same on the command line, `envtest.pytest_plugin` as fixtures. What stands behind a
`Cluster` is in one module per backend; the programs they start are owned by `envtest.supervisor`, which outlives a
test run that is killed.
"""

from envtest.api import Response
from envtest.backend import BACKENDS, DEFAULT, Backend, backend, prepare
from envtest.cluster import Cluster, RequestKey
from envtest.errors import ApplyFailed, Refused, Unavailable, Unsupported

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
