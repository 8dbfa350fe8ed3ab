"""What envtest says when it cannot. Each message is one line that tells what to do next."""

from __future__ import annotations


class Unavailable(Exception):
    """Something cannot be had on this machine: a backend, a program, a release."""


class Unsupported(Exception):
    """This backend cannot do what the test asks of it; the pytest plugin turns it into a skip with this reason."""
