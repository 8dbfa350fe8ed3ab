"""Where the API server is and how to talk to it: what `Client` is made from.

`Config.load()` looks where controller-runtime looks: the kubeconfig given, $KUBECONFIG, the pod's service account,
~/.kube/config. Tokens, token files, client certificates and service accounts are read here. Everything less common
(exec plugins, auth providers, passwords, several files in $KUBECONFIG, proxies) goes to the official client's loader
(`official.py`), which is also the fallback for whatever this does not know.

The reason for reading the common cases here is the import: `kubernetes.config` costs 0.5 s of CPU and 58 MiB with
version 36 (0.4 s, 35 MiB with 37), because it brings the generated models; this module costs 5 ms.
"""

import base64
import dataclasses
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zonewright.api.errors import ConfigError
from zonewright.client.credentials import Authorization, FileToken, StaticToken, Tls, TlsMaterial

SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")

# Of the keys of a kubeconfig, those that this module honours. One that it does not know may matter: official loader.
_CLUSTER_KEYS = {
    "server",
    "certificate-authority",
    "certificate-authority-data",
    "insecure-skip-tls-verify",
    "tls-server-name",
    "disable-compression",
    "extensions",
}
_USER_KEYS = {
    "token",
    "tokenFile",
    "client-certificate",
    "client-certificate-data",
    "client-key",
    "client-key-data",
    "extensions",
}
_PROXIES = ("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")


class Unusual(Exception):
    """A configuration that only the official loader understands."""


@dataclass(frozen=True, slots=True)
class Config:
    """A way to an API server. Made by `load`; tests make their own."""

    server: str
    authorization: Authorization = field(default=StaticToken(None), repr=False)
    tls: Tls | None = field(default=None, repr=False)
    namespace: str = "default"
    """The namespace of the kubeconfig's context, or of the pod."""
    pool: Any = field(default=None, repr=False)
    """The official client's urllib3 pool, where its configuration needs one: behind a proxy."""
    reload: "Callable[[], Config] | None" = field(default=None, repr=False)
    """Reads everything again: what a 401 asks for."""

    @classmethod
    def load(
        cls, kubeconfig: str | os.PathLike[str] | None = None, context: str | None = None, *, official: bool = False
    ) -> "Config":
        """`official` takes the official client's loader also where ours would do."""
        return load(kubeconfig, context, official=official)


def load(
    kubeconfig: str | os.PathLike[str] | None = None,
    context: str | None = None,
    *,
    official: bool = False,
    environ: Mapping[str, str] = os.environ,
    service_account: Path = SERVICE_ACCOUNT,
) -> Config:
    path = _find(kubeconfig, environ, service_account)
    try:
        unusual = official or any(environ.get(name) for name in _PROXIES)
        config = None if unusual else _own(path, context, environ, service_account)
    except Unusual:
        config = None
    return dataclasses.replace(
        config or _official(path, context),
        reload=lambda: load(kubeconfig, context, official=official, environ=environ, service_account=service_account),
    )


def _own(path: str | None, context: str | None, environ: Mapping[str, str], service_account: Path) -> Config:
    return from_service_account(service_account, environ) if path is None else from_kubeconfig(path, context)


def _official(path: str | None, context: str | None) -> Config:
    from zonewright.client import official  # noqa: PLC0415 - the import that this module avoids

    settings = official.load(path, context)
    return Config(settings.server, settings.authorization, settings.tls, pool=settings.pool)


def _find(kubeconfig: str | os.PathLike[str] | None, environ: Mapping[str, str], service_account: Path) -> str | None:
    """The kubeconfig to read (perhaps several, joined by colons), or None for the pod's service account."""
    if kubeconfig:
        return os.fspath(kubeconfig)
    if named := environ.get("KUBECONFIG"):
        return named
    if environ.get("KUBERNETES_SERVICE_HOST") and (service_account / "token").exists():
        return None
    default = Path("~/.kube/config").expanduser()
    if default.exists():
        return str(default)
    raise ConfigError(
        "no API server is configured: set --kubeconfig or $KUBECONFIG, or run in a pod. "
        "There is no ~/.kube/config and no service account either."
    )


def from_service_account(directory: Path, environ: Mapping[str, str]) -> Config:
    host, port = environ["KUBERNETES_SERVICE_HOST"], environ.get("KUBERNETES_SERVICE_PORT", "443")
    namespace = directory / "namespace"
    return Config(
        server=f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}",
        authorization=FileToken(directory / "token"),
        tls=Tls(TlsMaterial(ca_file=str(directory / "ca.crt"))),
        namespace=namespace.read_text().strip() if namespace.exists() else "default",
    )


def from_kubeconfig(path: str, context: str | None) -> Config:
    """Raises `Unusual` for what the official loader must read."""
    if os.pathsep in path:
        raise Unusual("several files are merged")
    file = Path(path).expanduser()
    try:
        document = _parse(file.read_text(), file)
    except OSError as error:
        raise ConfigError(f"the kubeconfig {file} cannot be read: {error.strerror}") from error
    chosen = _named(document, "contexts", context or document.get("current-context"), "context", file)
    cluster = _named(document, "clusters", chosen.get("cluster"), "cluster", file)
    user = _named(document, "users", chosen["user"], "user", file) if chosen.get("user") else {}
    if unknown := (cluster.keys() - _CLUSTER_KEYS) | (user.keys() - _USER_KEYS):
        raise Unusual(f"the official loader knows {', '.join(sorted(unknown))}")
    return _usual(cluster, user, chosen.get("namespace") or "default", file.parent)


def _usual(cluster: Mapping[str, Any], user: Mapping[str, Any], namespace: str, base: Path) -> Config:
    server = str(cluster.get("server") or "")
    if not server.startswith(("https://", "http://")):
        raise Unusual(f"the server is {server!r}")
    return Config(
        server=server.rstrip("/"),
        authorization=_authorization(user, base),
        tls=Tls(_material(cluster, user, base)) if server.startswith("https://") else None,
        namespace=namespace,
    )


def _authorization(user: Mapping[str, Any], base: Path) -> Authorization:
    # client-go: tokenFile takes precedence over token.
    if path := user.get("tokenFile"):
        return FileToken(base / path)
    return StaticToken(f"Bearer {user['token']}" if user.get("token") else None)


def _material(cluster: Mapping[str, Any], user: Mapping[str, Any], base: Path) -> TlsMaterial:
    """client-go: the -data fields take precedence over the files; paths are relative to the kubeconfig."""

    def data(fields: Mapping[str, Any], name: str) -> str | None:
        value = fields.get(f"{name}-data")
        return base64.b64decode(value).decode() if value else None

    def path(fields: Mapping[str, Any], name: str) -> str | None:
        return str(base / fields[name]) if fields.get(name) and not fields.get(f"{name}-data") else None

    return TlsMaterial(
        ca_file=path(cluster, "certificate-authority"),
        ca_data=data(cluster, "certificate-authority"),
        cert_file=path(user, "client-certificate"),
        key_file=path(user, "client-key"),
        cert_data=data(user, "client-certificate"),
        key_data=data(user, "client-key"),
        verify=not cluster.get("insecure-skip-tls-verify"),
        server_name=cluster.get("tls-server-name"),
    )


def _parse(text: str, file: Path) -> dict[str, Any]:
    # kind, envtest and many scripts write JSON, which is ten times faster to read.
    document = _parse_json(text, file) if text.lstrip().startswith("{") else _parse_yaml(text, file)
    if not isinstance(document, dict):
        raise ConfigError(f"the kubeconfig {file} is not a mapping")
    return document


def _parse_json(text: str, file: Path) -> Any:
    try:
        return json.loads(text)
    except ValueError:  # YAML may start with a brace too
        return _parse_yaml(text, file)


def _parse_yaml(text: str, file: Path) -> Any:
    import yaml  # noqa: PLC0415 - 30 ms that a pod never needs

    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        where = f"line {mark.line + 1}: " if mark else ""
        raise ConfigError(f"the kubeconfig {file} is not valid YAML: {where}{problem or 'no text'}") from error


def _named(document: Mapping[str, Any], section: str, name: str | None, field_: str, file: Path) -> dict[str, Any]:
    entries = document.get(section) or []
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise ConfigError(f"the kubeconfig {file}: {section} is not a list of named entries")
    for entry in entries:
        if entry.get("name") == name:
            return dict(entry.get(field_) or {})
    known = ", ".join(str(each.get("name")) for each in entries) or "none"
    raise ConfigError(f"the kubeconfig {file} has no entry {name!r} in its {section}: it has {known}")
