"""bindcar's own numbers, in a registry of its own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram

from bindcar.rndc import RndcError, RndcUnreachable
from bindcar.zones import Control


class Metrics:
    """Requests and control commands, by outcome."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "bindcar_http_requests", "HTTP requests answered", ["method", "route", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "bindcar_http_request_duration_seconds", "Time to answer", ["method", "route"], registry=self.registry
        )
        self._commands = Counter(
            "bindcar_rndc_commands", "Control commands sent to named", ["command", "result"], registry=self.registry
        )
        self._command_seconds = Histogram(
            "bindcar_rndc_command_duration_seconds", "Time named took", ["command"], registry=self.registry
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    @contextmanager
    def command(self, verb: str) -> Iterator[None]:
        """Count a control command by how it ends."""
        started = time.perf_counter()
        result = "success"
        try:
            yield
        except RndcError:
            result = "failure"
            raise
        except RndcUnreachable:
            result = "unreachable"
            raise
        finally:
            self._commands.labels(verb, result).inc()
            self._command_seconds.labels(verb).observe(time.perf_counter() - started)


class MeasuredControl:
    """A control channel whose commands are counted."""

    def __init__(self, control: Control, metrics: Metrics) -> None:
        self._control, self._metrics = control, metrics

    async def call(self, command: str) -> str:
        """Count by the command's first word only: the rest holds zone names."""
        with self._metrics.command(command.split(" ", 1)[0]):
            return await self._control.call(command)
