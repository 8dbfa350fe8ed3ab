# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""EndpointSlice of discovery.k8s.io/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..core_v1.common import ObjectReference
from ..resource import Resource


class EndpointConditions(Model):
    """EndpointConditions represents the current condition of an endpoint."""

    ready: bool | None = None
    """ready indicates that this endpoint is ready to receive traffic, according to whatever system is managing the endpoint."""
    serving: bool | None = None
    """serving indicates that this endpoint is able to receive traffic, according to whatever system is managing the endpoint."""
    terminating: bool | None = None
    """terminating indicates that this endpoint is terminating."""


class EndpointPort(Model):
    """EndpointPort represents a Port used by an EndpointSlice"""

    app_protocol: Annotated[str | None, Field(alias="appProtocol")] = None
    """The application protocol for this port."""
    name: str | None = None
    """name represents the name of this port."""
    port: int | None = None
    """port represents the port number of the endpoint."""
    protocol: str | None = None
    """protocol represents the IP protocol for this port. One of `SCTP`, `TCP`, `UDP`."""


class ForNode(Model):
    """ForNode provides information about which nodes should consume this endpoint."""

    name: str
    """name represents the name of the node."""


class ForZone(Model):
    """ForZone provides information about which zones should consume this endpoint."""

    name: str
    """name represents the name of the zone."""


class EndpointHints(Model):
    """EndpointHints provides hints describing how an endpoint should be consumed."""

    for_nodes: Annotated[list[ForNode] | None, Field(alias="forNodes")] = None
    """forNodes indicates the node(s) this endpoint should be consumed by when using topology aware routing."""
    for_zones: Annotated[list[ForZone] | None, Field(alias="forZones")] = None
    """forZones indicates the zone(s) this endpoint should be consumed by when using topology aware routing."""


class Endpoint(Model):
    """Endpoint represents a single logical "backend" implementing a service."""

    addresses: list[str] | None
    """addresses of this endpoint."""
    conditions: EndpointConditions | None = None
    """conditions contains information about the current status of the endpoint."""
    deprecated_topology: Annotated[dict[str, str] | None, Field(alias="deprecatedTopology")] = None
    """deprecatedTopology contains topology information part of the v1beta1 API."""
    hints: EndpointHints | None = None
    """hints contains information associated with how an endpoint should be consumed."""
    hostname: str | None = None
    """hostname of this endpoint."""
    node_name: Annotated[str | None, Field(alias="nodeName")] = None
    """nodeName represents the name of the Node hosting this endpoint."""
    target_ref: Annotated[ObjectReference | None, Field(alias="targetRef")] = None
    """targetRef is a reference to a Kubernetes object that represents this endpoint."""
    zone: str | None = None
    """zone is the name of the Zone this endpoint exists in."""


class EndpointSlice(Resource):
    """EndpointSlice represents a set of service endpoints."""

    api_version: Annotated[Literal["discovery.k8s.io/v1"], Field(alias="apiVersion")] = "discovery.k8s.io/v1"
    kind: Literal["EndpointSlice"] = "EndpointSlice"
    address_type: Annotated[str, Field(alias="addressType")]
    """addressType specifies the type of address carried by this EndpointSlice. One of `FQDN`, `IPv4`, `IPv6`."""
    endpoints: list[Endpoint] | None = None
    """endpoints is a list of unique endpoints in this slice."""
    ports: list[EndpointPort] | None = None
    """ports specifies the list of network ports exposed by each endpoint in this slice."""
