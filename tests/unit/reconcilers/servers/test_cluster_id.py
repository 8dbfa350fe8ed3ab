"""The cluster in an owner marker: a name for people, a UID that nobody chooses."""

import pytest

from reconcilers.servers.cluster_id import ClusterId, InvalidClusterId

UID = "6f1c2a04-9d3b-4c55-8a51-1f0c7e2b9d10"


def test_it_is_written_as_name_and_uid():
    assert str(ClusterId("prod", UID)) == f"prod/{UID}"
    assert str(ClusterId("eu/prod", UID)) == f"eu/prod/{UID}"
    assert len(str(ClusterId("x" * 216, UID))) == 253, "what bindcar takes"


@pytest.mark.parametrize(
    ("name", "uid", "says"),
    [
        (" ", UID, "must not be empty"),
        ("x" * 217, UID, "has 217 characters; at most 216"),
        (f"prod/{UID}", UID, "leave the slash and the UID out"),
        ("prod", "", "is not a UUID"),
        ("prod", UID.upper(), "is not a UUID"),
        ("prod", UID + "\n", "is not a UUID"),
    ],
)
def test_what_cannot_be_one_is_refused(name: str, uid: str, says: str):
    with pytest.raises(InvalidClusterId, match=says):
        ClusterId(name, uid)
