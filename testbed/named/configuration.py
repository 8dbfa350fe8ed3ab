"""What `named` is told: its configuration and key files, written from a template and checked before they are used.

Starts nothing but named-checkconf.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2

from testbed.named.keys import TsigKey
from zonewright.envtest.errors import Unavailable

# Zones name this ACL, not keys, in allow-update and allow-transfer: a new key only has to join it.
ACL = "zonewright"

USUAL_PLACES = "/usr/sbin:/sbin:/usr/local/sbin"
PACKAGES = {
    "named": "bind9",
    "named-checkconf": "bind9-utils",
    "rndc": "bind9-utils",
    "dig": "bind9-dnsutils",
    "nsupdate": "bind9-dnsutils",
}

_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    autoescape=False,  # noqa: S701 (this is no HTML)
)


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of one server; `options` goes verbatim into named's options."""

    directory: Path
    keys: Sequence[TsigKey]
    port: int
    control_port: int
    options: str = ""

    def text(self) -> str:
        """Return named.conf."""
        return _templates.get_template("named.conf.j2").render(
            acl=ACL,
            control_port=self.control_port,
            directory=self.directory,
            keys=self.keys,
            options=self.options,
            port=self.port,
        )

    def write(self) -> None:
        """Write named.conf and the keys that it includes; raise ValueError when named would refuse it."""
        TsigKey.create("rndc").write(self.directory / "rndc.key")
        for key in self.keys:
            key.write(self.directory / f"{key.name}.key")
        path = self.directory / "named.conf"
        path.write_text(self.text())
        checked = subprocess.run([program("named-checkconf"), path], capture_output=True, text=True, check=False)
        if checked.returncode != 0:
            raise ValueError(f"named refuses its configuration: {checked.stdout.strip()}")


def program(name: str) -> str:
    """Find one of BIND's programs, which are often outside a user's PATH."""
    found = shutil.which(name) or shutil.which(name, path=USUAL_PLACES)
    if found is None:
        raise Unavailable(f"the program {name} is missing: {how_to_install(name)}")
    return found


def how_to_install(name: str) -> str:
    """Say which Debian package has one of BIND's programs."""
    return f"on Debian and Ubuntu, apt-get install {PACKAGES[name]} (elsewhere: BIND 9 and its tools)"
