"""What `make test` makes of a run: passed, failed or flaky, and one summary that says so."""

import json

import pytest

from hack.test import Outcomes, Result, judge, outcome_of, suite, summary

ONE_FAILED = Outcomes(passed=5, skipped=1, failed={"t.py::test_a": "AssertionError: no"})


def test_what_fails_twice_has_failed() -> None:
    result = judge(ONE_FAILED, {"t.py::test_a": Outcomes(failed={"t.py::test_a": "AssertionError: no"})})

    assert result == Result(failed=True, counts="5 passed, 1 failed, 1 skipped")


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


def test_a_run_without_a_report_is_a_failure() -> None:
    assert judge(outcome_of(0, ""), {}).failed


def test_the_summary_has_a_line_for_the_stage_and_one_for_each_flaky_test() -> None:
    result = Result(counts="6 passed, 0 failed, 1 skipped", flaky={"t.py::test_a": "AssertionError: no"})

    assert summary("tests", result, 61.4) == [
        "passed    61 s  tests: 6 passed, 0 failed, 1 skipped",
        "FLAKY           t.py::test_a: failed (AssertionError: no), passed when it ran by itself",
    ]


@pytest.mark.parametrize("target", ["test", "test-controlplane"])
def test_with_arguments_only_tests_are_run(target: str) -> None:
    assert [stage.title.split()[0] for stage in suite(target, ["-k", "x"])] == ["tests"]
