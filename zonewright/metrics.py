"""What the process counts: cheap instruments for hot paths, shown to Prometheus when somebody scrapes.

Instruments are created once, at import or wiring, and looked up by nobody afterwards:

    REQUESTS = metrics.counter("rest_client_requests_total", "API requests.", "code", "method", "host")
    ok = REQUESTS.labels("200", "GET", host)     # keep the child: `ok.inc()` is one lock and one addition

`REGISTRY` is the process's one `prometheus_client` registry, which also takes that library's own instruments. It is
made when it is first asked for: importing `prometheus_client` costs 70 ms and 12 MiB that a process which nobody
scrapes need not pay.
"""

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics_core import Metric

    REGISTRY: CollectorRegistry

# controller-runtime's bounds of its reconcile_time_seconds, thinned: dashboards compute quantiles from them.
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
# client-go's bounds of workqueue_*_duration_seconds: 10 ns to 1000 s, each ten times the one before.
DECADES = tuple(10.0**exponent for exponent in range(-8, 4))


class Counter:
    __slots__ = ("_lock", "value")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.value = 0.0

    def inc(self, amount: float = 1) -> None:
        with self._lock:
            self.value += amount


class Gauge:
    __slots__ = ("_function", "_lock", "_value")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._value = 0.0
        self._function: Callable[[], float] | None = None

    @property
    def value(self) -> float:
        return self._value if self._function is None else self._function()

    def set(self, value: float) -> None:
        with self._lock:
            self._value = value

    def inc(self, amount: float = 1) -> None:
        with self._lock:
            self._value += amount

    def dec(self, amount: float = 1) -> None:
        self.inc(-amount)

    def set_function(self, function: Callable[[], float]) -> None:
        """Computed at scrape time: the way to export a length or an age without touching the hot path."""
        self._function = function


class Histogram:
    __slots__ = ("_bounds", "_counts", "_lock", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._lock = threading.Lock()
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        with self._lock:
            self.add(value)

    def add(self, value: float) -> None:
        """As `observe`, for an owner that holds a lock of its own around every use (see `Family.adopt`)."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    @property
    def count(self) -> int:
        return self.read()[0][-1]

    def read(self) -> tuple[list[int], float]:
        """Cumulative counts, one per bound and one for infinity; and the sum."""
        with self._lock:
            counts, total = list(self._counts), self._sum
        for at in range(1, len(counts)):
            counts[at] += counts[at - 1]
        return counts, total

    def buckets(self) -> list[tuple[str, float]]:
        return [(str(bound), count) for bound, count in zip([*self._bounds, "+Inf"], self.read()[0], strict=True)]


I = TypeVar("I", Counter, Gauge, Histogram)  # noqa: E741 - an instrument


class Family(Generic[I]):
    """All series of one name. `labels` makes a series on first use, at 0."""

    def __init__(self, name: str, documentation: str, label_names: tuple[str, ...], make: Callable[[], I]) -> None:
        self.name, self.documentation, self.label_names = name, documentation, label_names
        self._make: Callable[[], I] = make
        self._lock = threading.Lock()
        self._children: dict[tuple[str, ...], I] = {}

    def labels(self, *values: str) -> I:
        with self._lock:
            child = self._children.get(values)
        return child if child is not None else self._add(values)

    def adopt(self, *values: str) -> I:
        """A new series for one owner, who guards it with the lock it holds anyway: a lock costs more than the counting.

        It takes the place of the one before it, if any.
        """
        with self._lock:
            child = self._children[values] = self._make()
            return child

    def remove(self, *values: str) -> None:
        """Forgets a series, for labels that name something which can go away."""
        with self._lock:
            self._children.pop(values, None)

    def children(self) -> list[tuple[tuple[str, ...], I]]:
        with self._lock:
            return list(self._children.items())

    def _add(self, values: tuple[str, ...]) -> I:
        if len(values) != len(self.label_names):
            raise ValueError(f"{self.name} has the labels {self.label_names}, not {values}")
        with self._lock:
            return self._children.setdefault(values, self._make())


_families: dict[str, Family[Any]] = {}
_families_lock = threading.Lock()


def counter(name: str, documentation: str, *label_names: str) -> Family[Counter]:
    return _family(name, documentation, label_names, Counter)


def gauge(name: str, documentation: str, *label_names: str) -> Family[Gauge]:
    return _family(name, documentation, label_names, Gauge)


def histogram(name: str, documentation: str, *label_names: str, bounds: Sequence[float] = SECONDS) -> Family[Histogram]:
    return _family(name, documentation, label_names, lambda: Histogram(bounds))


def _family(name: str, documentation: str, label_names: tuple[str, ...], make: Callable[[], I]) -> Family[I]:
    """The same name is the same family, whoever asks first."""
    with _families_lock:
        family = _families.setdefault(name, Family(name, documentation, label_names, make))
    if family.label_names != label_names:
        raise ValueError(f"{name} exists with the labels {family.label_names}, not {label_names}")
    if not label_names:
        family.labels()
    return family


class _Collector:
    """Translates the instruments above for `prometheus_client`, at scrape time."""

    def collect(self) -> Iterator["Metric"]:
        with _families_lock:
            families = list(_families.values())
        for family in families:
            yield _translate(family)

    def describe(self) -> Iterable["Metric"]:
        """Nothing to check for duplicates at registration: families come and go with the wiring."""
        return ()


def _translate(family: Family[Any]) -> "Metric":
    from prometheus_client import metrics_core as core  # noqa: PLC0415 - at the first scrape, see above

    children = family.children()
    shape = (family.name.removesuffix("_total"), family.documentation)
    sample = family._make()
    if isinstance(sample, Histogram):
        histograms = core.HistogramMetricFamily(*shape, labels=family.label_names)
        for values, child in children:
            histograms.add_metric(values, child.buckets(), child.read()[1])
        return histograms
    make = core.CounterMetricFamily if isinstance(sample, Counter) else core.GaugeMetricFamily
    plain = make(*shape, labels=family.label_names)
    for values, child in children:
        plain.add_metric(values, child.value)
    return plain


def exposition() -> bytes:
    """The text that `/metrics` answers with."""
    from prometheus_client import generate_latest  # noqa: PLC0415 - at the first scrape, see above

    return generate_latest(_registry())


_registry_lock = threading.Lock()


def _registry() -> "CollectorRegistry":
    with _registry_lock:
        registry: CollectorRegistry = globals().get("REGISTRY") or _new_registry()
        globals()["REGISTRY"] = registry  # from now on an ordinary attribute
    return registry


def _new_registry() -> "CollectorRegistry":
    from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector  # noqa: PLC0415 - see above

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector())
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    return registry


def __getattr__(name: str) -> "CollectorRegistry":
    if name == "REGISTRY":
        return _registry()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
