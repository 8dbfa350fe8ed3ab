"""For tests of operators: `eventually`, and a pytest plugin with a cluster for the whole run.

pytest_plugins = ["zonewright.testing.plugin"]
"""

from zonewright.testing.waiting import eventually

__all__ = ["eventually"]
