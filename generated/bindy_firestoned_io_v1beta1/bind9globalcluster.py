# Written by `make generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Bind9GlobalCluster of bindy.firestoned.io/v1beta1."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource
from ..shapes import Condition


class Bind9GlobalClusterSpecConfigMapRefs(Model):
    """ConfigMaps with configuration of your own, in place of what the operator writes."""

    named_conf: Annotated[str | None, Field(alias="namedConf")] = None
    """ConfigMap whose entry `named.conf` replaces the main file."""
    named_conf_options: Annotated[str | None, Field(alias="namedConfOptions")] = None
    """ConfigMap whose entry `named.conf.options` replaces the options."""
    named_conf_zones: Annotated[str | None, Field(alias="namedConfZones")] = None
    """ConfigMap whose entry `named.conf.zones` adds zones of your own."""


class Bind9GlobalClusterSpecGlobalBindcarConfig(Model):
    """The bindcar container beside every server."""

    env_vars: Annotated[list[dict[str, Any]] | None, Field(alias="envVars")] = None
    """Environment of the container, as in a Pod."""
    image: str | None = None
    """Image of the bindcar container."""
    image_pull_policy: Annotated[str | None, Field(alias="imagePullPolicy")] = None
    """When to pull the image, as `IfNotPresent`."""
    log_level: Annotated[str | None, Field(alias="logLevel")] = None
    """How much bindcar logs: `debug`, `info`, `warn` or `error`."""
    port: Annotated[int | None, Field(ge=1, le=65535)] = None
    """Port of the bindcar API in the pod; 8080 when absent."""
    resources: dict[str, Any] | None = None
    """CPU and memory of the container, as in a Pod."""
    service_spec: Annotated[dict[str, Any] | None, Field(alias="serviceSpec")] = None
    """Merged into the spec of the Service in front of the bindcar API."""


class Bind9GlobalClusterSpecGlobalDnssecSigningKeysFromSecretRef(Model):
    """A Secret with the key files."""

    name: str
    """Name of the Secret."""
    namespace: str | None = None
    """Namespace of the Secret; the instance's when absent."""


class Bind9GlobalClusterSpecGlobalRndcSecretRef(Model):
    """Secret with the key of the servers' control channel."""

    algorithm: Literal["hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512"] = "hmac-sha256"
    """HMAC algorithm of the key."""
    key_name_key: Annotated[str, Field(alias="keyNameKey")] = "key-name"
    """Entry of the Secret that holds the key's name."""
    name: Annotated[str, Field(min_length=1)]
    """Name of the Secret, in the namespace of the instance."""
    secret_key: Annotated[str, Field(alias="secretKey")] = "secret"
    """Entry of the Secret that holds the key itself, in base64."""


class Bind9GlobalClusterSpecImage(Model):
    """Image of the BIND container."""

    image: str | None = None
    """Name and tag or digest of the image."""
    image_pull_policy: Annotated[str | None, Field(alias="imagePullPolicy")] = None
    """When to pull the image, as `IfNotPresent`."""
    image_pull_secrets: Annotated[list[str] | None, Field(alias="imagePullSecrets")] = None
    """Names of the Secrets that the registry asks for."""


class Bind9GlobalClusterSpecPrimaryRndcKeySecretMetadata(Model):
    """Name, labels and annotations of the Secret."""

    annotations: dict[str, Any] | None = None
    """Annotations of the Secret."""
    labels: dict[str, Any] | None = None
    """Labels of the Secret."""
    name: Annotated[str, Field(min_length=1)]
    """Name of the Secret."""


class Bind9GlobalClusterSpecPrimaryService(Model):
    """The Service in front of each server."""

    annotations: dict[str, Any] | None = None
    """Annotations of the Service."""
    spec: dict[str, Any] | None = None
    """Merged into the spec of the Service, as `type: LoadBalancer`."""


class Bind9GlobalClusterStatus(Model):
    """What the operator observed; written by the operator only."""

    conditions: list[Condition] | None = None
    """`Ready`: all clusters are ready; the message names them. `Progressing`: a change is on its way."""
    instance_count: Annotated[int | None, Field(alias="instanceCount")] = None
    """How many instances there are."""
    instances: list[str] | None = None
    """Names of the instances."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration", ge=0)] = None
    """The metadata.generation that this status describes."""
    ready_instances: Annotated[int | None, Field(alias="readyInstances")] = None
    """How many of them are ready."""


class Bind9GlobalClusterSpecGlobalDnssecSigningKeysFrom(Model):
    """Where existing keys come from."""

    persistent_volume: Annotated[dict[str, Any] | None, Field(alias="persistentVolume")] = None
    """A volume with the key files."""
    secret_ref: Annotated[
        Bind9GlobalClusterSpecGlobalDnssecSigningKeysFromSecretRef | None, Field(alias="secretRef")
    ] = None
    """A Secret with the key files."""


class Bind9GlobalClusterSpecPrimaryRndcKeySecret(Model):
    """Create this Secret and use the key in it."""

    data: dict[str, Any] | None = None
    """Entries of the Secret, in base64."""
    metadata: Bind9GlobalClusterSpecPrimaryRndcKeySecretMetadata
    """Name, labels and annotations of the Secret."""
    string_data: Annotated[dict[str, Any] | None, Field(alias="stringData")] = None
    """Entries of the Secret, as plain text."""
    type: str = "Opaque"
    """Type of the Secret."""


class Bind9GlobalClusterSpecGlobalDnssecSigning(Model):
    """How the servers sign their zones."""

    algorithm: Annotated[str | None, Field(pattern="^[A-Za-z0-9]{1,32}$")] = None
    """Algorithm of the keys, as `ECDSAP256SHA256`."""
    auto_generate: Annotated[bool | None, Field(alias="autoGenerate")] = None
    """Let the servers create the keys."""
    enabled: bool = False
    """Sign the zones."""
    export_to_secret: Annotated[bool | None, Field(alias="exportToSecret")] = None
    """Keep a copy of the keys in a Secret."""
    keys_from: Annotated[Bind9GlobalClusterSpecGlobalDnssecSigningKeysFrom | None, Field(alias="keysFrom")] = None
    """Where existing keys come from."""
    ksk_lifetime: Annotated[str | None, Field(alias="kskLifetime", pattern="^[A-Za-z0-9]{1,32}$")] = None
    """Age at which the key-signing key is replaced, as `365d` or `unlimited`."""
    nsec3: bool | None = None
    """Deny names with NSEC3 instead of NSEC, so that the zone cannot be walked."""
    nsec3_iterations: Annotated[int | None, Field(alias="nsec3Iterations", ge=0, le=4294967295)] = None
    """Iterations of NSEC3; 0 is best (RFC 9276)."""
    nsec3_salt: Annotated[str | None, Field(alias="nsec3Salt")] = None
    """Salt of NSEC3, in hexadecimal; none is best (RFC 9276)."""
    policy: Annotated[str | None, Field(pattern="^[A-Za-z0-9][A-Za-z0-9_\\-]{0,62}$")] = None
    """Name of the `dnssec-policy`."""
    zsk_lifetime: Annotated[str | None, Field(alias="zskLifetime", pattern="^[A-Za-z0-9]{1,32}$")] = None
    """Age at which the zone-signing key is replaced, as `90d`."""


class Bind9GlobalClusterSpecPrimaryRndcKey(Model):
    """Key of these servers' control channel."""

    algorithm: Literal["hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512"] = "hmac-sha256"
    """HMAC algorithm of the key."""
    auto_rotate: Annotated[bool, Field(alias="autoRotate")] = False
    """Replace the key by itself, every `rotateAfter`."""
    rotate_after: Annotated[str, Field(alias="rotateAfter")] = "720h"
    """Age at which the key is replaced, as `720h`."""
    secret: Bind9GlobalClusterSpecPrimaryRndcKeySecret | None = None
    """Create this Secret and use the key in it."""
    secret_ref: Annotated[Bind9GlobalClusterSpecGlobalRndcSecretRef | None, Field(alias="secretRef")] = None
    """Use the key in this existing Secret."""


class Bind9GlobalClusterSpecGlobalDnssec(Model):
    """DNSSEC: what the servers check as resolvers, and how they sign their zones."""

    signing: Bind9GlobalClusterSpecGlobalDnssecSigning | None = None
    """How the servers sign their zones."""
    validation: bool | None = None
    """Check the signatures of the answers that the servers resolve."""


class Bind9GlobalClusterSpecPrimary(Model):
    """The servers that are written to."""

    allow_transfer: Annotated[list[str] | None, Field(alias="allowTransfer")] = None
    """Who may transfer zones from these servers; in place of `global.allowTransfer`."""
    labels: dict[str, Any] | None = None
    """Labels of the instances, beside the operator's own; zones choose by them."""
    replicas: Annotated[int | None, Field(ge=0, le=100)] = None
    """How many servers of this role: one Bind9Instance with one pod each."""
    rndc_key: Annotated[Bind9GlobalClusterSpecPrimaryRndcKey | None, Field(alias="rndcKey")] = None
    """Key of these servers' control channel."""
    rndc_secret_ref: Annotated[Bind9GlobalClusterSpecGlobalRndcSecretRef | None, Field(alias="rndcSecretRef")] = None
    """Older form of `rndcKey.secretRef`."""
    service: Bind9GlobalClusterSpecPrimaryService | None = None
    """The Service in front of each server."""


class Bind9GlobalClusterSpecGlobal(Model):
    """Configuration of every server of the cluster."""

    allow_query: Annotated[list[str] | None, Field(alias="allowQuery")] = None
    """Who may ask: addresses, networks, `any`, `none`, or names of `acls`."""
    allow_transfer: Annotated[list[str] | None, Field(alias="allowTransfer")] = None
    """Who may transfer zones, beside the secondaries of the cluster."""
    bindcar_config: Annotated[Bind9GlobalClusterSpecGlobalBindcarConfig | None, Field(alias="bindcarConfig")] = None
    """The bindcar container beside every server."""
    dnssec: Bind9GlobalClusterSpecGlobalDnssec | None = None
    """DNSSEC: what the servers check as resolvers, and how they sign their zones."""
    forwarders: list[str] | None = None
    """Resolvers that questions about other zones are sent to."""
    listen_on: Annotated[list[str] | None, Field(alias="listenOn")] = None
    """IPv4 addresses that the servers listen on; all when absent."""
    listen_on_v6: Annotated[list[str] | None, Field(alias="listenOnV6")] = None
    """IPv6 addresses that the servers listen on; all when absent."""
    recursion: bool | None = None
    """Resolve names of other zones for clients; off when absent."""
    rndc_secret_ref: Annotated[Bind9GlobalClusterSpecGlobalRndcSecretRef | None, Field(alias="rndcSecretRef")] = None
    """Secret with the key of the servers' control channel."""


class Bind9GlobalClusterSpec(Model):
    """The wanted servers."""

    acls: dict[str, Any] | None = None
    """Named lists of addresses, for use in the `allow` fields."""
    config_map_refs: Annotated[Bind9GlobalClusterSpecConfigMapRefs | None, Field(alias="configMapRefs")] = None
    """ConfigMaps with configuration of your own, in place of what the operator writes."""
    global_: Annotated[Bind9GlobalClusterSpecGlobal | None, Field(alias="global")] = None
    """Configuration of every server of the cluster."""
    image: Bind9GlobalClusterSpecImage | None = None
    """Image of the BIND container."""
    namespace: Annotated[str | None, Field(max_length=63)] = None
    """Namespace in which the Bind9Cluster and its servers are created; the operator's own when absent."""
    primary: Bind9GlobalClusterSpecPrimary | None = None
    """The servers that are written to."""
    rndc_secret_refs: Annotated[
        list[Bind9GlobalClusterSpecGlobalRndcSecretRef] | None, Field(alias="rndcSecretRefs")
    ] = None
    """Secrets with keys that every server's control channel accepts, beside its own."""
    secondary: Bind9GlobalClusterSpecPrimary | None = None
    """The servers that transfer the zones from the primaries."""
    version: str | None = "9.18"
    """Version of BIND, which is the tag of the default image."""
    volume_mounts: Annotated[list[dict[str, Any]] | None, Field(alias="volumeMounts")] = None
    """Where the BIND container mounts them, as in a Pod."""
    volumes: list[dict[str, Any]] | None = None
    """Further volumes of the pods, as in a Pod."""


class Bind9GlobalCluster(Resource):
    """A Bind9Cluster for the whole Kubernetes cluster: written by whoever runs the platform, used by zones of every namespace. The operator creates a Bind9Cluster for it in `namespace`."""

    api_version: Annotated[Literal["bindy.firestoned.io/v1beta1"], Field(alias="apiVersion")] = (
        "bindy.firestoned.io/v1beta1"
    )
    kind: Literal["Bind9GlobalCluster"] = "Bind9GlobalCluster"
    spec: Bind9GlobalClusterSpec
    """The wanted servers."""
    status: Bind9GlobalClusterStatus | None = None
    """What the operator observed; written by the operator only."""
