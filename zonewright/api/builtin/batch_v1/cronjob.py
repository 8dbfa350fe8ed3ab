# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""CronJob of batch/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model, Timestamp
from ..batch_v1.common import JobSpec
from ..core_v1.common import ObjectReference
from ..meta_v1.common import ObjectMeta
from ..resource import Resource


class CronJobStatus(Model):
    """CronJobStatus represents the current state of a cron job."""

    active: list[ObjectReference] | None = None
    """A list of pointers to currently running jobs."""
    last_schedule_time: Annotated[Timestamp | None, Field(alias="lastScheduleTime")] = None
    """Information when was the last time the job was successfully scheduled."""
    last_successful_time: Annotated[Timestamp | None, Field(alias="lastSuccessfulTime")] = None
    """Information when was the last time the job successfully completed."""


class JobTemplateSpec(Model):
    """JobTemplateSpec describes the data a Job should have when created from a template"""

    metadata: ObjectMeta | None = None
    """Standard object's metadata of the jobs created from this template."""
    spec: JobSpec | None = None
    """Specification of the desired behavior of the job."""


class CronJobSpec(Model):
    """CronJobSpec describes how the job execution will look like and when it will actually run."""

    concurrency_policy: Annotated[str | None, Field(alias="concurrencyPolicy")] = None
    """Specifies how to treat concurrent executions of a Job. One of `Allow`, `Forbid`, `Replace`."""
    failed_jobs_history_limit: Annotated[int | None, Field(alias="failedJobsHistoryLimit")] = None
    """The number of failed finished jobs to retain."""
    job_template: Annotated[JobTemplateSpec, Field(alias="jobTemplate")]
    """Specifies the job that will be created when executing a CronJob."""
    schedule: str
    """The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron."""
    starting_deadline_seconds: Annotated[int | None, Field(alias="startingDeadlineSeconds")] = None
    """Optional deadline in seconds for starting the job if it misses scheduled time for any reason."""
    successful_jobs_history_limit: Annotated[int | None, Field(alias="successfulJobsHistoryLimit")] = None
    """The number of successful finished jobs to retain."""
    suspend: bool | None = None
    """This flag tells the controller to suspend subsequent executions, it does not apply to already started executions."""
    time_zone: Annotated[str | None, Field(alias="timeZone")] = None
    """The time zone name for the given schedule, see https://en.wikipedia.org/wiki/List_of_tz_database_time_zones."""


class CronJob(Resource):
    """CronJob represents the configuration of a single cron job."""

    api_version: Annotated[Literal["batch/v1"], Field(alias="apiVersion")] = "batch/v1"
    kind: Literal["CronJob"] = "CronJob"
    spec: CronJobSpec
    """Specification of the desired behavior of a cron job, including the schedule."""
    status: CronJobStatus | None = None
    """Current status of a cron job."""
