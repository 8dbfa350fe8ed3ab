"""Nothing that a caller sends can mean something to named that it should not."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bindcar import tokens as words
from bindcar.tokens import InvalidToken

CLEAN_ZONE = re.compile(r"[a-z0-9_/.-]+\Z")
CLEAN_ELEMENT = re.compile(r'(key "[A-Za-z0-9_.-]+"|"[A-Za-z0-9_.-]+"|[a-z0-9.:/]+)\Z')
CLEAN_SERVER = re.compile(r'[0-9a-f.:]+( port \d+)?( key "[A-Za-z0-9_.-]+")?\Z')
NASTY = st.text(alphabet=st.sampled_from(list('ab1._-/ ";{}\\\n\t\r\0*@$#()!%é。')), max_size=30)


@given(st.text() | NASTY)
@example('x"; }; zone "evil" { type primary; file "/etc/passwd"; }; "')
@example("a\nstop")
@example("x.test\\034")
@example("-clean")
def test_a_zone_name_is_clean_or_refused(text):
    try:
        name = words.zone_name(text)
    except InvalidToken:
        return
    assert CLEAN_ZONE.match(name)
    assert not name.startswith("-"), "it would be read as an option"
    assert words.zone_name(name) == name


@given(st.text() | NASTY)
@example("any; }; allow-update { any")
@example("key x; any")
@example("!192.0.2.1")
def test_a_match_element_is_clean_or_refused(text):
    try:
        element = words.match_element(text)
    except InvalidToken:
        return
    assert CLEAN_ELEMENT.match(element)


@given(st.text() | NASTY)
@example('192.0.2.1 key x"; }; any')
@example("192.0.2.1 port 53; 192.0.2.2")
def test_a_server_is_clean_or_refused(text):
    try:
        server = words.server(text)
    except InvalidToken:
        return
    assert CLEAN_SERVER.match(server)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Example.ORG.", "example.org"),
        ("0/25.2.0.192.in-addr.arpa", "0/25.2.0.192.in-addr.arpa"),
        ("_acme.example.org", "_acme.example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
    ],
)
def test_zone_names_that_work(text, name):
    assert words.zone_name(text) == name


@pytest.mark.parametrize(
    "text", [".", "", "a..b", "*.example.org", "a b.test", "-x.test", "x-.test", "a" * 64 + ".test", "a;b.test"]
)
def test_zone_names_that_do_not(text):
    with pytest.raises(InvalidToken):
        words.zone_name(text)


@pytest.mark.parametrize(
    ("text", "element"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.0/24", "192.0.2.0/24"),
        ("2001:DB8::1", "2001:db8::1"),
        ("key transfer", 'key "transfer"'),
        ("none", "none"),
        ("zonewright", '"zonewright"'),
    ],
)
def test_match_elements(text, element):
    assert words.match_element(text) == element


@pytest.mark.parametrize("text", ["192.0.2.300", "192.0.2.1/99", "fe80::1%eth0", "key", "key a b", "", "1.2.3"])
def test_what_looks_like_an_address_and_is_none(text):
    with pytest.raises(InvalidToken):
        words.match_element(text)


@pytest.mark.parametrize(
    ("text", "default", "server"),
    [
        ("192.0.2.1", None, "192.0.2.1"),
        ("192.0.2.1", "k", '192.0.2.1 key "k"'),
        ("192.0.2.1 port 5353 key other", "k", '192.0.2.1 port 5353 key "other"'),
        ("2001:db8::1 key other", None, '2001:db8::1 key "other"'),
    ],
)
def test_servers(text, default, server):
    assert words.server(text, default) == server


@pytest.mark.parametrize(
    "text", ["", "host.example", "192.0.2.1 port", "192.0.2.1 port 0", "192.0.2.1 port 70000", "192.0.2.1 tls x"]
)
def test_what_is_no_server(text):
    with pytest.raises(InvalidToken):
        words.server(text)
