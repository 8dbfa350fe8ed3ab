"""The command line, checked as a whole before anything is opened.

Running without authentication is possible only on a loopback address and only when asked for by name: a zone API that
anybody in the cluster can write to must not come from a forgotten flag.
"""

from __future__ import annotations

import argparse
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class UsageError(Exception):
    """The command line cannot work; the message is the one line to print."""


@dataclass(frozen=True, slots=True)
class Options:
    """What to listen on, where named's control channel is, and who may call."""

    host: str
    port: int
    rndc_host: str
    rndc_port: int
    rndc_key: Path
    zones_dir: Path
    token_file: Path | None
    token_review: bool
    allow_users: frozenset[str]
    insecure_no_auth: bool
    max_in_flight: int


def parse(argv: Sequence[str]) -> Options:
    """Options from arguments; raises UsageError for what argparse itself cannot see."""
    given = _parser().parse_args(argv)
    host, port = _endpoint(given.listen, "--listen")
    rndc_host, rndc_port = _endpoint(given.rndc, "--rndc")
    options = Options(
        host=host,
        port=port,
        rndc_host=rndc_host,
        rndc_port=rndc_port,
        rndc_key=given.rndc_key,
        zones_dir=given.zones_dir,
        token_file=given.token_file,
        token_review=given.token_review,
        allow_users=frozenset(given.allow_user),
        insecure_no_auth=given.insecure_no_auth,
        max_in_flight=given.max_in_flight,
    )
    _check_auth(options)
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bindcar", description="An HTTP API over the control channel of BIND9.")
    add = parser.add_argument
    add("--listen", default="0.0.0.0:8080", metavar="HOST:PORT", help="where to serve HTTP (default: %(default)s)")
    add("--rndc", default="127.0.0.1:953", metavar="HOST:PORT", help="named's control channel (default: %(default)s)")
    add("--rndc-key", type=Path, default=Path("/etc/bind/rndc.key"), metavar="FILE", help="its key, as in named.conf")
    add("--zones-dir", type=Path, default=Path("/var/cache/bind"), metavar="DIR", help="where named may write zones")
    add("--token-file", type=Path, metavar="FILE", help="accepted bearer tokens, one per line; read again when changed")
    add("--token-review", action="store_true", help="ask the Kubernetes API who a bearer token belongs to")
    add("--allow-user", action="append", default=[], metavar="USER", help="a user --token-review lets in; repeatable")
    add("--insecure-no-auth", action="store_true", help="no authentication; only on a loopback address")
    add("--max-in-flight", type=int, default=64, metavar="N", help="more requests at once get 429 (default: 64)")
    return parser


def _endpoint(text: str, flag: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise UsageError(f"{flag} must be HOST:PORT, not {text!r}")
    return host.strip("[]"), int(port)


def _check_auth(options: Options) -> None:
    if options.token_review and not options.allow_users:
        raise UsageError("--token-review needs --allow-user USER: every pod in the cluster has a valid token")
    if options.token_file or options.token_review:
        return
    where = f"{options.host}:{options.port}"
    if not options.insecure_no_auth:
        raise UsageError(
            f"refusing to serve {where} without authentication: give --token-file FILE or --token-review "
            "(or, on a loopback address only, --insecure-no-auth)"
        )
    if not _is_loopback(options.host):
        raise UsageError(f"refusing to serve {where} without authentication: --insecure-no-auth works on loopback only")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
