"""What was read and not changed is written back equal, for valid objects of every version of every CRD.

Objects are built from the schemas by schema_objects, which knows nothing of codegen. ROUND_TRIP_EXAMPLES
sets how many per version (default 10). See crds.py for which CRDs."""

import importlib
import json
import os
import sys

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.support.sample_crds import DIRECTORIES
from tests.support.schema_objects import objects
from zonewright.codegen.generate import Target, generate
from zonewright.codegen.load import load
from zonewright.codegen.names import class_name, module_name, package_name

EXAMPLES = int(os.environ.get("ROUND_TRIP_EXAMPLES", "10"))
VERSIONS = [
    pytest.param(name, crd, version, id=f"{name}-{crd.kind}-{version.name}.{crd.group}")
    for name, directory in DIRECTORIES.items()
    for crd in load(directory)
    for version in crd.versions
]


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Every directory of CRDs as a package `round_trip_<name>`."""
    root = tmp_path_factory.mktemp("round_trip")
    for name, directory in DIRECTORIES.items():
        target = Target.at(root / f"round_trip_{name}")
        generate(directory, target).write(target)
    sys.path.insert(0, str(root))
    yield
    sys.path.remove(str(root))


@pytest.mark.parametrize(("name", "crd", "version"), VERSIONS)
def test_what_was_read_is_written_back(packages, name, crd, version):
    module = f"round_trip_{name}.{package_name(crd.group, version.name)}.{module_name(crd.kind)}"
    model = getattr(importlib.import_module(module), class_name(crd.kind))

    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, derandomize=True,
        phases=[Phase.generate], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(objects(dict(version.schema), f"{crd.group}/{version.name}", crd.kind))
    def check(value):
        text = json.dumps(value)
        read = model.model_validate_json(text)
        # As sorted text, because 1 == 1.0 == True in Python but not in JSON.
        assert canonical(read.to_dict()) == canonical(value)
        assert canonical(json.loads(read.to_json())) == canonical(value)
        assert canonical(model.model_validate(value).to_dict()) == canonical(value)

    check()


def canonical(value):
    return json.dumps(value, sort_keys=True)
