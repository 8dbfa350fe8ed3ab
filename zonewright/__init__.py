"""The framework: a team writes a reconciler and a line of wiring. It knows Kubernetes and threads, never DNS.

    API server -> reflector -> store -> handlers, mappers -> workqueue -> controller -> your reconciler

    from zonewright import Client, Config, Kind, Manager, ManagerOptions, Request, Result

    manager.controller("widget", reconciler).for_(Widget).on_error(condition="Ready", reason="ReconcileError")

Everything public is importable from here. Names are looked up when they are first used, so that importing the package
costs nothing, and code which needs only `Kind` (all generated code) never loads the client.
"""

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from zonewright.api.conditions import find_condition, is_true, set_condition, timestamp
    from zonewright.api.errors import (
        AlreadyExists,
        ApiError,
        ConfigError,
        Conflict,
        FencedOff,
        Forbidden,
        Gone,
        Invalid,
        InvalidObject,
        Malformed,
        NotFound,
        ServerError,
        TerminalError,
        TooManyRequests,
        Unauthorized,
        Unreachable,
    )
    from zonewright.api.finalizers import add_finalizer, has_finalizer, remove_finalizer
    from zonewright.api.kind import CustomKind, Kind, PrinterColumn, Request
    from zonewright.api.objects import Handler, Mapper, Object, Predicate
    from zonewright.api.owners import controller_of, owner_reference
    from zonewright.api.partial import PartialObjectMetadata
    from zonewright.api.patches import metadata_patch, status_differs, status_patch
    from zonewright.api.predicates import (
        all_of,
        annotations_changed,
        any_of,
        deletion_changed,
        finalizers_changed,
        generation_changed,
        labels_changed,
        negate,
    )
    from zonewright.api.selectors import InvalidSelector, LabelIndex, Operator, Selector
    from zonewright.api.shaping import Transform
    from zonewright.cache.informer import Informer
    from zonewright.cache.informers import InformerSet
    from zonewright.client.client import Client, Patch
    from zonewright.client.config import Config
    from zonewright.clock import Clock, FakeClock, SystemClock
    from zonewright.controller.builder import ControllerBuilder
    from zonewright.controller.controller import Controller, Reconciler, Result
    from zonewright.controller.workqueue import WorkQueue
    from zonewright.log import Logger, bind, bound, get_logger, setup_logging
    from zonewright.manager.fence import Fence
    from zonewright.manager.httpserver import CannotListen
    from zonewright.manager.leader import LeaseOptions
    from zonewright.manager.manager import CannotStart, Manager, ManagerOptions, Runnable
    from zonewright.manager.recorder import EventRecorder

_HOME = {
    "AlreadyExists": "api.errors",
    "ApiError": "api.errors",
    "CannotListen": "manager.httpserver",
    "CannotStart": "manager.manager",
    "Client": "client.client",
    "Clock": "clock",
    "Config": "client.config",
    "ConfigError": "api.errors",
    "Conflict": "api.errors",
    "Controller": "controller.controller",
    "ControllerBuilder": "controller.builder",
    "CustomKind": "api.kind",
    "EventRecorder": "manager.recorder",
    "FakeClock": "clock",
    "Fence": "manager.fence",
    "FencedOff": "api.errors",
    "Forbidden": "api.errors",
    "Gone": "api.errors",
    "Handler": "api.objects",
    "Informer": "cache.informer",
    "InformerSet": "cache.informers",
    "Invalid": "api.errors",
    "InvalidObject": "api.errors",
    "InvalidSelector": "api.selectors",
    "Kind": "api.kind",
    "LabelIndex": "api.selectors",
    "LeaseOptions": "manager.leader",
    "Logger": "log",
    "Malformed": "api.errors",
    "Manager": "manager.manager",
    "ManagerOptions": "manager.manager",
    "Mapper": "api.objects",
    "NotFound": "api.errors",
    "Object": "api.objects",
    "Operator": "api.selectors",
    "PartialObjectMetadata": "api.partial",
    "Patch": "client.client",
    "Predicate": "api.objects",
    "PrinterColumn": "api.kind",
    "Reconciler": "controller.controller",
    "Request": "api.kind",
    "Result": "controller.controller",
    "Runnable": "manager.manager",
    "Selector": "api.selectors",
    "ServerError": "api.errors",
    "SystemClock": "clock",
    "TerminalError": "api.errors",
    "TooManyRequests": "api.errors",
    "Transform": "api.shaping",
    "Unauthorized": "api.errors",
    "Unreachable": "api.errors",
    "WorkQueue": "controller.workqueue",
    "add_finalizer": "api.finalizers",
    "all_of": "api.predicates",
    "annotations_changed": "api.predicates",
    "any_of": "api.predicates",
    "bind": "log",
    "bound": "log",
    "controller_of": "api.owners",
    "deletion_changed": "api.predicates",
    "finalizers_changed": "api.predicates",
    "find_condition": "api.conditions",
    "generation_changed": "api.predicates",
    "get_logger": "log",
    "has_finalizer": "api.finalizers",
    "is_true": "api.conditions",
    "labels_changed": "api.predicates",
    "metadata_patch": "api.patches",
    "negate": "api.predicates",
    "owner_reference": "api.owners",
    "remove_finalizer": "api.finalizers",
    "set_condition": "api.conditions",
    "setup_logging": "log",
    "status_differs": "api.patches",
    "status_patch": "api.patches",
    "timestamp": "api.conditions",
}

__all__ = [
    "AlreadyExists",
    "ApiError",
    "CannotListen",
    "CannotStart",
    "Client",
    "Clock",
    "Config",
    "ConfigError",
    "Conflict",
    "Controller",
    "ControllerBuilder",
    "CustomKind",
    "EventRecorder",
    "FakeClock",
    "Fence",
    "FencedOff",
    "Forbidden",
    "Gone",
    "Handler",
    "Informer",
    "InformerSet",
    "Invalid",
    "InvalidObject",
    "InvalidSelector",
    "Kind",
    "LabelIndex",
    "LeaseOptions",
    "Logger",
    "Malformed",
    "Manager",
    "ManagerOptions",
    "Mapper",
    "NotFound",
    "Object",
    "Operator",
    "PartialObjectMetadata",
    "Patch",
    "Predicate",
    "PrinterColumn",
    "Reconciler",
    "Request",
    "Result",
    "Runnable",
    "Selector",
    "ServerError",
    "SystemClock",
    "TerminalError",
    "TooManyRequests",
    "Transform",
    "Unauthorized",
    "Unreachable",
    "WorkQueue",
    "add_finalizer",
    "all_of",
    "annotations_changed",
    "any_of",
    "bind",
    "bound",
    "controller_of",
    "deletion_changed",
    "finalizers_changed",
    "find_condition",
    "generation_changed",
    "get_logger",
    "has_finalizer",
    "is_true",
    "labels_changed",
    "metadata_patch",
    "negate",
    "owner_reference",
    "remove_finalizer",
    "set_condition",
    "setup_logging",
    "status_differs",
    "status_patch",
    "timestamp",
]


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value  # the next look-up does not come here
    return value


def __dir__() -> list[str]:
    return __all__
