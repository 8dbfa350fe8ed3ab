"""How `make run` starts the operator on a cluster of yours."""

from hack.yours import operator


def test_every_source_is_read():
    words = operator("kind-zonewright", "make-run", {})
    assert words[1:] == [
        *("-m", "controllers", "--cluster-name", "make-run", "--context", "kind-zonewright"),
        *("--source=crd", "--source=service", "--source=ingress"),
    ]


def test_the_variable_chooses_others():
    assert not [word for word in operator("", "make-run", {"ZONEWRIGHT_SOURCE": "crd"}) if "--source" in word]
