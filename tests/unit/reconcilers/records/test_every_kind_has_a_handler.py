"""The contract between config/crd and reconcilers/records: each record kind has a handler, each handler a kind.

Nothing else lists the kinds, so nothing else can tell that one half is missing."""

import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import pytest

from reconcilers.records import RECORD_KINDS, handler, rdtype
from tests.support import ROOT

RECORDS = ROOT / "reconcilers/records"
HANDLERS = {file.stem for file in RECORDS.glob("*.py") if not file.stem.startswith("_")}
RDTYPES = {rdtype(kind).lower(): kind for kind in RECORD_KINDS}
ORIGIN = dns.name.from_text("example.org.")


def test_every_kind_has_a_handler():
    missing = sorted(RDTYPES.keys() - HANDLERS)
    sentences = [
        f"{RDTYPES[name].kind} has no handler: write reconcilers/records/{name}.py with rdata(spec, origin), "
        f"as docs/how-to/add-a-record-kind.md says"
        for name in missing
    ]
    assert not missing, "\n".join(sentences)


def test_every_handler_has_a_kind():
    orphans = sorted(HANDLERS - RDTYPES.keys())
    sentences = [
        f"reconcilers/records/{name}.py has no kind: write config/crd/{name}records.yaml with the annotation "
        f"zonewright/rdtype: {name.upper()} and run `make generate`, or remove the handler"
        for name in orphans
    ]
    assert not orphans, "\n".join(sentences)


@pytest.mark.parametrize("kind", RECORD_KINDS, ids=lambda kind: kind.kind)
def test_the_example_of_a_kind_becomes_dns_data(kind):
    assert kind.example is not None, f"{kind.kind} has no example: add one to spec in its CRD and run `make generate`"
    found = kind.model().model_validate({"metadata": {"name": "example"}, "spec": kind.example})
    texts = list(handler(rdtype(kind)).rdata(found.spec, ORIGIN))
    wanted = dns.rdatatype.from_text(rdtype(kind))
    parsed = [dns.rdata.from_text(dns.rdataclass.IN, wanted, text, origin=ORIGIN) for text in texts]
    assert {rdata.rdtype for rdata in parsed} == {wanted}
