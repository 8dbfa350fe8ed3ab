"""An UPDATE as the text that `nsupdate` would take: for the debug log, and for people who want to try it by hand.

Shows data, never keys.
"""

from __future__ import annotations

from collections.abc import Iterable

import dns.name
import dns.rdatatype as rt

from reconcilers.ddns.plan import Change, Prerequisite
from reconcilers.ddns.soa import Soa
from reconcilers.ddns.update import is_apex_ns


def nsupdate_script(server: str, port: int, zone: dns.name.Name, changes: Iterable[Change], soa: Soa | None) -> str:
    """One line per prerequisite and update, ending in `send`."""
    ready = list(changes)
    lines = [f"server {server} {port}", f"zone {zone}"]
    lines += [line for change in ready for line in _prerequisites(change)]
    lines += [f"update delete {change.key}" for change in ready if _replaced(zone, change)]
    lines += [f"update add {line}" for change in ready if change.after for line in str(change.after).splitlines()]
    lines += [line for change in ready if is_apex_ns(zone, change) for line in _former(change)]
    if soa:
        numbers = f"{soa.serial} {soa.refresh} {soa.retry} {soa.expire} {soa.minimum}"
        lines.append(f"update add {zone} {soa.ttl} IN SOA {soa.primary} {soa.admin} {numbers}")
    return "\n".join([*lines, "send"])


def _prerequisites(change: Change) -> list[str]:
    if change.prerequisite is Prerequisite.NONE:
        return []
    if change.prerequisite is Prerequisite.EXACT and change.before:
        kind = rt.to_text(change.key.rdtype)
        return [f"prereq yxrrset {change.key.name} {kind} {rdata.to_text()}" for rdata in change.before.rdatas]
    return [f"prereq nxrrset {change.key}"]


def _replaced(zone: dns.name.Name, change: Change) -> bool:
    return (change.before is not None or change.after is None) and not is_apex_ns(zone, change)


def _former(change: Change) -> list[str]:
    if not change.before or not change.after:
        return []
    gone = change.before.rdatas - change.after.rdatas
    return sorted(f"update delete {change.key} {rdata.to_text()}" for rdata in gone)
