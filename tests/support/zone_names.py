"""Which zone names there can be: the one table that CRD, operator and bindcar are held against.

None of the three can import another, so the examples are what keeps them equal; `named` itself has the last word, for
every name that is accepted has to be creatable.

The grammar: labels of letters, digits and underscores, with hyphens and slashes between those; 63 octets a label, 255 a
name (RFC 1035 2.3.4). `named` takes more than that: hyphens and slashes anywhere, escapes, wildcards, any octet. What
is left out is either dangerous in a command or a configuration, or a mistake that is better told by `kubectl apply`.
"""

from typing import NamedTuple


class Accepted(NamedTuple):
    name: str
    meaning: str  # as servers and annotations have it
    why: str


class Refused(NamedTuple):
    name: str
    why: str
    by_rule: bool = False  # in CEL, which not every API server of the tests evaluates


LONG = ".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 61])  # 253 characters, 255 octets

ACCEPTED = (
    Accepted("example.org", "example.org", "the usual"),
    Accepted("example.org.", "example.org", "the final dot is optional in every name"),
    Accepted("Example.ORG", "example.org", "DNS does not tell upper from lower case: one zone, however it is written"),
    Accepted("test", "test", "a single label: a top level of one's own, as companies have inside"),
    Accepted("x", "x", "one character is enough"),
    Accepted("1", "1", "digits alone are a label (RFC 1123 2.1)"),
    Accepted("2.0.192.in-addr.arpa", "2.0.192.in-addr.arpa", "a reverse zone"),
    Accepted("0/25.2.0.192.in-addr.arpa", "0/25.2.0.192.in-addr.arpa", "the slash of RFC 2317"),
    Accepted("0-25.2.0.192.in-addr.arpa", "0-25.2.0.192.in-addr.arpa", "the hyphen that others take in its place"),
    Accepted("_tcp.example.org", "_tcp.example.org", "underscores begin names of services (RFC 8552)"),
    Accepted("a_.example.org", "a_.example.org", "and stand anywhere in zones of Active Directory"),
    Accepted("a--b.example.org", "a--b.example.org", "hyphens inside are fine, also two"),
    Accepted("xn--bcher-kva.example", "xn--bcher-kva.example", "an internationalised name as DNS has it"),
    Accepted("xn--a.example", "xn--a.example", "what begins with xn-- is taken as it is: DNS does"),
    Accepted("bücher.example", "xn--bcher-kva.example", "and as people write it (IDNA 2008), which manifests do"),
    Accepted("Bücher.Example.", "xn--bcher-kva.example", "also with capitals and a final dot"),
    Accepted("bücher。example", "xn--bcher-kva.example", "the ideographic full stop separates labels (IDNA 2003 3.1)"),
    Accepted("version.bind", "version.bind", "named has one of its own in class CHAOS; ours is in class IN"),
    Accepted("a" * 63 + ".example", "a" * 63 + ".example", "the longest label"),
    Accepted(LONG, LONG, "the longest name: 255 octets"),
    Accepted(LONG + ".", LONG, "the longest name, and its final dot"),
    Accepted(".".join("a" * 127), ".".join("a" * 127), "the most labels"),
)

REFUSED = (
    Refused("", "no name"),
    Refused(".", "the root zone: nobody hosts it by label selectors, and every name lies in it"),
    Refused("@", "that is an origin in a zone file, and there is none here"),
    Refused("..", "empty labels"),
    Refused("a..b", "an empty label inside"),
    Refused(".example", "an empty label at the beginning"),
    Refused("ex-.ample", "a hyphen at the end of a label: no host name has one (RFC 952), so it is a slip"),
    Refused("-clean.x", "a hyphen at the beginning: `rndc delzone -clean.x` must never look like an option"),
    Refused("-clean", "which this one is"),
    Refused("-", "and this one might become"),
    Refused("example.-", "also in the last label"),
    Refused("a.example/", "a slash at the end: somebody pasted a URL"),
    Refused("/a.example", "a slash at the beginning: somebody pasted a path"),
    Refused("a./.example", "a slash alone"),
    Refused("../../etc/passwd", "a path: file names are made of zone names"),
    Refused("*.example", "a wildcard is no zone: its NS would be a wildcard too, which BIND does not load"),
    Refused("a b.example", "a blank separates words of a command"),
    Refused("a\tb.example", "as a tab does"),
    Refused("example.org\n", "or a line break"),
    Refused("a;b.example", "a semicolon ends a statement in named.conf"),
    Refused('a"b.example', "a quote ends a string"),
    Refused("a{b.example", "a brace begins a block"),
    Refused("a,b.example", "a comma separates zones in the annotation of a record"),
    Refused("a\\.b.example", "an escaped dot: what is one label here looks like two everywhere else"),
    Refused("\\101.example", "an escape, although it means a letter: one name, one spelling"),
    Refused("a\x00b.example", "a NUL"),
    Refused("a@b.example", "a mailbox"),
    Refused("https://example.org", "a URL"),
    Refused("[::1]", "an address"),
    Refused("a" * 64 + ".example", "a label of 64 octets"),
    Refused(LONG + "d", "256 octets", by_rule=True),
    Refused(LONG + "d.", "256 octets, and a final dot"),
    Refused("x" * 300, "far too long"),
)

# Of names in other scripts the CRD knows the characters and not IDNA, which no schema can tell. The operator refuses
# them before it touches anything (InvalidZone, no finalizer), so they can always be deleted.
REFUSED_AS_INTERNATIONALISED = (
    Refused("☃.example", "a symbol: not in IDNA 2008"),
    Refused("ü_.example", "an underscore in an internationalised label"),
    Refused("ü/a.example", "a slash in one"),
    Refused("a-。example", "a hyphen before the ideographic full stop"),
    Refused("xn--ü.example", "half encoded"),
    Refused("\u00ad.example", "a soft hyphen alone: nothing is left of it"),
    Refused("ü" * 63 + ".example", "63 characters that need more than 63 octets"),
)
