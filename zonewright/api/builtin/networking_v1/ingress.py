# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Ingress of networking.k8s.io/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..core_v1.common import TypedLocalObjectReference
from ..resource import Resource


class IngressPortStatus(Model):
    """IngressPortStatus represents the error condition of a service port"""

    error: str | None = None
    """error is to record the problem with the service port The format of the error shall comply with the following rules: - built-in error values shall be specified in this file and those shall use CamelCase names - cloud provider specific error ..."""
    port: int
    """port is the port number of the ingress port."""
    protocol: str
    """protocol is the protocol of the ingress port. One of `SCTP`, `TCP`, `UDP`."""


class IngressTLS(Model):
    """IngressTLS describes the transport layer security associated with an ingress."""

    hosts: list[str] | None = None
    """hosts is a list of hosts included in the TLS certificate."""
    secret_name: Annotated[str | None, Field(alias="secretName")] = None
    """secretName is the name of the secret used to terminate TLS traffic on port 443."""


class ServiceBackendPort(Model):
    """ServiceBackendPort is the service port being referenced."""

    name: str | None = None
    """name is the name of the port on the Service."""
    number: int | None = None
    """number is the numerical port number (e.g. 80) on the Service."""


class IngressLoadBalancerIngress(Model):
    """IngressLoadBalancerIngress represents the status of a load-balancer ingress point."""

    hostname: str | None = None
    """hostname is set for load-balancer ingress points that are DNS based."""
    ip: str | None = None
    """ip is set for load-balancer ingress points that are IP based."""
    ports: list[IngressPortStatus] | None = None
    """ports provides information about the ports exposed by this LoadBalancer."""


class IngressLoadBalancerStatus(Model):
    """IngressLoadBalancerStatus represents the status of a load-balancer."""

    ingress: list[IngressLoadBalancerIngress] | None = None
    """ingress is a list containing ingress points for the load-balancer."""


class IngressServiceBackend(Model):
    """IngressServiceBackend references a Kubernetes Service as a Backend."""

    name: str
    """name is the referenced service."""
    port: ServiceBackendPort | None = None
    """port of the referenced service."""


class IngressStatus(Model):
    """IngressStatus describe the current state of the Ingress."""

    load_balancer: Annotated[IngressLoadBalancerStatus | None, Field(alias="loadBalancer")] = None
    """loadBalancer contains the current status of the load-balancer."""


class IngressBackend(Model):
    """IngressBackend describes all endpoints for a given service and port."""

    resource: TypedLocalObjectReference | None = None
    """resource is an ObjectRef to another Kubernetes resource in the namespace of the Ingress object."""
    service: IngressServiceBackend | None = None
    """service references a service as a backend."""


class HTTPIngressPath(Model):
    """HTTPIngressPath associates a path with a backend."""

    backend: IngressBackend
    """backend defines the referenced service endpoint to which the traffic will be forwarded to."""
    path: str | None = None
    """path is matched against the path of an incoming request."""
    path_type: Annotated[str, Field(alias="pathType")]
    """pathType determines the interpretation of the path matching. One of `Exact`, `ImplementationSpecific`, `Prefix`."""


class HTTPIngressRuleValue(Model):
    """HTTPIngressRuleValue is a list of http selectors pointing to backends."""

    paths: list[HTTPIngressPath] | None
    """paths is a collection of paths that map requests to backends."""


class IngressRule(Model):
    """IngressRule represents the rules mapping the paths under a specified host to the related backend services."""

    host: str | None = None
    """host is the fully qualified domain name of a network host, as defined by RFC 3986."""
    http: HTTPIngressRuleValue | None = None


class IngressSpec(Model):
    """IngressSpec describes the Ingress the user wishes to exist."""

    default_backend: Annotated[IngressBackend | None, Field(alias="defaultBackend")] = None
    """defaultBackend is the backend that should handle requests that don't match any rule."""
    ingress_class_name: Annotated[str | None, Field(alias="ingressClassName")] = None
    """ingressClassName is the name of an IngressClass cluster resource."""
    rules: list[IngressRule] | None = None
    """rules is a list of host rules used to configure the Ingress."""
    tls: list[IngressTLS] | None = None
    """tls represents the TLS configuration."""


class Ingress(Resource):
    """Ingress is a collection of rules that allow inbound connections to reach the endpoints defined by a backend."""

    api_version: Annotated[Literal["networking.k8s.io/v1"], Field(alias="apiVersion")] = "networking.k8s.io/v1"
    kind: Literal["Ingress"] = "Ingress"
    spec: IngressSpec | None = None
    """spec is the desired state of the Ingress."""
    status: IngressStatus | None = None
    """status is the current state of the Ingress."""
