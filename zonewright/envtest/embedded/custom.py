"""Serves what CRDs define: hears of every CRD in the store, keeps the registry, and writes the CRD's status.

A real API server takes a moment and answers 404 or 429 meanwhile; here a kind is served once its CRD is stored."""

from collections.abc import Callable

from zonewright.envtest.embedded import codec, crds, intake
from zonewright.envtest.embedded.resources import Fields, Resource
from zonewright.envtest.embedded.store import Change, Event, Key, Store
from zonewright.envtest.embedded.verbs import Verbs, entry_of

Later = Callable[[Callable[[], None]], None]


class Definitions:
    def __init__(self, verbs: Verbs, later: Later) -> None:
        self._verbs, self._store, self._registry, self._later = verbs, verbs.store, verbs.registry, later
        self._served: dict[str, Fields] = {}
        self._store.subscribe(self._heard)

    def _heard(self, event: Event) -> None:
        if event.collection != crds.COLLECTION:
            return
        fields = codec.decode(event.entry.raw)
        name = fields["metadata"]["name"]
        if event.change is Change.DELETED:
            self._withdraw(name)
        elif self._served.get(name) != fields["spec"]:
            self._withdraw(name)
            self._serve(fields)
            self._later(lambda: self._establish(event.entry.key))

    def _withdraw(self, name: str) -> None:
        spec = self._served.pop(name, None)
        if spec is not None:
            self._registry.remove(spec["group"], spec["names"]["plural"])

    def _serve(self, crd: Fields) -> None:
        self._served[crd["metadata"]["name"]] = crd["spec"]
        for resource in crds.resources_of(crd):
            self._registry.add(resource)
            if not resource.converts:
                refresh(self._store, resource)

    def _establish(self, key: Key) -> None:
        """What the controllers of a real API server find out about a new CRD, and the finalizer they put on it."""
        entry = self._store.get(crds.COLLECTION, key)
        resource = self._registry.of_collection(crds.COLLECTION)
        if entry is None or resource is None:
            return
        crd = codec.decode(entry.raw)
        before = codec.decode(entry.raw)
        meta = crd["metadata"]
        if not meta.get("deletionTimestamp"):
            meta["finalizers"] = sorted({*(meta.get("finalizers") or ()), crds.CLEANUP})
        crd["status"] = crds.established(crd, self._verbs.timestamp())
        if crd != before:
            self._verbs.amend(resource, crd, "kube-apiserver")


def refresh(store: Store, resource: Resource) -> None:
    """A new schema shows at once in what is stored: its defaults appear, what it no longer names disappears."""
    for entry in store.entries(resource.collection):
        fields = codec.decode(entry.raw)
        intake.pruned(resource, fields)
        intake.fill_defaults(resource, fields)
        store.rewrite(resource.collection, entry_of(fields, entry.revision))
