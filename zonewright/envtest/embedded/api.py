"""The embedded API server without its sockets: everything wired together, ready to be asked.

`later` runs what kube-controller-manager would do after a write; the HTTP server passes the event loop's call_soon."""

import datetime as dt
import secrets
from collections.abc import Callable

from zonewright.envtest.embedded import builtin
from zonewright.envtest.embedded.counters import Counters
from zonewright.envtest.embedded.custom import Definitions
from zonewright.envtest.embedded.deletion import Deleter
from zonewright.envtest.embedded.garbage import Collector
from zonewright.envtest.embedded.intake import Options
from zonewright.envtest.embedded.resources import Registry
from zonewright.envtest.embedded.services import Allocator
from zonewright.envtest.embedded.store import HISTORY, Change, Event, Store
from zonewright.envtest.embedded.verbs import Verbs
from zonewright.envtest.embedded.watches import Watches

LEFT_OUT = (
    "no CEL rules, RBAC, admission or conversion webhooks, quotas; no controllers but garbage collection and"
    " namespaces (a Deployment makes no pods); nothing is kept when it stops"
)
NAMESPACES = ("default", "kube-node-lease", "kube-public", "kube-system")


def utc_now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


class Api:
    def __init__(
        self,
        later: Callable[[Callable[[], None]], None],
        *,
        now: Callable[[], dt.datetime] = utc_now,
        history: int = HISTORY,
    ) -> None:
        self.now = now
        self.tokens: set[str] = set()
        self.registry = Registry()
        self.store = Store(history)
        builtin.register(self.registry, Allocator(self.store))
        self.verbs = Verbs(self.store, self.registry, now)
        self.deleter = Deleter(self.verbs)
        self.counters = Counters()
        # Subscribed in this order: a kind is served before anyone hears of its CRD.
        self._definitions = Definitions(self.verbs, later)
        self.watches = Watches(self.store)
        self._collector = Collector(self.deleter, later)
        self.store.subscribe(self._end_watches)
        self._create_namespaces()

    def new_token(self) -> str:
        token = secrets.token_urlsafe(24)
        self.tokens.add(token)
        return token

    def _create_namespaces(self) -> None:
        namespaces = self.registry.find("", "v1", "namespaces")
        if namespaces is None:
            raise LookupError("the built-in kinds are not registered")
        for name in NAMESPACES:
            body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            self.verbs.create(namespaces, "", body, Options(manager="kube-apiserver"))

    def _end_watches(self, event: Event) -> None:
        """The objects of a CRD that is gone are gone; those who watch them start again and get 404."""
        if event.change is Change.DELETED and event.collection == "apiextensions.k8s.io/customresourcedefinitions":
            plural, _, group = event.entry.key.name.partition(".")
            self.watches.close_of(f"{group}/{plural}")
