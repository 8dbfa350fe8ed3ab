"""`make new-kind KIND=SSHFP`: stamps the two files of a record kind, a CRD and a handler, which work as they stand.

What all record kinds share (owner name, TTL, status) is copied from the CRD of ARecord: there is one wording of it.
"""

from pathlib import Path

import dns.rdatatype

from codegen.layout import FieldLayout, fields, rdata_type
from zonewright.codegen import names
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.render import render

DONOR = Path("config/crd/arecords.yaml")
# Short names that kubectl gives to built-in kinds: `ds` must stay daemonsets.
CORE_SHORT_NAMES = frozenset({
    "all", "cj", "cm", "crd", "crds", "cs", "csr", "deploy", "ds", "ep", "ev", "hpa", "ing", "limits", "netpol", "no",
    "ns", "pc", "pdb", "po", "psp", "pv", "pvc", "quota", "rc", "rs", "sa", "sc", "sts", "svc",
})  # fmt: skip


def stamp(text: str, project: Path) -> tuple[Path, Path]:
    """Writes both files, or none: an existing file is never touched."""
    rdtype = rdata_type(text)
    name = dns.rdatatype.to_text(rdtype)
    crd = project / f"config/crd/{name.lower()}records.yaml"
    handler = project / f"reconcilers/records/{name.lower()}.py"
    for file in (crd, handler):
        if file.exists():
            raise CodegenError(f"{name} has its kind already", file=file.relative_to(project))
    values = _values(name, fields(rdtype), (project / DONOR).read_text(encoding="utf-8"))
    texts: dict[Path, str] = {}
    for file, template in ((crd, "record-crd.yaml.jinja"), (handler, "record-handler.py.jinja")):
        texts[file] = render(template, templates="codegen", **values)
    for file, content in texts.items():
        file.write_text(content, encoding="utf-8")
    return crd, handler


def _values(name: str, layout: tuple[FieldLayout, ...], donor: str) -> dict[str, object]:
    lower = name.lower()
    attributes = names.attributes(field.name for field in layout)
    return {
        "rdtype": name,
        "kind": f"{name}Record",
        "plural": f"{lower}records",
        "singular": f"{lower}record",
        "short_name": f"{lower}r" if lower in CORE_SHORT_NAMES else lower,
        "fields": layout,
        "attributes": attributes,
        "name_block": block(donor, "name", 16),
        "ttl_block": block(donor, "ttl", 16),
        "status_block": block(donor, "status", 12),
    }


def block(text: str, key: str, indent: int) -> str:
    """The lines of a key and of all that stands below it, where it first appears at this indentation."""
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines) if line == f"{' ' * indent}{key}:"), None)
    if start is None:
        raise CodegenError(f"no {key} at column {indent + 1}", file=DONOR)
    end = next(
        (
            at
            for at in range(start + 1, len(lines))
            if lines[at].strip() and not lines[at].startswith(" " * (indent + 1))
        ),
        len(lines),
    )
    return "\n".join(lines[start:end])
