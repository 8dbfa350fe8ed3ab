"""From cached objects to their endpoints: handlers of the informers that keep `Assignments` up to date, as views.

One changed object recomputes its own endpoints. The handlers do not raise: what is wrong with an object is a problem of
its endpoints, which its status or its events tell."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from reconcilers.desired.ownership import ZONE_ANNOTATION, finalizer
from reconcilers.desired.selection import Selection
from reconcilers.desired.views import Side, one_of
from reconcilers.endpoints import crd, ingress, service
from reconcilers.endpoints.assignment import Assignments, ObjectEndpoints, ObjectKey
from reconcilers.endpoints.endpoint import Endpoint
from zonewright import Object, Request

FINALIZER = finalizer("DNSEndpoint")

Steps = Callable[[Iterable[Endpoint]], Sequence[Endpoint]]
"""What happens to the endpoints of an object between its source and the plan."""

Services = Callable[[Request], Object[Any] | None]
Slices = Callable[[Request], Iterable[Object[Any]]]
"""A Service, and its EndpointSlices, as the caches have them."""


class Intake:
    """The handlers. `selection` is kept up to date before them, and has read each zone already.

    `dry_run`: nobody writes claims, so a DNSEndpoint is taken for one that has claimed what it wants."""

    def __init__(self, assignments: Assignments, selection: Selection, steps: Steps, *, dry_run: bool = False) -> None:
        self._assignments = assignments
        self._selection = selection
        self._steps = steps
        self._dry_run = dry_run

    # -- who takes endpoints

    def on_zone(self, old: Side, new: Side, initial: bool) -> None:  # noqa: ARG002 - a Handler
        key = one_of(old, new).key
        view = self._selection.zone(key) if new is not None else None
        if view is None:
            self._assignments.drop_zone(key)
        else:
            self._assignments.put_zone(view)

    def on_namespace(self, old: Side, new: Side, initial: bool) -> None:  # noqa: ARG002 - a Handler
        self._assignments.put_namespace(one_of(old, new).name, new.labels if new is not None else None)

    # -- who asks for them

    def on_dnsendpoint(self, old: Side, new: Side, initial: bool) -> None:  # noqa: ARG002 - a Handler
        if new is None:
            self._assignments.drop(_key(one_of(old, new)))
        else:
            self._put(new, crd.endpoints(new), None if self._dry_run else zones_claimed(new))

    def on_ingress(self, old: Side, new: Side, initial: bool) -> None:  # noqa: ARG002 - a Handler
        if new is None:
            self._assignments.drop(_key(one_of(old, new)))
        else:
            self._put(new, ingress.endpoints(new))

    def on_service(self, slices: Slices) -> Callable[[Side, Side, bool], None]:
        """The handler of Services."""

        def handler(old: Side, new: Side, initial: bool) -> None:  # noqa: ARG001 - a Handler
            if new is None:
                self._assignments.drop(_key(one_of(old, new)))
            else:
                self._put(new, service.endpoints(new, slices(new.key)))

        return handler

    def on_slice(self, services: Services, slices: Slices) -> Callable[[Side, Side, bool], None]:
        """The handler of EndpointSlices: the pods of a headless Service."""

        def handler(old: Side, new: Side, initial: bool) -> None:  # noqa: ARG001 - a Handler
            for key in {service.service_of(side) for side in (old, new) if side is not None}:
                found = services(key) if key is not None else None
                if key is not None and found is not None:
                    self._put(found, service.endpoints(found, slices(key)), by_itself=False)

        return handler

    def _put(
        self,
        obj: Object[Any],
        endpoints: Iterable[Endpoint],
        claimed: frozenset[str] | None = None,
        *,
        by_itself: bool = True,
    ) -> None:
        """Of most Services nobody asks for names: they cost no more than that look."""
        steps = tuple(self._steps(endpoints))
        if steps or claimed is not None:
            self._assignments.put(ObjectEndpoints(_key(obj), obj.uid, steps, claimed), by_itself=by_itself)
        else:
            self._assignments.drop(_key(obj))


def _key(obj: Object[Any]) -> ObjectKey:
    return ObjectKey(obj.kind.kind, obj.namespace, obj.name)


def zones_claimed(obj: Object[Any]) -> frozenset[str]:
    """The zones that its metadata names, where it may publish something; none without our finalizer beside them."""
    if FINALIZER not in obj.finalizers:
        return frozenset()
    return frozenset(filter(None, obj.annotations.get(ZONE_ANNOTATION, "").split(",")))
