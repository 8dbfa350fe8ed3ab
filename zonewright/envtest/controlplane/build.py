"""Builds the control plane with the Go toolchain from pins/, where go.mod and go.sum pin every module.

Minutes the first time, seconds when Go's build cache is warm. An interrupted build loses nothing that Go has compiled.
The flags are those of every build of these programs in this project: the same flags share the cache.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from zonewright.envtest.errors import Unavailable
from zonewright.envtest.paths import KUBERNETES_VERSION
from zonewright.envtest.processes import Program, Run


@dataclass(frozen=True, slots=True)
class Source:
    """One program: the module that pins it, its package, and what the linker writes into it."""

    program: str
    module: str
    package: str
    linker_flags: str
    minutes: str


# One Go module for each program: go.mod and go.sum pin every dependency.
PINS = Path(__file__).with_name("pins")

# How often a build without a terminal says that it is still at work.
REPORT_EVERY = 30.0


def _version_flags(version: str = KUBERNETES_VERSION) -> str:
    major, minor = version.split(".")[:2]
    values = {"gitVersion": f"v{version}", "gitMajor": major, "gitMinor": minor}
    packages = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
    return " ".join(f"-X {package}.{name}={value}" for package in packages for name, value in values.items())


def _kubernetes(program: str, minutes: str) -> Source:
    return Source(program, "kubernetes", f"k8s.io/kubernetes/cmd/{program}", f"-s -w {_version_flags()}", minutes)


# Minutes on two cores with an empty build cache; later programs share what the earlier ones compiled.
SOURCES = (
    Source("etcd", "etcd", "go.etcd.io/etcd/server/v3", "-s -w", "1"),
    _kubernetes("kube-apiserver", "4 to 8"),
    _kubernetes("kube-controller-manager", "1 to 2"),
    _kubernetes("kubectl", "1"),
)


def compile_programs(directory: Path, console: Console, *, modules: Path | None = None, go: str | None = None) -> None:
    """Build the programs that a directory lacks, and tell how far it is."""
    go = go or shutil.which("go")
    if go is None:
        raise Unavailable("there is no Go toolchain to build it with (install Go 1.26 or newer)")
    modules = modules or PINS
    console.print("building the control plane: 6 to 12 minutes on two cores, once for this machine; Ctrl-C is safe")
    with Run() as run:
        for number, source in enumerate(SOURCES, start=1):
            if not (directory / source.program).exists():
                title = f"{source.program} ({number} of {len(SOURCES)}, about {source.minutes} min the first time)"
                build = _start(run, go, source, modules / source.module, directory)
                _follow(build, console, title)
                _finish(build, source, directory)


def _start(run: Run, go: str, source: Source, module: Path, directory: Path) -> Program:
    if not (module / "go.mod").exists():
        raise Unavailable(f"{module}/go.mod is not there: reinstall zonewright")
    # -v names each package when it has been compiled; the log is what _follow counts.
    flags = ["-v", "-trimpath", "-ldflags", source.linker_flags, "-o", str(_unfinished(source, directory))]
    # CGO off: the programs run on any libc.
    environment = {"CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false", "GOWORK": "off"}
    return run.start(f"build-{source.program}", [go, "build", *flags, source.package], env=environment, cwd=module)


def _follow(build: Program, console: Console, title: str) -> None:
    """Wait for the end of a build: a live line on a terminal, else a line now and then."""
    begun = said = time.monotonic()
    console.print(f"building {title}", markup=False)
    with console.status("starting") as live:
        while build.running:
            time.sleep(0.1)
            now = time.monotonic()
            text = f"{build.output().count(chr(10))} packages compiled in {now - begun:.0f} s"
            live.update(text)
            if not console.is_terminal and now - said >= REPORT_EVERY:
                said = now
                console.print(text, markup=False)


def _finish(build: Program, source: Source, directory: Path) -> None:
    """Give a program its name only now: what has its name is complete."""
    if build.returncode != 0:
        raise Unavailable(f"go build of {source.program} failed: {build.output(1) or 'no message'}")
    _unfinished(source, directory).rename(directory / source.program)


def _unfinished(source: Source, directory: Path) -> Path:
    return directory / f".{source.program}"
