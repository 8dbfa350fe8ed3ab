# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Event of events.k8s.io/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..core_v1.common import EventSource, ObjectReference
from ..resource import Resource


class EventSeries(Model):
    """EventSeries contain information on series of events, i.e. thing that was/is happening continuously for some time."""

    count: int
    """count is the number of occurrences in this series up to the last heartbeat time."""
    last_observed_time: Annotated[Timestamp | None, Field(alias="lastObservedTime")]
    """lastObservedTime is the time when last Event from the series was seen before last heartbeat."""


class Event(Resource):
    """Event is a report of an event somewhere in the cluster."""

    api_version: Annotated[Literal["events.k8s.io/v1"], Field(alias="apiVersion")] = "events.k8s.io/v1"
    kind: Literal["Event"] = "Event"
    action: str | None = None
    """action is what action was taken/failed regarding to the regarding object."""
    deprecated_count: Annotated[int | None, Field(alias="deprecatedCount")] = None
    """deprecatedCount is the deprecated field assuring backward compatibility with core.v1 Event type."""
    deprecated_first_timestamp: Annotated[Timestamp | None, Field(alias="deprecatedFirstTimestamp")] = None
    """deprecatedFirstTimestamp is the deprecated field assuring backward compatibility with core.v1 Event type."""
    deprecated_last_timestamp: Annotated[Timestamp | None, Field(alias="deprecatedLastTimestamp")] = None
    """deprecatedLastTimestamp is the deprecated field assuring backward compatibility with core.v1 Event type."""
    deprecated_source: Annotated[EventSource | None, Field(alias="deprecatedSource")] = None
    """deprecatedSource is the deprecated field assuring backward compatibility with core.v1 Event type."""
    event_time: Annotated[Timestamp | None, Field(alias="eventTime")]
    """eventTime is the time when this Event was first observed."""
    note: str | None = None
    """note is a human-readable description of the status of this operation."""
    reason: str | None = None
    """reason is why the action was taken."""
    regarding: ObjectReference | None = None
    """regarding contains the object this Event is about."""
    related: ObjectReference | None = None
    """related is the optional secondary object for more complex actions."""
    reporting_controller: Annotated[str | None, Field(alias="reportingController")] = None
    """reportingController is the name of the controller that emitted this Event, e.g. `kubernetes.io/kubelet`."""
    reporting_instance: Annotated[str | None, Field(alias="reportingInstance")] = None
    """reportingInstance is the ID of the controller instance, e.g. `kubelet-xyzf`."""
    series: EventSeries | None = None
    """series is data about the Event series this event represents or nil if it's a singleton Event."""
    type: str | None = None
    """type is the type of this event (Normal, Warning), new types could be added in the future."""
