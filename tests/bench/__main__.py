"""`make bench [ONLY=a,b]`: runs the benchmarks of this folder one after the other and fails when a ratio is missed.

A benchmark is a module beside this one with `run(report)`. Absolute times are printed for the reader; only ratios of
one run are judged, because machines differ and are noisy."""

import argparse
import importlib
import sys
from pathlib import Path

from rich.console import Console

from tests.bench.report import Report

HARNESS = {"__init__", "__main__", "report"}


def names() -> list[str]:
    return sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py") if path.stem not in HARNESS)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", type=lambda text: text.split(","), default=names(), help="names, separated by commas")
    chosen: list[str] = parser.parse_args().only
    if unknown := set(chosen) - set(names()):
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    console = Console(width=140, soft_wrap=True)
    missed = 0
    for name in chosen:
        report = Report(name)
        importlib.import_module(f"tests.bench.{name}").run(report)
        report.show(console)
        missed += len(report.missed)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
