"""An existing BIND server outside the cluster: what its Bind9Instance says, and whether it answers.

`connection` reads spec and Secrets; `probe` asks the server itself and its sidecar. Neither writes anything."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import dns.name

from generated.bindy_firestoned_io_v1beta1 import Bind9InstanceSpec, Bind9InstanceSpecExternal
from reconcilers.ddns.client import DnsServer
from reconcilers.ddns.dialer import Dialer
from reconcilers.ddns.errors import DnsError, InvalidRecordData
from reconcilers.ddns.tsig import TsigKey
from reconcilers.engine.api import Bindcar, Role, ServerSpec
from reconcilers.reasons import Reason
from reconcilers.servers.bindcar import BindcarClient, BindcarError
from reconcilers.timing import PROBE_TIMEOUT
from zonewright import Kind, NotFound

SECRET: Kind[dict[str, Any]] = Kind("", "v1", "Secret", "secrets")
_BOOT_TIME = re.compile(r"^boot time: (.+)$", re.MULTILINE)

# What describes a server that zonewright runs itself means nothing for one that it does not run.
NOT_FOR_EXTERNAL = (
    "bindcarConfig", "config", "configMapRefs", "image", "primaryServers", "replicas", "rndcKey", "rndcSecretRef",
    "storage", "version", "volumeMounts", "volumes",
)  # fmt: skip


class ConfigurationError(Exception):
    """The instance cannot be used as it is written; the text names the field."""


class Secrets(Protocol):
    def get_fields(self, kind: Kind[Any], name: str, namespace: str = "") -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Health:
    """What a probe found. There is no `reason` when all is well; `incarnation` tells one run of named from the next."""

    reason: Reason | None = None
    message: str = ""
    incarnation: str = ""

    @property
    def ready(self) -> bool:
        return self.reason is None

    @property
    def verdict(self) -> tuple[Reason, str]:
        """Reason and message of the Ready condition."""
        if self.reason is None:
            return Reason.ALL_READY, "the server answers and accepts its key"
        return self.reason, self.message


def connection(name: str, namespace: str, spec: Bind9InstanceSpec, secrets: Secrets) -> ServerSpec:
    """How to reach the server. Raises ConfigurationError."""
    external = spec.external
    if external is None:
        raise ConfigurationError("spec.external: is missing, and this version does not run servers itself")
    idle = [field for field in NOT_FOR_EXTERNAL if spec.to_dict().get(field) is not None]
    if idle:
        raise ConfigurationError(f"spec.{idle[0]}: has no effect on an external server; remove it")
    role = external.role or spec.role
    if role is None:
        raise ConfigurationError("spec.external.role: say whether the server is a primary or a secondary")
    return ServerSpec(
        name=f"{namespace}/{name}",
        role=Role(role),
        address=external.address,
        port=external.port or 53,
        key=_tsig_key(external, namespace, secrets),
        bindcar=_bindcar(external, namespace, secrets),
    )


def probe(server: ServerSpec, dial: Dialer) -> Health:
    """Ask the server. A zone that it does not serve is still an answer, signed with the key that it accepts."""
    try:
        with DnsServer(server.address, server.port, key=server.key, dial=dial, timeout=PROBE_TIMEOUT) as dns_server:
            dns_server.soa(dns.name.root)
    except DnsError as error:
        if error.reason != Reason.ZONE_NOT_READY:
            return Health(error.reason, str(error))
    return _probe_bindcar(server.bindcar, dial) if server.bindcar else Health()


def _probe_bindcar(bindcar: Bindcar, dial: Dialer) -> Health:
    client = BindcarClient(bindcar.url, bindcar.token, dial=dial, timeout=PROBE_TIMEOUT)
    try:
        found = _BOOT_TIME.search(client.server_status())
    except BindcarError as error:
        return Health(error.reason, str(error))
    finally:
        client.close()
    return Health(incarnation=found[1] if found else "")


def _tsig_key(external: Bind9InstanceSpecExternal, namespace: str, secrets: Secrets) -> TsigKey | None:
    ref = external.tsig_secret_ref
    if ref is None:
        return None
    field = "spec.external.tsigSecretRef"
    read = _reader(secrets, namespace, ref.name, field)
    algorithm = read(ref.algorithm_key or "algorithm", "hmac-sha256")
    try:
        return TsigKey.of(read(ref.key_name_key or "key-name"), algorithm, read(ref.secret_key or "secret"))
    except InvalidRecordData as error:
        raise ConfigurationError(f"{field}: {error}") from error


def _bindcar(external: Bind9InstanceSpecExternal, namespace: str, secrets: Secrets) -> Bindcar | None:
    if external.bindcar_url is None:
        return None
    ref = external.bindcar_token_secret_ref
    if ref is None:
        raise ConfigurationError(
            "spec.external.bindcarTokenSecretRef: bindcar wants a token; name the Secret that has it"
        )
    field = "spec.external.bindcarTokenSecretRef"
    token = _reader(secrets, namespace, ref.name, field)(ref.key or "token").strip()
    if not (token.isascii() and token.isprintable() and token):  # else the HTTP client's error would quote it
        raise ConfigurationError(f"{field}: entry {ref.key!r} of Secret {namespace}/{ref.name} is no bearer token")
    return Bindcar(external.bindcar_url, token)


def _reader(secrets: Secrets, namespace: str, name: str, field: str) -> Callable[..., str]:
    """A function that reads entries of one Secret; errors name field and entry, never a value."""
    try:
        data: Mapping[str, str] = secrets.get_fields(SECRET, name, namespace).get("data") or {}
    except NotFound:
        raise ConfigurationError(f"{field}: there is no Secret {namespace}/{name}") from None

    def read(entry: str, default: str | None = None) -> str:
        encoded = data.get(entry)
        if encoded is None and default is not None:
            return default
        if encoded is None:
            raise ConfigurationError(f"{field}: Secret {namespace}/{name} has no entry {entry!r}")
        try:
            return base64.b64decode(encoded, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            raise ConfigurationError(f"{field}: entry {entry!r} of Secret {namespace}/{name} is no text") from None

    return read
