"""Tables for `kubectl get`: objects in, a meta.k8s.io Table out. Time is an input."""

import datetime as dt
from collections.abc import Iterable
from typing import Any

from zonewright.envtest.embedded.resources import Column, Fields, Resource

MINUTE, HOUR, DAY = 60, 3600, 86400
YEAR = 365 * DAY
# Up to this many seconds: the unit, and the smaller one beside it where there is one.
STEPS = (
    (2 * MINUTE, 1, "s", 0, ""),
    (10 * MINUTE, MINUTE, "m", 1, "s"),
    (3 * HOUR, MINUTE, "m", 0, ""),
    (8 * HOUR, HOUR, "h", MINUTE, "m"),
    (2 * DAY, HOUR, "h", 0, ""),
    (8 * DAY, DAY, "d", HOUR, "h"),
    (2 * YEAR, DAY, "d", 0, ""),
    (8 * YEAR, YEAR, "y", DAY, "d"),
)


def table(resource: Resource, objects: Iterable[Fields], meta: Fields, include: str, now: dt.datetime) -> Fields:
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
        "type": column.type,
        "format": column.format,
        "description": column.description,
        "priority": column.priority,
    }


def row(resource: Resource, fields: Fields, include: str, now: dt.datetime) -> Fields:
    made: Fields = {"cells": [cell(column, fields, now) for column in resource.columns]}
    if include == "Object":
        made["object"] = fields
    elif include != "None":
        made["object"] = partial_metadata(fields)
    return made


def partial_metadata(fields: Fields) -> Fields:
    return {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": fields["metadata"]}


def cell(column: Column, fields: Fields, now: dt.datetime) -> Any:
    value = column.cell(fields)
    return age(value, now) if column.age else value


def age(timestamp: Any, now: dt.datetime) -> str:
    """How long ago, in the words of kubectl: 42s, 3m10s, 5h, 7d."""
    if not isinstance(timestamp, str):
        return "<unknown>"
    try:
        then = dt.datetime.fromisoformat(timestamp)
    except ValueError:
        return "<invalid>"
    return duration(int((now - then).total_seconds()))


def duration(seconds: int) -> str:
    """Ever coarser with length, as kubectl's HumanDuration: two units while the second one tells something."""
    if seconds < -1:
        return "<invalid>"
    seconds = max(seconds, 0)
    for limit, large, unit, small, small_unit in STEPS:
        if seconds < limit:
            rest = seconds % large // small if small else 0
            return f"{seconds // large}{unit}" + (f"{rest}{small_unit}" if rest else "")
    return f"{seconds // YEAR}y"
