"""Builds the control plane with the Go toolchain from hack/controlplane, where go.mod and go.sum pin every module.

About eight minutes on two cores the first time, seconds when the build cache is warm. The flags are those of every
build of these programs in this project: the same flags share the cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from envtest.errors import Unavailable
from envtest.paths import KUBERNETES_VERSION, project_root


@dataclass(frozen=True, slots=True)
class Source:
    """One program: the module that pins it, its package, and what the linker writes into it."""

    program: str
    module: str
    package: str
    linker_flags: str


def _version_flags(version: str = KUBERNETES_VERSION) -> str:
    major, minor = version.split(".")[:2]
    values = {"gitVersion": f"v{version}", "gitMajor": major, "gitMinor": minor}
    packages = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
    return " ".join(f"-X {package}.{name}={value}" for package in packages for name, value in values.items())


def _kubernetes(program: str) -> Source:
    return Source(program, "kubernetes", f"k8s.io/kubernetes/cmd/{program}", f"-s -w {_version_flags()}")


SOURCES = (
    Source("etcd", "etcd", "go.etcd.io/etcd/server/v3", "-s -w"),
    _kubernetes("kube-apiserver"),
    _kubernetes("kube-controller-manager"),
    _kubernetes("kubectl"),
)


def compile_programs(directory: Path, console: Console, *, modules: Path | None = None, go: str | None = None) -> None:
    """Build every program into a directory, showing which one is being built."""
    go = go or shutil.which("go")
    if go is None:
        raise Unavailable("there is no Go toolchain to build it with (install Go 1.26 or newer)")
    modules = modules or project_root() / "hack" / "controlplane"
    for number, source in enumerate(SOURCES, start=1):
        with console.status(f"building {source.program} ({number} of {len(SOURCES)}; minutes the first time)"):
            _compile(go, source, modules / source.module, directory)
        console.print(f"built {source.program}")


def _compile(go: str, source: Source, module: Path, directory: Path) -> None:
    if not (module / "go.mod").exists():
        raise Unavailable(f"{module}/go.mod is not there: the build needs a checkout of zonewright")
    flags = ["-trimpath", "-ldflags", source.linker_flags, "-o", str(directory / source.program)]
    # CGO off: the programs run on any libc.
    environment = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false", "GOWORK": "off"}
    done = subprocess.run(
        [go, "build", *flags, source.package], cwd=module, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Unavailable(f"go build of {source.program} failed: {last}")
