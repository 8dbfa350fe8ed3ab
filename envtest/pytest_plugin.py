"""Fixtures for tests that need a Kubernetes API or name servers: `pytest_plugins = ["envtest.pytest_plugin"]`.

    def test_something(cluster, namespace): ...          # --backend chooses what stands behind `cluster`
    def test_dns(named): primary = named("primary") ...  # a real BIND server

One cluster serves the whole test run; each test has a namespace of its own, so nothing needs to be tidied up.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from envtest.backend import BACKENDS, backend, default_backend
from envtest.cluster import Cluster
from envtest.errors import Unavailable, Unsupported
from envtest.processes import Run

if TYPE_CHECKING:
    from envtest.chaos import ChaosProxy
    from envtest.named import NameServer

_chosen = pytest.StashKey[tuple[str, str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what chooses the API, and what sizes the tests that are generated."""
    group = parser.getgroup("envtest", "a Kubernetes API to test on")
    group.addoption(
        "--backend",
        choices=list(BACKENDS),
        help="default: controlplane when it can be had, else embedded; in CI no else",
    )
    group.addoption("--cluster-only", action="store_true", help="leave out the tests that use no cluster")
    group.addoption("--ops", type=int, default=300, help="length of generated sequences of API operations")
    group.addoption("--seed", type=int, default=1, help="seed of generated tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --cluster-only: what does not depend on the backend needs no second run on another one."""
    if config.getoption("--cluster-only"):
        free = [item for item in items if "cluster" not in getattr(item, "fixturenames", ())]
        items[:] = [item for item in items if item not in free]
        config.hook.pytest_deselected(items=free)


def _backend_name(config: pytest.Config) -> str:
    if _chosen not in config.stash:
        asked = config.getoption("--backend")
        config.stash[_chosen] = (asked, "as asked") if asked else default_backend()
    return config.stash[_chosen][0]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what the tests ran on: green on less than people think would be a lie."""
    if _chosen in config.stash:
        terminalreporter.write_line("envtest backend: {} ({})".format(*config.stash[_chosen]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, None, None]:
    """Skip a test whose fixtures ask for what this backend cannot do."""
    yield from _skipping()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """Skip a test that asks for what this backend cannot do."""
    yield from _skipping()


def _skipping() -> Generator[None, None, None]:
    try:
        yield
    except Unsupported as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """A Kubernetes API for the whole test run."""
    name = _backend_name(request.config)
    options = _options(name, request.config)
    with ExitStack() as stack:
        try:
            running = stack.enter_context(backend(name, **options))
        except Unavailable as reason:
            # Only kind needs what a developer's machine may rightly lack; where CI asks for it, it must be there.
            if name != "kind" or os.environ.get("CI"):
                raise
            pytest.skip(str(reason))
        yield running


def _options(name: str, config: pytest.Config) -> dict[str, Any]:
    """Pass on pytest-kind's own options, so that both ways to ask for a kind cluster mean the same."""
    if name == "kind":
        return {
            "image": config.getoption("kind_image"),
            "kind": config.getoption("kind_bin"),
            "keep": config.getoption("keep_cluster"),
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
def named(background: Run) -> Iterator[Callable[..., NameServer]]:
    """Make BIND servers: named("primary"), named("secondary", cuttable=True). Options are those of NameServer.

    All servers of a test share a key unless they are given others: that is how they transfer zones from each other.
    """
    from envtest.named import NameServer, TsigKey  # noqa: PLC0415 (most tests need no name server)

    shared = TsigKey.create("zonewright")
    with ExitStack() as stack:

        def make(role: str = "primary", **options: Any) -> NameServer:
            server = NameServer(background, role=role, **{"key": shared, **options})
            stack.callback(server.close)
            server.start()
            return server

        yield make


@pytest.fixture
def chaos(cluster: Cluster) -> Iterator[ChaosProxy]:
    """A proxy in front of the cluster that can be told to misbehave."""
    from envtest.chaos import ChaosProxy  # noqa: PLC0415 (most tests need no proxy)

    with ChaosProxy(cluster) as proxy:
        yield proxy
