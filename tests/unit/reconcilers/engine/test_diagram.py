"""The page shows the transitions that the code allows."""

from reconcilers.engine.core.lifecycle import TRANSITIONS, State
from reconcilers.engine.diagram import PAGE, mermaid, page


def test_the_page_shows_the_table():
    text = PAGE.read_text()
    assert page(text) == text, "run: python -m reconcilers.engine.diagram"


def test_every_state_is_in_the_diagram():
    for state in State:
        assert f"--> {state.value}:" in mermaid()
        assert state in TRANSITIONS
