"""plan: what has to change so that a zone holds what it should."""

import dns.rdatatype as rt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.ddns import Change, RRset, RRsetKey, parse_name, parse_rdata, parse_zone, plan

ZONE = parse_zone("example.org")


def rrset(name, rdtype, *values, ttl=300):
    return RRset.of(parse_name(name, ZONE), ttl, [parse_rdata(rdtype, value) for value in values])


def zone(*rrsets):
    return {each.key: each for each in rrsets}


WWW = rrset("www", "A", "192.0.2.1")
WWW2 = rrset("www", "A", "192.0.2.2")
MAIL = rrset("mail", "A", "192.0.2.3")
MX = rrset("@", "MX", "10 mail.example.org")


@pytest.mark.parametrize(
    ("sentence", "desired", "observed", "owned", "changes"),
    [
        ("nothing differs", zone(WWW), zone(WWW), None, ()),
        ("a new RRset is added", zone(WWW), {}, None, (Change(WWW.key, None, WWW),)),
        ("a changed one is replaced", zone(WWW2), zone(WWW), None, (Change(WWW.key, WWW, WWW2),)),
        ("one too many is removed", {}, zone(WWW), None, (Change(WWW.key, WWW, None),)),
        ("a foreign one stays", {}, zone(WWW, MAIL), {MAIL.key}, (Change(MAIL.key, MAIL, None),)),
        ("a foreign one that we want is replaced", zone(WWW2), zone(WWW), set(), (Change(WWW.key, WWW, WWW2),)),
        ("nothing ours, nothing removed", {}, zone(WWW, MAIL), set(), ()),
        (
            "addresses come before what points at them",
            zone(MX, MAIL),
            {},
            None,
            (Change(MAIL.key, None, MAIL), Change(MX.key, None, MX)),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_plan(sentence, desired, observed, owned, changes):
    assert plan(desired, observed, owned) == changes


def test_a_ttl_is_part_of_an_rrset():
    later = rrset("www", "A", "192.0.2.1", ttl=60)
    assert plan(zone(later), zone(WWW)) == (Change(WWW.key, WWW, later),)


@pytest.mark.parametrize("kind", [rt.SOA, rt.RRSIG, rt.NSEC, rt.NSEC3PARAM, rt.DNSKEY, rt.CDS, rt.CDNSKEY, 65534])
def test_what_the_server_maintains_is_never_touched(kind):
    rdtype = rt.RdataType.make(kind)
    key = RRsetKey(ZONE, rdtype)
    theirs = RRset(ZONE, rdtype, 300, frozenset({b"\0\0\0\0"}))
    assert plan({}, {key: theirs}) == ()
    assert plan({key: theirs}, {}) == ()


KEYS = st.sampled_from(["a", "b", "c", "@"])
VALUES = st.sampled_from(["192.0.2.1", "192.0.2.2"])
ZONES = st.dictionaries(KEYS, VALUES).map(lambda rows: zone(*[rrset(name, "A", value) for name, value in rows.items()]))


@given(ZONES, ZONES)
def test_applying_the_plan_gives_what_is_desired(desired, observed):
    world = dict(observed)
    for change in plan(desired, observed):
        assert world.get(change.key) == change.before
        if change.after:
            world[change.key] = change.after
        else:
            del world[change.key]
    assert world == desired
    assert plan(desired, world) == ()
