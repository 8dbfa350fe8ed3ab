"""Kinds stamped by `make new-kind`, on an API server: accepted without a warning, and so is the example of each."""

import shutil
from pathlib import Path

import pytest
import yaml

from codegen.load import load
from codegen.newkind import DONOR, stamp
from codegen.registry import example

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("rdtype", ["SSHFP", "TLSA", "NAPTR", "LOC", "OPENPGPKEY"])
def test_a_stamped_kind_is_accepted(cluster, namespace, tmp_path, rdtype):
    (tmp_path / DONOR).parent.mkdir(parents=True)
    (tmp_path / "reconcilers/records").mkdir(parents=True)
    shutil.copy(ROOT / DONOR, tmp_path / DONOR)
    file, _ = stamp(rdtype, tmp_path)
    (tmp_path / DONOR).unlink()
    (crd,) = load(tmp_path / "config/crd")
    record = {
        "apiVersion": f"{crd.group}/{crd.preferred.name}",
        "kind": crd.kind,
        "metadata": {"name": "example"},
        "spec": example(crd.preferred),
    }
    name = f"{crd.plural}.{crd.group}"
    try:
        done = cluster.run_kubectl("apply", "-f", str(file))
        assert (done.returncode, done.stderr) == (0, "")
        cluster.kubectl("wait", "--for=condition=Established", f"crd/{name}", "--timeout=100s")
        done = cluster.run_kubectl("apply", "-n", str(namespace), "-f", "-", stdin=yaml.safe_dump(record))
        assert (done.returncode, done.stderr) == (0, "")
    finally:
        cluster.kubectl("delete", "crd", name, "--ignore-not-found", "--timeout=100s")
