"""Records on real servers: what is served, and what status says about it."""

import pytest

from tests.support.scene import Scene
from zonewright.testing import eventually


@pytest.mark.parametrize(
    ("kind", "rdtype", "name", "spec", "answers"),
    [
        ("ARecord", "A", "a", {"ipv4Addresses": ["192.0.2.1", "192.0.2.2"]}, {"192.0.2.1", "192.0.2.2"}),
        ("AAAARecord", "AAAA", "aaaa", {"ipv6Address": "2001:DB8::1"}, {"2001:db8::1"}),
        ("TXTRecord", "TXT", "txt", {"text": ["one", "two"]}, {'"one" "two"'}),
        ("CNAMERecord", "CNAME", "cname", {"target": "Web.Example.net"}, {"web.example.net."}),
        ("MXRecord", "MX", "mx", {"priority": 10, "mailServer": "mail.example.net"}, {"10 mail.example.net."}),
        ("NSRecord", "NS", "ns", {"nameserver": "ns.example.net."}, {"ns.example.net."}),
        (
            "SRVRecord",
            "SRV",
            "_sip._tcp",
            {"priority": 1, "weight": 2, "port": 5060, "target": "sip.example.net."},
            {"1 2 5060 sip.example.net."},
        ),
        (
            "CAARecord",
            "CAA",
            "caa",
            {"flags": 0, "tag": "issue", "value": "ca.example.net"},
            {'0 issue "ca.example.net"'},
        ),
        ("PTRRecord", "PTR", "ptr", {"target": "host.example.net."}, {"host.example.net."}),
    ],
)
def test_every_kind_is_served_as_it_is_written(scene: Scene, kind, rdtype, name, spec, answers):
    scene.create_zone()
    scene.create(kind, "record", {"name": name, **spec})
    scene.wait(f"{kind.lower()}s", "record", "Propagated")
    if rdtype == "NS":  # a delegation is answered by referral
        lines = [scene.stage.transfer(server, scene.zone) for server in scene.stage.servers]
        assert all(f"ns.{scene.zone}. 3600 NS ns.example.net." in line for line in lines)
    else:
        assert scene.answers(name, rdtype) == [answers] * len(scene.stage.servers)


def test_a_long_text_is_split_and_comes_back_whole(scene: Scene):
    scene.create_zone()
    scene.create("TXTRecord", "long", {"name": "long", "text": ["x" * 600]})
    scene.wait("txtrecords", "long")
    ((answer,), *_) = scene.answers("long", "TXT")
    assert answer.replace('"', "").replace(" ", "") == "x" * 600


def test_two_mx_at_the_apex_are_both_served_and_deleting_one_keeps_the_other(scene: Scene):
    scene.create_zone()
    for name, priority in (("one", 10), ("two", 20)):
        scene.create("MXRecord", name, {"name": "@", "priority": priority, "mailServer": f"{name}.example.net."})
    scene.served("@", "10 one.example.net.", "20 two.example.net.", rdtype="MX")
    scene.delete("mxrecords", "one")
    scene.served("@", "20 two.example.net.", rdtype="MX")
    eventually(lambda: not scene.exists("mxrecords", "one"))
    scene.wait("mxrecords", "two")


def test_a_relabelled_record_leaves_its_old_zone_and_joins_the_new_one(scene: Scene):
    other = f"other-{scene.zone}"
    scene.create_zone("one")
    scene.create_zone("two", zone=other, labels={"zone": other})
    scene.create_a("www")
    scene.wait("arecords", "www")
    scene.patch("arecords", "www", {"metadata": {"labels": {"zone": other}}})
    scene.served("www", "192.0.2.1", zone=other)
    scene.served("www")

    def told() -> tuple[object, ...]:
        record = scene.get("arecords", "www")
        annotation = record["metadata"]["annotations"].get("bindy.firestoned.io/zone")
        return (
            annotation,
            record["status"].get("zone"),
            [zone["zoneName"] for zone in record["status"].get("zones", ())],
        )

    eventually(lambda: told() == (other, other, [other]), what=lambda: f"the new zone in metadata and status: {told()}")


def test_a_record_that_no_zone_selects_any_more_loses_annotation_status_zone_and_finalizer(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www")
    scene.patch("arecords", "www", {"metadata": {"labels": {"zone": None}}})
    scene.served("www")
    scene.refused("arecords", "www", "NotSelected")

    def let_go() -> bool:
        record = scene.get("arecords", "www")
        annotations = record["metadata"].get("annotations") or {}
        held = "bindy.firestoned.io/zone" in annotations or record["metadata"].get("finalizers")
        return not held and "zone" not in record["status"]

    eventually(let_go, what=lambda: f"a record that nothing holds: {scene.get('arecords', 'www')}")


def test_a_renamed_record_is_served_under_its_new_name_only(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www")
    scene.patch("arecords", "www", {"spec": {"name": "web"}})
    scene.served("web", "192.0.2.1")
    scene.served("www")
    assert scene.wait("arecords", "www")["status"]["publishedName"] == "web"


def test_a_cname_beside_an_a_is_refused_with_the_winner_named_and_published_when_that_goes(scene: Scene):
    scene.create_zone()
    scene.create_a("www")
    scene.wait("arecords", "www")
    # Of two that were made in the same second the name decides: "www" before "www-alias".
    scene.create("CNAMERecord", "www-alias", {"name": "www", "target": "other.example.net."})
    assert f"ARecord {scene.namespace}/www" in scene.refused("cnamerecords", "www-alias", "RecordConflict")
    scene.served("www", "192.0.2.1")
    scene.delete("arecords", "www")
    scene.served("www", "other.example.net.", rdtype="CNAME")
    scene.wait("cnamerecords", "www-alias")


def test_bad_data_is_told_on_its_object_and_touches_nothing_else(scene: Scene):
    scene.create_zone()
    scene.create_a("good")
    scene.create("ARecord", "bad", {"name": "www.elsewhere.example.", "ipv4Address": "192.0.2.9"})
    scene.wait("arecords", "good")
    assert "spec.name" in scene.refused("arecords", "bad", "InvalidRecordData")
    scene.delete("arecords", "bad")
    eventually(lambda: not scene.exists("arecords", "bad"))


def test_what_bind_refuses_is_told_with_its_rcode_and_the_rest_is_served(scene: Scene):
    scene.create_zone()
    scene.create_a("good")
    # check-names: an A record's owner must be a host name
    scene.create("ARecord", "bad", {"name": "under_score", "ipv4Address": "192.0.2.9"})
    scene.wait("arecords", "good")
    assert "REFUSED" in scene.refused("arecords", "bad", "Rejected")
    scene.served("good", "192.0.2.1")


def test_the_zones_ttl_is_the_default_and_the_smallest_of_an_rrset_counts(scene: Scene):
    scene.create_zone(ttl=1234)
    scene.create("ARecord", "plain", {"name": "plain", "ipv4Address": "192.0.2.1"})
    scene.create("ARecord", "short", {"name": "both", "ipv4Address": "192.0.2.1", "ttl": 60})
    scene.create("ARecord", "long", {"name": "both", "ipv4Address": "192.0.2.2", "ttl": 600})
    for name in ("plain", "short", "long"):
        scene.wait("arecords", name)
    lines = scene.stage.transfer(scene.stage.primaries[0], scene.zone)
    assert f"plain.{scene.zone}. 1234 A 192.0.2.1" in lines
    assert {line for line in lines if line.startswith("both.")} == {
        f"both.{scene.zone}. 60 A 192.0.2.1",
        f"both.{scene.zone}. 60 A 192.0.2.2",
    }


def test_a_record_without_a_zone_says_not_selected_and_is_published_once_there_is_one(scene: Scene):
    scene.create_a("www")
    scene.refused("arecords", "www", "NotSelected")
    scene.create_zone()
    scene.wait("arecords", "www")
    scene.served("www", "192.0.2.1")
