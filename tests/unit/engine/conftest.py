import pytest

from tests.unit.engine.rig import Rig


@pytest.fixture
def rig() -> Rig:
    return Rig()
