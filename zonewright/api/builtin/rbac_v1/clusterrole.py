# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""ClusterRole of rbac.authorization.k8s.io/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..meta_v1.common import LabelSelector
from ..rbac_v1.common import PolicyRule
from ..resource import Resource


class AggregationRule(Model):
    """AggregationRule describes how to locate ClusterRoles to aggregate into the ClusterRole"""

    cluster_role_selectors: Annotated[list[LabelSelector] | None, Field(alias="clusterRoleSelectors")] = None
    """ClusterRoleSelectors holds a list of selectors which will be used to find ClusterRoles and create the rules."""


class ClusterRole(Resource):
    """ClusterRole is a cluster level, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding or ClusterRoleBinding."""

    api_version: Annotated[Literal["rbac.authorization.k8s.io/v1"], Field(alias="apiVersion")] = (
        "rbac.authorization.k8s.io/v1"
    )
    kind: Literal["ClusterRole"] = "ClusterRole"
    aggregation_rule: Annotated[AggregationRule | None, Field(alias="aggregationRule")] = None
    """AggregationRule is an optional field that describes how to build the Rules for this ClusterRole."""
    rules: list[PolicyRule] | None = None
    """Rules holds all the PolicyRules for this ClusterRole"""
