"""What the programs of the control plane are started with, and why. Pure: settings in, arguments out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SERVICE_NETWORK = "10.0.0.0/16"
SERVER_NAMES = ("localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc")
SERVER_ADDRESSES = ("127.0.0.1", "10.0.0.1")  # the second is the first of SERVICE_NETWORK: the API's own Service

# What exists without nodes: garbage collection, the end of namespaces, and the controllers of the workloads that
# operators create. The others would only cost a second at the start and memory afterwards.
CONTROLLERS = (
    "clusterrole-aggregation-controller",
    "deployment-controller",
    "disruption-controller",
    "endpointslice-controller",
    "garbage-collector-controller",
    "job-controller",
    "namespace-controller",
    "replicaset-controller",
    "resourcequota-controller",
    "root-ca-certificate-publisher-controller",
    "serviceaccount-controller",
    "statefulset-controller",
)

ADMIN_ACCOUNT = """
apiVersion: v1
kind: ServiceAccount
metadata: {name: envtest-admin, namespace: kube-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: envtest-admin}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: ServiceAccount, name: envtest-admin, namespace: kube-system}]
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """What differs between two control planes on one machine."""

    directory: Path
    etcd_port: int
    etcd_peer_port: int
    api_port: int

    @property
    def etcd_url(self) -> str:
        """Return etcd's address. Plain HTTP: it listens on loopback only and lives as long as the test run."""
        return f"http://127.0.0.1:{self.etcd_port}"


def etcd(settings: Settings) -> list[str]:
    """Return etcd's arguments."""
    peer = f"http://127.0.0.1:{settings.etcd_peer_port}"
    return [
        f"--data-dir={settings.directory / 'etcd'}",
        f"--listen-client-urls={settings.etcd_url}",
        f"--advertise-client-urls={settings.etcd_url}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=default={peer}",
        # The data needs to survive nothing but a restart of the API server.
        "--unsafe-no-fsync",
        "--log-level=warn",
    ]


def apiserver(settings: Settings) -> list[str]:
    """Return kube-apiserver's arguments."""
    here = settings.directory
    return [
        f"--etcd-servers={settings.etcd_url}",
        "--bind-address=127.0.0.1",
        f"--secure-port={settings.api_port}",
        # A loopback address is refused as the endpoint of the `kubernetes` Service, and nobody here needs one.
        "--advertise-address=127.0.0.1",
        "--endpoint-reconciler-type=none",
        f"--tls-cert-file={here / 'apiserver.crt'}",
        f"--tls-private-key-file={here / 'apiserver.key'}",
        f"--client-ca-file={here / 'ca.crt'}",
        f"--token-auth-file={here / 'tokens.csv'}",
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={here / 'service-account.key'}",
        f"--service-account-signing-key-file={here / 'service-account.key'}",
        f"--service-cluster-ip-range={SERVICE_NETWORK}",
        "--allow-privileged=true",
        "--profiling=false",
        "--shutdown-delay-duration=0s",
    ]


def controller_manager(settings: Settings, kubeconfig: Path) -> list[str]:
    """Return kube-controller-manager's arguments."""
    here = settings.directory
    return [
        f"--kubeconfig={kubeconfig}",
        f"--controllers={','.join(CONTROLLERS)}",
        "--leader-elect=false",
        "--secure-port=0",  # nobody looks at its metrics, and a port less can be in use
        f"--root-ca-file={here / 'ca.crt'}",
        f"--service-account-private-key-file={here / 'service-account.key'}",
        # Tests make and drop namespaces by the hundred; the defaults (20/30) are meant for one per hour.
        "--kube-api-qps=500",
        "--kube-api-burst=1000",
        "--concurrent-namespace-syncs=20",
        "--profiling=false",
    ]
