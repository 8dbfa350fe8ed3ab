"""Writes how a test run ended for `hack.test`: pytest --outcomes=FILE."""

import json
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outcomes", type=Path, help="write counts and failed tests to this file, as JSON")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    file: Path | None = config.getoption("--outcomes")
    if file is None:
        return
    stats = terminalreporter.stats
    failed = {report.nodeid: _why(report) for kind in ("failed", "error") for report in stats.get(kind, ())}
    counts = {kind: len(stats.get(kind, ())) for kind in ("passed", "skipped")}
    file.write_text(json.dumps({**counts, "failed": failed}))


def _why(report: pytest.TestReport | pytest.CollectReport) -> str:
    """The first line of the exception."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    return next(iter(text.strip().splitlines()), "no message")
