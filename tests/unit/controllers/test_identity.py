"""Which cluster this is: kube-system's UID, else that of the operator's own namespace, else one clear line."""

from typing import Any

import pytest

from controllers.identity import cluster_uid
from controllers.options import Options
from zonewright import ApiError, CannotStart, Forbidden, Kind, NotFound, Unreachable

SYSTEM, OWN = "6f1c2a04-9d3b-4c55-8a51-1f0c7e2b9d10", "11111111-9d3b-4c55-8a51-1f0c7e2b9d10"


class Namespaces:
    """What the API server answers for each namespace."""

    def __init__(self, **answers: str | ApiError) -> None:
        self._answers = {name.replace("_", "-"): answer for name, answer in answers.items()}
        self.asked: list[str] = []
        self.timeouts: list[float] = []

    def get_fields(self, kind: Kind[Any], name: str, namespace: str = "", *, timeout: float) -> dict[str, Any]:
        assert (kind.path(None, name), namespace) == (f"/api/v1/namespaces/{name}", "")
        self.asked.append(name)
        self.timeouts.append(timeout)
        answer = self._answers[name]
        if isinstance(answer, ApiError):
            raise answer
        return {"metadata": {"uid": answer}}


def test_it_is_the_uid_of_kube_system():
    namespaces = Namespaces(kube_system=SYSTEM)
    assert cluster_uid(namespaces, "own") == SYSTEM
    assert namespaces.asked == ["kube-system"]


def test_an_operator_that_may_not_read_it_takes_its_own_namespace():
    assert cluster_uid(Namespaces(kube_system=Forbidden("no"), own=OWN), "own") == OWN


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (
            {"kube_system": Forbidden("no"), "own": Forbidden("no")},
            "may get neither namespace kube-system nor own .* apply config/rbac/role.yaml, or allow `get` on own",
        ),
        ({"kube_system": Forbidden("no"), "own": NotFound("no")}, "namespace own .* does not exist"),
        ({"kube_system": "42"}, "namespace kube-system has the UID '42', and a UUID is needed"),
    ],
)
def test_where_it_cannot_be_told_the_start_says_what_is_missing(answers: dict[str, Any], says: str):
    with pytest.raises(CannotStart, match=says):
        cluster_uid(Namespaces(**answers), "own")


def test_an_api_server_that_fails_now_is_asked_again_and_no_other_uid_is_taken():
    namespaces = Namespaces(kube_system=Unreachable("timed out"), own=OWN)
    with pytest.raises(Unreachable):
        cluster_uid(namespaces, "own")
    assert namespaces.asked == ["kube-system"]


def test_a_start_that_is_stopped_does_not_wait_for_it_longer_than_for_anything_else():
    namespaces = Namespaces(kube_system=Forbidden("no"), own=OWN)
    cluster_uid(namespaces, "own")
    assert sum(namespaces.timeouts) <= Options("test").drain_seconds
