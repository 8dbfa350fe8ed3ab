# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""What kinds share of meta/v1."""

from typing import Annotated, Any

from pydantic import Field

from ..base import Model, Timestamp


class Condition(Model):
    """Condition contains details for one aspect of the current state of this API Resource."""

    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")]
    """lastTransitionTime is the last time the condition transitioned from one status to another."""
    message: str
    """message is a human readable message indicating details about the transition."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """observedGeneration represents the .metadata.generation that the condition was set based upon."""
    reason: str
    """reason contains a programmatic identifier indicating the reason for the condition's last transition."""
    status: str
    """status of the condition, one of True, False, Unknown."""
    type: str
    """type of condition in CamelCase or in foo.example.com/CamelCase."""


class LabelSelectorRequirement(Model):
    """A label selector requirement is a selector that contains values, a key, and an operator that relates the key and values."""

    key: str
    """key is the label key that the selector applies to."""
    operator: str
    """operator represents a key's relationship to a set of values."""
    values: list[str] | None = None
    """values is an array of string values."""


class ManagedFieldsEntry(Model):
    """ManagedFieldsEntry is a workflow-id, a FieldSet and the group version of the resource that the fieldset applies to."""

    api_version: Annotated[str | None, Field(alias="apiVersion")] = None
    """APIVersion defines the version of this resource that this field set applies to."""
    fields_type: Annotated[str | None, Field(alias="fieldsType")] = None
    """FieldsType is the discriminator for the different fields format and version."""
    fields_v1: Annotated[dict[str, Any] | None, Field(alias="fieldsV1")] = None
    """FieldsV1 holds the first JSON version format as described in the "FieldsV1" type."""
    manager: str | None = None
    """Manager is an identifier of the workflow managing these fields."""
    operation: str | None = None
    """Operation is the type of operation which lead to this ManagedFieldsEntry being created."""
    subresource: str | None = None
    """Subresource is the name of the subresource used to update that object, or empty string if the object was updated through the main resource."""
    time: Timestamp | None = None
    """Time is the timestamp of when the ManagedFields entry was added."""


class OwnerReference(Model):
    """OwnerReference contains enough information to let you identify an owning object."""

    api_version: Annotated[str, Field(alias="apiVersion")]
    """API version of the referent."""
    block_owner_deletion: Annotated[bool | None, Field(alias="blockOwnerDeletion")] = None
    """If true, AND if the owner has the "foregroundDeletion" finalizer, then the owner cannot be deleted from the key-value store until this reference is removed."""
    controller: bool | None = None
    """If true, this reference points to the managing controller."""
    kind: str
    """Kind of the referent."""
    name: str
    """Name of the referent."""
    uid: str
    """UID of the referent."""


class LabelSelector(Model):
    """A label selector is a label query over a set of resources."""

    match_expressions: Annotated[list[LabelSelectorRequirement] | None, Field(alias="matchExpressions")] = None
    """matchExpressions is a list of label selector requirements."""
    match_labels: Annotated[dict[str, str] | None, Field(alias="matchLabels")] = None
    """matchLabels is a map of {key,value} pairs."""


class ObjectMeta(Model):
    """ObjectMeta is metadata that all persisted resources must have, which includes all objects users must create."""

    annotations: dict[str, str] | None = None
    """Annotations is an unstructured key value map stored with a resource that may be set by external tools to store and retrieve arbitrary metadata."""
    creation_timestamp: Annotated[Timestamp | None, Field(alias="creationTimestamp")] = None
    """CreationTimestamp is a timestamp representing the server time when this object was created."""
    deletion_grace_period_seconds: Annotated[int | None, Field(alias="deletionGracePeriodSeconds")] = None
    """Number of seconds allowed for this object to gracefully terminate before it will be removed from the system."""
    deletion_timestamp: Annotated[Timestamp | None, Field(alias="deletionTimestamp")] = None
    """DeletionTimestamp is RFC 3339 date and time at which this resource will be deleted."""
    finalizers: list[str] | None = None
    """Must be empty before the object is deleted from the registry."""
    generate_name: Annotated[str | None, Field(alias="generateName")] = None
    """GenerateName is an optional prefix, used by the server, to generate a unique name ONLY IF the Name field has not been provided."""
    generation: int | None = None
    """A sequence number representing a specific generation of the desired state."""
    labels: dict[str, str] | None = None
    """Map of string keys and values that can be used to organize and categorize (scope and select) objects."""
    managed_fields: Annotated[list[ManagedFieldsEntry] | None, Field(alias="managedFields")] = None
    """ManagedFields maps workflow-id and version to the set of fields that are managed by that workflow."""
    name: str | None = None
    """Name must be unique within a namespace."""
    namespace: str | None = None
    """Namespace defines the space within which each name must be unique."""
    owner_references: Annotated[list[OwnerReference] | None, Field(alias="ownerReferences")] = None
    """List of objects depended by this object."""
    resource_version: Annotated[str | None, Field(alias="resourceVersion")] = None
    """An opaque value that represents the internal version of this object that can be used by clients to determine when objects have changed."""
    self_link: Annotated[str | None, Field(alias="selfLink")] = None
    """Deprecated: selfLink is a legacy read-only field that is no longer populated by the system."""
    uid: str | None = None
    """UID is the unique in time and space value for this object."""
