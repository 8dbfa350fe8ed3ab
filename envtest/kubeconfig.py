"""Kubeconfig files: what kubectl, the official clients and our own manager read to find an API. Knows no cluster."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml


def write_kubeconfig(path: Path, server_url: str, ca: Path, user: Mapping[str, Any], *, name: str = "envtest") -> Path:
    """Write a file with one context called `name`; `user` holds token, tokenFile or client certificate fields.

    The CA is referred to, not copied: these files live and die together.
    """
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": {"server": server_url, "certificate-authority": str(ca)}}],
        "users": [{"name": name, "user": dict(user)}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }
    path.touch(mode=0o600)
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    return path
