"""Who is let in, and what is refused before anything listens."""

import asyncio
from http import HTTPStatus
from pathlib import Path

import pytest

from bindcar.auth import ACCEPTED_FOR, REFUSED_FOR, Denied, ReviewApi, ReviewFailed, TokenFile, TokenReview
from bindcar.options import UsageError, parse


def allowed(auth, token):
    try:
        asyncio.run(auth.check(token))
    except Denied as denied:
        return denied.status
    return HTTPStatus.OK


def test_tokens_come_from_a_file_and_both_old_and_new_work_during_a_rotation(tmp_path):
    path = tmp_path / "token"
    path.write_text("old\n")
    auth = TokenFile(path)
    assert allowed(auth, "old") == HTTPStatus.OK
    assert allowed(auth, "new") == HTTPStatus.UNAUTHORIZED
    path.write_text("old\nnew\n")
    assert [allowed(auth, token) for token in ("old", "new")] == [HTTPStatus.OK, HTTPStatus.OK]
    other = tmp_path / "other"
    other.write_text("new\n")
    other.replace(path)
    assert [allowed(auth, token) for token in ("old", "new")] == [HTTPStatus.UNAUTHORIZED, HTTPStatus.OK]


@pytest.mark.parametrize("token", ["", " ", "ol", "oldd", "öld", "old\udcff"])
def test_nothing_else_is_a_token(tmp_path, token):
    path = tmp_path / "token"
    path.write_text("old\n\n \n")
    assert allowed(TokenFile(path), token) == HTTPStatus.UNAUTHORIZED


def test_an_empty_file_lets_nobody_in(tmp_path):
    path = tmp_path / "token"
    path.write_text("\n")
    assert allowed(TokenFile(path), "") == HTTPStatus.UNAUTHORIZED


def test_a_file_that_is_gone_lets_nobody_in(tmp_path):
    with pytest.raises(ReviewFailed, match="token file"):
        asyncio.run(TokenFile(tmp_path / "gone").check("x"))


class Reviewed(TokenReview):
    """A TokenReview whose API is a table."""

    def __init__(self, users, now):
        super().__init__(
            ReviewApi("https://api.example", None, Path("token")), frozenset({"operator"}), monotonic=lambda: now[0]
        )
        self.users, self.asked = users, 0

    async def _review(self, token):
        self.asked += 1
        user = self.users.get(token)
        return {"authenticated": user is not None, "user": {"username": user or ""}}


def test_the_api_says_whose_token_it_is_and_is_not_asked_every_time():
    now = [1000.0]
    auth = Reviewed({"good": "operator", "other": "system:serviceaccount:default:default"}, now)
    assert [allowed(auth, "good") for _ in range(5)] == [HTTPStatus.OK] * 5
    assert auth.asked == 1
    assert allowed(auth, "other") == HTTPStatus.FORBIDDEN
    assert allowed(auth, "unknown") == HTTPStatus.UNAUTHORIZED
    now[0] += ACCEPTED_FOR
    auth.users.pop("good")
    assert allowed(auth, "good") == HTTPStatus.UNAUTHORIZED, "a revoked token works for a minute at most"


def test_a_refusal_is_remembered_for_a_shorter_time():
    now = [0.0]
    auth = Reviewed({}, now)
    assert allowed(auth, "soon") == HTTPStatus.UNAUTHORIZED
    auth.users["soon"] = "operator"
    assert allowed(auth, "soon") == HTTPStatus.UNAUTHORIZED
    now[0] += REFUSED_FOR
    assert allowed(auth, "soon") == HTTPStatus.OK


def test_the_memory_of_tokens_is_bounded():
    auth = Reviewed({}, [0.0])
    for number in range(1100):
        allowed(auth, f"t{number}")
    assert len(auth._known) == 1024


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--listen", "0.0.0.0:8080"], "without authentication: give --token-file"),
        (["--listen", "127.0.0.1:8080"], "without authentication: give --token-file"),
        (["--listen", "0.0.0.0:8080", "--insecure-no-auth"], "loopback only"),
        (["--listen", "[::]:8080", "--insecure-no-auth"], "loopback only"),
        (["--listen", "example.org:8080", "--insecure-no-auth"], "loopback only"),
        (["--token-review"], "--allow-user"),
        (["--listen", "8080", "--insecure-no-auth"], "HOST:PORT"),
        (["--listen", "127.0.0.1:99999", "--insecure-no-auth"], "HOST:PORT"),
    ],
)
def test_a_command_line_that_would_be_open_or_broken_is_refused(arguments, complaint):
    with pytest.raises(UsageError, match=complaint.replace("[", r"\[")):
        parse(arguments)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
def test_without_authentication_only_on_loopback_and_by_name(host):
    options = parse(["--listen", f"{host}:8080", "--insecure-no-auth"])
    assert options.insecure_no_auth
    assert options.port == 8080


def test_token_review_works_inside_a_cluster_only(monkeypatch):
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    with pytest.raises(ValueError, match="inside a cluster"):
        ReviewApi.in_cluster()
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "2001:db8::1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "6443")
    assert ReviewApi.in_cluster().url == "https://[2001:db8::1]:6443"
