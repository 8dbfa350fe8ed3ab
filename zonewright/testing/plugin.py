"""Fixtures for tests that need a Kubernetes API: `pytest_plugins = ["zonewright.testing.plugin"]`.

    def test_something(cluster, namespace): ...          # --backend chooses what stands behind `cluster`

One cluster serves the whole test run; each test has a namespace of its own, so nothing needs to be tidied up.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from zonewright.envtest import kubectl
from zonewright.envtest.backend import BACKENDS, DEFAULT, backend, prepare
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.controlplane import binaries
from zonewright.envtest.errors import Unavailable, Unsupported
from zonewright.envtest.processes import Run

if TYPE_CHECKING:
    from zonewright.envtest.chaos import ChaosProxy


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what chooses the API."""
    group = parser.getgroup("envtest", "a Kubernetes API to test on")
    group.addoption("--backend", choices=list(BACKENDS), default=DEFAULT, help=f"default: {DEFAULT}")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers, for those who run with --strict-markers."""
    for marker in (
        "cluster: uses the `cluster` fixture; set by itself, so that -m can choose by it",
        "controlplane: needs the real control plane's programs, whatever --backend is",
        "kubectl: tests with kubectl",
    ):
        config.addinivalue_line("markers", marker)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what depends on the backend, before -m looks at the markers."""
    for item in items:
        if _uses_cluster(item):
            item.add_marker("cluster")


def _uses_cluster(item: pytest.Item) -> bool:
    """Whether the fixture of that name is meant, not a parameter of the test."""
    parameters = getattr(getattr(item, "callspec", None), "params", ())
    return "cluster" in getattr(item, "fixturenames", ()) and "cluster" not in parameters


def pytest_sessionstart(session: pytest.Session) -> None:
    """Get the control plane's programs before any test: a build would not fit into the time-out of a test."""
    if hasattr(session.config, "workerinput"):
        return  # whoever started this worker has done it
    try:
        prepare(session.config.getoption("--backend"))
    except Unavailable as obstacle:
        raise pytest.UsageError(str(obstacle)) from obstacle


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what the tests ran on: green on less than people think would be a lie."""
    if any("cluster" in report.keywords for report in terminalreporter.getreports("passed")):
        terminalreporter.write_line(f"envtest backend: {config.getoption('--backend')}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """Skip a test that needs programs which are not here, or whose fixtures ask for what this backend cannot do."""
    if not os.environ.get("CI"):  # there they must be here
        _skip_without_programs(item)
    yield from _skipping()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """Skip a test that asks for what this backend cannot do."""
    yield from _skipping()


def _skip_without_programs(item: pytest.Item) -> None:
    if item.get_closest_marker("controlplane") and binaries.installed() is None:
        pytest.skip("needs the real control plane: zonewright envtest install")
    if item.get_closest_marker("kubectl") and kubectl.search() is None:
        pytest.skip("needs kubectl")


def _skipping() -> Generator[None, None, None]:
    try:
        yield
    except Unsupported as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """A Kubernetes API for the whole test run."""
    name = request.config.getoption("--backend")
    options = _options(name, request.config)
    with ExitStack() as stack:
        try:
            running = stack.enter_context(backend(name, **options))
        except Unavailable as reason:
            # Only kind needs what a developer's machine may rightly lack; where CI asks for it, it must be there.
            if name == "kind" and not os.environ.get("CI"):
                pytest.skip(str(reason))
            pytest.exit(f"no cluster to test on: {reason}", returncode=1)  # one line, not one error for each test
        yield running


def _options(name: str, config: pytest.Config) -> dict[str, Any]:
    """Pass on pytest-kind's own options, so that both ways to ask for a kind cluster mean the same.

    Where it is not installed they do not exist; the backend says what to install.
    """
    if name == "kind":
        return {
            "image": config.getoption("kind_image", None),
            "kind": config.getoption("kind_bin", None),
            "keep": config.getoption("keep_cluster", False),
        }
    return {"kubeconfig": config.getoption("kubeconfig", None)} if name == "external" else {}


@pytest.fixture
def namespace(cluster: Cluster) -> Iterator[str]:
    """A namespace for one test. Its end is only begun: nobody waits for it."""
    name = f"test-{secrets.token_hex(4)}"
    cluster.create("/api/v1/namespaces", {"metadata": {"name": name}})
    yield name
    cluster.request("DELETE", f"/api/v1/namespaces/{name}")


@pytest.fixture(scope="session")
def background() -> Iterator[Run]:
    """Starts programs in the background, which end with the test run even if that is killed."""
    with Run() as run:
        yield run


@pytest.fixture
def chaos(cluster: Cluster) -> Iterator[ChaosProxy]:
    """A proxy in front of the cluster that can be told to misbehave."""
    from zonewright.envtest.chaos import ChaosProxy  # noqa: PLC0415 (most tests need no proxy)

    with ChaosProxy(cluster) as proxy:
        yield proxy
