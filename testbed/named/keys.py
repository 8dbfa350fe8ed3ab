"""TSIG keys, as named, rndc and nsupdate read them. Their secrets have no repr and are written to files only."""

from __future__ import annotations

import base64
import secrets
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TsigKey:
    """A shared secret with a name; `secret` is base64, as BIND's files have it."""

    name: str
    secret: str = field(repr=False)
    algorithm: str = "hmac-sha256"

    @classmethod
    def create(cls, name: str) -> TsigKey:
        """Make a key with a new random secret."""
        return cls(name, base64.b64encode(secrets.token_bytes(32)).decode())

    def statement(self) -> str:
        """Return the key as a statement of BIND's configuration, which is also the format of `nsupdate -k`."""
        return f'key "{self.name}" {{ algorithm {self.algorithm}; secret "{self.secret}"; }};\n'

    def write(self, path: Path) -> Path:
        """Write that statement to a file which only its owner can read."""
        path.touch(mode=0o600)
        path.write_text(self.statement())
        return path
