"""`make run` on a cluster of your own: looks whether its API server answers, installs the CRDs if asked to, and becomes
the manager, as it would run in a pod. It takes part in leader election: an operator that is deployed there, or run by a
colleague, keeps working, and this one waits until it stops. The operator's own client is used, so every kubeconfig that
the manager can read will do, and kubectl is not needed."""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NoReturn

from controllers.identity import NAMESPACE
from controllers.options import LEASE_NAMESPACE
from testbed.stage import CRDS, SOURCES
from zonewright import AlreadyExists, ApiError, Client, Config, ConfigError, Forbidden, NotFound, Unreachable
from zonewright.envtest.api import Response
from zonewright.envtest.apply import apply
from zonewright.envtest.errors import Unavailable

WITHOUT = "unset KUBECONFIG to run without a cluster"


def run(context: str, cluster_name: str, *, install: bool) -> NoReturn:
    """Never returns: signals and the exit code are the manager's own."""
    try:
        config = Config.load(context=context or None)
    except ConfigError as error:
        raise Unavailable(f"{error}; or {WITHOUT}") from error
    with closing(Client.from_config(config)) as client:
        check_answers(client, config)
        if install:
            apply(ClientApi(client), CRDS, field_manager="zonewright")
        ensure_namespace(client, os.environ.get("ZONEWRIGHT_LEASE_NAMESPACE") or LEASE_NAMESPACE)
    os.execv(sys.executable, operator(context, cluster_name, os.environ))


def operator(context: str, cluster_name: str, environment: Mapping[str, str]) -> list[str]:
    """The manager's command line. A flag counts more than a variable, so no source is named where the variable is."""
    chosen = ["--context", context] if context else []
    sources = () if environment.get("ZONEWRIGHT_SOURCE") else SOURCES
    return [sys.executable, "-m", "controllers", "--cluster-name", cluster_name, *chosen, *sources]


def check_answers(client: Client, config: Config) -> None:
    """The manager would wait for its API server for ever, as it should in a pod; a person wants to know at once."""
    try:
        client.request("GET", "/version", timeout=10)
    except Forbidden:
        pass  # it answers
    except ApiError as error:
        raise Unavailable(
            f"the API server {config.server} cannot be used: {error}; check KUBECONFIG and CONTEXT=, or {WITHOUT}"
        ) from error


def ensure_namespace(client: Client, name: str) -> None:
    """Without the namespace of its lease, the manager would wait for the lease for ever."""
    try:
        client.get_fields(NAMESPACE, name)
    except NotFound:
        _create_namespace(client, name)
    except Forbidden:
        pass  # the election, which needs less, tells if it cannot work


def _create_namespace(client: Client, name: str) -> None:
    try:
        client.create(NAMESPACE, {"metadata": {"name": name}})
    except AlreadyExists:
        pass  # a colleague was faster
    except ApiError as error:
        raise Unavailable(
            f"leader election needs namespace {name}, which cannot be created: {error}; create it, or set "
            "ZONEWRIGHT_LEASE_NAMESPACE to the operator's own namespace"
        ) from error


@dataclass(frozen=True, slots=True)
class ClientApi:
    """The client as what `apply` takes."""

    client: Client

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> Response:
        payload = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        try:
            reply = self.client.request(method, path, payload, query=query, content_type=content_type)
        except Unreachable as error:
            raise ConnectionError(str(error)) from error
        except ApiError as error:
            return Response(error.status, {"message": error.message, "reason": error.reason})
        return Response(reply.status, json.loads(reply.body or b"null"))
