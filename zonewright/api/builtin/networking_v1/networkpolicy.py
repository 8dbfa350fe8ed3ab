# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""NetworkPolicy of networking.k8s.io/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import IntOrString, Model
from ..meta_v1.common import LabelSelector
from ..resource import Resource


class IPBlock(Model):
    """IPBlock describes a particular CIDR (Ex."""

    cidr: str
    """cidr is a string representing the IPBlock Valid examples are "192.168.1.0/24" or "2001:db8::/64\""""
    except_: Annotated[list[str] | None, Field(alias="except")] = None
    """except is a slice of CIDRs that should not be included within an IPBlock Valid examples are "192.168.1.0/24" or "2001:db8::/64" Except values will be rejected if they are outside the cidr range"""


class NetworkPolicyPeer(Model):
    """NetworkPolicyPeer describes a peer to allow traffic to/from."""

    ip_block: Annotated[IPBlock | None, Field(alias="ipBlock")] = None
    """ipBlock defines policy on a particular IPBlock."""
    namespace_selector: Annotated[LabelSelector | None, Field(alias="namespaceSelector")] = None
    """namespaceSelector selects namespaces using cluster-scoped labels."""
    pod_selector: Annotated[LabelSelector | None, Field(alias="podSelector")] = None
    """podSelector is a label selector which selects pods."""


class NetworkPolicyPort(Model):
    """NetworkPolicyPort describes a port to allow traffic on"""

    end_port: Annotated[int | None, Field(alias="endPort")] = None
    """endPort indicates that the range of ports from port to endPort if set, inclusive, should be allowed by the policy."""
    port: IntOrString | None = None
    """port represents the port on the given protocol."""
    protocol: str | None = None
    """protocol represents the protocol (TCP, UDP, or SCTP) which traffic must match. One of `SCTP`, `TCP`, `UDP`."""


class NetworkPolicyEgressRule(Model):
    """NetworkPolicyEgressRule describes a particular set of traffic that is allowed out of pods matched by a NetworkPolicySpec's podSelector."""

    ports: list[NetworkPolicyPort] | None = None
    """ports is a list of destination ports for outgoing traffic."""
    to: list[NetworkPolicyPeer] | None = None
    """to is a list of destinations for outgoing traffic of pods selected for this rule."""


class NetworkPolicyIngressRule(Model):
    """NetworkPolicyIngressRule describes a particular set of traffic that is allowed to the pods matched by a NetworkPolicySpec's podSelector."""

    from_: Annotated[list[NetworkPolicyPeer] | None, Field(alias="from")] = None
    """from is a list of sources which should be able to access the pods selected for this rule."""
    ports: list[NetworkPolicyPort] | None = None
    """ports is a list of ports which should be made accessible on the pods selected for this rule."""


class NetworkPolicySpec(Model):
    """NetworkPolicySpec provides the specification of a NetworkPolicy"""

    egress: list[NetworkPolicyEgressRule] | None = None
    """egress is a list of egress rules to be applied to the selected pods."""
    ingress: list[NetworkPolicyIngressRule] | None = None
    """ingress is a list of ingress rules to be applied to the selected pods."""
    pod_selector: Annotated[LabelSelector | None, Field(alias="podSelector")] = None
    """podSelector selects the pods to which this NetworkPolicy object applies."""
    policy_types: Annotated[list[str] | None, Field(alias="policyTypes")] = None
    """policyTypes is a list of rule types that the NetworkPolicy relates to."""


class NetworkPolicy(Resource):
    """NetworkPolicy describes what network traffic is allowed for a set of Pods"""

    api_version: Annotated[Literal["networking.k8s.io/v1"], Field(alias="apiVersion")] = "networking.k8s.io/v1"
    kind: Literal["NetworkPolicy"] = "NetworkPolicy"
    spec: NetworkPolicySpec | None = None
    """spec represents the specification of the desired behavior for this NetworkPolicy."""
