"""The state diagram of docs/concepts/engine.md, made from the transition table: `python -m reconcilers.engine.diagram`.

Writes the diagram between the markers of the page; a test fails when the page and the table differ.
"""

from __future__ import annotations

from pathlib import Path

from reconcilers.engine.core.lifecycle import TRANSITIONS, State

PAGE = Path(__file__).parents[2] / "docs" / "concepts" / "engine.md"
BEGIN, END = "<!-- transitions: begin -->", "<!-- transitions: end -->"


def mermaid() -> str:
    """The table as a mermaid state diagram."""
    lines = ["```mermaid", "stateDiagram-v2"]
    for before, targets in TRANSITIONS.items():
        lines += [f"    {_node(before)} --> {_node(after)}: {_label(why)}" for after, why in targets.items()]
    return "\n".join([*lines, "```"])


def _node(state: State | None) -> str:
    return "[*]" if state is None else state.value


def _label(why: str) -> str:
    return why.replace(":", " -").replace(";", ",")  # both have a meaning in mermaid


def page(text: str) -> str:
    """The page with the present diagram in it."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{mermaid()}\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
