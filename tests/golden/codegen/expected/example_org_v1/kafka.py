# Written by `zonewright generate` from the CRDs. Do not edit: change the CRD, then run it again.
"""Kafka of example.org/v1."""

from typing import Annotated, Literal

from pydantic import Field

from ..base import Model
from ..resource import Resource


class KafkaSpecKafkaKafka(Model):
    x: str | None = None


class KafkaSpecKafka(Model):
    kafka: KafkaSpecKafkaKafka | None = None


class KafkaSpec(Model):
    kafka: KafkaSpecKafka | None = None


class Kafka(Resource):
    api_version: Annotated[Literal["example.org/v1"], Field(alias="apiVersion")] = "example.org/v1"
    kind: Literal["Kafka"] = "Kafka"
    spec: KafkaSpec | None = None
