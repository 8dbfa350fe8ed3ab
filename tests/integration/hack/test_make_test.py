"""`make test` on a copy of the project with tests that fail once, always, or not at all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # each starts pytest and its workers, most of them twice

FAILS_ONCE = """
from pathlib import Path

def test_fails_once():
    before = Path({marker!r})
    if not before.exists():
        before.touch()
        raise AssertionError("the first time")
"""


@pytest.fixture
def make_test(copy: Path):
    """Runs the tests of one file the way `make test ARGS=` does, and gives the exit code and the summary."""

    def run(content: str, **environment: str) -> tuple[int, str]:
        (copy / "tests/unit/test_tried.py").write_text(content)
        words = [sys.executable, "-m", "hack.test", "test", "tests/unit/test_tried.py"]
        # What the run that this test is part of was asked for is not meant for the one that it starts.
        variables = {**os.environ, "SUMMARY": "", "STRICT": "", **environment}
        done = subprocess.run(words, cwd=copy, env=variables, capture_output=True, text=True, timeout=240, check=False)
        return done.returncode, done.stdout.partition("== summary")[2]

    return run


def test_a_test_that_fails_once_is_listed_as_flaky_and_the_run_is_green(make_test, tmp_path: Path) -> None:
    code, summary = make_test(FAILS_ONCE.format(marker=str(tmp_path / "before")))

    assert code == 0
    assert "1 passed, 0 failed" in summary
    assert (
        "FLAKY           tests/unit/test_tried.py::test_fails_once: failed (AssertionError: the first time" in summary
    )


def test_a_fixture_that_fails_once_is_flaky_too(make_test, tmp_path: Path) -> None:
    once = FAILS_ONCE.replace("def test_fails_once():", "@pytest.fixture\ndef broken():")
    test = "\ndef test_with_it(broken): pass\ndef test_without(): pass\n"
    code, summary = make_test("import pytest\n" + once.format(marker=str(tmp_path / "before")) + test)

    assert code == 0
    assert "2 passed, 0 failed" in summary
    assert "FLAKY           tests/unit/test_tried.py::test_with_it: failed" in summary


def test_in_a_strict_run_a_flaky_test_is_a_failure(make_test, tmp_path: Path) -> None:
    code, summary = make_test(FAILS_ONCE.format(marker=str(tmp_path / "before")), STRICT="1")

    assert code == 1
    assert "FLAKY " in summary


def test_a_test_that_always_fails_makes_the_run_red(make_test) -> None:
    code, summary = make_test("def test_good(): pass\ndef test_bad(): assert False\n")

    assert code == 1
    assert "1 passed, 1 failed" in summary
    assert "FLAKY" not in summary


def test_tests_that_a_crash_kept_from_running_make_the_run_red(make_test) -> None:
    code, summary = make_test("""
import os

def test_crash():
    if "PYTEST_XDIST_WORKER" in os.environ:
        os._exit(3)

def test_after():
    raise AssertionError("a defect")
""")

    assert code == 1
    assert "NEVER RAN" in summary or "FAILED          tests/unit/test_tried.py::test_after" in summary


def test_a_file_that_cannot_be_imported_makes_the_run_red(make_test) -> None:
    code, summary = make_test("import nothing_of_this_name\n")

    assert code == 1
    assert "FAILED" in summary


def test_skipped_tests_are_counted(make_test) -> None:
    _, summary = make_test("import pytest\ndef test_a(): pass\ndef test_b(): pytest.skip('x')\n")

    assert "1 passed, 0 failed, 1 skipped" in summary
