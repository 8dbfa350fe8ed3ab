# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Service of v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import IntOrString, Model
from ..meta_v1.common import Condition
from ..resource import Resource


class ClientIPConfig(Model):
    """ClientIPConfig represents the configurations of Client IP based session affinity."""

    timeout_seconds: Annotated[int | None, Field(alias="timeoutSeconds")] = None
    """timeoutSeconds specifies the seconds of ClientIP type session sticky time."""


class PortStatus(Model):
    """PortStatus represents the error condition of a service port"""

    error: str | None = None
    """Error is to record the problem with the service port The format of the error shall comply with the following rules: - built-in error values shall be specified in this file and those shall use CamelCase names - cloud provider specific error ..."""
    port: int
    """Port is the port number of the service port of which status is recorded here"""
    protocol: str
    """Protocol is the protocol of the service port of which status is recorded here The supported values are: "TCP", "UDP", "SCTP" One of `SCTP`, `TCP`, `UDP`."""


class ServicePort(Model):
    """ServicePort contains information on service's port."""

    app_protocol: Annotated[str | None, Field(alias="appProtocol")] = None
    """The application protocol for this port."""
    name: str | None = None
    """The name of this port within the service."""
    node_port: Annotated[int | None, Field(alias="nodePort")] = None
    """The port on each node on which this service is exposed when type is NodePort or LoadBalancer."""
    port: int
    """The port that will be exposed by this service."""
    protocol: str = "TCP"
    """The IP protocol for this port. One of `SCTP`, `TCP`, `UDP`."""
    target_port: Annotated[IntOrString | None, Field(alias="targetPort")] = None
    """Number or name of the port to access on the pods targeted by the service."""


class SessionAffinityConfig(Model):
    """SessionAffinityConfig represents the configurations of session affinity."""

    client_ip: Annotated[ClientIPConfig | None, Field(alias="clientIP")] = None
    """clientIP contains the configurations of Client IP based session affinity."""


class LoadBalancerIngress(Model):
    """LoadBalancerIngress represents the status of a load-balancer ingress point: traffic intended for the service should be sent to an ingress point."""

    hostname: str | None = None
    """Hostname is set for load-balancer ingress points that are DNS based (typically AWS load-balancers)"""
    ip: str | None = None
    """IP is set for load-balancer ingress points that are IP based (typically GCE or OpenStack load-balancers)"""
    ip_mode: Annotated[str | None, Field(alias="ipMode")] = None
    """IPMode specifies how the load-balancer IP behaves, and may only be specified when the ip field is specified."""
    ports: list[PortStatus] | None = None
    """Ports is a list of records of service ports If used, every port defined in the service should have an entry in it"""


class LoadBalancerStatus(Model):
    """LoadBalancerStatus represents the status of a load-balancer."""

    ingress: list[LoadBalancerIngress] | None = None
    """Ingress is a list containing ingress points for the load-balancer."""


class ServiceSpec(Model):
    """ServiceSpec describes the attributes that a user creates on a service."""

    allocate_load_balancer_node_ports: Annotated[bool | None, Field(alias="allocateLoadBalancerNodePorts")] = None
    """allocateLoadBalancerNodePorts defines if NodePorts will be automatically allocated for services with type LoadBalancer."""
    cluster_ip: Annotated[str | None, Field(alias="clusterIP")] = None
    """clusterIP is the IP address of the service and is usually assigned randomly."""
    cluster_ips: Annotated[list[str] | None, Field(alias="clusterIPs")] = None
    """ClusterIPs is a list of IP addresses assigned to this service, and are usually assigned randomly."""
    external_ips: Annotated[list[str] | None, Field(alias="externalIPs")] = None
    """externalIPs is a list of IP addresses for which nodes in the cluster will also accept traffic for this service."""
    external_name: Annotated[str | None, Field(alias="externalName")] = None
    """externalName is the external reference that discovery mechanisms will return as an alias for this service (e.g. a DNS CNAME record)."""
    external_traffic_policy: Annotated[str | None, Field(alias="externalTrafficPolicy")] = None
    """externalTrafficPolicy describes how nodes distribute service traffic they receive on one of the Service's "externally-facing" addresses (NodePorts, ExternalIPs, and LoadBalancer IPs). One of `Cluster`, `Local`."""
    health_check_node_port: Annotated[int | None, Field(alias="healthCheckNodePort")] = None
    """healthCheckNodePort specifies the healthcheck nodePort for the service."""
    internal_traffic_policy: Annotated[str | None, Field(alias="internalTrafficPolicy")] = None
    """InternalTrafficPolicy describes how nodes distribute service traffic they receive on the ClusterIP. One of `Cluster`, `Local`."""
    ip_families: Annotated[list[str] | None, Field(alias="ipFamilies")] = None
    """IPFamilies is a list of IP families (e.g. IPv4, IPv6) assigned to this service."""
    ip_family_policy: Annotated[str | None, Field(alias="ipFamilyPolicy")] = None
    """IPFamilyPolicy represents the dual-stack-ness requested or required by this Service. One of `PreferDualStack`, `RequireDualStack`, `SingleStack`."""
    load_balancer_class: Annotated[str | None, Field(alias="loadBalancerClass")] = None
    """loadBalancerClass is the class of the load balancer implementation this Service belongs to."""
    load_balancer_ip: Annotated[str | None, Field(alias="loadBalancerIP")] = None
    """Only applies to Service Type: LoadBalancer."""
    load_balancer_source_ranges: Annotated[list[str] | None, Field(alias="loadBalancerSourceRanges")] = None
    """If specified and supported by the platform, this will restrict traffic through the cloud-provider load-balancer will be restricted to the specified client IPs."""
    ports: list[ServicePort] | None = None
    """The list of ports that are exposed by this service."""
    publish_not_ready_addresses: Annotated[bool | None, Field(alias="publishNotReadyAddresses")] = None
    """publishNotReadyAddresses indicates that any agent which deals with endpoints for this Service should disregard any indications of ready/not-ready."""
    selector: dict[str, str] | None = None
    """Route service traffic to pods with label keys and values matching this selector."""
    session_affinity: Annotated[str | None, Field(alias="sessionAffinity")] = None
    """Supports "ClientIP" and "None". One of `ClientIP`, `None`."""
    session_affinity_config: Annotated[SessionAffinityConfig | None, Field(alias="sessionAffinityConfig")] = None
    """sessionAffinityConfig contains the configurations of session affinity."""
    traffic_distribution: Annotated[str | None, Field(alias="trafficDistribution")] = None
    """TrafficDistribution offers a way to express preferences for how traffic is distributed to Service endpoints."""
    type: str | None = None
    """type determines how the Service is exposed. One of `ClusterIP`, `ExternalName`, `LoadBalancer`, `NodePort`."""


class ServiceStatus(Model):
    """ServiceStatus represents the current status of a service."""

    conditions: list[Condition] | None = None
    """Current service state"""
    load_balancer: Annotated[LoadBalancerStatus | None, Field(alias="loadBalancer")] = None
    """LoadBalancer contains the current status of the load-balancer, if one is present."""


class Service(Resource):
    """Service is a named abstraction of software service (for example, mysql) consisting of local port (for example 3306) that the proxy listens on, and the selector that determines which pods will answer requests sent through the proxy."""

    api_version: Annotated[Literal["v1"], Field(alias="apiVersion")] = "v1"
    kind: Literal["Service"] = "Service"
    spec: ServiceSpec | None = None
    """Spec defines the behavior of a service. https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status"""
    status: ServiceStatus | None = None
    """Most recently observed status of the service."""
