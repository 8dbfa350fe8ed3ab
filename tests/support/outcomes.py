"""Writes how a test run ended for `hack.test`: pytest --outcomes=FILE.

Tests that were collected and never reported are counted too: after too many crashes of its workers, pytest-xdist gives
up and says nothing of the tests that it had not run."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

LONGEST = 200  # characters of a reason; the whole of it stands in the output above


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outcomes", type=Path, help="write counts and failed tests to this file, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--outcomes") is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Outcomes(config.getoption("--outcomes")), "outcomes-of-tests")


class Outcomes:
    """Listens in the process that sees all reports, with or without workers."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.collected: set[str] = set()
        self.reported: set[str] = set()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.collected |= {item.nodeid for item in session.items}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        self.collected |= set(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.reported.add(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        stats = terminalreporter.stats
        failed = {report.nodeid: _why(report) for kind in ("failed", "error") for report in stats.get(kind, ())}
        counts = {kind: len(stats.get(kind, ())) for kind in ("passed", "skipped")}
        never_ran = len(self.collected - self.reported)
        self.file.write_text(json.dumps({**counts, "failed": failed, "never_ran": never_ran}))


def _why(report: pytest.TestReport | pytest.CollectReport) -> str:
    """The first line of the exception."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    return next(iter(text.strip().splitlines()), "no message")[:LONGEST]
