"""What `make test` makes of a run: passed, failed or flaky, and one summary that says so."""

import itertools
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hack import test as runner
from hack.test import Outcomes, Result, Stage, judge, outcome_of, suite, summary
from tests.support import outcomes


@pytest.fixture(autouse=True)
def _of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the run that these tests are part of was asked for is not meant for the runs that they play."""
    for name in ("SUMMARY", "STRICT"):
        monkeypatch.delenv(name, raising=False)


ONE_FAILED = Outcomes(passed=5, skipped=1, failed={"t.py::test_a": "AssertionError: no"})


def test_what_fails_twice_has_failed() -> None:
    result = judge(ONE_FAILED, {"t.py::test_a": Outcomes(failed={"t.py::test_a": "AssertionError: no"})})

    failures = {"t.py::test_a": "AssertionError: no"}
    assert result == Result(failed=True, counts="5 passed, 1 failed, 1 skipped", failures=failures)


def test_what_passes_by_itself_is_flaky_with_the_reason_of_its_failure() -> None:
    result = judge(ONE_FAILED, {"t.py::test_a": Outcomes(passed=1)})

    assert result == Result(counts="6 passed, 0 failed, 1 skipped", flaky={"t.py::test_a": "AssertionError: no"})


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(Outcomes(), id="not found any more"),
        pytest.param(Outcomes(skipped=1), id="skipped"),
        pytest.param(
            Outcomes(passed=1, failed={"t.py::test_a": "at teardown"}), id="passed, and failed at its teardown"
        ),
        pytest.param(Outcomes(passed=1, broken="pytest ended with 3"), id="passed in a run that did not end well"),
    ],
)
def test_a_second_try_that_did_not_clearly_pass_is_a_failure(second: Outcomes) -> None:
    assert judge(ONE_FAILED, {"t.py::test_a": second}).failed


def test_failures_that_were_not_tried_again_are_failures() -> None:
    assert judge(ONE_FAILED, {}).failed


@pytest.mark.parametrize(
    ("code", "failed", "broken"),
    [
        pytest.param(0, {}, "", id="all passed"),
        pytest.param(1, {"t.py::test_a": "no"}, "", id="some failed"),
        pytest.param(1, {}, "pytest ended with 1", id="failed without a failed test"),
        pytest.param(2, {"t.py::test_a": "no"}, "pytest ended with 2", id="interrupted"),
        pytest.param(5, {}, "pytest ended with 5", id="no test ran"),
    ],
)
def test_only_an_ordinary_end_of_pytest_is_believed(code: int, failed: dict[str, str], broken: str) -> None:
    report = json.dumps({"passed": 3, "skipped": 0, "failed": failed})

    assert outcome_of(code, report) == Outcomes(passed=3, failed=failed, broken=broken)


def test_tests_that_were_collected_and_never_ran_are_a_failure_whatever_else_passed() -> None:
    report = json.dumps({"passed": 3, "skipped": 0, "failed": {"t.py::test_a": "crashed"}, "never_ran": 2})

    result = judge(outcome_of(1, report), {"t.py::test_a": Outcomes(passed=1)})

    assert result.failed
    assert "2 NEVER RAN" in result.counts


def test_a_run_in_which_no_test_ran_is_a_failure() -> None:
    assert judge(outcome_of(0, json.dumps({"passed": 0, "skipped": 0, "failed": {}})), {}).failed


def test_a_run_without_a_report_is_a_failure() -> None:
    assert judge(outcome_of(0, ""), {}).failed


def test_the_summary_has_a_line_for_the_stage_and_one_for_each_flaky_test() -> None:
    result = Result(counts="6 passed, 0 failed, 1 skipped", flaky={"t.py::test_a": "AssertionError: no"})

    assert summary("tests", Result(failed=True, failures={"t.py::test_b": "no"}), 2.0)[1:] == [
        "FAILED          t.py::test_b: no"
    ]
    assert summary("tests", result, 61.4) == [
        "passed    61 s  tests: 6 passed, 0 failed, 1 skipped",
        "FLAKY           t.py::test_a: failed (AssertionError: no), passed when it ran by itself",
    ]


@pytest.mark.parametrize("target", ["test", "test-controlplane"])
def test_with_arguments_only_tests_are_run(target: str) -> None:
    assert [stage.title.split()[0] for stage in suite(target, ["-k", "x"])] == ["tests"]


# -- which tests run where

MARKERS = ("cluster", "slow", "kubectl", "controlplane")


def selects(arguments: tuple[str, ...], marked: dict[str, bool]) -> bool:
    return bool(eval(arguments[arguments.index("-m") + 1], {}, marked))


@pytest.mark.parametrize("values", list(itertools.product([False, True], repeat=len(MARKERS))))
def test_every_test_runs_in_one_of_the_targets(values: tuple[bool, ...]) -> None:
    marked = dict(zip(MARKERS, values, strict=True))
    newcomer, controlplane = selects(runner.EMBEDDED, marked), selects(runner.CONTROLPLANE, marked)

    assert newcomer or controlplane
    assert newcomer == (not (marked["slow"] or marked["kubectl"] or marked["controlplane"]))
    # Only what depends on the backend runs twice, once on each.
    assert (newcomer and controlplane) == (newcomer and marked["cluster"])


# -- the second try


class Recorder:
    """Stands in for runs of pytest: the first has so many failures, the others pass."""

    def __init__(self, failures: int) -> None:
        self.calls: list[tuple[tuple[str, ...], Path | None]] = []
        self.failures = failures

    def __call__(self, *arguments: str, python: Path | None = None) -> Outcomes:
        self.calls.append((arguments, python))
        first = len(self.calls) == 1
        return Outcomes(failed={f"t.py::test_{n}": "no" for n in range(self.failures)}) if first else Outcomes(passed=1)


def test_the_second_try_is_like_the_first_but_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Recorder(failures=1)
    monkeypatch.setattr(runner, "pytest", runs)

    result = runner.run_tests("--numprocesses=logical", "--backend=controlplane", "-m", "cluster", python=Path("venv"))

    assert runs.calls[1:] == [(("t.py::test_0", "--backend=controlplane", "--numprocesses=0"), Path("venv"))]
    assert list(result.flaky) == ["t.py::test_0"]


@pytest.mark.parametrize(("failures", "tried_again"), [(10, 10), (11, 0)])
def test_many_failures_are_not_chance(failures: int, tried_again: int, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Recorder(failures)
    monkeypatch.setattr(runner, "pytest", runs)

    assert runner.run_tests().failed == (tried_again == 0)
    assert len(runs.calls) == 1 + tried_again


# -- the whole run


def play(monkeypatch: pytest.MonkeyPatch, *stages: Stage) -> int:
    monkeypatch.setattr(sys, "argv", ["hack.test", "test"])
    monkeypatch.setattr(runner, "suite", lambda *_: list(stages))
    return runner.main()


def test_a_stage_that_fails_does_not_keep_the_others_from_running(monkeypatch, capsys) -> None:
    code = play(monkeypatch, Stage("one", lambda: Result(failed=True)), Stage("two", Result))

    assert code == 1
    assert [line.split()[0] for line in capsys.readouterr().out.partition("== summary")[2].split("\n")[1:4]] == [
        "FAILED",
        "passed",
        "FAILED",
    ]


def test_without_a_vital_stage_the_others_are_left_out(monkeypatch, capsys) -> None:
    def never() -> Result:
        raise AssertionError("it was run")

    code = play(monkeypatch, Stage("one", lambda: Result(failed=True), vital=True), Stage("two", never))

    assert code == 1
    assert "the stages after it were left out" in capsys.readouterr().out


def test_the_summary_is_kept_for_who_asks_for_it(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SUMMARY", str(tmp_path / "summary"))
    for _ in range(2):
        assert play(monkeypatch, Stage("one", Result)) == 0

    assert (tmp_path / "summary").read_text().count("passed     0 s  one\n") == 2


@pytest.mark.parametrize("arguments", [[], ["-k", "x"]])
def test_each_target_runs_its_own_selection(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[tuple[tuple[str, ...], Path | None]] = []

    def run_tests(*words: str, python: Path | None = None) -> Result:
        runs.append((words, python))
        return Result()

    monkeypatch.setattr(runner, "command", lambda *_: Result())
    monkeypatch.setattr(runner, "older_client", Result)
    monkeypatch.setattr(runner, "run_tests", run_tests)
    for stage in (*suite("test", arguments), *suite("test-controlplane", arguments)):
        stage.run()

    older = [] if arguments else [(runner.OLDER, runner.OLDER_CLIENT)]
    assert runs == [((*runner.EMBEDDED, *arguments), None), ((*runner.CONTROLPLANE, *arguments), None), *older]


def test_each_selection_names_its_backend() -> None:
    selections = (runner.EMBEDDED, runner.CONTROLPLANE, runner.OLDER)
    assert [word for words in selections for word in words if word.startswith("--backend=")] == [
        "--backend=embedded",
        "--backend=controlplane",
        "--backend=controlplane",
    ]


def test_what_gets_programs_and_packages_is_vital() -> None:
    assert [stage.vital for stage in suite("test-controlplane", [])] == [True, False, True, False]


@pytest.mark.parametrize(("strict", "code"), [("", 0), ("0", 0), ("1", 1)])
def test_a_flaky_test_fails_a_strict_run_only(strict: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRICT", strict)
    assert play(monkeypatch, Stage("one", lambda: Result(flaky={"t.py::test_a": "no"}))) == code


def test_failures_of_a_broken_run_are_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, ...]] = []

    def run(*arguments: str, python: Path | None = None) -> Outcomes:
        calls.append(arguments)
        return Outcomes(failed={"t.py::test_a": "no"}, broken="pytest ended with 3")

    monkeypatch.setattr(runner, "pytest", run)
    assert runner.run_tests("-x").failed
    assert calls == [("-x",)]


def test_the_second_try_keeps_the_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, ...]] = []

    def run(*words: str, python: Path | None = None) -> Outcomes:
        calls.append(words)
        return Outcomes(passed=1)

    monkeypatch.setattr(runner, "pytest", run)
    runner.second_try("t.py::test_a", ["-x", "--timeout=9"], None)
    assert calls == [("t.py::test_a", "--timeout=9", "--numprocesses=0")]


def test_pytest_runs_in_the_environment_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    def run(words: list[str], **_: object) -> SimpleNamespace:
        started.append(words[0])
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(subprocess, "run", run)
    runner.pytest(python=Path("venv"))
    runner.pytest()
    assert started == ["venv/bin/python", sys.executable]


@pytest.mark.parametrize("complete", [True, False])
def test_an_interrupted_older_client_is_set_up_again(
    complete: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(runner, "OLDER_CLIENT", tmp_path)
    monkeypatch.setattr(runner, "command", lambda *_: Result(failed=True))
    if complete:
        (tmp_path / ".complete").touch()
    assert runner.older_client().failed == (not complete)


def test_a_command_that_a_signal_ended_has_failed() -> None:
    assert runner.command("sh", "-c", "kill -9 $$").failed
    assert not runner.command("true").failed


def test_a_reason_is_one_short_line() -> None:
    def why(text: str) -> Any:
        return outcomes._why(cast("Any", SimpleNamespace(longrepr=text)))

    assert why("AssertionError: no\nassert 1 == 2\n") == "AssertionError: no"
    assert why("") == "no message"
    assert len(why("x" * 999)) == outcomes.LONGEST
