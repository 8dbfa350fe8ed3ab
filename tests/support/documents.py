"""The blocks of code in the documentation, for the tests that run them.

A block names the test that runs it (```` ```sh test=FILE ````). `make docs` looks in that file for a call
`blocks(document, language)` with both written out. Tests unpack what they get, or run all of it, so a block that is
added later is either run or makes the test fail.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hack.markdown import Block, parse
from tests.support import ROOT
from zonewright.envtest import kubectl


def blocks(document: str, language: str) -> list[Block]:
    """The blocks of a language that a test is said to run, in the order of the document."""
    found = parse(document, (ROOT / document).read_text()).blocks
    return [block for block in found if block.language == language and block.mark("test") is not None]


def commands(block: Block) -> list[str]:
    """The commands of a block of shell, one to a line; a backslash at the end of a line joins it to the next."""
    return [line for line in block.text.replace("\\\n", " ").splitlines() if line.strip()]


def typed(block: Block) -> str:
    """What is typed in a console: the text without its prompts."""
    return "".join(line.removeprefix("$ ") for line in block.text.splitlines(keepends=True))


def substitute(text: str, changes: dict[str, str]) -> str:
    """The text with each of these replaced: what an example has to name, and a test must choose."""
    for written, chosen in changes.items():
        assert written in text, f"{written} is not in the block any more"
        text = text.replace(written, chosen)
    return text


def execute(block: Block, changes: dict[str, str] | None = None, **names: Any) -> dict[str, Any]:
    """Run a block of Python and return its names. Tracebacks show the line of the document."""
    text = "\n" * block.line + substitute(block.text, changes or {})
    exec(compile(text, ROOT / block.document, "exec"), names)
    return names


def environment(**variables: str) -> dict[str, str]:
    """For commands as they are written: `python`, its tools and `kubectl` are those that the tests use."""
    program = kubectl.search()
    directories = [str(Path(sys.executable).parent), *([str(program.parent)] if program else [])]
    return {**os.environ, "PATH": os.pathsep.join([*directories, os.environ["PATH"]]), **variables}


def shell(text: str, *, cwd: Path = ROOT, stdin: str = "", **variables: str) -> str:
    """Run commands in one shell, which stops at the first that fails, and return what they print."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=cwd, env=environment(**variables), input=stdin, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{text}: {done.stdout}{done.stderr}"
    return done.stdout
