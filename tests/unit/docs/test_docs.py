"""What `make docs` reports about a document, and what it accepts."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hack import docs
from hack.docs import Tree, check, resolve
from hack.markdown import parse, slugs
from tests.support.documents import blocks, commands, execute, substitute, typed

Check = Callable[..., list[str]]

OTHERS = {
    "Makefile": "test: verify ## everything\nkind-up:\ne2e:\n",
    "docs/other.md": "# Other\n\n## Same\n\n## Same\n\n## `make run`, and *more*\n",
    "tests/test_guide.py": 'SNIPPETS = blocks("docs/guide.md", "python") + blocks("README.md", "sh")\n',
    "tests/test_mention.py": '"""Says docs/guide.md and takes nothing."""\nblocks = ["docs/guide.md", "python"]\n',
}


@pytest.fixture
def problems(tmp_path: Path) -> Check:
    """What is reported about docs/guide.md with this text, beside the files above."""

    def problems_of(text: str, others: Mapping[str, str] = OTHERS) -> list[str]:
        files = {**others, "docs/guide.md": text}
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content)
        return [str(problem) for problem in check(Tree.read(tmp_path, list(files)))]

    return problems_of


def fenced(info: str, text: str = "") -> str:
    return f"# Guide\n\n```{info}\n{text}\n```\n"


ZONE = """apiVersion: bindy.firestoned.io/v1beta1
kind: DNSZone
metadata: {name: example-org}
spec:
  zoneName: example.org
  soaRecord: {primaryNs: ns1.example.org., adminEmail: admin@example.org}
"""

ACCEPTED = {
    "a link to a file beside it": "[other](other.md)",
    "a link to a directory": "[tests](../tests)",
    "a link from the root of the repository": "[other](/docs/other.md)",
    "a heading of its own": "# The guide\n\n[up](#the-guide)",
    "a heading of another document": "[same](other.md#same)",
    "the second of two equal headings": "[same](other.md#same-1)",
    "a heading with code and emphasis": "[run](other.md#make-run-and-more)",
    "a reference to a definition": "[text][label] and [label]\n\n[label]: other.md",
    "other sites, which cannot be asked": "[a](https://example.org/x) <mailto:admin@example.org> [b](//example.org)",
    "a link in a block of text": fenced("text", "[nowhere](nowhere.md)"),
    "brackets in code": "`spec.zones[][name]`",
    "a diagram": fenced("mermaid", "flowchart LR"),
    "a block that a test takes": fenced("python test=tests/test_guide.py"),
    "a block that needs a cluster": fenced("sh needs=cluster", "kubectl get nodes"),
    "make targets, settings and options": fenced("sh needs=cluster", 'make -n kind-up e2e ARGS="-k x"  # all of it'),
    "JSON": fenced("json", '{"a": 1}'),
    "TOML": fenced("toml", "a = 1"),
    "YAML of several documents": fenced("yaml", "a: 1\n---\nb: 2"),
    "a manifest that fits its CRD": fenced("yaml", ZONE),
    "a manifest of somebody else's kind": fenced("yaml", "apiVersion: v1\nkind: Pod\nspec: anything"),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted(case: str, problems: Check) -> None:
    assert problems(ACCEPTED[case]) == []


REPORTED = {
    "a file that is not there": ("\n[gone](gone.md)", 2, "gone.md: there is no docs/gone.md"),
    "a file outside the repository": ("[up](../../Makefile)", 1, "there is no ../Makefile"),
    "an image that is not there": ("![shot](shot.png)", 1, "there is no docs/shot.png"),
    "the line inside a paragraph": ("one\ntwo\nthree [gone](gone.md)", 3, "there is no docs/gone.md"),
    "the row of a table": ("|a|b|\n|---|---|\n|c|d|\n|e|[f](gone.md)|", 4, "there is no docs/gone.md"),
    "an anchor that its own headings do not have": ("[up](#up)", 1, "no heading of docs/guide.md has the anchor #up"),
    "an anchor that the other's headings do not have": ("[x](other.md#same-2)", 1, "no heading of docs/other.md has"),
    "a link without a target": ("[x]()", 1, "the link has no target"),
    "a reference without a definition": ("a\n[text][label]", 2, "the reference [label] is not defined"),
    "a definition that leads nowhere": ("[text][label]\n\n[label]: gone.md", 1, "there is no docs/gone.md"),
    "a command that nobody runs": (fenced("sh", "ls"), 3, "the sh block is run by no test: mark it test=FILE or"),
    "a snippet that nobody runs": (fenced("python"), 3, "the python block is run by no test"),
    "a language that nobody knows": (fenced("brainfuck"), 3, "the brainfuck block is run by no test"),
    "a fence without a language": (fenced(""), 3, "give the block a fence and a language"),
    "an indented block": ("# Guide\n\n    ls\n", 3, "give the block a fence and a language"),
    "a block in a list": ("1. do\n\n   ```sh\n   ls\n   ```", 3, "the sh block is run by no test"),
    "a test that is not there": (fenced("sh test=tests/gone.py"), 3, "test=tests/gone.py: there is no such file"),
    "a test of another language": (
        fenced("sh test=tests/test_guide.py"), 3, 'there is no blocks("docs/guide.md", "sh") in that file',
    ),
    "a test that only mentions the document": (
        fenced("python test=tests/test_mention.py"), 3, 'there is no blocks("docs/guide.md", "python") in that file',
    ),
    "a need that is none": (fenced("sh needs=time"), 3, "needs=time: only cluster can be needed"),
    "a mark that is none": (fenced("sh tests=x"), 3, "tests=x is not a mark of a block"),
    "a make target that is not there": (fenced("sh needs=cluster", "make e2e kind-upp"), 3, "no target kind-upp"),
    "a make target in a console": (fenced("console needs=cluster", "$ make all"), 3, "the Makefile has no target all"),
    "what is no YAML": (fenced("yaml", "a: [1"), 3, "this is not yaml: while parsing a flow sequence"),
    "what is no JSON": (fenced("json", "{a: 1}"), 3, "this is not json: Expecting property name"),
    "what is no TOML": (fenced("toml", "a ="), 3, "this is not toml: Invalid value"),
    "a manifest with a misspelt field": (
        fenced("yaml", ZONE.replace("zoneName", "zonename")), 3, "the DNSZone does not fit its CRD: $.spec",
    ),
    "a manifest that is not the first of its block": (
        fenced("yaml", f"{ZONE}---\n{ZONE}  ttl: soon"), 3, "the DNSZone does not fit its CRD: $.spec.ttl",
    ),
    "a manifest of a kind that its group does not have": (
        fenced("yaml", ZONE.replace("DNSZone", "Zone")), 3, "bindy.firestoned.io/v1beta1 has no kind Zone",
    ),
    "a manifest that is marked and does not fit": (
        fenced("yaml needs=cluster", ZONE.replace("example.org\n", "[]\n")), 3, "the DNSZone does not fit its CRD",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REPORTED)
def test_reported(case: str, problems: Check) -> None:
    text, line, message = REPORTED[case]
    (problem,) = problems(text)
    assert problem.startswith(f"docs/guide.md:{line}: ")
    assert message in problem


def test_problems_come_in_the_order_of_reading(problems: Check) -> None:
    found = problems("[a](gone.md)\n\n```sh\nls\n```\n\n[b](gone.md)", {**OTHERS, "docs/a.md": "[c](gone.md)"})
    assert [problem.rpartition(": ")[0].partition(": ")[0] for problem in found] == [
        "docs/a.md:1",
        "docs/guide.md:1",
        "docs/guide.md:3",
        "docs/guide.md:7",
    ]


def test_anchors_are_githubs() -> None:
    headings = ["Two commands", "What you write!", "Über `x_y` — z", "Two commands", "Two commands 1", "two commands"]
    assert list(slugs(headings)) == [
        "two-commands",
        "what-you-write",
        "über-x_y--z",
        "two-commands-1",
        "two-commands-1-1",
        "two-commands-2",
    ]


@pytest.mark.parametrize(
    ("document", "path", "full"),
    [
        ("README.md", "docs/a.md", "docs/a.md"),
        ("README.md", ".", "."),
        ("docs/how-to/a.md", "../concepts/b.md", "docs/concepts/b.md"),
        ("docs/how-to/a.md", "/README.md", "README.md"),
        ("docs/how-to/a.md", "", "docs/how-to/a.md"),
    ],
)
def test_paths_are_taken_from_the_document(document: str, path: str, full: str) -> None:
    assert resolve(document, path) == full


def test_a_test_gets_the_blocks_that_are_marked_for_tests() -> None:
    first, second, third = blocks("docs/how-to/add-a-record-kind.md", "sh")
    assert [first.text, second.text] == ["make new-kind KIND=SSHFP\n", "make generate\n"]
    assert third.text.startswith(".venv/bin/pytest")
    assert blocks("docs/how-to/kind.md", "sh") == []


def test_what_a_block_of_shell_says_to_type() -> None:
    (shell, console) = parse("a.md", "```sh\na \\\n  b\n\nc\n```\n```console\n$ a <<EOF\nb\nEOF\n$ c\n```").blocks
    assert [command.split() for command in commands(shell)] == [["a", "b"], ["c"]]
    assert typed(console) == "a <<EOF\nb\nEOF\nc\n"


def test_a_traceback_shows_the_line_of_the_document() -> None:
    (block,) = parse("README.md", "# A\n\n```python\nx = 1\nraise ValueError(x)\n```").blocks
    with pytest.raises(ValueError, match="1") as raised:
        execute(block)
    assert str(raised.traceback[-1].path).endswith("/README.md")
    assert raised.traceback[-1].lineno + 1 == 5


def test_a_replacement_that_does_not_apply_any_more_is_an_error() -> None:
    assert substitute("dig -p <port>", {"<port>": "53"}) == "dig -p 53"
    with pytest.raises(AssertionError, match="is not in the block"):
        substitute("dig -p 53", {"<port>": "5353"})


def test_a_problem_is_printed_and_is_a_failure(monkeypatch, capsys) -> None:
    found: list[str] = ["README.md:1: wrong"]
    monkeypatch.setattr(docs, "check", lambda _: found)
    assert docs.main() == 1
    assert capsys.readouterr().out == "README.md:1: wrong\n"

    found.clear()
    assert docs.main() == 0
