"""One ruff pass over the written tree: imports sorted, code formatted. Settings are given here, never found on disk."""

import subprocess
from pathlib import Path

from zonewright.codegen.errors import CodegenError

# --isolated: without it the result would depend on the pyproject.toml above the output directory.
COMMON = ("--isolated", "--no-cache", "--quiet", "--target-version", "py311", "--line-length", "120")
ISORT = (
    "--config", 'lint.isort.known-first-party = ["zonewright"]',
    "--config", 'lint.isort.known-third-party = ["pydantic", "pydantic_core", "typing_extensions"]',
)  # fmt: skip


def tidy(directory: Path) -> None:
    _ruff("check", "--fix", "--exit-zero", "--select", "I,F401", *ISORT, *COMMON, directory=directory)
    _ruff("format", *COMMON, directory=directory)


def _ruff(*arguments: str, directory: Path) -> None:
    # Ships no types, and is not installed where only `zonewright envtest` is used.
    from ruff import find_ruff_bin  # type: ignore[import-untyped]  # noqa: PLC0415

    done = subprocess.run(
        [find_ruff_bin(), *arguments, "."], cwd=directory, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CodegenError(f"ruff could not format the output: {done.stderr.strip() or done.stdout.strip()}")
