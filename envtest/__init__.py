"""A Kubernetes API and name servers to develop and test on; usable without the DNS operator.

    with envtest.backend("controlplane") as cluster:        # or "embedded", "kind", "external"
        print(cluster.kubectl("get", "namespaces"))

`python -m envtest` gives the same on the command line, `envtest.pytest_plugin` as fixtures. What stands behind a
`Cluster` is in one module per backend; the programs they start are owned by `envtest.supervisor`, which outlives a
test run that is killed.
"""

from envtest.backend import BACKENDS, DEFAULT, Backend, backend
from envtest.cluster import Cluster, RequestKey, Response
from envtest.errors import Unavailable, Unsupported

__all__ = [
    "BACKENDS",
    "DEFAULT",
    "Backend",
    "Cluster",
    "RequestKey",
    "Response",
    "Unavailable",
    "Unsupported",
    "backend",
]
