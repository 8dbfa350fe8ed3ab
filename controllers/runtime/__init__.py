"""The framework: a team writes a reconciler and a line of wiring. It knows Kubernetes and threads, never DNS.

    API server -> reflector -> store -> handlers, mappers -> workqueue -> controller -> your reconciler

    from controllers.runtime import Client, Config, Kind, Manager, ManagerOptions, Request, Result

Everything public is importable from here. Names are looked up when they are first used, so that importing the package
costs nothing, and code which needs only `Kind` (all generated code) never loads the client.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controllers.runtime.builder import ControllerBuilder
    from controllers.runtime.client import Client, Patch
    from controllers.runtime.clock import Clock, FakeClock, SystemClock
    from controllers.runtime.conditions import find_condition, is_true, set_condition
    from controllers.runtime.config import Config, ConfigError
    from controllers.runtime.controller import Controller, Reconciler, Result
    from controllers.runtime.errors import (
        AlreadyExists,
        ApiError,
        Conflict,
        FencedOff,
        Forbidden,
        Gone,
        Invalid,
        InvalidObject,
        NotFound,
        ServerError,
        TerminalError,
        TooManyRequests,
        Unauthorized,
        Unreachable,
    )
    from controllers.runtime.events import EventRecorder
    from controllers.runtime.fence import Fence
    from controllers.runtime.finalizers import add_finalizer, has_finalizer, remove_finalizer
    from controllers.runtime.informer import Informer
    from controllers.runtime.kind import Kind, Request
    from controllers.runtime.leader import LeaseOptions
    from controllers.runtime.log import bind, get_logger, setup_logging
    from controllers.runtime.manager import Manager, ManagerOptions
    from controllers.runtime.objects import Mapper, Object, Predicate
    from controllers.runtime.owners import controller_of, owner_reference
    from controllers.runtime.predicates import (
        all_of,
        annotations_changed,
        any_of,
        deletion_changed,
        finalizers_changed,
        generation_changed,
        labels_changed,
        negate,
    )
    from controllers.runtime.selectors import InvalidSelector, LabelIndex, Selector
    from controllers.runtime.workqueue import WorkQueue

_HOME = {
    "AlreadyExists": "errors",
    "ApiError": "errors",
    "Client": "client",
    "Clock": "clock",
    "Config": "config",
    "ConfigError": "config",
    "Conflict": "errors",
    "Controller": "controller",
    "ControllerBuilder": "builder",
    "EventRecorder": "events",
    "FakeClock": "clock",
    "Fence": "fence",
    "FencedOff": "errors",
    "Forbidden": "errors",
    "Gone": "errors",
    "Informer": "informer",
    "Invalid": "errors",
    "InvalidObject": "errors",
    "InvalidSelector": "selectors",
    "Kind": "kind",
    "LabelIndex": "selectors",
    "LeaseOptions": "leader",
    "Manager": "manager",
    "ManagerOptions": "manager",
    "Mapper": "objects",
    "NotFound": "errors",
    "Object": "objects",
    "Patch": "client",
    "Predicate": "objects",
    "Reconciler": "controller",
    "Request": "kind",
    "Result": "controller",
    "Selector": "selectors",
    "ServerError": "errors",
    "SystemClock": "clock",
    "TerminalError": "errors",
    "TooManyRequests": "errors",
    "Unauthorized": "errors",
    "Unreachable": "errors",
    "WorkQueue": "workqueue",
    "add_finalizer": "finalizers",
    "all_of": "predicates",
    "annotations_changed": "predicates",
    "any_of": "predicates",
    "bind": "log",
    "controller_of": "owners",
    "deletion_changed": "predicates",
    "finalizers_changed": "predicates",
    "find_condition": "conditions",
    "generation_changed": "predicates",
    "get_logger": "log",
    "has_finalizer": "finalizers",
    "is_true": "conditions",
    "labels_changed": "predicates",
    "negate": "predicates",
    "owner_reference": "owners",
    "remove_finalizer": "finalizers",
    "set_condition": "conditions",
    "setup_logging": "log",
}

__all__ = [
    "AlreadyExists",
    "ApiError",
    "Client",
    "Clock",
    "Config",
    "ConfigError",
    "Conflict",
    "Controller",
    "ControllerBuilder",
    "EventRecorder",
    "FakeClock",
    "Fence",
    "FencedOff",
    "Forbidden",
    "Gone",
    "Informer",
    "Invalid",
    "InvalidObject",
    "InvalidSelector",
    "Kind",
    "LabelIndex",
    "LeaseOptions",
    "Manager",
    "ManagerOptions",
    "Mapper",
    "NotFound",
    "Object",
    "Patch",
    "Predicate",
    "Reconciler",
    "Request",
    "Result",
    "Selector",
    "ServerError",
    "SystemClock",
    "TerminalError",
    "TooManyRequests",
    "Unauthorized",
    "Unreachable",
    "WorkQueue",
    "add_finalizer",
    "all_of",
    "annotations_changed",
    "any_of",
    "bind",
    "controller_of",
    "deletion_changed",
    "finalizers_changed",
    "find_condition",
    "generation_changed",
    "get_logger",
    "has_finalizer",
    "is_true",
    "labels_changed",
    "negate",
    "owner_reference",
    "remove_finalizer",
    "set_condition",
    "setup_logging",
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
