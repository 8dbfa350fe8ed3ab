"""`zonewright generate` as people and CI run it: exit codes, what is said, and what is on disk afterwards."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

CRDS = ROOT / "tests/golden/codegen/crds"


def generate(*arguments, cwd=ROOT, **environment):
    return subprocess.run(
        [sys.executable, "-m", "zonewright", "generate", *map(str, arguments)],
        cwd=cwd, capture_output=True, text=True, timeout=120, check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1"} | environment,
    )  # fmt: skip


def contents(directory):
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def append(file, text):
    file.write_text(file.read_text() + text)


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    directory = tmp_path_factory.mktemp("cli") / "out"
    done = generate("--crds", CRDS, "--out", directory)
    assert done.returncode == 0, done.stderr
    assert "generated 19 CRDs" in done.stderr
    return directory


@pytest.fixture
def out(pristine, tmp_path):
    return Path(shutil.copytree(pristine, tmp_path / "out"))


def check(out):
    return generate("--crds", CRDS, "--out", out, "--check")


def test_check_passes_on_what_was_written(out):
    done = check(out)
    assert done.returncode == 0, done.stderr
    assert "up to date" in done.stderr


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda out: (out / "kinds.py").write_text("KINDS = {}\n"), "kinds.py is not what codegen writes"),
        (lambda out: append(out / "__init__.py", "#\n"), "__init__.py is not what codegen writes"),
        (lambda out: (out / "stale.py").write_text(""), "stale.py is not written any more"),
        (lambda out: (out / "example_org_v1/bare.py").unlink(), "bare.py is missing"),
        (lambda out: append(out / "role.yaml", "\n"), "role.yaml is not what codegen writes"),
    ],
    ids=["edited", "appended", "stale", "missing", "manifest"],
)
def test_check_fails_on_any_difference_and_repairs_nothing(out, damage, said):
    damage(out)
    before = contents(out)
    done = check(out)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(out) == before


def test_the_output_depends_on_nothing_but_the_crds(pristine, tmp_path):
    """Another directory, hash seed, time zone and locale, and a project above with settings of its own."""
    (tmp_path / "pyproject.toml").write_text('[tool.ruff]\nline-length = 40\n[tool.ruff.lint]\nselect = ["ALL"]\n')
    done = generate(
        "--crds", CRDS, "--out", tmp_path / "other", cwd=tmp_path, PYTHONHASHSEED="7", TZ="Asia/Tokyo", LC_ALL="C"
    )
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "other") == contents(pristine)


def test_a_second_run_changes_nothing(out):
    done = generate("--crds", CRDS, "--out", out)
    assert done.returncode == 0
    assert "nothing changed" in done.stderr


def test_an_error_names_file_and_path_and_leaves_the_last_output(out, tmp_path):
    crds = tmp_path / "crds"
    shutil.copytree(CRDS, crds)
    broken = crds / "failure-classes.yaml"
    broken.write_text(
        broken.read_text().replace("type: boolean", "type: strnig").replace("a: {type: string}", "a: {type: strnig}", 1)
    )
    before = contents(out)
    done = generate("--crds", crds, "--out", out)
    assert done.returncode == 1
    assert (
        f"error: {broken}: spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.type: 'strnig'"
        in done.stderr
    )
    assert "Traceback" not in done.stderr
    assert contents(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crds", "out"]


def test_a_directory_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home/thesis.tex").write_text("years of work")
    done = generate("--crds", CRDS, "--out", tmp_path / "home")
    assert done.returncode == 1
    assert "holds files that codegen did not write" in done.stderr
    assert contents(tmp_path / "home") == {"thesis.tex": b"years of work"}


@pytest.mark.parametrize("arguments", [(), ("--check", "--watch"), ("--nonsense",), ("--rules", "/nowhere")])
def test_wrong_use_is_told_without_a_traceback(arguments):
    done = generate("--crds", CRDS, "--out", "/nowhere", *arguments) if arguments else generate()
    assert done.returncode != 0
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_the_role_has_the_name_that_was_asked_for(tmp_path):
    assert generate("--crds", CRDS, "--out", tmp_path / "out", "--name", "mine").returncode == 0
    assert "name: mine" in (tmp_path / "out/role.yaml").read_text()
