"""Objects that ask for endpoints, as the cache hands them out."""

import itertools
import json
from typing import Any

from generated.kinds import KINDS
from zonewright import Kind, Object, Request
from zonewright.api.builtin import kinds

VERSIONS = itertools.count(1)


def dnsendpoint(name: str, *entries: Any, namespace: str = "default", **parts: Any) -> Object[Any]:
    return _object(KINDS["DNSEndpoint"], name, namespace, {"spec": {"endpoints": list(entries)}, **parts})


def entry(name: str = "www.example.org", record_type: str = "A", *targets: str, **fields: Any) -> dict[str, Any]:
    return {"dnsName": name, "recordType": record_type, "targets": list(targets or ("192.0.2.1",)), **fields}


def service(name: str, spec: Any, annotations: Any = None, namespace: str = "default", **parts: Any) -> Object[Any]:
    return _object(kinds.Service, name, namespace, {"spec": spec, **parts}, annotations=annotations)


def ingress(name: str, spec: Any, annotations: Any = None, namespace: str = "default", **parts: Any) -> Object[Any]:
    return _object(kinds.Ingress, name, namespace, {"spec": spec, **parts}, annotations=annotations)


def endpoint_slice(service_name: str, address_type: str, *members: dict[str, Any], **parts: Any) -> Object[Any]:
    name = f"{service_name}-{next(VERSIONS)}"
    body = {"addressType": address_type, "endpoints": list(members), "ports": [], **parts}
    labels = {"kubernetes.io/service-name": service_name}
    return _object(kinds.EndpointSlice, name, "default", body, labels=labels)


def _object(kind: Kind[Any], name: str, namespace: str, body: Any, **metadata: Any) -> Object[Any]:
    version = next(VERSIONS)
    fields = {
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": f"{kind.kind}-{namespace}-{name}",
            "generation": 1,
            "resourceVersion": str(version),
            "creationTimestamp": "2026-01-01T00:00:00Z",
            **metadata,
            **body.pop("metadata", {}),
        },
        **body,
    }
    return Object(kind, Request(namespace, name), version, 1, json.dumps(fields).encode())
