# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Event of v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..core_v1.common import EventSource, ObjectReference
from ..resource import Resource


class EventSeries(Model):
    """EventSeries contain information on series of events, i.e. thing that was/is happening continuously for some time."""

    count: int | None = None
    """Number of occurrences in this series up to the last heartbeat time"""
    last_observed_time: Annotated[Timestamp | None, Field(alias="lastObservedTime")] = None
    """Time of the last occurrence observed"""


class Event(Resource):
    """Event is a report of an event somewhere in the cluster."""

    api_version: Annotated[Literal["v1"], Field(alias="apiVersion")] = "v1"
    kind: Literal["Event"] = "Event"
    action: str | None = None
    """What action was taken/failed regarding to the Regarding object."""
    count: int | None = None
    """The number of times this event has occurred."""
    event_time: Annotated[Timestamp | None, Field(alias="eventTime")] = None
    """Time when this Event was first observed."""
    first_timestamp: Annotated[Timestamp | None, Field(alias="firstTimestamp")] = None
    """The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)"""
    involved_object: Annotated[ObjectReference, Field(alias="involvedObject")]
    """The object that this event is about."""
    last_timestamp: Annotated[Timestamp | None, Field(alias="lastTimestamp")] = None
    """The time at which the most recent occurrence of this event was recorded."""
    message: str | None = None
    """A human-readable description of the status of this operation."""
    reason: str | None = None
    """This should be a short, machine understandable string that gives the reason for the transition into the object's current status."""
    related: ObjectReference | None = None
    """Optional secondary object for more complex actions."""
    reporting_component: Annotated[str | None, Field(alias="reportingComponent")] = None
    """Name of the controller that emitted this Event, e.g. `kubernetes.io/kubelet`."""
    reporting_instance: Annotated[str | None, Field(alias="reportingInstance")] = None
    """ID of the controller instance, e.g. `kubelet-xyzf`."""
    series: EventSeries | None = None
    """Data about the Event series this event represents or nil if it's a singleton Event."""
    source: EventSource | None = None
    """The component reporting this event."""
    type: str | None = None
    """Type of this event (Normal, Warning), new types could be added in the future"""
