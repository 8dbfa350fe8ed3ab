"""A dialer raises OSError, whatever it is asked for."""

import pytest

from reconcilers.ddns import DirectDialer


@pytest.mark.parametrize("address", ["a..b", "a" * 64 + ".example"])
def test_what_is_no_host_name_is_no_connection(address: str):
    with pytest.raises(OSError, match=r"."):
        DirectDialer().connect(address, 53, 0.1)
