"""`make test` and `make test-controlplane`: stages one after the other, and one summary at the end.

The first is for everybody: it needs Python, make and the Debian packages of the set-up. The second repeats what talks
to a cluster on the real kube-apiserver and etcd, and adds the slow tests and those of kubectl; it gets the control
plane before any test starts. No test runs twice on the same backend.

A test that fails is run once more by itself at the end of its stage. If it passes then, the run stays green and the
summary lists the test as FLAKY; STRICT=1 makes that a failure. End-to-end tests need a kind cluster: `make e2e`."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).parent.parent
OLDER_CLIENT = Path(f"{sys.prefix}-kubernetes36")  # beside the environment of this Python

# Each worker has a cluster, name servers and an operator of its own; more of them than cores only wait for each other.
# One file stays on one worker: servers that a file's tests share are started once.
IN_PARALLEL = ("--numprocesses=logical", "--maxprocesses=4", "--dist=loadfile")

# With more failures than this something is broken, and running each of them again would only take time.
MOST_SECOND_TRIES = 10


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How a run of pytest ended: counts, and the reason of each failed test."""

    passed: int = 0
    skipped: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)
    never_ran: int = 0
    broken: str = ""  # why this is not the result of a whole run


@dataclass(frozen=True, slots=True)
class Result:
    """How a stage ended. `flaky` and `failures` have the reason why each of these tests failed the first time."""

    failed: bool = False
    counts: str = ""
    flaky: Mapping[str, str] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stage:
    """One line of the summary. `vital`: without it the later stages make no sense."""

    title: str
    run: Callable[[], Result]
    vital: bool = False


def suite(name: str, arguments: Sequence[str]) -> list[Stage]:
    """The stages of a make target; with arguments for pytest only its first stage of tests runs, with them."""
    suites = {
        "test": [
            Stage("verify", lambda: command("make", "verify")),
            Stage("tests on the embedded API", lambda: run_tests(*EMBEDDED, *arguments)),
        ],
        "test-controlplane": [
            Stage(
                "get the control plane",
                lambda: command(sys.executable, "-m", "zonewright", "envtest", "install"),
                vital=True,
            ),
            Stage("tests on the real control plane", lambda: run_tests(*CONTROLPLANE, *arguments)),
            Stage("packages of the older official client", older_client, vital=True),
            Stage("the runtime with the older official client", lambda: run_tests(*OLDER, python=OLDER_CLIENT)),
        ],
    }
    return suites[name][1:2] if arguments else suites[name]


ALL = ("--ignore=tests/e2e", *IN_PARALLEL)
EMBEDDED = (*ALL, "--backend=embedded", "-m", "not slow and not kubectl and not controlplane")
CONTROLPLANE = (*ALL, "--backend=controlplane", "-m", "cluster or slow or kubectl or controlplane")
OLDER = ("tests/integration/zonewright/runtime", *IN_PARALLEL, "--backend=controlplane")


def main() -> int:
    name, *arguments = sys.argv[1:]
    strict = os.environ.get("STRICT", "") not in {"", "0"}
    begun, stages = time.monotonic(), suite(name, arguments)
    lines, failed = [], False
    for number, stage in enumerate(stages, 1):
        say(f"{number} of {len(stages)}: {stage.title}")
        started = time.monotonic()
        result = stage.run()
        lines += summary(stage.title, result, time.monotonic() - started)
        failed = failed or result.failed or (strict and bool(result.flaky))
        if result.failed and stage.vital:
            lines.append("           the stages after it were left out")
            break
    say("summary")
    lines.append(f"{'FAILED' if failed else 'passed'}  {time.monotonic() - begun:4.0f} s  make {name}")
    publish(lines)
    return 1 if failed else 0


def summary(title: str, result: Result, seconds: float) -> list[str]:
    """The lines about one stage."""
    outcome = "FAILED" if result.failed else "passed"
    counts = f": {result.counts}" if result.counts else ""
    return [
        f"{outcome}  {seconds:4.0f} s  {title}{counts}",
        *(f"FAILED          {test}: {why}" for test, why in result.failures.items()),
        *(
            f"FLAKY           {test}: failed ({why}), passed when it ran by itself"
            for test, why in result.flaky.items()
        ),
    ]


def say(title: str) -> None:
    emphasis, end = ("\033[1m", "\033[0m") if sys.stdout.isatty() else ("", "")
    print(f"\n{emphasis}== {title}{end}", flush=True)


def publish(lines: Sequence[str]) -> None:
    """Print the summary, and keep it where SUMMARY says: .ci/run shows those of both targets at its end."""
    text = "\n".join(lines)
    print(text, flush=True)
    if file := os.environ.get("SUMMARY"):
        with Path(file).open("a") as kept:
            kept.write(f"{text}\n")


def command(*words: str) -> Result:
    return Result(failed=subprocess.run(words, cwd=ROOT, check=False).returncode != 0)


def older_client() -> Result:
    if (OLDER_CLIENT / ".complete").exists():
        return Result()
    return command("hack/setup", str(OLDER_CLIENT), "requirements/dev-kubernetes36.txt")


def run_tests(*arguments: str, python: Path | None = None) -> Result:
    """Run pytest, and each test that failed once more."""
    first = pytest(*arguments, python=python)
    again = {}
    if not first.broken and len(first.failed) <= MOST_SECOND_TRIES:
        again = {test: second_try(test, arguments, python) for test in first.failed}
    return judge(first, again)


def judge(first: Outcomes, again: Mapping[str, Outcomes]) -> Result:
    """Tell the flaky from the failed."""
    flaky = {test: first.failed[test] for test, second in again.items() if clearly_passed(second)}
    failures = {test: why for test, why in first.failed.items() if test not in flaky}
    counts = f"{first.passed + len(flaky)} passed, {len(failures)} failed, {first.skipped} skipped"
    complete = f"{counts}, {first.broken}" if first.broken else counts
    return Result(bool(failures or first.broken), complete, flaky, failures)


def clearly_passed(second: Outcomes) -> bool:
    return bool(second.passed) and not (second.failed or second.broken)


def second_try(test: str, arguments: Sequence[str], python: Path | None) -> Outcomes:
    print(f"\nonce more, by itself: {test}", flush=True)
    kept = [word for word in arguments if word.startswith(("--backend=", "--timeout="))]
    return pytest(test, *kept, "--numprocesses=0", python=python)


def pytest(*arguments: str, python: Path | None = None) -> Outcomes:
    interpreter = str(python / "bin/python") if python else sys.executable
    with tempfile.TemporaryDirectory() as directory:
        outcomes = Path(directory) / "outcomes.json"
        words = [
            interpreter,
            "-m",
            "pytest",
            "-q",
            "-p",
            "tests.support.outcomes",
            f"--outcomes={outcomes}",
            *arguments,
        ]
        code = subprocess.run(words, cwd=ROOT, check=False).returncode
        return outcome_of(code, outcomes.read_text() if outcomes.exists() else "")


def outcome_of(code: int, outcomes: str) -> Outcomes:
    """What pytest's exit code and its report say; anything but "all passed" and "some failed" is an obstacle."""
    if not outcomes:
        return Outcomes(broken=f"pytest ended with {code} before it was through")
    found = Outcomes(**json.loads(outcomes))
    if found.never_ran:
        return replace(found, broken=f"{found.never_ran} NEVER RAN (pytest ended with {code})")
    if not (found.passed or found.failed or found.skipped):
        return replace(found, broken=f"no test ran (pytest ended with {code})")
    ordinary = code == 0 or (code == 1 and found.failed)
    return found if ordinary else replace(found, broken=f"pytest ended with {code}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\ninterrupted", flush=True)
        sys.exit(130)
