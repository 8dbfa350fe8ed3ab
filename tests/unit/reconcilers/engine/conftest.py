import pytest

from tests.support.engine_rig import Rig


@pytest.fixture
def rig() -> Rig:
    return Rig()
