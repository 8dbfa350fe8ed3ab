"""The two faces of Event: v1 and events.k8s.io/v1 show the same objects under different field names. Pure."""

from typing import Any

Fields = dict[str, Any]
# core name -> events.k8s.io name; all other fields are called the same.
NAMES = {
    "involvedObject": "regarding",
    "message": "note",
    "reportingComponent": "reportingController",
    "source": "deprecatedSource",
    "count": "deprecatedCount",
    "firstTimestamp": "deprecatedFirstTimestamp",
    "lastTimestamp": "deprecatedLastTimestamp",
}
BACK = {there: here for here, there in NAMES.items()}
# Empty text is left out in the newer version.
OPTIONAL = ("reportingController", "reportingInstance")


def to_events_group(fields: Fields) -> Fields:
    shown = {NAMES.get(name, name): value for name, value in fields.items()}
    for name in OPTIONAL:
        if shown.get(name) == "":
            del shown[name]
    return shown | {"apiVersion": "events.k8s.io/v1"}


def to_core(fields: Fields) -> Fields:
    return {BACK.get(name, name): value for name, value in fields.items()} | {"apiVersion": "v1"}
