"""What other people install: the contents of the wheel, and the wheel at work in an empty environment far from here."""

import email
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import zonewright
from tests.support import ROOT
from tests.support.documents import blocks, substitute
from tests.support.project import run

README = "zonewright/README.md"
INSTALL, GENERATE, TRY = blocks("zonewright/README.md", "sh")
OPERATOR, CONFTEST, TEST = blocks("zonewright/README.md", "python")
HARD_CRDS = ROOT / "tests/golden/codegen/crds"

# Not "dns" by itself: Kubernetes has DNS labels, DNS policies and names in certificates.
OF_THE_OPERATOR = re.compile(
    r"bindy|bind9|bindcar|firestoned|dns_?zone|dnsendpoint|arecord|dnspython|tsig|rndc|nsupdate"
    r"|testbed|make [a-z-]+`",
    re.IGNORECASE,
)


# --- what is in it


@dataclass(frozen=True, slots=True)
class Built:
    wheel: Path
    sdist: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    directory = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", str(directory), cwd=ROOT)
    (wheel,), (sdist,) = directory.glob("*.whl"), directory.glob("*.tar.gz")
    return Built(wheel, sdist)


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def files(built: Built) -> dict[str, bytes]:
    return contents(built.wheel)


INFO = f"zonewright-{zonewright.__version__}.dist-info"


def test_the_wheel_has_one_package(files):
    assert {name.split("/")[0] for name in files} == {"zonewright", INFO}


def test_the_wheel_has_every_file_of_the_package(files):
    """Templates, schemas and pins are read beside the module that needs them, so that nothing may be left out."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "zonewright", cwd=ROOT).split()
    assert {name for name in files if not name.startswith(INFO)} == {name for name in listed if (ROOT / name).is_file()}
    assert "zonewright/py.typed" in files


def test_the_wheel_knows_nothing_of_the_operator(files):
    found = {
        f"{name}: {match[0]}"
        for name, text in files.items()
        for match in OF_THE_OPERATOR.finditer(text.decode())
        if not name.endswith(("RECORD", "go.sum"))
    }
    assert found == set()


def test_the_metadata_is_the_frameworks(files):
    metadata = email.message_from_bytes(files[f"{INFO}/METADATA"])
    assert metadata["License-Expression"] == "Apache-2.0"
    assert files[f"{INFO}/licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])
    assert set(metadata.get_all("Provides-Extra", [])) == {"codegen", "envtest"}
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata.get_payload() == (ROOT / README).read_text()


def test_the_description_links_to_no_file_of_the_repository():
    """It is shown where there are no files beside it."""
    assert re.findall(r"\]\((?!https:)", (ROOT / README).read_text()) == []


def test_the_sdist_makes_the_same_wheel(built, files, tmp_path):
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), cwd=source)
    (wheel,) = tmp_path.glob("*.whl")
    assert contents(wheel) == files


# --- at work

far_away = [pytest.mark.slow, pytest.mark.timeout(900)]  # two environments with everything in them; pip has a cache


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment with the wheel in it and nothing of this checkout."""

    directory: Path

    def run(self, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        ours = ("PYTHON", "KUBECONFIG", "VIRTUAL_ENV")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        path = f"{self.directory / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            words, cwd=cwd, env=inherited | {"PATH": path, "COLUMNS": "500", "NO_COLOR": "1"},
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip

    def succeed(self, *words: str, cwd: Path) -> str:
        done = self.run(*words, cwd=cwd)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def shell(self, text: str, *, cwd: Path) -> str:
        return self.succeed("bash", "-euo", "pipefail", "-c", text, cwd=cwd)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as directory:  # pytest would keep the environments of three runs
        yield Path(directory)


def make_environment(name: str, elsewhere: Path) -> Environment:
    # Locked versions: what a package's newest release breaks is not for this test to find.
    locked = re.findall(r"^[\w.-]+==.*?(?= \\$)", (ROOT / "requirements/dev.txt").read_text(), re.MULTILINE)
    (elsewhere / "constraints.txt").write_text("\n".join(locked))
    run(sys.executable, "-m", "venv", str(elsewhere / name), cwd=elsewhere)
    return Environment(elsewhere / name)


PIP = "pip install --quiet --disable-pip-version-check --constraint constraints.txt"


@pytest.fixture(scope="module")
def bare(built: Built, elsewhere: Path) -> Environment:
    """Without extras."""
    environment = make_environment("bare", elsewhere)
    environment.shell(f"{PIP} {built.wheel}", cwd=elsewhere)
    return environment


@pytest.fixture(scope="module")
def full(built: Built, elsewhere: Path) -> Environment:
    """As the README says, with the tools of somebody who develops an operator."""
    environment = make_environment("full", elsewhere)
    command = substitute(INSTALL.text, {"pip install": PIP, "'zonewright": f"'{built.wheel}"})
    environment.shell(f"{command.strip()} mypy pytest", cwd=elsewhere)
    return environment


class TestWithoutExtras:
    pytestmark = far_away

    def test_the_command_says_its_version(self, bare, tmp_path):
        assert bare.succeed("zonewright", "version", cwd=tmp_path) == f"{zonewright.__version__}\n"

    def test_importing_the_package_loads_nothing_heavy(self, bare, tmp_path):
        heavy = ["dns", "jinja2", "aiohttp", "pydantic", "rich", "typer", "cryptography", "kubernetes"]
        code = f"import sys, zonewright; print([name for name in {heavy} if name in sys.modules], zonewright.__file__)"
        loaded, file = bare.succeed("python", "-c", code, cwd=tmp_path).rsplit(maxsplit=1)
        assert loaded == "[]"
        assert Path(file).is_relative_to(bare.directory)

    def test_every_public_name_is_there(self, bare, tmp_path):
        code = "import zonewright; print(len([getattr(zonewright, name) for name in zonewright.__all__]))"
        assert bare.succeed("python", "-c", code, cwd=tmp_path) == f"{len(zonewright.__all__)}\n"

    @pytest.mark.parametrize(
        ("extra", "command"),
        [
            ("codegen", f"zonewright generate --crds {HARD_CRDS} --out out"),
            ("codegen", f"zonewright generate --crds {HARD_CRDS} --out out --check"),
            ("codegen", f"zonewright generate --crds {HARD_CRDS} --out out --watch"),
            ("envtest", "zonewright envtest up -- true"),
            ("envtest", "zonewright envtest up --backend controlplane -- true"),
            ("envtest", "python -m zonewright.envtest.embedded"),
        ],
        ids=lambda value: value.replace(str(HARD_CRDS), "crds"),
    )
    def test_what_needs_an_extra_says_so_in_one_line(self, extra, command, bare, tmp_path):
        done = bare.run(*command.split(), cwd=tmp_path)
        assert done.returncode == 1
        assert len((done.stdout + done.stderr).strip().splitlines()) == 1, done.stderr
        assert f"pip install 'zonewright[{extra}]'" in done.stderr
        assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def project(full: Environment, elsewhere: Path) -> Path:
    """The operator of the README."""
    directory = elsewhere / "project"
    (directory / "crds").mkdir(parents=True)
    (crd,) = re.findall(r"```yaml\n(.*?)```", (ROOT / README).read_text(), re.DOTALL)
    (directory / "crds/widgets.yaml").write_text(crd)
    (directory / "widgets.py").write_text(OPERATOR.text)
    (directory / "conftest.py").write_text(CONFTEST.text)
    (directory / "test_widgets.py").write_text(TEST.text)
    full.shell(GENERATE.text, cwd=directory)
    return directory


IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


class TestWithExtras:
    pytestmark = far_away

    def test_every_module_finds_what_it_imports(self, full, tmp_path):
        full.succeed("python", "-c", IMPORT_EVERYTHING, "zonewright", cwd=tmp_path)

    def test_a_stranger_finds_types(self, full, project):
        assert "Success" in full.succeed("mypy", "--strict", ".", cwd=project)
        wrong = project.parent / "wrong.py"
        wrong.write_text("import zonewright\nzonewright.Request(1, 2)\n")
        assert "arg-type" in full.run("mypy", str(wrong), cwd=project.parent).stdout

    def test_the_readme_works_to_its_end(self, full, project):
        printed = full.shell(TRY.text, cwd=project)
        assert "1 passed" in printed
        assert "kube-system" in printed

    def test_hard_crds_become_a_package_that_imports_and_is_typed(self, full, tmp_path):
        full.succeed("zonewright", "generate", "--crds", str(HARD_CRDS), "--out", "output", cwd=tmp_path)
        full.succeed("python", "-c", IMPORT_EVERYTHING, "output", cwd=tmp_path)
        assert "Success" in full.succeed("mypy", "--strict", "output", cwd=tmp_path)
        written = [path.read_text() for path in (tmp_path / "output").rglob("*.[pmyj]*") if path.suffix != ".pyc"]
        assert [OF_THE_OPERATOR.findall(text) for text in written if OF_THE_OPERATOR.search(text)] == []

    @pytest.mark.controlplane
    def test_the_real_control_plane_starts(self, full, tmp_path):
        command = "zonewright envtest up --backend controlplane -- zonewright envtest get namespaces"
        assert "kube-system" in full.succeed(*command.split(), cwd=tmp_path)

    def test_the_pins_of_the_control_plane_can_be_built_from(self, full, tmp_path):
        code = "from zonewright.envtest.controlplane.build import PINS; print(*PINS.glob('*/go.*'), sep='\\n')"
        pins = [Path(line) for line in full.succeed("python", "-c", code, cwd=tmp_path).splitlines()]
        assert sorted(f"{pin.parent.name}/{pin.name}" for pin in pins) == [
            "etcd/go.mod",
            "etcd/go.sum",
            "kubernetes/go.mod",
            "kubernetes/go.sum",
        ]
