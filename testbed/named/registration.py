"""Tells a cluster about a name server: an external Bind9Instance and the Secrets it refers to.

The kind belongs to the DNS operator, so its CRD must be installed; nothing else of the operator is needed.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from testbed.named.server import NameServer
from zonewright.envtest.cluster import Cluster

GROUP_VERSION = "bindy.firestoned.io/v1beta1"
# A Secret says by this label what it may be used for.
USE_LABEL = "bindy.firestoned.io/secret-use"
LABELS = {"dns.example.org/tier": "demo"}
ROLE_LABEL = "bindy.firestoned.io/role"


def register(
    server: NameServer, cluster: Cluster, namespace: str, *, labels: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Create or update the objects and return the Bind9Instance; `labels` replaces the tier label of the samples."""
    secrets = f"/api/v1/namespaces/{namespace}/secrets"
    tsig = {"key-name": server.key.name, "algorithm": server.key.algorithm, "secret": server.key.secret}
    _apply(cluster, f"{secrets}/{server.name}-tsig", _secret(f"{server.name}-tsig", "tsig", tsig))
    if server.bindcar_url is not None:
        token = _secret(f"{server.name}-bindcar", "bindcar-token", {"token": server.token})
        _apply(cluster, f"{secrets}/{server.name}-bindcar", token)
    path = f"/apis/{GROUP_VERSION}/namespaces/{namespace}/bind9instances/{server.name}"
    return _apply(cluster, path, instance(server, LABELS if labels is None else labels))


def instance(server: NameServer, labels: Mapping[str, str]) -> dict[str, Any]:
    """Describe a server as an external Bind9Instance."""
    external: dict[str, Any] = {
        "address": server.address,
        "port": server.port,
        "role": server.role,
        "tsigSecretRef": {"name": f"{server.name}-tsig"},
    }
    if server.bindcar_url is not None:
        external["bindcarUrl"] = server.bindcar_url
        external["bindcarTokenSecretRef"] = {"name": f"{server.name}-bindcar"}
    metadata = {"name": server.name, "labels": {**labels, ROLE_LABEL: server.role}}
    return {
        "apiVersion": GROUP_VERSION,
        "kind": "Bind9Instance",
        "metadata": metadata,
        "spec": {"role": server.role, "external": external},
    }


def _secret(name: str, use: str, values: Mapping[str, str]) -> dict[str, Any]:
    encoded = {key: base64.b64encode(value.encode()).decode() for key, value in values.items()}
    metadata = {"name": name, "labels": {USE_LABEL: use}}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": encoded}


def _apply(cluster: Cluster, path: str, fields: dict[str, Any]) -> dict[str, Any]:
    query = {"fieldManager": "envtest", "force": "true"}
    applied: dict[str, Any] = cluster.patch(path, fields, kind="apply", query=query)
    return applied
