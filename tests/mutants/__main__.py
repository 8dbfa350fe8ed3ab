"""Seeds each bug of the catalogue into a copy of the engine and runs the engine's unit tests on it.

    python -m tests.mutants [--only TEXT] [--examples N] [--jobs N]

Exits non-zero when a bug survives that is not documented as equivalent, when one that is documented so is killed
after all, or when an edit no longer fits the source.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.mutants.catalogue import MUTANTS, Mutant
from tests.support import ROOT

COPIED = (
    "zonewright",
    "reconcilers",
    "controllers",
    "generated",
    "tests/support",
    "tests/unit/reconcilers/engine",
    "docs/concepts",
)


def main() -> int:
    """Run them all; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="bugs whose name contains this")
    parser.add_argument("--examples", type=int, default=600, help="histories of the model per bug")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    options = parser.parse_args()
    chosen = [mutant for mutant in MUTANTS if options.only in mutant.name]
    with tempfile.TemporaryDirectory(prefix="zonewright-mutants-") as scratch:
        original = Path(scratch) / "original"
        copy_tree(original)
        if (error := run_tests(original, options.examples)) is not None:
            print(f"the tests fail without any bug seeded:\n{error}")
            return 2
        with ThreadPoolExecutor(options.jobs) as pool:
            jobs = [pool.submit(judge, mutant, original, Path(scratch), options.examples) for mutant in chosen]
            verdicts = [job.result() for job in jobs]
    bad = [verdict for verdict in verdicts if not verdict]
    killed = len(chosen) - sum(bool(mutant.equivalent) for mutant in chosen)
    print(f"\n{len(chosen)} bugs seeded, {len(bad)} of them not as expected; {killed} should be killed")
    return 1 if bad else 0


def copy_tree(target: Path) -> None:
    """What the tests need, and nothing that they could change for others."""
    for name in COPIED:
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", target)


def judge(mutant: Mutant, original: Path, scratch: Path, examples: int) -> bool:
    """Seed it and see; True if all is as the catalogue says."""
    place = scratch / f"mutant-{MUTANTS.index(mutant)}"
    shutil.copytree(original, place)
    source = place / "reconcilers" / "engine" / mutant.file
    text = source.read_text()
    if text.count(mutant.before) != 1:
        print(
            f"MISFIT    {mutant.name}: its text occurs {text.count(mutant.before)} times in {mutant.file}", flush=True
        )
        return False
    source.write_text(text.replace(mutant.before, mutant.after))
    began = time.monotonic()
    error = run_tests(place, examples)
    shutil.rmtree(place)
    return report(mutant, error, time.monotonic() - began)


def report(mutant: Mutant, error: str | None, seconds: float) -> bool:
    """One line per bug."""
    if error is not None:
        word = "KILLED   " if not mutant.equivalent else "NOT EQUAL"
        print(f"{word} {mutant.name} ({seconds:.0f} s): {error}", flush=True)
        return not mutant.equivalent
    if mutant.equivalent:
        print(f"EQUAL     {mutant.name}: {mutant.equivalent}", flush=True)
        return True
    print(f"SURVIVED  {mutant.name} ({seconds:.0f} s)", flush=True)
    return False


def run_tests(place: Path, examples: int) -> str | None:
    """The engine's unit tests in that tree; None if they pass, else what noticed. Hanging counts as noticing."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--timeout=600", "-p", "no:cacheprovider"]
    environment = {**os.environ, "MODEL_EXAMPLES": str(examples), "MODEL_QUICK": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*command, "tests/unit/reconcilers/engine"],
            cwd=place,
            env=environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "the tests hang"
    if done.returncode == 0:
        return None
    return noticed(done.stdout)


def noticed(output: str) -> str:
    """The test that failed and what it said, or else the last line."""
    lines = [line.strip(" |+") for line in output.splitlines()]
    test = next((line.removeprefix("FAILED ").partition(" - ")[0] for line in lines if line.startswith("FAILED")), "")
    errors = [line for line in lines if line.startswith(("E   ", "AssertionError"))]
    said = next((line for line in errors if re.search(r": [SL]\d", line)), (errors or lines or ["no output"])[0])
    return f"{test.rpartition('::')[2]}: {' '.join(said.removeprefix('E').split())}"[:180]


if __name__ == "__main__":
    sys.exit(main())
