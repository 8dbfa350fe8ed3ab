# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Namespace of v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..resource import Resource


class NamespaceCondition(Model):
    """NamespaceCondition contains details about state of namespace."""

    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """Last time the condition transitioned from one status to another."""
    message: str | None = None
    """Human-readable message indicating details about last transition."""
    reason: str | None = None
    """Unique, one-word, CamelCase reason for the condition's last transition."""
    status: str
    """Status of the condition, one of True, False, Unknown."""
    type: str
    """Type of namespace controller condition."""


class NamespaceSpec(Model):
    """NamespaceSpec describes the attributes on a Namespace."""

    finalizers: list[str] | None = None
    """Finalizers is an opaque list of values that must be empty to permanently remove object from storage."""


class NamespaceStatus(Model):
    """NamespaceStatus is information about the current status of a Namespace."""

    conditions: list[NamespaceCondition] | None = None
    """Represents the latest available observations of a namespace's current state."""
    phase: str | None = None
    """Phase is the current lifecycle phase of the namespace. One of `Active`, `Terminating`."""


class Namespace(Resource):
    """Namespace provides a scope for Names."""

    api_version: Annotated[Literal["v1"], Field(alias="apiVersion")] = "v1"
    kind: Literal["Namespace"] = "Namespace"
    spec: NamespaceSpec | None = None
    """Spec defines the behavior of the Namespace."""
    status: NamespaceStatus | None = None
    """Status describes the current status of a Namespace."""
