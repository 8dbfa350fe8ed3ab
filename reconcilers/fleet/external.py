"""An existing BIND server outside the cluster: what its Bind9Instance says, and whether it answers.

`connection` reads spec and Secrets; `probe` asks the server itself and its sidecar. Neither writes anything."""

import re
from dataclasses import dataclass

import dns.name

from generated.bindy_firestoned_io_v1beta1 import Bind9InstanceSpec, Bind9InstanceSpecExternal
from reconcilers.ddns.client import DnsServer
from reconcilers.ddns.dialer import Dialer
from reconcilers.ddns.errors import DnsError
from reconcilers.ddns.tsig import InvalidTsigKey, TsigKey
from reconcilers.engine.api import Bindcar, Role, ServerSpec
from reconcilers.fleet.credentials import ConfigurationError, Secrets, Use, credentials
from reconcilers.reasons import Reason
from reconcilers.servers.bindcar import BindcarClient, BindcarError, is_token
from reconcilers.servers.exchange import Endpoint, InvalidUrl
from reconcilers.timing import PROBE_TIMEOUT

_BOOT_TIME = re.compile(r"^boot time: (.{1,100})$", re.MULTILINE)
# bindcar puts a key's name into named's configuration, and takes nothing else for one.
_KEY_NAME = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?\Z")
# Where secrets usually are: never read as a key's name, which every message to the server carries in the clear.
_SECRET_ENTRIES = frozenset({"secret", "token"})

# What describes a server that zonewright runs itself means nothing for one that it does not run.
NOT_FOR_EXTERNAL = (
    "bindcarConfig", "config", "configMapRefs", "image", "primaryServers", "replicas", "rndcKey", "rndcSecretRef",
    "storage", "version", "volumeMounts", "volumes",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Health:
    """What a probe found. There is no `reason` when all is well; `incarnation` tells one run of named from the next.

    `server_id` is the same wherever the same server is reached; "" without a bindcar that has one.
    """

    reason: Reason | None = None
    message: str = ""
    incarnation: str = ""
    server_id: str = ""

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
        status = client.server_status()
    except BindcarError as error:
        return Health(error.reason, str(error))
    finally:
        client.close()
    found = _BOOT_TIME.search(status.details)
    # With the id: another zone directory, or a bindcar that is updated and can do more now, is a reason to look again.
    incarnation = " ".join(filter(None, (found[1] if found else "", status.server_id)))
    return Health(incarnation=incarnation, server_id=status.server_id)


def _tsig_key(external: Bind9InstanceSpecExternal, namespace: str, secrets: Secrets) -> TsigKey | None:
    ref = external.tsig_secret_ref
    if ref is None:
        return None
    field = "spec.external.tsigSecretRef"
    name, algorithm, secret = (
        ref.key_name_key or "key-name",
        ref.algorithm_key or "algorithm",
        ref.secret_key or "secret",
    )
    found = credentials(secrets, field, (namespace, ref.name), Use.TSIG, host=external.address)
    if name in _SECRET_ENTRIES | {secret}:
        raise ConfigurationError(f"{field}.keyNameKey: entry {name!r} holds a secret, and a key's name is none")
    texts = found.entry(name), found.entry(algorithm, "hmac-sha256"), found.entry(secret)
    try:
        key = TsigKey.of(*texts)
    except InvalidTsigKey as error:
        entry = {"name": name, "algorithm": algorithm, "secret": secret}[error.part]
        raise found.wrong(entry, error.why) from None
    if external.bindcar_url is not None and not _KEY_NAME.match(key.name.to_text(omit_final_dot=True)):
        raise found.wrong(name, "is no name that bindcar takes for a key: letters, digits, dots, dashes, underscores")
    return key


def _bindcar(external: Bind9InstanceSpecExternal, namespace: str, secrets: Secrets) -> Bindcar | None:
    if external.bindcar_url is None:
        return None
    try:
        endpoint = Endpoint.parse(external.bindcar_url)
    except InvalidUrl as error:
        raise ConfigurationError(f"spec.external.bindcarUrl: {error}") from None
    field, ref = "spec.external.bindcarTokenSecretRef", external.bindcar_token_secret_ref
    if ref is None:
        raise ConfigurationError(f"{field}: bindcar wants a token; name the Secret that has it")
    found = credentials(secrets, field, (namespace, ref.name), Use.BINDCAR_TOKEN, host=endpoint.host)
    entry = ref.key or "token"
    token = found.entry(entry).strip()
    if not is_token(token):
        raise found.wrong(entry, "is no bearer token")
    return Bindcar(external.bindcar_url, token)
