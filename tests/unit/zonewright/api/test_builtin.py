"""The typed built-in kinds: they read what API servers write, write it back unchanged, and load only when used."""

import subprocess
import sys
from typing import Any

import pytest

from zonewright.api.builtin import kinds
from zonewright.api.builtin.core_v1 import ObjectReference, Service, ServicePort, ServiceSpec
from zonewright.api.builtin.meta_v1 import ObjectMeta

PINNED = {
    "ClusterRole", "ClusterRoleBinding", "ConfigMap", "CronJob", "CustomResourceDefinition", "DaemonSet", "Deployment",
    "EndpointSlice", "Event", "Ingress", "Job", "Lease", "Namespace", "NetworkPolicy", "Node", "PersistentVolume",
    "PersistentVolumeClaim", "Pod", "PodDisruptionBudget", "ReplicaSet", "Role", "RoleBinding", "Secret", "Service",
    "ServiceAccount", "StatefulSet",
}  # fmt: skip


def test_the_kinds_that_controllers_use_are_there() -> None:
    assert kinds.KINDS.keys() >= PINNED


@pytest.mark.parametrize("kind", kinds.KINDS.values(), ids=lambda kind: kind.resource)
def test_every_model_loads_and_is_its_kind(kind: Any) -> None:
    made = kind.model().model_construct()
    assert (made.api_version, made.kind) == (kind.api_version, kind.kind)
    kind.model().model_rebuild()


@pytest.mark.parametrize(
    ("kind", "path", "subresources"),
    [
        (kinds.Service, "/api/v1/namespaces/a/services", {"proxy", "status"}),
        (kinds.Ingress, "/apis/networking.k8s.io/v1/namespaces/a/ingresses", {"status"}),
        (kinds.EndpointSlice, "/apis/discovery.k8s.io/v1/namespaces/a/endpointslices", set()),
        (kinds.Namespace, "/api/v1/namespaces", {"finalize", "status"}),
        (kinds.Deployment, "/apis/apps/v1/namespaces/a/deployments", {"scale", "status"}),
        (kinds.ClusterRole, "/apis/rbac.authorization.k8s.io/v1/clusterroles", set()),
    ],
)
def test_path_scope_and_subresources_are_known(kind: Any, path: str, subresources: set[str]) -> None:
    assert kind.path("a") == path
    assert kind.subresources == subresources


WRITTEN = [
    # As kube-apiserver 1.36 sends them: lists and times that are not set are null, unknown fields are a newer server's.
    (kinds.EndpointSlice, {"addressType": "IPv4", "endpoints": None, "ports": None}),
    (kinds.Role, {"rules": None}),
    (kinds.Event, {"eventTime": None, "firstTimestamp": None, "involvedObject": {}, "source": {}}),
    (kinds.Secret, {"type": "Opaque", "data": {"password": "c2VjcmV0"}}),
    (
        kinds.Service,
        {
            "spec": {"ports": [{"port": 80, "targetPort": "http"}, {"port": 81, "targetPort": 8081}], "type": "Novel"},
            "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1", "ipMode": "VIP"}]}, "invented": [1, 2.5, None]},
        },
    ),
    (
        kinds.Deployment,
        {
            "spec": {
                "selector": {"matchLabels": {"a": "b"}},
                "template": {
                    "metadata": {"creationTimestamp": None, "labels": {"a": "b"}},
                    "spec": {"containers": [{"name": "c", "resources": {"limits": {"cpu": "500m", "memory": "1Gi"}}}]},
                },
            }
        },
    ),
    (
        kinds.CustomResourceDefinition,
        {
            "spec": {
                "group": "example.org",
                "names": {"kind": "Widget", "plural": "widgets"},
                "scope": "Namespaced",
                "versions": [
                    {
                        "name": "v1",
                        "served": True,
                        "storage": True,
                        "schema": {
                            "openAPIV3Schema": {
                                "type": "object",
                                "properties": {"a": {"not": {"type": "string"}, "default": {"b": [1]}}},
                            }
                        },
                    }
                ],
            },
            "status": {"acceptedNames": {"kind": "", "plural": ""}, "conditions": None, "storedVersions": ["v1"]},
        },
    ),
]


@pytest.mark.parametrize(("kind", "fields"), WRITTEN, ids=lambda value: getattr(value, "kind", ""))
def test_what_was_read_is_written_back_unchanged(kind: Any, fields: dict[str, Any]) -> None:
    body = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": "x", "uid": "1"}, **fields}
    assert kind.model().model_validate(body).to_dict() == body


def test_an_item_of_a_list_does_not_name_its_kind() -> None:
    read = kinds.Service.model().model_validate_json(b'{"metadata":{"name":"web"},"spec":{"clusterIP":"None"}}')
    assert (read.kind, read.spec.cluster_ip if read.spec else None) == ("Service", "None")


def test_an_object_is_built_in_code_with_python_names() -> None:
    port = ServicePort(port=80, target_port="http")
    service = Service(metadata=ObjectMeta(name="web"), spec=ServiceSpec(cluster_ip="None", ports=[port]))
    assert service.to_dict() == {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web"},
        "spec": {"clusterIP": "None", "ports": [{"port": 80, "targetPort": "http"}]},
    }
    assert ObjectReference(field_path="spec").to_dict() == {"fieldPath": "spec"}


LOADED = "import sys; print(sum('zonewright.api.builtin' in name for name in sys.modules), 'pydantic' in sys.modules)"


@pytest.mark.parametrize(
    ("statement", "models", "pydantic"),
    [
        ("import zonewright", 0, False),
        ("from zonewright import Manager", 0, False),
        ("from zonewright.api.builtin import kinds", 2, False),
        ("from zonewright.api.builtin import core_v1, kinds", 3, False),
    ],
)
def test_nothing_loads_before_it_is_used(statement: str, models: int, pydantic: bool) -> None:
    done = subprocess.run([sys.executable, "-c", f"{statement}; {LOADED}"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(models), str(pydantic)]


def test_reading_services_loads_no_pod() -> None:
    program = "from zonewright.api.builtin.core_v1 import Service; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "zonewright.api.builtin.core_v1.service" in done.stdout
    assert "podspec" not in done.stdout
