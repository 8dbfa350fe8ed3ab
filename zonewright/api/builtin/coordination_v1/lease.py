# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Lease of coordination.k8s.io/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..resource import Resource


class LeaseSpec(Model):
    """LeaseSpec is a specification of a Lease."""

    acquire_time: Annotated[Timestamp | None, Field(alias="acquireTime")] = None
    """acquireTime is a time when the current lease was acquired."""
    holder_identity: Annotated[str | None, Field(alias="holderIdentity")] = None
    """holderIdentity contains the identity of the holder of a current lease."""
    lease_duration_seconds: Annotated[int | None, Field(alias="leaseDurationSeconds")] = None
    """leaseDurationSeconds is a duration that candidates for a lease need to wait to force acquire it."""
    lease_transitions: Annotated[int | None, Field(alias="leaseTransitions")] = None
    """leaseTransitions is the number of transitions of a lease between holders."""
    preferred_holder: Annotated[str | None, Field(alias="preferredHolder")] = None
    """PreferredHolder signals to a lease holder that the lease has a more optimal holder and should be given up."""
    renew_time: Annotated[Timestamp | None, Field(alias="renewTime")] = None
    """renewTime is a time when the current holder of a lease has last updated the lease."""
    strategy: str | None = None
    """Strategy indicates the strategy for picking the leader for coordinated leader election."""


class Lease(Resource):
    """Lease defines a lease concept."""

    api_version: Annotated[Literal["coordination.k8s.io/v1"], Field(alias="apiVersion")] = "coordination.k8s.io/v1"
    kind: Literal["Lease"] = "Lease"
    spec: LeaseSpec | None = None
    """spec contains the specification of the Lease."""
