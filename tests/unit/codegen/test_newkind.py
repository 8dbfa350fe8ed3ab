"""`make new-kind`: two files that work as they stand, for every type that people publish."""

import importlib.util

import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import pytest

from codegen.layout import fields, rdata_type
from codegen.newkind import stamp
from tests.support import ROOT
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.load import load

ORIGIN = dns.name.from_text("example.org.")


@pytest.fixture
def project(tmp_path):
    (tmp_path / "config/crd").mkdir(parents=True)
    (tmp_path / "reconcilers/records").mkdir(parents=True)
    (tmp_path / "config/crd/arecords.yaml").write_text((ROOT / "config/crd/arecords.yaml").read_text())
    return tmp_path


def layout(text):
    return {field.name: (field.kind, field.maximum) for field in fields(rdata_type(text))}


def test_fields_are_learnt_from_dnspython():
    assert layout("SSHFP") == {"algorithm": ("number", 255), "fpType": ("number", 255), "fingerprint": ("hex", 0)}
    assert layout("tlsa")["cert"] == ("hex", 0)
    assert layout("URIRecord") == {"priority": ("number", 65535), "weight": ("number", 65535), "target": ("text", 0)}
    assert layout("DNAME") == {"target": ("name", 0)}
    assert layout("OPENPGPKEY") == {"key": ("base64", 0)}


@pytest.mark.parametrize("text", ["LOC", "SVCB", "HTTPS", "APL", "HIP", "GPOS"])
def test_a_type_that_does_not_come_apart_has_one_field(text):
    assert layout(text) == {"rdata": ("rdata", 0)}


@pytest.mark.parametrize("text", ["NOSUCH", "", "OPT", "SOA", "ANY", "RRSIG", "NULL", "../x"])
def test_what_nobody_publishes_is_refused(project, text):
    with pytest.raises(CodegenError):
        stamp(text, project)
    assert len([path for path in project.rglob("*") if path.is_file()]) == 1


def test_two_files_are_written_and_an_existing_one_is_never_touched(project):
    crd, handler = stamp("sshfp", project)
    assert crd.relative_to(project).as_posix() == "config/crd/sshfprecords.yaml"
    assert handler.relative_to(project).as_posix() == "reconcilers/records/sshfp.py"
    crd.unlink()
    handler.write_text("mine")
    with pytest.raises(CodegenError, match=r"reconcilers/records/sshfp\.py: SSHFP has its kind already"):
        stamp("SSHFP", project)
    assert handler.read_text() == "mine"
    assert not crd.exists()


def test_a_short_name_never_hides_a_built_in_one(project):
    stamp("DS", project)
    found = {crd.kind: crd.short_names for crd in load(project / "config/crd")}
    assert found["DSRecord"] == ("dsr",)


@pytest.mark.parametrize(
    "text", ["SSHFP", "TLSA", "DS", "NAPTR", "URI", "LOC", "SVCB", "DNAME", "OPENPGPKEY", "HINFO", "RP"]
)
def test_the_example_of_a_stamped_kind_is_dns_data(project, text, monkeypatch):
    """The handler is run on the example with a stand-in for the model that generation would write."""
    from types import ModuleType, SimpleNamespace

    from zonewright.codegen import names
    from zonewright.codegen.registry import example

    _, handler = stamp(text, project)
    found = next(crd for crd in load(project / "config/crd") if crd.kind == f"{text}Record")
    assert found.annotations["zonewright/rdtype"] == text
    stand_in = ModuleType("generated.bindy_firestoned_io_v1beta1")
    setattr(stand_in, f"{text}RecordSpec", object)
    monkeypatch.setitem(__import__("sys").modules, stand_in.__name__, stand_in)
    module_spec = importlib.util.spec_from_file_location(f"stamped_{text}", handler)
    assert module_spec
    assert module_spec.loader
    module = importlib.util.module_from_spec(module_spec)
    module_spec.loader.exec_module(module)
    values = example(found.preferred)
    assert values
    spec = SimpleNamespace(**{attribute: values[wire] for wire, attribute in names.attributes(values).items()})
    (rdata,) = module.rdata(spec, ORIGIN)
    parsed = dns.rdata.from_text(dns.rdataclass.IN, dns.rdatatype.from_text(text), rdata, origin=ORIGIN)
    assert parsed.rdtype == dns.rdatatype.from_text(text)
