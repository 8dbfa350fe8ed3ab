# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Models of batch/v1. Each module loads when one of its names is first asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .common import JobSpec as JobSpec
    from .common import PodFailurePolicy as PodFailurePolicy
    from .common import PodFailurePolicyOnExitCodesRequirement as PodFailurePolicyOnExitCodesRequirement
    from .common import PodFailurePolicyOnPodConditionsPattern as PodFailurePolicyOnPodConditionsPattern
    from .common import PodFailurePolicyRule as PodFailurePolicyRule
    from .common import SuccessPolicy as SuccessPolicy
    from .common import SuccessPolicyRule as SuccessPolicyRule
    from .cronjob import CronJob as CronJob
    from .cronjob import CronJobSpec as CronJobSpec
    from .cronjob import CronJobStatus as CronJobStatus
    from .cronjob import JobTemplateSpec as JobTemplateSpec
    from .job import Job as Job
    from .job import JobCondition as JobCondition
    from .job import JobStatus as JobStatus
    from .job import UncountedTerminatedPods as UncountedTerminatedPods

_HOMES = {
    "PodFailurePolicyOnExitCodesRequirement": "common",
    "PodFailurePolicyOnPodConditionsPattern": "common",
    "PodFailurePolicyRule": "common",
    "SuccessPolicyRule": "common",
    "PodFailurePolicy": "common",
    "SuccessPolicy": "common",
    "JobSpec": "common",
    "CronJobStatus": "cronjob",
    "JobTemplateSpec": "cronjob",
    "CronJobSpec": "cronjob",
    "CronJob": "cronjob",
    "JobCondition": "job",
    "UncountedTerminatedPods": "job",
    "JobStatus": "job",
    "Job": "job",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
