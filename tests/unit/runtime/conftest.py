"""What several tests of the runtime need."""

import pytest

from controllers.runtime.kind import Kind


@pytest.fixture
def widget_kind() -> Kind:
    """A kind with a model: `spec.size` must be an integer."""
    return Kind("bench.example.org", "v1", "Widget", "widgets", model_path="tests.unit.runtime.widgets:Widget")
