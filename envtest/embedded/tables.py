"""Tables for `kubectl get`: objects in, a meta.k8s.io Table out. Time is an input."""

import datetime
from collections.abc import Iterable
from typing import Any

from envtest.embedded.resources import Column, Fields, Resource

STEPS = (("y", 365 * 86400, 2), ("d", 86400, 2), ("h", 3600, 3), ("m", 60, 3), ("s", 1, 120))


def table(resource: Resource, objects: Iterable[Fields], meta: Fields, include: str, now: datetime.datetime) -> Fields:
    """`include` is the request's includeObject: Metadata (as when it is not given), Object or None."""
    return {
        "kind": "Table",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": meta,
        "columnDefinitions": [definition(column) for column in resource.columns],
        "rows": [row(resource, fields, include, now) for fields in objects],
    }


def definition(column: Column) -> Fields:
    return {
        "name": column.name,
        "type": "string" if column.type == "date" and column.format != "absolute" else column.type,
        "format": "" if column.format == "absolute" else column.format,
        "description": column.description,
        "priority": column.priority,
    }


def row(resource: Resource, fields: Fields, include: str, now: datetime.datetime) -> Fields:
    made: Fields = {"cells": [cell(column, fields, now) for column in resource.columns]}
    if include == "Object":
        made["object"] = fields
    elif include != "None":
        made["object"] = partial_metadata(fields)
    return made


def partial_metadata(fields: Fields) -> Fields:
    return {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": fields["metadata"]}


def cell(column: Column, fields: Fields, now: datetime.datetime) -> Any:
    value = column.cell(fields)
    if column.type == "date" and column.format != "absolute":
        return age(value, now)
    return value


def age(timestamp: Any, now: datetime.datetime) -> str:
    """How long ago, in the words of kubectl: 42s, 3m10s, 5h, 7d."""
    if not isinstance(timestamp, str):
        return "<unknown>"
    try:
        then = datetime.datetime.fromisoformat(timestamp)
    except ValueError:
        return "<invalid>"
    return duration(int((now - then).total_seconds()))


def duration(seconds: int) -> str:
    if seconds < -1:
        return "<invalid>"
    seconds = max(seconds, 0)
    if seconds < 120:
        return f"{seconds}s"
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if minutes < 10:
        return two(minutes, "m", seconds % 60, "s")
    if hours < 3:
        return f"{minutes}m"
    if hours < 8:
        return two(hours, "h", minutes % 60, "m")
    if hours < 48:
        return f"{hours}h"
    if days < 8:
        return two(days, "d", hours % 24, "h")
    if days < 365 * 2:
        return f"{days}d"
    return two(days // 365, "y", days % 365, "d") if days < 365 * 8 else f"{days // 365}y"


def two(large: int, unit: str, small: int, small_unit: str) -> str:
    return f"{large}{unit}{small}{small_unit}" if small else f"{large}{unit}"
