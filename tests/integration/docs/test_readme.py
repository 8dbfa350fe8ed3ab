"""The README, followed from top to bottom: `make run`, the commands to try beside it, and the manifests to write."""

import re
from collections.abc import Iterator

import pytest

from tests.support import ROOT
from tests.support.documents import blocks, commands, environment, shell, substitute
from zonewright.envtest.processes import Program, Run
from zonewright.testing import eventually

START, TRY, WAIT = blocks("README.md", "sh")
MANIFESTS, ENDPOINT = blocks("README.md", "yaml")


def test_both_commands_are_targets_of_the_makefile():
    # `make test` runs this test: it can only be asked what it would do.
    for command in commands(START):
        shell(substitute(command, {"make ": "make --dry-run "}))


@pytest.fixture
def make_run(background: Run) -> Iterator[Program]:
    """`make run` as the README starts it, without a cluster."""
    settings = environment(KUBECONFIG="", COLUMNS="200")
    program = background.start("readme", ["bash", "-c", commands(START)[0]], cwd=ROOT, env=settings)
    yield program
    program.stop(timeout=30)


def told(program: Program, pattern: str) -> str:
    """A part of what `make run` says to type."""

    def look() -> str | None:
        program.check()
        found = re.search(pattern, program.output())
        return found[1] if found else None

    return str(eventually(look, what=f"{pattern!r} from make run"))


@pytest.mark.kubectl
@pytest.mark.skipif(not (ROOT / ".venv/.complete").exists(), reason="`make run` would set up the project first")
def test_make_run_serves_the_samples_and_what_the_readme_says_to_write(make_run: Program):
    kubeconfig = told(make_run, r"export KUBECONFIG=(\S+)")
    port = told(make_run, r"dig @127\.0\.0\.1 -p (\d+) .*primary-0")
    look = substitute(TRY.text, {"<port>": port})

    shell("kubectl -n dns-system wait --for=condition=Ready arecord --all --timeout=60s", KUBECONFIG=kubeconfig)
    shown = shell(look, KUBECONFIG=kubeconfig)
    assert "dnszone.bindy.firestoned.io/example-org" in shown
    assert addresses(shown) == {"192.0.2.10", "192.0.2.11"}

    shell("kubectl apply -f -", stdin=MANIFESTS.text, KUBECONFIG=kubeconfig)
    eventually(lambda: addresses(shell(look, KUBECONFIG=kubeconfig)) == {"192.0.2.10"}, what="the README's www")

    shell("kubectl apply -f -", stdin=ENDPOINT.text, KUBECONFIG=kubeconfig)
    shell(WAIT.text, KUBECONFIG=kubeconfig)
    assert shell(f"dig @127.0.0.1 -p {port} +short shop.example.org") == "192.0.2.80\n"


def addresses(shown: str) -> set[str]:
    """The answer that dig shows."""
    return set(re.findall(r"^www\.example\.org\.\s+\d+\s+IN\s+A\s+(\S+)$", shown, re.MULTILINE))
