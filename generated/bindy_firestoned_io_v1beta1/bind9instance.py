# Written by `make generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Bind9Instance of bindy.firestoned.io/v1beta1."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..resource import Resource
from ..shapes import Condition


class Bind9InstanceSpecBindcarConfig(Model):
    """The bindcar container beside the server; takes precedence over `config.bindcarConfig`."""

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


class Bind9InstanceSpecConfigDnssecSigningKeysFromSecretRef(Model):
    """A Secret with the key files."""

    name: str
    """Name of the Secret."""
    namespace: str | None = None
    """Namespace of the Secret; the instance's when absent."""


class Bind9InstanceSpecRndcSecretRef(Model):
    """Secret with the key of the servers' control channel."""

    algorithm: Literal["hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512"] = "hmac-sha256"
    """HMAC algorithm of the key."""
    key_name_key: Annotated[str, Field(alias="keyNameKey")] = "key-name"
    """Entry of the Secret that holds the key's name."""
    name: Annotated[str, Field(min_length=1)]
    """Name of the Secret, in the namespace of the instance."""
    secret_key: Annotated[str, Field(alias="secretKey")] = "secret"
    """Entry of the Secret that holds the key itself, in base64."""


class Bind9InstanceSpecConfigMapRefs(Model):
    """ConfigMaps with configuration of your own, in place of what the operator writes."""

    named_conf: Annotated[str | None, Field(alias="namedConf")] = None
    """ConfigMap whose entry `named.conf` replaces the main file."""
    named_conf_options: Annotated[str | None, Field(alias="namedConfOptions")] = None
    """ConfigMap whose entry `named.conf.options` replaces the options."""
    named_conf_zones: Annotated[str | None, Field(alias="namedConfZones")] = None
    """ConfigMap whose entry `named.conf.zones` adds zones of your own."""


class Bind9InstanceSpecExternalBindcarTokenSecretRef(Model):
    """Secret with the bearer token of bindcar. It says that it is one by its type, `bindy.firestoned.io/bindcar-token`, or by the label `bindy.firestoned.io/secret-use: bindcar-token`; its annotation `bindy.firestoned.io/hosts`, where there is one, lists the hosts that the token may be sent to, with commas between them."""

    key: str = "token"
    """Entry of the Secret that holds the token."""
    name: Annotated[str, Field(max_length=253, min_length=1)]
    """Name of the Secret, in the namespace of the instance."""


class Bind9InstanceSpecExternalTsigSecretRef(Model):
    """Secret with the TSIG key that signs updates and zone transfers. It says that it is one by its type, `bindy.firestoned.io/tsig`, or by the label `bindy.firestoned.io/secret-use: tsig`; its annotation `bindy.firestoned.io/hosts`, where there is one, lists the servers that the key may be used for, with commas between them."""

    algorithm_key: Annotated[str, Field(alias="algorithmKey")] = "algorithm"
    """Entry of the Secret that holds the key's algorithm, as `hmac-sha256`, which is also the default."""
    key_name_key: Annotated[str, Field(alias="keyNameKey")] = "key-name"
    """Entry of the Secret that holds the key's name."""
    name: Annotated[str, Field(max_length=253, min_length=1)]
    """Name of the Secret, in the namespace of the instance."""
    secret_key: Annotated[str, Field(alias="secretKey")] = "secret"
    """Entry of the Secret that holds the key itself, in base64."""


class Bind9InstanceSpecImage(Model):
    """Image of the BIND container."""

    image: str | None = None
    """Name and tag or digest of the image."""
    image_pull_policy: Annotated[str | None, Field(alias="imagePullPolicy")] = None
    """When to pull the image, as `IfNotPresent`."""
    image_pull_secrets: Annotated[list[str] | None, Field(alias="imagePullSecrets")] = None
    """Names of the Secrets that the registry asks for."""


class Bind9InstanceSpecRndcKeySecretMetadata(Model):
    """Name, labels and annotations of the Secret."""

    annotations: dict[str, Any] | None = None
    """Annotations of the Secret."""
    labels: dict[str, Any] | None = None
    """Labels of the Secret."""
    name: Annotated[str, Field(min_length=1)]
    """Name of the Secret."""


class Bind9InstanceSpecStoragePersistentVolumeClaim(Model):
    """Details of the claim."""

    access_modes: Annotated[list[str] | None, Field(alias="accessModes")] = None
    """Access modes of the claim to create."""
    claim_name: Annotated[str | None, Field(alias="claimName")] = None
    """Name of an existing claim; when absent one is created."""
    size: str | None = None
    """Size of the claim to create, as `1Gi`."""
    storage_class_name: Annotated[str | None, Field(alias="storageClassName")] = None
    """Storage class of the claim to create."""


class Bind9InstanceStatusClusterRef(Model):
    """The cluster that `spec.clusterRef` means."""

    api_version: Annotated[str, Field(alias="apiVersion")]
    """API version of the cluster."""
    kind: str
    """Bind9Cluster, Bind9GlobalCluster or ClusterBind9Provider."""
    name: str
    """Name of the cluster."""
    namespace: str | None = None
    """Its namespace; absent for a kind without."""


class Bind9InstanceStatusRndcKeyRotation(Model):
    """Age of the key of the control channel."""

    created_at: Annotated[str, Field(alias="createdAt")]
    """When the key was made."""
    last_rotated_at: Annotated[str | None, Field(alias="lastRotatedAt")] = None
    """When it was last replaced."""
    rotate_at: Annotated[str | None, Field(alias="rotateAt")] = None
    """When it is to be replaced."""
    rotation_count: Annotated[int, Field(alias="rotationCount", ge=0)] = 0
    """How often it was replaced."""


class Bind9InstanceStatusServer(Model):
    """Which server was found, as its bindcar tells it. Another Bind9Instance with the same id stands for the same server."""

    address: Annotated[str, Field(max_length=300)]
    """The address and port of this instance when it was found."""
    id: Annotated[str, Field(max_length=64)]
    """What tells it from every other server."""


class Bind9InstanceStatusZones(Model):
    """A zone of the server."""

    api_version: Annotated[str, Field(alias="apiVersion")]
    """API version of the DNSZone."""
    kind: str
    """Always DNSZone."""
    last_reconciled_at: Annotated[Timestamp | None, Field(alias="lastReconciledAt")] = None
    """When the operator last heard from the server about this zone."""
    name: str
    """Name of the DNSZone object."""
    namespace: str
    """Namespace of the DNSZone object."""
    zone_name: Annotated[str, Field(alias="zoneName")]
    """The zone's DNS name."""


class Bind9InstanceSpecConfigDnssecSigningKeysFrom(Model):
    """Where existing keys come from."""

    persistent_volume: Annotated[dict[str, Any] | None, Field(alias="persistentVolume")] = None
    """A volume with the key files."""
    secret_ref: Annotated[Bind9InstanceSpecConfigDnssecSigningKeysFromSecretRef | None, Field(alias="secretRef")] = None
    """A Secret with the key files."""


class Bind9InstanceSpecExternal(Model):
    """An existing BIND server outside the cluster: the operator starts nothing, but serves zones and records on it all the same."""

    address: Annotated[str, Field(max_length=253, min_length=1, pattern="^[0-9A-Za-z_.:\\-]+$")]
    """IP address or host name of the server."""
    bindcar_token_secret_ref: Annotated[
        Bind9InstanceSpecExternalBindcarTokenSecretRef | None, Field(alias="bindcarTokenSecretRef")
    ] = None
    """Secret with the bearer token of bindcar. It says that it is one by its type, `bindy.firestoned.io/bindcar-token`, or by the label `bindy.firestoned.io/secret-use: bindcar-token`; its annotation `bindy.firestoned.io/hosts`, where there is one, lists the hosts that the token may be sent to, with commas between them."""
    bindcar_url: Annotated[
        str | None,
        Field(alias="bindcarUrl", max_length=2048, pattern="^https?://[^\\t\\n\\f\\r /@?#]+(/[^\\t\\n\\f\\r ?#]*)?$"),
    ] = None
    """Address of the bindcar beside the server, which creates and deletes zones there, as `https://ns1.example.org:8443`. When absent, zones that the server already has are adopted, and never created or deleted."""
    port: Annotated[int, Field(ge=1, le=65535)] = 53
    """DNS port of the server, UDP and TCP."""
    role: Literal["primary", "secondary"] | None = None
    """Whether the server is written to, or transfers zones from a primary; the same as `spec.role` where both are given."""
    tsig_secret_ref: Annotated[Bind9InstanceSpecExternalTsigSecretRef | None, Field(alias="tsigSecretRef")] = None
    """Secret with the TSIG key that signs updates and zone transfers. It says that it is one by its type, `bindy.firestoned.io/tsig`, or by the label `bindy.firestoned.io/secret-use: tsig`; its annotation `bindy.firestoned.io/hosts`, where there is one, lists the servers that the key may be used for, with commas between them."""


class Bind9InstanceSpecRndcKeySecret(Model):
    """Create this Secret and use the key in it."""

    data: dict[str, Any] | None = None
    """Entries of the Secret, in base64."""
    metadata: Bind9InstanceSpecRndcKeySecretMetadata
    """Name, labels and annotations of the Secret."""
    string_data: Annotated[dict[str, Any] | None, Field(alias="stringData")] = None
    """Entries of the Secret, as plain text."""
    type: str = "Opaque"
    """Type of the Secret."""


class Bind9InstanceSpecStorage(Model):
    """Where the server keeps its zone files."""

    empty_dir: Annotated[dict[str, Any] | None, Field(alias="emptyDir")] = None
    """Details of the directory, as in a Pod."""
    persistent_volume_claim: Annotated[
        Bind9InstanceSpecStoragePersistentVolumeClaim | None, Field(alias="persistentVolumeClaim")
    ] = None
    """Details of the claim."""
    storage_type: Annotated[Literal["emptyDir", "persistentVolumeClaim"], Field(alias="storageType")] = "emptyDir"
    """A directory that lives as long as the pod, or a claim that outlives it."""


class Bind9InstanceStatus(Model):
    """What the operator observed; written by the operator only."""

    cluster_ref: Annotated[Bind9InstanceStatusClusterRef | None, Field(alias="clusterRef")] = None
    """The cluster that `spec.clusterRef` means."""
    conditions: list[Condition] | None = None
    """`Ready`: all pods answer. `Pod-0`, `Pod-1` and so on: each pod by itself. `Configured`: the configuration is valid and loaded. `Available`: enough pods run. `ZonesTransferred`: a secondary has its zones. `Progressing`: a change is on its way."""
    observed_generation: Annotated[int | None, Field(alias="observedGeneration", ge=0)] = None
    """The metadata.generation that this status describes."""
    observed_parent_generation: Annotated[int | None, Field(alias="observedParentGeneration", ge=0)] = None
    """The metadata.generation of the cluster that this status describes."""
    ready_replicas: Annotated[int | None, Field(alias="readyReplicas")] = None
    """How many of them are ready."""
    replicas: int | None = None
    """How many pods there are."""
    rndc_key_rotation: Annotated[Bind9InstanceStatusRndcKeyRotation | None, Field(alias="rndcKeyRotation")] = None
    """Age of the key of the control channel."""
    server: Bind9InstanceStatusServer | None = None
    """Which server was found, as its bindcar tells it. Another Bind9Instance with the same id stands for the same server."""
    service_address: Annotated[str | None, Field(alias="serviceAddress")] = None
    """Address at which the server is reached."""
    zones: list[Bind9InstanceStatusZones] | None = None
    """The zones that the server has."""
    zones_count: Annotated[int | None, Field(alias="zonesCount")] = None
    """How many zones the server has."""


class Bind9InstanceSpecConfigDnssecSigning(Model):
    """How the servers sign their zones."""

    algorithm: Annotated[str | None, Field(pattern="^[A-Za-z0-9]{1,32}$")] = None
    """Algorithm of the keys, as `ECDSAP256SHA256`."""
    auto_generate: Annotated[bool | None, Field(alias="autoGenerate")] = None
    """Let the servers create the keys."""
    enabled: bool = False
    """Sign the zones."""
    export_to_secret: Annotated[bool | None, Field(alias="exportToSecret")] = None
    """Keep a copy of the keys in a Secret."""
    keys_from: Annotated[Bind9InstanceSpecConfigDnssecSigningKeysFrom | None, Field(alias="keysFrom")] = None
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


class Bind9InstanceSpecRndcKey(Model):
    """Key of the server's control channel."""

    algorithm: Literal["hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512"] = "hmac-sha256"
    """HMAC algorithm of the key."""
    auto_rotate: Annotated[bool, Field(alias="autoRotate")] = False
    """Replace the key by itself, every `rotateAfter`."""
    rotate_after: Annotated[str, Field(alias="rotateAfter")] = "720h"
    """Age at which the key is replaced, as `720h`."""
    secret: Bind9InstanceSpecRndcKeySecret | None = None
    """Create this Secret and use the key in it."""
    secret_ref: Annotated[Bind9InstanceSpecRndcSecretRef | None, Field(alias="secretRef")] = None
    """Use the key in this existing Secret."""


class Bind9InstanceSpecConfigDnssec(Model):
    """DNSSEC: what the servers check as resolvers, and how they sign their zones."""

    signing: Bind9InstanceSpecConfigDnssecSigning | None = None
    """How the servers sign their zones."""
    validation: bool | None = None
    """Check the signatures of the answers that the servers resolve."""


class Bind9InstanceSpecConfig(Model):
    """Configuration of this server, which takes precedence over the cluster's `global`."""

    allow_query: Annotated[list[str] | None, Field(alias="allowQuery")] = None
    """Who may ask: addresses, networks, `any`, `none`, or names of `acls`."""
    allow_transfer: Annotated[list[str] | None, Field(alias="allowTransfer")] = None
    """Who may transfer zones, beside the secondaries of the cluster."""
    bindcar_config: Annotated[Bind9InstanceSpecBindcarConfig | None, Field(alias="bindcarConfig")] = None
    """The bindcar container beside every server."""
    dnssec: Bind9InstanceSpecConfigDnssec | None = None
    """DNSSEC: what the servers check as resolvers, and how they sign their zones."""
    forwarders: list[str] | None = None
    """Resolvers that questions about other zones are sent to."""
    listen_on: Annotated[list[str] | None, Field(alias="listenOn")] = None
    """IPv4 addresses that the servers listen on; all when absent."""
    listen_on_v6: Annotated[list[str] | None, Field(alias="listenOnV6")] = None
    """IPv6 addresses that the servers listen on; all when absent."""
    recursion: bool | None = None
    """Resolve names of other zones for clients; off when absent."""
    rndc_secret_ref: Annotated[Bind9InstanceSpecRndcSecretRef | None, Field(alias="rndcSecretRef")] = None
    """Secret with the key of the servers' control channel."""


class Bind9InstanceSpec(Model):
    """The wanted server."""

    bindcar_config: Annotated[Bind9InstanceSpecBindcarConfig | None, Field(alias="bindcarConfig")] = None
    """The bindcar container beside the server; takes precedence over `config.bindcarConfig`."""
    cluster_ref: Annotated[str | None, Field(alias="clusterRef", max_length=253, min_length=1)] = None
    """The cluster that this server belongs to and takes its configuration from: a Bind9Cluster of this namespace, or a Bind9GlobalCluster or ClusterBind9Provider. Required, unless `external`."""
    config: Bind9InstanceSpecConfig | None = None
    """Configuration of this server, which takes precedence over the cluster's `global`."""
    config_map_refs: Annotated[Bind9InstanceSpecConfigMapRefs | None, Field(alias="configMapRefs")] = None
    """ConfigMaps with configuration of your own, in place of what the operator writes."""
    external: Bind9InstanceSpecExternal | None = None
    """An existing BIND server outside the cluster: the operator starts nothing, but serves zones and records on it all the same."""
    image: Bind9InstanceSpecImage | None = None
    """Image of the BIND container."""
    primary_servers: Annotated[list[str] | None, Field(alias="primaryServers")] = None
    """Addresses that a secondary transfers zones from, beside the primaries of each zone."""
    replicas: Annotated[int | None, Field(ge=0, le=100)] = None
    """How many pods run this server; 1 when absent. Servers with an address of their own each are further instances."""
    rndc_key: Annotated[Bind9InstanceSpecRndcKey | None, Field(alias="rndcKey")] = None
    """Key of the server's control channel."""
    rndc_secret_ref: Annotated[Bind9InstanceSpecRndcSecretRef | None, Field(alias="rndcSecretRef")] = None
    """Older form of `rndcKey.secretRef`."""
    role: Literal["primary", "secondary"] | None = None
    """Whether the server is written to, or transfers zones from a primary. Required, unless `external.role` says it."""
    storage: Bind9InstanceSpecStorage | None = None
    """Where the server keeps its zone files."""
    version: str | None = None
    """Version of BIND; the cluster's when absent."""
    volume_mounts: Annotated[list[dict[str, Any]] | None, Field(alias="volumeMounts")] = None
    """Where the BIND container mounts them, as in a Pod."""
    volumes: list[dict[str, Any]] | None = None
    """Further volumes of the pods, as in a Pod."""


class Bind9Instance(Resource):
    """A BIND9 server: one that the operator runs in the cluster, or an existing one outside it (`external`). Instances of a Bind9Cluster are created by the operator; others are yours."""

    api_version: Annotated[Literal["bindy.firestoned.io/v1beta1"], Field(alias="apiVersion")] = (
        "bindy.firestoned.io/v1beta1"
    )
    kind: Literal["Bind9Instance"] = "Bind9Instance"
    spec: Bind9InstanceSpec
    """The wanted server."""
    status: Bind9InstanceStatus | None = None
    """What the operator observed; written by the operator only."""
