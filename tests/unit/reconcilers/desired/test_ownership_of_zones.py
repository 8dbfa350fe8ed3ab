"""What a zone writes about itself before it publishes."""

import dns.rdatatype

from reconcilers.ddns.names import parse_zone
from reconcilers.ddns.rrset import RRsetKey
from reconcilers.desired.ownership import OWN_ANNOTATION, ZONE_FINALIZER, claimed_own, zone_patch

NS = RRsetKey(parse_zone("example.org"), dns.rdatatype.NS)
GLUE = RRsetKey(parse_zone("ns1.0/25.2.0.192.in-addr.arpa"), dns.rdatatype.A)


def test_a_claim_survives_its_own_spelling():
    patch = zone_patch({"metadata": {"resourceVersion": "1"}}, [NS, GLUE])
    assert patch is not None
    assert patch["metadata"]["finalizers"] == [ZONE_FINALIZER]
    assert claimed_own(patch["metadata"]["annotations"]) == {NS, GLUE}


def test_no_patch_when_nothing_changes():
    patch = zone_patch({"metadata": {"resourceVersion": "1"}}, [NS])
    assert patch is not None
    metadata = {**patch["metadata"], "resourceVersion": "2"}
    assert zone_patch({"metadata": metadata}, [NS]) is None
    assert zone_patch({"metadata": metadata}, [NS, GLUE]) is not None


def test_a_zone_that_never_claimed_anything_claims_nothing():
    assert claimed_own({}) == frozenset()
    assert claimed_own({OWN_ANNOTATION: ""}) == frozenset()


def test_words_that_are_no_rrset_claim_nothing_and_keep_the_rest():
    patch = zone_patch({"metadata": {"resourceVersion": "1"}}, [NS])
    assert patch is not None
    written = patch["metadata"]["annotations"][OWN_ANNOTATION]
    assert claimed_own({OWN_ANNOTATION: f"nonsense a..b/A www.example.org./NOTYPE {written}"}) == {NS}
