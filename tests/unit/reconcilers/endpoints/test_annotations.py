"""What the annotations of external-dns say, under either prefix."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcilers.endpoints.annotations import ALPHA_PREFIX, PREFIX, Annotations


def read(**values: str) -> Annotations:
    return Annotations.of({PREFIX + name.replace("_", "-"): value for name, value in values.items()})


@pytest.mark.parametrize("prefix", [PREFIX, ALPHA_PREFIX])
def test_both_prefixes_count(prefix):
    found = Annotations.of({f"{prefix}hostname": "www.example.org", "other/hostname": "x.example.org"})
    assert found.names("hostname") == ("www.example.org",)
    assert found.field("hostname") == f"annotation {prefix}hostname"


def test_of_both_spellings_the_newer_counts_one_by_one():
    found = Annotations.of(
        {
            f"{ALPHA_PREFIX}hostname": "old.example.org",
            f"{PREFIX}hostname": "new.example.org",
            f"{ALPHA_PREFIX}ttl": "60",
        }
    )
    assert found.names("hostname") == ("new.example.org",)
    assert found.ttl == 60


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        (" , ,", ()),
        ("a.example.org", ("a.example.org",)),
        (" a.example.org, b.example.org,a.example.org ,", ("a.example.org", "b.example.org")),
    ],
)
def test_a_list_has_commas_and_each_name_once(text, names):
    assert read(hostname=text).names("hostname") == names


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("300", 300),
        ("+300", 300),
        ("5m", 300),
        ("1h30m", 5400),
        ("90s", 90),
        ("1.5m", 90),
        (".5h", 1800),
        ("1.9s", 1),
        ("1500ms", 1),
        ("1000000µs", 1),
        ("1s1000000000ns", 2),
        ("2147483647", 2**31 - 1),
    ],
)
def test_a_ttl_is_seconds_or_a_go_duration(text, seconds):
    assert (read(ttl=text).ttl, read(ttl=text).warnings) == (seconds, ())


@pytest.mark.parametrize(
    "text",
    ["", "0", "-5", "-5m", "5 m", "5x", "m", "1h30", "999ms", "2147483648", "9" * 5000, "1e3", "٣", "1_0", "5m\n"],
)
def test_a_ttl_that_makes_no_sense_is_ignored_and_told(text):
    found = read(ttl=text)
    assert found.ttl == 0
    (warning,) = found.warnings
    assert warning.startswith(f"annotation {PREFIX}ttl: ")


@pytest.mark.parametrize(
    ("value", "ours"), [("dns-controller", True), ("none", False), ("", False), ("DNS-controller", False)]
)
def test_an_object_for_another_controller_is_not_ours(value, ours):
    assert read(controller=value).ours is ours
    assert read().ours


def test_settings_for_providers_have_the_names_that_external_dns_gives_them():
    found = Annotations.of(
        {
            f"{PREFIX}aws-weight": "10",
            f"{PREFIX}webhook-some-thing": "x",
            f"{PREFIX}scw-": "",
            f"{PREFIX}coredns-group": "g",
            f"{ALPHA_PREFIX}cloudflare-proxied": "true",
            f"{PREFIX}alias": "true",
            f"{PREFIX}record-type": "ptr",
            f"{PREFIX}set-identifier": "blue",
            f"{PREFIX}hostname": "www.example.org",
            f"{PREFIX}unknown-setting": "x",
        }
    )
    assert found.set_identifier == "blue"
    assert found.provider_specific == (
        ("alias", "true"),
        ("aws/weight", "10"),
        ("coredns/group", "g"),
        (f"{ALPHA_PREFIX}cloudflare-proxied", "true"),
        ("record-type", "ptr"),
        ("scw/", ""),
        ("webhook/some-thing", "x"),
    )
    assert read(alias="false").provider_specific == ()


KEYS = st.builds(
    "".join,
    st.tuples(
        st.sampled_from([PREFIX, ALPHA_PREFIX, ""]),
        st.sampled_from(["ttl", "hostname", "aws-", "controller"]) | st.text(),
    ),
)


@given(st.dictionaries(KEYS, st.text() | st.from_regex(r"[+-]?([0-9]{0,30}\.?[0-9]*(h|m|s|ms|ns|us|µs))*"), max_size=5))
def test_whatever_is_written_can_be_read(annotations):
    found = Annotations.of(annotations)
    assert 0 <= found.ttl < 2**31
    assert len(found.warnings) + bool(found.ttl) == ("ttl" in found.values)
    assert isinstance(found.names("hostname"), tuple)
    assert found.provider_specific == tuple(sorted(found.provider_specific))
