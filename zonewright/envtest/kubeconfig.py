"""Kubeconfig files: what kubectl, the official clients and our own manager find an API by. Knows no cluster.

Written here for others to read; read here for the external backend: one context with a token, a token file or a client
certificate. What only kubectl's own machinery can do (exec plugins, auth providers, proxies) is refused by name.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from zonewright.envtest.errors import Unavailable, yaml_problem

# Fields that hold a file's name or, with "-data" behind it, its content.
FILES = ("certificate-authority", "client-certificate", "client-key")
HARMLESS = {"extensions", "disable-compression"}
CLUSTER_FIELDS = {"server", "certificate-authority", "certificate-authority-data"} | HARMLESS
USER_FIELDS = {
    "token",
    "tokenFile",
    "client-certificate",
    "client-certificate-data",
    "client-key",
    "client-key-data",
} | HARMLESS
SUPPORTED = "a token, a tokenFile or a client certificate"


def write_kubeconfig(path: Path, server_url: str, ca: Path, user: Mapping[str, Any], *, name: str = "envtest") -> Path:
    """Write a file with one context called `name`; `user` holds token, tokenFile or client certificate fields.

    The CA is referred to, not copied: these files live and die together.
    """
    cluster = {"server": server_url, "certificate-authority": str(ca)}
    return write_document(path, _document(cluster, dict(user), name))


def write_document(path: Path, document: Mapping[str, Any]) -> Path:
    """Write a kubeconfig for its owner only."""
    path.touch(mode=0o600)
    path.write_text(yaml.safe_dump(dict(document), sort_keys=False))
    return path


def _document(cluster: Mapping[str, Any], user: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": cluster}],
        "users": [{"name": name, "user": user}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }


# --- reading


@dataclass(frozen=True, slots=True)
class Access:
    """What one context of a kubeconfig says, with the contents of the files that it refers to."""

    context: str
    server_url: str
    ca: bytes | None
    token: str = field(default="", repr=False)
    certificate: bytes | None = field(default=None, repr=False)
    key: bytes | None = field(default=None, repr=False)

    def document(self) -> dict[str, Any]:
        """Return it as a kubeconfig that refers to no file."""
        cluster = {"server": self.server_url, **_data("certificate-authority", self.ca)}
        certificate = {**_data("client-certificate", self.certificate), **_data("client-key", self.key)}
        return _document(cluster, {**({"token": self.token} if self.token else {}), **certificate}, self.context)


def _data(name: str, content: bytes | None) -> dict[str, str]:
    return {} if content is None else {f"{name}-data": base64.b64encode(content).decode()}


def read_kubeconfig(source: str | Path, context: str | None = None) -> Access:
    """Read a context, the current one unless said otherwise, of a file or of several, joined as in $KUBECONFIG."""
    files = [Path(each).expanduser() for each in str(source).split(os.pathsep) if each]
    found = [each for each in files if each.exists()]
    if not found:
        raise Unavailable(f"no cluster: {source} is not there (set KUBECONFIG)")
    config = _merged([_load(each) for each in found])
    title = str(source)
    name = context or config.get("current-context")
    if not name:
        raise Unavailable(f"{title} has no current-context: choose one of {_names(config, 'contexts')}")
    chosen = _entry(config, "contexts", name, "context", title)
    cluster = _entry(config, "clusters", chosen.get("cluster"), "cluster", title)
    user = _entry(config, "users", chosen.get("user"), "user", title)
    _check_fields(cluster, CLUSTER_FIELDS, f"cluster {chosen['cluster']!r} of {title}")
    _check_fields(user, USER_FIELDS, f"user {chosen['user']!r} of {title}")
    return _access(name, cluster, user, title)


def _access(context: str, cluster: Mapping[str, Any], user: Mapping[str, Any], title: str) -> Access:
    server = str(cluster.get("server") or "")
    if not server.startswith(("https://", "http://")):
        raise Unavailable(f"{title}: the server of context {context!r} is {server!r}, not an https:// address")
    token = _text(user["tokenFile"], title) if user.get("tokenFile") else str(user.get("token") or "")
    access = Access(
        context=context,
        server_url=server.rstrip("/"),
        ca=_content(cluster, "certificate-authority", title),
        token=token.strip(),
        certificate=_content(user, "client-certificate", title),
        key=_content(user, "client-key", title),
    )
    if not access.token and (access.certificate is None or access.key is None):
        raise Unavailable(f"{title}: the user of context {context!r} has no credentials: envtest needs {SUPPORTED}")
    return access


def _load(file: Path) -> dict[str, Any]:
    """Read one file; its relative paths become absolute, because they are relative to it."""
    try:
        document = yaml.safe_load(file.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except yaml.YAMLError as error:
        raise Unavailable(f"{file} is not a kubeconfig: it is not valid YAML ({yaml_problem(error)})") from error
    if not _well_formed(document):
        raise Unavailable(f"{file} is not a kubeconfig: clusters, users and contexts must be lists of named entries")
    for section, kind in (("clusters", "cluster"), ("users", "user")):
        for entry in document.get(section) or ():
            _resolve(entry.get(kind) or {}, file.parent)
    return dict(document)


def _well_formed(document: Any) -> bool:
    if not isinstance(document, dict):
        return False
    for section, kind in (("clusters", "cluster"), ("users", "user"), ("contexts", "context")):
        entries = document.get(section) or []
        if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
            return False
        if not all(isinstance(each.get(kind) or {}, dict) for each in entries):
            return False
    return True


def _resolve(fields: dict[str, Any], base: Path) -> None:
    for name in (*FILES, "tokenFile"):
        if fields.get(name):
            fields[name] = str(base / Path(str(fields[name])).expanduser())


def _merged(documents: list[dict[str, Any]]) -> dict[str, Any]:
    """Join several files the way kubectl does: of entries with the same name, the first counts."""
    sections = ("clusters", "users", "contexts")
    merged: dict[str, Any] = {name: [each for one in documents for each in one.get(name) or ()] for name in sections}
    current = (one.get("current-context") for one in documents)
    return {**merged, "current-context": next(filter(None, current), None)}


def _entry(config: Mapping[str, Any], section: str, name: Any, kind: str, title: str) -> dict[str, Any]:
    for each in config[section]:
        if each.get("name") == name:
            return dict(each.get(kind) or {})
    raise Unavailable(f"{title} has no {kind} {name!r}: it has {_names(config, section)}")


def _names(config: Mapping[str, Any], section: str) -> str:
    return ", ".join(str(each.get("name")) for each in config[section]) or "none"


def _check_fields(fields: Mapping[str, Any], known: set[str], whose: str) -> None:
    if unknown := sorted(name for name, value in fields.items() if value and name not in known):
        raise Unavailable(f"{whose} uses {', '.join(unknown)}, which envtest does not support: it needs {SUPPORTED}")


def _content(fields: Mapping[str, Any], name: str, title: str) -> bytes | None:
    """Return what a field holds or refers to; as for kubectl, the -data form comes first."""
    if encoded := fields.get(f"{name}-data"):
        try:
            return base64.b64decode(encoded, validate=True)
        except (binascii.Error, TypeError, ValueError) as error:
            raise Unavailable(f"{title}: {name}-data is not base64: {error}") from error
    return _read(fields[name], title) if fields.get(name) else None


def _text(path: str, title: str) -> str:
    return _read(path, title).decode(errors="replace")


def _read(path: str, title: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Unavailable(f"{title} refers to {path}, which cannot be read: {error.strerror}") from error
