"""How objects go: preconditions, finalizers, grace, and who goes with them.

A deletion request only marks or removes its object; the followers (dependents, the contents of a namespace, the objects
of a CRD) are the work of garbage.py, which hears of it through the store."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zonewright.envtest.embedded import codec, errors
from zonewright.envtest.embedded.resources import Fields, Resource
from zonewright.envtest.embedded.store import Entry, Key
from zonewright.envtest.embedded.verbs import NAMESPACES, Query, Verbs

FOREGROUND, ORPHAN = "foregroundDeletion", "orphan"
POLICIES = {"Foreground": FOREGROUND, "Orphan": ORPHAN, "Background": ""}


@dataclass(frozen=True, slots=True)
class DeleteOptions:
    uid: str = ""
    resource_version: str = ""
    propagation: str = ""
    grace: int | None = None
    dry_run: bool = False


def parse_options(body: Mapping[str, Any] | None, query: Mapping[str, str]) -> DeleteOptions:
    """Options come in the body; the query is used where there is none."""
    if body:
        conditions = body.get("preconditions") or {}
        propagation = body.get("propagationPolicy") or ("Orphan" if body.get("orphanDependents") else "")
        grace, dry_run = body.get("gracePeriodSeconds"), bool(body.get("dryRun"))
    else:
        conditions, propagation = {}, query.get("propagationPolicy", "")
        grace = int(query["gracePeriodSeconds"]) if "gracePeriodSeconds" in query else None
        dry_run = False
    if propagation and propagation not in POLICIES:
        supported = ['"Foreground"', '"Background"', '"Orphan"', '"nil"']
        cause = errors.unsupported("propagationPolicy", f'"{propagation}"', supported)
        raise errors.invalid("meta.k8s.io", "DeleteOptions", "", [cause])
    uid, version = conditions.get("uid") or "", conditions.get("resourceVersion") or ""
    return DeleteOptions(uid, version, propagation, grace, dry_run or "dryRun" in query)


@dataclass(frozen=True, slots=True)
class Deleted:
    """What is left of the object to show; `gone` when it is no longer stored."""

    raw: bytes
    gone: bool


class Deleter:
    def __init__(self, verbs: Verbs) -> None:
        self.verbs = verbs

    def delete(self, resource: Resource, key: Key, options: DeleteOptions) -> Deleted:
        entry = self.verbs.entry(resource, key)
        check_preconditions(resource, entry, options)
        fields = codec.decode(entry.raw)
        changed = self._mark(resource, fields, options)
        if not stays(resource, fields, options):
            return Deleted(self.verbs.remove(resource, entry, fields, dry_run=options.dry_run), gone=True)
        if changed:
            return Deleted(self.verbs.commit(resource, fields, dry_run=options.dry_run), gone=False)
        return Deleted(self.verbs.shown(resource, entry), gone=False)

    def delete_collection(self, resource: Resource, query: Query, options: DeleteOptions) -> list[bytes]:
        """Returns the objects as they were: that is what kube-apiserver does."""
        entries = self.verbs.page(resource, query).entries
        for entry in entries:
            self.delete(resource, entry.key, options)
        return [self.verbs.shown(resource, entry) for entry in entries]

    def _mark(self, resource: Resource, fields: Fields, options: DeleteOptions) -> bool:
        """Writes into the object that it is to go, as far as something holds it back."""
        meta = fields["metadata"]
        finalizers = wanted_finalizers(meta.get("finalizers") or [], options.propagation)
        grace = grace_of(resource, fields, options)
        holds = bool(finalizers) or grace or (resource.collection == NAMESPACES)
        if not holds:
            return False
        changed = finalizers != (meta.get("finalizers") or [])
        if changed:
            meta["finalizers"] = finalizers
        if not finalizers:
            meta.pop("finalizers", None)
        if not meta.get("deletionTimestamp"):
            self._stamp(resource, fields, grace)
            return True
        if grace == 0 and meta.get("deletionGracePeriodSeconds"):
            meta["deletionGracePeriodSeconds"] = 0
            return True
        return changed

    def _stamp(self, resource: Resource, fields: Fields, grace: int) -> None:
        meta = fields["metadata"]
        now = dt.datetime.fromisoformat(self.verbs.timestamp())
        meta["deletionTimestamp"] = (now + dt.timedelta(seconds=grace)).strftime("%Y-%m-%dT%H:%M:%SZ")
        if resource.collection == NAMESPACES:
            fields["status"] = (fields.get("status") or {}) | {"phase": "Terminating"}
        else:
            meta["deletionGracePeriodSeconds"] = grace
        if resource.has_generation and "generation" in meta:
            meta["generation"] += 1


def check_preconditions(resource: Resource, entry: Entry, options: DeleteOptions) -> None:
    if options.uid and options.uid != entry.uid:
        why = (
            f"the UID in the precondition ({options.uid}) does not match the UID in record ({entry.uid})."
            " The object might have been deleted and then recreated"
        )
        raise errors.conflict(resource.group, resource.kind, entry.key.name, why)
    if options.resource_version and options.resource_version != str(entry.revision):
        why = (
            f"the ResourceVersion in the precondition ({options.resource_version}) does not match the"
            f" ResourceVersion in record ({entry.revision}). The object might have been modified"
        )
        raise errors.conflict(resource.group, resource.kind, entry.key.name, why)


def wanted_finalizers(present: list[str], propagation: str) -> list[str]:
    """The policy is carried out by a finalizer of its own; without one, what stands on the object counts."""
    if not propagation:
        return present
    kept = [name for name in present if name not in {FOREGROUND, ORPHAN}]
    own = POLICIES[propagation]
    if own and own in present:
        return present
    return [*kept, own] if own else kept


def grace_of(resource: Resource, fields: Fields, options: DeleteOptions) -> int:
    """Only a pod that runs on a node is given time: nobody else would tell when it is over."""
    spec = fields.get("spec") or {}
    if resource.kind != "Pod" or not spec.get("nodeName"):
        return 0
    if (fields.get("status") or {}).get("phase") in {"Failed", "Succeeded"}:
        return 0
    given = options.grace if options.grace is not None else spec.get("terminationGracePeriodSeconds", 30)
    return int(given)


def stays(resource: Resource, fields: Fields, options: DeleteOptions) -> bool:
    if resource.collection == NAMESPACES:
        return bool((fields.get("spec") or {}).get("finalizers") or fields["metadata"].get("finalizers"))
    return bool(fields["metadata"].get("finalizers")) or grace_of(resource, fields, options) > 0
