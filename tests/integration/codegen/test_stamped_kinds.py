"""Kinds stamped by `make new-kind`, on an API server: accepted without a warning, and so is the example of each."""

import shutil

import pytest

from codegen.newkind import DONOR, stamp
from tests.support import ROOT
from zonewright.codegen.load import load
from zonewright.codegen.registry import example


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
    path = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{crd.plural}.{crd.group}"
    try:
        applied = cluster.apply(file) + cluster.apply([record], namespace=namespace)
        assert [each.warnings for each in applied] == [(), ()]
    finally:
        cluster.request("DELETE", path)
        cluster.wait_gone(path)
