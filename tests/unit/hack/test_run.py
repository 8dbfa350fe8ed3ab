"""The live view of `make run`: what it shows of what status says."""

import io
from types import SimpleNamespace
from typing import Any, cast

from rich.console import Console

from hack.run import summary
from testbed.stage import Stage


def shown(**items: dict[str, Any]) -> str:
    """The view of a cluster with these objects, by the last part of their path."""

    def get(path: str) -> dict[str, Any]:
        plural = path.rpartition("/")[2]
        return {"items": [items[plural]] if plural in items else []}

    running = cast("Stage", SimpleNamespace(cluster=SimpleNamespace(get=get)))
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(summary(running))
    return console.export_text()


def ready(status: str, message: str) -> dict[str, Any]:
    return {"conditions": [{"type": "Ready", "status": status, "message": message}]}


def test_a_dnsendpoint_is_shown_with_what_is_wrong():
    message = "1 of 2 endpoints not in DNS: spec.endpoints[0].targets[0]: '[red]' is not an IPv4 address"
    status = {"records": "1/2", **ready("False", message)}
    text = shown(dnsendpoints={"metadata": {"namespace": "shop", "name": "www"}, "status": status})
    assert "DNSEndpoints" in text
    line = next(line for line in text.splitlines() if "www" in line)
    for word in ("shop", "1/2", "no", message):
        assert word in line


def test_without_dnsendpoints_there_is_no_table_of_them():
    assert "DNSEndpoints" not in shown()
    assert "DNSZones" in shown()


def test_an_object_that_nobody_looked_at_yet_is_shown():
    text = shown(dnsendpoints={"metadata": {"namespace": "shop", "name": "new"}})
    assert "new" in text
