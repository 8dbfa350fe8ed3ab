"""What follows when something goes: dependents after owners, contents after their namespace, objects after their CRD.

Stands in for kube-controller-manager. It hears every event of the store, decides at once, and does its own writes later
(through `later`), so that whoever deleted sees their own deletion first, as on a real cluster."""

from collections.abc import Callable
from functools import partial
from typing import Any

from zonewright.envtest.embedded import codec, crds
from zonewright.envtest.embedded.deletion import FOREGROUND, ORPHAN, DeleteOptions, Deleter
from zonewright.envtest.embedded.errors import ApiError
from zonewright.envtest.embedded.resources import Fields, Resource
from zonewright.envtest.embedded.store import Change, Entry, Event, Key
from zonewright.envtest.embedded.verbs import NAMESPACES

CONTROLLER = "kube-controller-manager"
Later = Callable[[Callable[[], None]], None]


class Collector:
    def __init__(self, deleter: Deleter, later: Later) -> None:
        self._deleter, self._verbs, self._later = deleter, deleter.verbs, later
        self._store = self._verbs.store
        self._store.subscribe(self._heard)
        # Namespaces and CRDs on their way out: what leaves them may be the last.
        self._emptying: dict[str, Callable[[], None]] = {}

    def _heard(self, event: Event) -> None:
        entry = event.entry
        if event.change is Change.DELETED:
            self._heard_removal(event)
        elif b'"deletionTimestamp"' in entry.raw:
            self._later(lambda: self._heard_marked(event.collection, entry.key))
        elif entry.owners and event.change is Change.ADDED:
            self._later(lambda: self._collect(event.collection, entry.key))

    def _heard_removal(self, event: Event) -> None:
        entry = event.entry
        if self._store.dependents(entry.uid):
            self._later(lambda: self._owner_gone(entry.uid))
        for owner in entry.owners:
            self._later(partial(self._release_foreground, owner))
        for empty in (f"namespace/{entry.key.namespace}", f"crd/{event.collection}"):
            if empty in self._emptying:
                self._later(self._emptying[empty])

    def _heard_marked(self, collection: str, key: Key) -> None:
        entry = self._store.get(collection, key)
        if entry is None:
            return
        meta = codec.decode(entry.raw)["metadata"]
        if not meta.get("deletionTimestamp"):
            return
        finalizers = meta.get("finalizers") or []
        if ORPHAN in finalizers:
            self._orphan_dependents(collection, entry)
        elif FOREGROUND in finalizers:
            self._delete_dependents_first(entry)
        if collection == NAMESPACES:
            self._empty_namespace(key.name)
        elif collection == crds.COLLECTION and crds.CLEANUP in finalizers:
            self._empty_crd(key)

    # ---- owners ----

    def _owner_gone(self, uid: str) -> None:
        for collection, entry in self._store.dependents(uid):
            self._collect(collection, entry.key)

    def _collect(self, collection: str, key: Key) -> None:
        """Deletes an object none of whose owners is left; forgets those that are gone where others remain."""
        entry = self._store.get(collection, key)
        resource = self._verbs.registry.of_collection(collection)
        if entry is None or resource is None or not entry.owners:
            return
        alive = [uid for uid in entry.owners if self._owns(uid, entry)]
        if len(alive) == len(entry.owners):
            return
        if alive:
            self._change(resource, entry, lambda fields: keep_owners(fields, set(alive)))
        else:
            self._delete(resource, entry)

    def _owns(self, uid: str, dependent: Entry) -> bool:
        """An owner is cluster-scoped or lives in the same namespace; elsewhere it counts as absent."""
        found = self._store.find(uid)
        return found is not None and found[1].key.namespace in {"", dependent.key.namespace}

    def _orphan_dependents(self, collection: str, owner: Entry) -> None:
        for place, entry in self._store.dependents(owner.uid):
            resource = self._verbs.registry.of_collection(place)
            if resource is not None:
                self._change(resource, entry, lambda fields: drop_owner(fields, owner.uid))
        self._drop_finalizer(collection, owner.key, ORPHAN)

    def _delete_dependents_first(self, owner: Entry) -> None:
        for place, entry in self._store.dependents(owner.uid):
            resource = self._verbs.registry.of_collection(place)
            if resource is not None:
                # Only one that has dependents itself is waited for in turn.
                policy = "Foreground" if self._store.dependents(entry.uid) else ""
                self._delete(resource, entry, policy)
        self._release_foreground(owner.uid)

    def _release_foreground(self, uid: str) -> None:
        found = self._store.find(uid)
        if found is None or FOREGROUND.encode() not in found[1].raw:
            return
        if not any(blocks(entry, uid) for _, entry in self._store.dependents(uid)):
            self._drop_finalizer(found[0], found[1].key, FOREGROUND)

    # ---- namespaces and definitions ----

    def _empty_namespace(self, name: str) -> None:
        self._emptying[f"namespace/{name}"] = lambda: self._namespace_is_empty(name)
        for resource in self._verbs.registry:
            if resource.namespaced and not resource.converts:
                for entry in self._store.entries(resource.collection, name):
                    self._delete(resource, entry)
        self._namespace_is_empty(name)

    def _namespace_is_empty(self, name: str) -> None:
        registry = self._verbs.registry
        if any(one.namespaced and self._store.entries(one.collection, name) for one in registry):
            return
        self._emptying.pop(f"namespace/{name}", None)
        entry = self._store.get(NAMESPACES, Key("", name))
        resource = registry.find("", "v1", "namespaces")
        if entry is None or resource is None:
            return
        fields = codec.decode(entry.raw)
        fields["spec"] = {}
        if fields["metadata"].get("finalizers"):
            self._verbs.amend(resource, fields, CONTROLLER)
        else:
            self._verbs.remove(resource, entry, fields)

    def _empty_crd(self, key: Key) -> None:
        entry = self._store.get(crds.COLLECTION, key)
        if entry is None:
            return
        collection = crds.collection_of(codec.decode(entry.raw))
        resource = self._verbs.registry.of_collection(collection)
        self._emptying[f"crd/{collection}"] = lambda: self._crd_is_empty(collection, key)
        if resource is not None:
            for one in self._store.entries(collection):
                self._delete(resource, one)
        self._crd_is_empty(collection, key)

    def _crd_is_empty(self, collection: str, key: Key) -> None:
        if not self._store.entries(collection):
            self._emptying.pop(f"crd/{collection}", None)
            self._drop_finalizer(crds.COLLECTION, key, crds.CLEANUP)

    # ---- writes ----

    def _delete(self, resource: Resource, entry: Entry, policy: str = "") -> None:
        options = DeleteOptions(uid=entry.uid, propagation=policy, grace=0)
        try:
            self._deleter.delete(resource, entry.key, options)
        except ApiError as error:
            # Deleted or replaced by someone else in the meantime: nothing left to do.
            if error.code not in {404, 409}:
                raise

    def _change(self, resource: Resource, entry: Entry, change: Callable[[Fields], Any]) -> None:
        fields = codec.decode(entry.raw)
        change(fields)
        self._verbs.amend(resource, fields, CONTROLLER)

    def _drop_finalizer(self, collection: str, key: Key, name: str) -> None:
        entry = self._store.get(collection, key)
        resource = self._verbs.registry.of_collection(collection)
        if entry is None or resource is None:
            return
        fields = codec.decode(entry.raw)
        meta = fields["metadata"]
        meta["finalizers"] = [one for one in meta.get("finalizers") or [] if one != name]
        if not meta["finalizers"]:
            del meta["finalizers"]
            if meta.get("deletionTimestamp") and self._verbs.may_go(resource, fields):
                self._verbs.remove(resource, entry, fields)
                return
        self._verbs.amend(resource, fields, CONTROLLER)


def owners_of(entry: Entry) -> list[Fields]:
    found: list[Fields] = codec.decode(entry.raw)["metadata"].get("ownerReferences") or []
    return found


def blocks(entry: Entry, owner: str) -> bool:
    return any(one["uid"] == owner and one.get("blockOwnerDeletion") for one in owners_of(entry))


def keep_owners(fields: Fields, uids: set[str]) -> None:
    meta = fields["metadata"]
    meta["ownerReferences"] = [one for one in meta["ownerReferences"] if one["uid"] in uids]
    if not meta["ownerReferences"]:
        del meta["ownerReferences"]


def drop_owner(fields: Fields, uid: str) -> None:
    keep_owners(fields, {one["uid"] for one in fields["metadata"].get("ownerReferences") or []} - {uid})
