"""What a record's metadata says before, during and after it is in DNS."""

import pytest

from reconcilers.desired.ownership import (
    NAME_ANNOTATION,
    ZONE_ANNOTATION,
    Claim,
    Marks,
    finalizer,
    marks_patch,
    next_marks,
)

OURS = finalizer("ARecord")


def claim(*, annotations: dict[str, str] | None = None, zones: tuple[str, ...] = (), name: str | None = None) -> Claim:
    status = {"zones": [{"zoneName": zone} for zone in zones], "publishedName": name}
    return Claim.of({"metadata": {"annotations": annotations}, "status": status})


def marks(have: Claim, name: str = "www", *, selected=(), left=(), published=False, behind=False) -> Marks:
    return next_marks(have, name, selected=selected, left=left, published=published, behind=behind)


def test_a_new_record_claims_every_zone_that_selects_it():
    assert marks(claim(), selected=["b.test", "a.test"]) == Marks(
        frozenset({"a.test", "b.test"}), frozenset({"www"}), finalizer=True
    )


def test_a_record_that_nobody_selects_and_that_holds_nothing_has_no_marks():
    assert marks(claim()) == Marks()


def test_a_renamed_record_claims_its_new_name_and_its_status_remembers_the_old_one():
    have = claim(annotations={ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "www"}, zones=("a.test",), name="www")
    assert marks(have, "web", selected=["a.test"]).names == {"web"}
    assert have.names == {"www"}


def test_a_name_that_was_claimed_and_never_confirmed_stays_until_it_is_known_to_be_gone():
    have = claim(annotations={ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "web"}, zones=("a.test",), name="www")
    assert marks(have, "api", selected=["a.test"]).names == {"api", "web"}
    assert marks(have, "api", selected=["a.test"], published=True).names == {"api"}


def test_a_name_that_status_is_about_to_forget_goes_into_the_claim_while_something_may_stand_there():
    have = claim(annotations={ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "web"}, zones=("a.test",), name="www")
    assert marks(have, "web", selected=["a.test"], published=True, behind=True).names == {"web", "www"}


def test_what_stands_in_zones_of_others_is_known_from_status_alone():
    entry = {"zoneName": "a.test", "adopted": [{"instance": "dns/ext", "name": "www.a.test."}]}
    status = {"zones": [entry, {"zoneName": "b.test"}], "publishedName": "www"}
    assert Claim.of({"metadata": {}, "status": status}).adopted == {("a.test", "dns/ext", "www.a.test.")}


@pytest.mark.parametrize("name", ["x\\ b", "a,b", "x\\\\", "*", "@", "a\\.b"])
def test_a_name_is_read_back_as_it_was_written(name: str):
    """A blank in a name is escaped, and the names of the annotation are separated by blanks."""
    patch = marks_patch(Marks(frozenset({"a.test"}), frozenset({name, "www"})), "ARecord", {"metadata": {}})
    assert patch is not None
    assert claim(annotations=patch["metadata"]["annotations"]).claimed_names == {name, "www"}


def test_a_record_that_moves_claims_the_new_zone_and_its_status_remembers_the_old_one():
    have = claim(annotations={ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "www"}, zones=("a.test",), name="www")
    assert marks(have, selected=["b.test"], left=["a.test"]).zones == {"b.test"}
    assert have.zones == {"a.test"}


def test_a_zone_that_was_claimed_and_never_confirmed_is_kept_while_something_may_be_left_there():
    have = claim(annotations={ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "www"})
    assert marks(have, selected=["b.test"], left=["a.test"]).zones == {"a.test", "b.test"}


def test_a_record_that_leaves_its_last_zone_keeps_its_finalizer_until_it_is_gone():
    have = claim(annotations={ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "www"}, zones=("a.test",), name="www")
    assert marks(have, left=["a.test"]).finalizer
    assert marks(have) == Marks()


@pytest.mark.parametrize("others", [[], ["example.com/theirs"]])
def test_the_patch_names_the_version_it_is_based_on_and_keeps_the_finalizers_of_others(others: list[str]):
    metadata = {"resourceVersion": "7", "finalizers": others, "annotations": {"note": "mine"}}
    wanted = Marks(frozenset({"b.test", "a.test"}), frozenset({"www"}), finalizer=True)
    assert marks_patch(wanted, "ARecord", {"metadata": metadata}) == {
        "metadata": {
            "resourceVersion": "7",
            "annotations": {ZONE_ANNOTATION: "a.test,b.test", NAME_ANNOTATION: "www"},
            "finalizers": [*others, OURS],
        }
    }


def test_no_patch_when_the_marks_are_there():
    annotations = {ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "www"}
    metadata = {"resourceVersion": "7", "finalizers": [OURS], "annotations": annotations}
    assert (
        marks_patch(Marks(frozenset({"a.test"}), frozenset({"www"}), finalizer=True), "ARecord", {"metadata": metadata})
        is None
    )


def test_taking_the_marks_off_removes_annotations_and_our_finalizer_only():
    annotations = {ZONE_ANNOTATION: "a.test", NAME_ANNOTATION: "www"}
    metadata = {"resourceVersion": "7", "finalizers": [OURS, "theirs"], "annotations": annotations}
    assert marks_patch(Marks(), "ARecord", {"metadata": metadata}) == {
        "metadata": {
            "resourceVersion": "7",
            "annotations": {ZONE_ANNOTATION: None, NAME_ANNOTATION: None},
            "finalizers": ["theirs"],
        }
    }
