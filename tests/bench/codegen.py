"""How long `make generate` takes, and what the generated modules cost to import.

Two bounds come from what people feel: a save in config/crd is followed within seconds, and a program that uses every
model starts at once. The same figures per 100 CRDs of a sample (ZONEWRIGHT_CRDS, see tests/support/sample_crds.py)
say how it scales.

All of it runs in one thread, so processor time is what an idle machine would take; that is what is judged."""

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.report import Report
from tests.support import ROOT
from tests.support.sample_crds import DIRECTORIES
from zonewright.codegen.load import load

# A fresh interpreter each time, and the time of the imports alone: starting Python is not what is measured.
IMPORT_ALL = """
import importlib, pathlib, sys, time
root = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(root.parent), sys.argv[2]]
names = [".".join(file.relative_to(root.parent).with_suffix("").parts) for file in sorted(root.rglob("*.py"))]
started = time.process_time()
for name in names:
    importlib.import_module(name.removesuffix(".__init__"))
print(time.process_time() - started)
"""
IMPORT_KINDS = """
import sys, time
sys.path[:0] = [sys.argv[1]]
started = time.process_time()
import generated.kinds
print(time.process_time() - started)
"""
RUNS = 5


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory(prefix="bench") as directory:
        ours = Path(directory) / "ours"
        seconds = _generate(DIRECTORIES["ours"], ours)
        report.ratio("generation of our CRDs, whole process", seconds, at_most=10.0, unit="s")
        report.ratio("import of all generated modules, pydantic included", _import(ours), at_most=0.5, unit="s")
        report.figure("import of generated.kinds", _python(IMPORT_KINDS, ROOT), "s")
        if "sample" in DIRECTORIES:
            _sample(report, DIRECTORIES["sample"], Path(directory) / "sample")


def _sample(report: Report, crds: Path, out: Path) -> None:
    hundreds = len(load(crds)) / 100
    report.figure("generation per 100 CRDs of the sample", _generate(crds, out) / hundreds, "s")
    report.figure("import per 100 CRDs of the sample", _import(out) / hundreds, "s")


def _generate(crds: Path, out: Path) -> float:
    before = _children()
    command = [sys.executable, "-m", "zonewright", "generate", "--crds", str(crds), "--out", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return _children() - before


def _children() -> float:
    """Processor time of the processes that have ended, ruff included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _import(package: Path) -> float:
    """The median of several runs; the first of all writes the byte code and does not count."""
    _python(IMPORT_ALL, package, ROOT)
    return statistics.median(_python(IMPORT_ALL, package, ROOT) for _ in range(RUNS))


def _python(program: str, *arguments: Path) -> float:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
