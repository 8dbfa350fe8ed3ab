# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""PodTemplateSpec of v1."""

from ..base import Model
from ..core_v1.podspec import PodSpec
from ..meta_v1.common import ObjectMeta


class PodTemplateSpec(Model):
    """PodTemplateSpec describes the data a pod should have when created from a template"""

    metadata: ObjectMeta | None = None
    """Standard object's metadata."""
    spec: PodSpec | None = None
    """Specification of the desired behavior of the pod."""
