# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""CustomResourceDefinition of apiextensions.k8s.io/v1."""

from typing import Annotated, Any, Literal, Optional

from pydantic import Field

from ..base import Model, Timestamp
from ..resource import Resource


class CustomResourceColumnDefinition(Model):
    """CustomResourceColumnDefinition specifies a column for server side printing."""

    description: str | None = None
    """description is a human readable description of this column."""
    format: str | None = None
    """format is an optional OpenAPI type definition for this column."""
    json_path: Annotated[str, Field(alias="jsonPath")]
    """jsonPath is a simple JSON path (i.e. with array notation) which is evaluated against each custom resource to produce the value for this column."""
    name: str
    """name is a human readable name for the column."""
    priority: int | None = None
    """priority is an integer defining the relative importance of this column compared to others."""
    type: str
    """type is an OpenAPI type definition for this column."""


class CustomResourceDefinitionCondition(Model):
    """CustomResourceDefinitionCondition contains details for the current condition of this pod."""

    last_transition_time: Annotated[Timestamp | None, Field(alias="lastTransitionTime")] = None
    """lastTransitionTime last time the condition transitioned from one status to another."""
    message: str | None = None
    """message is a human-readable message indicating details about last transition."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """observedGeneration represents the .metadata.generation that the condition was set based upon."""
    reason: str | None = None
    """reason is a unique, one-word, CamelCase reason for the condition's last transition."""
    status: str
    """status is the status of the condition."""
    type: str
    """type is the type of the condition."""


class CustomResourceDefinitionNames(Model):
    """CustomResourceDefinitionNames indicates the names to serve this CustomResourceDefinition"""

    categories: list[str] | None = None
    """categories is a list of grouped resources this custom resource belongs to (e.g. 'all')."""
    kind: str
    """kind is the serialized kind of the resource."""
    list_kind: Annotated[str | None, Field(alias="listKind")] = None
    """listKind is the serialized kind of the list for this resource."""
    plural: str
    """plural is the plural name of the resource to serve."""
    short_names: Annotated[list[str] | None, Field(alias="shortNames")] = None
    """shortNames are short names for the resource, exposed in API discovery documents, and used by clients to support invocations like `kubectl get <shortname>`."""
    singular: str | None = None
    """singular is the singular name of the resource."""


class CustomResourceDefinitionStatus(Model):
    """CustomResourceDefinitionStatus indicates the state of the CustomResourceDefinition"""

    accepted_names: Annotated[CustomResourceDefinitionNames | None, Field(alias="acceptedNames")] = None
    """acceptedNames are the names that are actually being used to serve discovery."""
    conditions: list[CustomResourceDefinitionCondition] | None = None
    """conditions indicate state for particular aspects of a CustomResourceDefinition"""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration")] = None
    """The generation observed by the CRD controller."""
    stored_versions: Annotated[list[str] | None, Field(alias="storedVersions")] = None
    """storedVersions lists all versions of CustomResources that were ever persisted."""


class CustomResourceSubresourceScale(Model):
    """CustomResourceSubresourceScale defines how to serve the scale subresource for CustomResources."""

    label_selector_path: Annotated[str | None, Field(alias="labelSelectorPath")] = None
    """labelSelectorPath defines the JSON path inside of a custom resource that corresponds to Scale `status.selector`."""
    spec_replicas_path: Annotated[str, Field(alias="specReplicasPath")]
    """specReplicasPath defines the JSON path inside of a custom resource that corresponds to Scale `spec.replicas`."""
    status_replicas_path: Annotated[str, Field(alias="statusReplicasPath")]
    """statusReplicasPath defines the JSON path inside of a custom resource that corresponds to Scale `status.replicas`."""


class CustomResourceSubresources(Model):
    """CustomResourceSubresources defines the status and scale subresources for CustomResources."""

    scale: CustomResourceSubresourceScale | None = None
    """scale indicates the custom resource should serve a `/scale` subresource that returns an `autoscaling/v1` Scale object."""
    status: dict[str, Any] | None = None
    """status indicates the custom resource should serve a `/status` subresource."""


class ExternalDocumentation(Model):
    """ExternalDocumentation allows referencing an external resource for extended documentation."""

    description: str | None = None
    url: str | None = None


class SelectableField(Model):
    """SelectableField specifies the JSON path of a field that may be used with field selectors."""

    json_path: Annotated[str, Field(alias="jsonPath")]
    """jsonPath is a simple JSON path which is evaluated against each custom resource to produce a field selector value."""


class ServiceReference(Model):
    """ServiceReference holds a reference to Service.legacy.k8s.io"""

    name: str
    """name is the name of the service."""
    namespace: str
    """namespace is the namespace of the service."""
    path: str | None = None
    """path is an optional URL path at which the webhook will be contacted."""
    port: int | None = None
    """port is an optional service port at which the webhook will be contacted."""


class ValidationRule(Model):
    """ValidationRule describes a validation rule written in the CEL expression language."""

    field_path: Annotated[str | None, Field(alias="fieldPath")] = None
    """fieldPath represents the field path returned when the validation fails."""
    message: str | None = None
    """Message represents the message displayed when validation fails."""
    message_expression: Annotated[str | None, Field(alias="messageExpression")] = None
    """MessageExpression declares a CEL expression that evaluates to the validation failure message that is returned when this rule fails."""
    optional_old_self: Annotated[bool | None, Field(alias="optionalOldSelf")] = None
    """optionalOldSelf is used to opt a transition rule into evaluation even when the object is first created, or if the old object is missing the value."""
    reason: str | None = None
    """reason provides a machine-readable validation failure reason that is returned to the caller when a request fails this validation rule. One of `FieldValueDuplicate`, `FieldValueForbidden`, `FieldValueInvalid`, `FieldValueRequired`."""
    rule: str
    """Rule represents the expression which will be evaluated by CEL. ref: https://github.com/google/cel-spec The Rule is scoped to the location of the x-kubernetes-validations extension in the schema."""


class WebhookClientConfig(Model):
    """WebhookClientConfig contains the information to make a TLS connection with the webhook."""

    ca_bundle: Annotated[str | None, Field(alias="caBundle")] = None
    """caBundle is a PEM encoded CA bundle which will be used to validate the webhook's server certificate."""
    service: ServiceReference | None = None
    """service is a reference to the service for this webhook."""
    url: str | None = None
    """url gives the location of the webhook, in standard URL form (`scheme://host:port/path`)."""


class WebhookConversion(Model):
    """WebhookConversion describes how to call a conversion webhook"""

    client_config: Annotated[WebhookClientConfig | None, Field(alias="clientConfig")] = None
    """clientConfig is the instructions for how to call the webhook if strategy is `Webhook`."""
    conversion_review_versions: Annotated[list[str] | None, Field(alias="conversionReviewVersions")]
    """conversionReviewVersions is an ordered list of preferred `ConversionReview` versions the Webhook expects."""


class CustomResourceConversion(Model):
    """CustomResourceConversion describes how to convert different versions of a CR."""

    strategy: str
    """strategy specifies how custom resources are converted between versions."""
    webhook: WebhookConversion | None = None
    """webhook describes how to call the conversion webhook."""


class JSONSchemaProps(Model):
    """JSONSchemaProps is a JSON-Schema following Specification Draft 4 (http://json-schema.org/)."""

    ref: Annotated[Optional[str], Field(alias="$ref")] = None
    schema_: Annotated[Optional[str], Field(alias="$schema")] = None
    additional_items: Annotated[Optional[Any], Field(alias="additionalItems")] = None
    """JSONSchemaPropsOrBool represents JSONSchemaProps or a boolean value."""
    additional_properties: Annotated[Optional[Any], Field(alias="additionalProperties")] = None
    """JSONSchemaPropsOrBool represents JSONSchemaProps or a boolean value."""
    all_of: Annotated[Optional[list["JSONSchemaProps"]], Field(alias="allOf")] = None
    any_of: Annotated[Optional[list["JSONSchemaProps"]], Field(alias="anyOf")] = None
    default: Optional[Any] = None
    """default is a default value for undefined object fields."""
    definitions: Optional[dict[str, "JSONSchemaProps"]] = None
    dependencies: Optional[dict[str, Any]] = None
    description: Optional[str] = None
    enum: Optional[list[Any]] = None
    example: Optional[Any] = None
    """JSON represents any valid JSON value."""
    exclusive_maximum: Annotated[Optional[bool], Field(alias="exclusiveMaximum")] = None
    exclusive_minimum: Annotated[Optional[bool], Field(alias="exclusiveMinimum")] = None
    external_docs: Annotated[Optional[ExternalDocumentation], Field(alias="externalDocs")] = None
    format: Optional[str] = None
    """format is an OpenAPI v3 format string."""
    id: Optional[str] = None
    items: Optional[Any] = None
    """JSONSchemaPropsOrArray represents a value that can either be a JSONSchemaProps or an array of JSONSchemaProps."""
    max_items: Annotated[Optional[int], Field(alias="maxItems")] = None
    max_length: Annotated[Optional[int], Field(alias="maxLength")] = None
    max_properties: Annotated[Optional[int], Field(alias="maxProperties")] = None
    maximum: Optional[int | float] = None
    min_items: Annotated[Optional[int], Field(alias="minItems")] = None
    min_length: Annotated[Optional[int], Field(alias="minLength")] = None
    min_properties: Annotated[Optional[int], Field(alias="minProperties")] = None
    minimum: Optional[int | float] = None
    multiple_of: Annotated[Optional[int | float], Field(alias="multipleOf")] = None
    not_: Annotated[Optional["JSONSchemaProps"], Field(alias="not")] = None
    nullable: Optional[bool] = None
    one_of: Annotated[Optional[list["JSONSchemaProps"]], Field(alias="oneOf")] = None
    pattern: Optional[str] = None
    pattern_properties: Annotated[Optional[dict[str, "JSONSchemaProps"]], Field(alias="patternProperties")] = None
    properties: Optional[dict[str, "JSONSchemaProps"]] = None
    required: Optional[list[str]] = None
    title: Optional[str] = None
    type: Optional[str] = None
    unique_items: Annotated[Optional[bool], Field(alias="uniqueItems")] = None
    x_kubernetes_embedded_resource: Annotated[Optional[bool], Field(alias="x-kubernetes-embedded-resource")] = None
    """x-kubernetes-embedded-resource defines that the value is an embedded Kubernetes runtime.Object, with TypeMeta and ObjectMeta."""
    x_kubernetes_int_or_string: Annotated[Optional[bool], Field(alias="x-kubernetes-int-or-string")] = None
    """x-kubernetes-int-or-string specifies that this value is either an integer or a string."""
    x_kubernetes_list_map_keys: Annotated[Optional[list[str]], Field(alias="x-kubernetes-list-map-keys")] = None
    """x-kubernetes-list-map-keys annotates an array with the x-kubernetes-list-type `map` by specifying the keys used as the index of the map."""
    x_kubernetes_list_type: Annotated[Optional[str], Field(alias="x-kubernetes-list-type")] = None
    """x-kubernetes-list-type annotates an array to further describe its topology."""
    x_kubernetes_map_type: Annotated[Optional[str], Field(alias="x-kubernetes-map-type")] = None
    """x-kubernetes-map-type annotates an object to further describe its topology."""
    x_kubernetes_preserve_unknown_fields: Annotated[
        Optional[bool], Field(alias="x-kubernetes-preserve-unknown-fields")
    ] = None
    """x-kubernetes-preserve-unknown-fields stops the API server decoding step from pruning fields which are not specified in the validation schema."""
    x_kubernetes_validations: Annotated[Optional[list[ValidationRule]], Field(alias="x-kubernetes-validations")] = None
    """x-kubernetes-validations describes a list of validation rules written in the CEL expression language."""


class CustomResourceValidation(Model):
    """CustomResourceValidation is a list of validation methods for CustomResources."""

    open_apiv3_schema: Annotated[JSONSchemaProps | None, Field(alias="openAPIV3Schema")] = None
    """openAPIV3Schema is the OpenAPI v3 schema to use for validation and pruning."""


class CustomResourceDefinitionVersion(Model):
    """CustomResourceDefinitionVersion describes a version for CRD."""

    additional_printer_columns: Annotated[
        list[CustomResourceColumnDefinition] | None, Field(alias="additionalPrinterColumns")
    ] = None
    """additionalPrinterColumns specifies additional columns returned in Table output."""
    deprecated: bool | None = None
    """deprecated indicates this version of the custom resource API is deprecated."""
    deprecation_warning: Annotated[str | None, Field(alias="deprecationWarning")] = None
    """deprecationWarning overrides the default warning returned to API clients."""
    name: str
    """name is the version name, e.g. “v1”, “v2beta1”, etc."""
    schema_: Annotated[CustomResourceValidation | None, Field(alias="schema")] = None
    """schema describes the schema used for validation, pruning, and defaulting of this version of the custom resource."""
    selectable_fields: Annotated[list[SelectableField] | None, Field(alias="selectableFields")] = None
    """selectableFields specifies paths to fields that may be used as field selectors."""
    served: bool
    """served is a flag enabling/disabling this version from being served via REST APIs"""
    storage: bool
    """storage indicates this version should be used when persisting custom resources to storage."""
    subresources: CustomResourceSubresources | None = None
    """subresources specify what subresources this version of the defined custom resource have."""


class CustomResourceDefinitionSpec(Model):
    """CustomResourceDefinitionSpec describes how a user wants their resource to appear"""

    conversion: CustomResourceConversion | None = None
    """conversion defines conversion settings for the CRD."""
    group: str
    """group is the API group of the defined custom resource."""
    names: CustomResourceDefinitionNames
    """names specify the resource and kind names for the custom resource."""
    preserve_unknown_fields: Annotated[bool | None, Field(alias="preserveUnknownFields")] = None
    """preserveUnknownFields indicates that object fields which are not specified in the OpenAPI schema should be preserved when persisting to storage. apiVersion, kind, metadata and known fields inside metadata are always preserved."""
    scope: str
    """scope indicates whether the defined custom resource is cluster- or namespace-scoped."""
    versions: list[CustomResourceDefinitionVersion] | None
    """versions is the list of all API versions of the defined custom resource."""


class CustomResourceDefinition(Resource):
    """CustomResourceDefinition represents a resource that should be exposed on the API server."""

    api_version: Annotated[Literal["apiextensions.k8s.io/v1"], Field(alias="apiVersion")] = "apiextensions.k8s.io/v1"
    kind: Literal["CustomResourceDefinition"] = "CustomResourceDefinition"
    spec: CustomResourceDefinitionSpec
    """spec describes how the user wants the resources to appear"""
    status: CustomResourceDefinitionStatus | None = None
    """status indicates the actual state of the CustomResourceDefinition"""


JSONSchemaProps.model_rebuild()
