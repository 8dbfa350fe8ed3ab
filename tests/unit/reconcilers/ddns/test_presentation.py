"""How what people write in a spec becomes a name or a character-string."""

import dns.name
import dns.rdata
import pytest

from reconcilers.ddns.presentation import InvalidField, host, owner, quoted

ZONE = dns.name.from_text("example.org")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("www", "www.example.org."),
        ("@", "example.org."),
        ("", "example.org."),
        ("a.b", "a.b.example.org."),
        ("www.example.org", "www.example.org."),
        ("www.example.org.", "www.example.org."),
        ("example.org", "example.org."),
        ("WWW", "www.example.org."),
        ("*", "*.example.org."),
        ("_dmarc", "_dmarc.example.org."),
        ("www.notexample.org", "www.notexample.org.example.org."),
    ],
)
def test_the_name_a_record_stands_at(text: str, name: str):
    assert owner(text, ZONE).to_text() == name


@pytest.mark.parametrize("text", ["www.example.net.", "a..b", "x" * 64, ".".join(["x" * 60] * 4)])
def test_a_name_that_cannot_be_in_the_zone_names_the_field(text: str):
    with pytest.raises(InvalidField, match=r"spec\.name"):
        owner(text, ZONE)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("mail.example.net.", "mail.example.net."),
        ("Mail.Example.net", "mail.example.net."),
        ("mail", "mail."),
        (".", "."),
    ],
)
def test_the_name_that_data_points_at(text: str, name: str):
    assert host("spec.target", text) == name


@pytest.mark.parametrize("text", ["plain", 'with "quotes"', "back\\slash", "grüße", "tab\there", ""])
def test_a_text_survives_quoting(text: str):
    parsed = dns.rdata.from_text("IN", "TXT", quoted(text))
    assert b"".join(parsed.strings) == text.encode()  # type: ignore[attr-defined] # TXT has strings


def test_a_target_that_is_no_name_names_the_field():
    with pytest.raises(InvalidField, match=r"spec\.mailServer"):
        host("spec.mailServer", "a..b")
