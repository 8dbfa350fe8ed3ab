"""What envtest says when it cannot. Each message is one line that tells what to do next."""

from __future__ import annotations


class Unavailable(Exception):
    """Something cannot be had on this machine: a backend, a program, a release."""


class Unsupported(Exception):
    """This backend cannot do what the test asks of it; the pytest plugin turns it into a skip with this reason."""


class Refused(RuntimeError):
    """The API server refused a request that was to succeed; the message has the path and the API server's words."""


class ApplyFailed(RuntimeError):
    """A manifest was not applied; the message names the file, the object and what the API server said."""


def yaml_problem(error: Exception) -> str:
    """Say what PyYAML complains about in one line, with the line of the file."""
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f"line {mark.line + 1}: {problem}" if mark else str(problem)
