"""Where the control plane's programs come from, and what is said when they cannot be had."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest
from rich.console import Console

from zonewright.envtest.controlplane import binaries, build
from zonewright.envtest.controlplane.binaries import Way
from zonewright.envtest.errors import Unavailable
from zonewright.envtest.paths import built_directory

Maker = Callable[[Path, Console], None]


@pytest.fixture(autouse=True)
def _no_assets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)


def quiet() -> Console:
    return Console(file=io.StringIO())


def fill(directory: Path, programs: tuple[str, ...] = binaries.PROGRAMS) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    for name in programs:
        (directory / name).write_text("#!/bin/sh\n")
        (directory / name).chmod(0o755)
    return directory


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def ways(directory: Path, *makers: Maker) -> list[Way]:
    return [Way(directory / f"way-{number}", maker) for number, maker in enumerate(makers)]


def makes(*programs: str) -> Maker:
    def maker(directory: Path, _console: Console) -> None:
        fill(directory, programs)

    return maker


def refuses(why: str) -> Maker:
    def maker(directory: Path, _console: Console) -> None:
        (directory / "half-done").touch()
        raise Unavailable(why)

    return maker


def test_the_variable_comes_before_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached = ways(tmp_path, refuses("must not be asked"))
    fill(cached[0].cache)
    assets = fill(tmp_path / "assets")
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(assets))

    assert binaries.ensure(ways=cached) == assets


def test_an_incomplete_variable_is_refused_and_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(fill(tmp_path / "assets", ("etcd", "kubectl"))))

    with pytest.raises(Unavailable, match="lacks kube-apiserver, kube-controller-manager"):
        binaries.ensure()


def test_a_plain_envtest_directory_borrows_the_controller_manager(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    lent = fill(built_directory(), ("kube-controller-manager",))
    assets = fill(tmp_path / "assets", ("etcd", "kube-apiserver", "kubectl"))
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(assets))

    found = binaries.ensure()

    assert binaries.program(found, "etcd") == assets / "etcd"
    assert binaries.program(found, "kube-controller-manager") == lent / "kube-controller-manager"


def test_a_full_cache_is_used_as_it_is_whichever_way_it_came(tmp_path: Path) -> None:
    both = ways(tmp_path, refuses("must not be asked"), refuses("nor this"))
    fill(both[1].cache)

    assert binaries.ensure(ways=both) == both[1].cache


def test_the_second_way_is_taken_when_the_first_is_closed(tmp_path: Path) -> None:
    both = ways(tmp_path, refuses("no network"), makes(*binaries.PROGRAMS))
    console = quiet()

    found = binaries.ensure(ways=both, console=console)

    assert found == both[1].cache
    assert names(found) == sorted(binaries.PROGRAMS)
    assert names(tmp_path) == [".way-0.unfinished", "lock", "way-1"]


def test_every_obstacle_is_told_in_one_line_with_the_way_out(tmp_path: Path) -> None:
    closed = ways(tmp_path / "cache", refuses("no network"), refuses("no compiler"))

    with pytest.raises(
        Unavailable, match=r"^cannot get .* because no network; no compiler\. Or set KUBEBUILDER_ASSETS"
    ):
        binaries.ensure(ways=closed, console=quiet())


def test_what_an_interruption_leaves_is_used_by_the_next_try(tmp_path: Path) -> None:
    tries: list[list[str]] = []

    def one_more(directory: Path, _console: Console) -> None:
        tries.append(names(directory))
        fill(directory, (binaries.PROGRAMS[len(tries) - 1],))
        if len(tries) < len(binaries.PROGRAMS):
            raise KeyboardInterrupt

    for _ in binaries.PROGRAMS[1:]:
        with pytest.raises(KeyboardInterrupt):
            binaries.ensure(ways=ways(tmp_path, one_more), console=quiet())

    assert binaries.missing(binaries.ensure(ways=ways(tmp_path, one_more), console=quiet())) == []
    assert [len(found) for found in tries] == [0, 1, 2, 3]
    assert names(tmp_path) == ["lock", "way-0"]


def test_a_run_waits_for_another_that_gets_the_programs_and_shares_them(tmp_path: Path) -> None:
    begun, waiting, asked_again = threading.Event(), threading.Event(), threading.Event()

    class Said(io.StringIO):
        def write(self, text: str) -> int:
            waiting.set()
            return super().write(text)

    def slow(directory: Path, _console: Console) -> None:
        begun.set()
        assert waiting.wait(60)
        asked_again.wait(0.2)  # the time that a second run would need if it did not wait
        fill(directory)

    def unneeded(directory: Path, _console: Console) -> None:
        asked_again.set()
        fill(directory)

    with ThreadPoolExecutor() as pool:
        first = pool.submit(binaries.ensure, ways=ways(tmp_path, slow), console=quiet())
        assert begun.wait(60)
        second = pool.submit(binaries.ensure, ways=ways(tmp_path, unneeded), console=Console(file=Said()))

        assert first.result() == second.result() == tmp_path / "way-0"
    assert not asked_again.is_set()


def test_what_is_installed_is_found_without_getting_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert binaries.installed() is None

    fill(built_directory())

    assert binaries.installed() == built_directory()


def test_a_way_that_makes_too_little_does_not_fill_the_cache(tmp_path: Path) -> None:
    lacking = ways(tmp_path, makes("etcd", "kube-apiserver", "kube-controller-manager"))

    with pytest.raises(Unavailable, match="kubectl did not come out of it"):
        binaries.ensure(ways=lacking, console=quiet())

    assert not lacking[0].cache.exists()


def test_an_incomplete_cache_is_made_anew(tmp_path: Path) -> None:
    one = ways(tmp_path, makes(*binaries.PROGRAMS))
    fill(one[0].cache, ("etcd",))

    assert binaries.missing(binaries.ensure(ways=one, console=quiet())) == []


def test_the_usual_ways_keep_their_versions_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    released, built = binaries.usual_ways()

    assert released.cache != built.cache
    assert released.cache.parent == built.cache.parent == tmp_path / "zonewright" / "controlplane"


def test_without_go_the_build_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(Unavailable, match="no Go toolchain"):
        build.compile_programs(tmp_path, quiet())


def test_the_build_asks_go_for_each_program_with_the_pinned_flags(tmp_path: Path) -> None:
    go, out = fake_go(
        tmp_path, 'for a; do [ "$p" = -o ] && echo "$CGO_ENABLED $PWD $*" >"$a" && chmod +x "$a"; p=$a; done'
    )

    build.compile_programs(out, quiet(), modules=modules(tmp_path), go=go)

    assert binaries.missing(out) == []
    called = (out / "kube-apiserver").read_text()
    assert called.startswith(f"0 {tmp_path}/modules/kubernetes build -v -trimpath -ldflags -s -w -X ")
    assert "gitVersion=v1.36.3" in called
    assert called.rstrip().endswith("k8s.io/kubernetes/cmd/kube-apiserver")


def test_a_build_goes_on_with_the_programs_that_are_missing(tmp_path: Path) -> None:
    go, out = fake_go(tmp_path, 'for a; do [ "$p" = -o ] && echo new >"$a" && chmod +x "$a"; p=$a; done')
    fill(out, ("etcd", "kube-apiserver"))

    build.compile_programs(out, quiet(), modules=modules(tmp_path), go=go)

    written = {name: (out / name).read_text() for name in names(out)}
    assert written["etcd"] == written["kube-apiserver"] == "#!/bin/sh\n"
    assert written["kube-controller-manager"] == written["kubectl"] == "new\n"


def test_a_build_that_fails_leaves_no_program_of_that_name(tmp_path: Path) -> None:
    go, out = fake_go(tmp_path, 'for a; do [ "$p" = -o ] && echo half >"$a" && chmod +x "$a"; p=$a; done; exit 1')

    with pytest.raises(Unavailable, match="go build of etcd failed"):
        build.compile_programs(out, quiet(), modules=modules(tmp_path), go=go)

    assert not (out / "etcd").exists()


def test_a_long_build_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "REPORT_EVERY", 0.0)
    script = 'echo one/package >&2; sleep 1; for a; do [ "$p" = -o ] && echo x >"$a" && chmod +x "$a"; p=$a; done'
    go, out = fake_go(tmp_path, script)
    fill(out, ("etcd", "kube-apiserver", "kubectl"))
    console = quiet()

    build.compile_programs(out, console, modules=modules(tmp_path), go=go)

    said = cast("io.StringIO", console.file).getvalue()
    assert "building kube-controller-manager (3 of 4" in said
    assert "1 packages compiled in" in said


def test_a_failed_build_tells_the_compilers_last_words(tmp_path: Path) -> None:
    go, out = fake_go(tmp_path, "echo noise >&2; echo 'disk full' >&2; exit 1")

    with pytest.raises(Unavailable, match="go build of etcd failed: disk full"):
        build.compile_programs(out, quiet(), modules=modules(tmp_path), go=go)


def test_a_build_without_its_pinned_modules_says_what_is_missing(tmp_path: Path) -> None:
    go, out = fake_go(tmp_path, "exit 0")

    with pytest.raises(Unavailable, match=r"etcd/go\.mod is not there: reinstall zonewright"):
        build.compile_programs(out, quiet(), modules=tmp_path / "nowhere", go=go)


def fake_go(tmp_path: Path, script: str) -> tuple[str, Path]:
    go, out = tmp_path / "go", tmp_path / "out"
    go.write_text(f"#!/bin/sh\n{script}\n")
    go.chmod(0o755)
    out.mkdir()
    return str(go), out


def modules(tmp_path: Path) -> Path:
    for name in ("etcd", "kubernetes"):
        (tmp_path / "modules" / name).mkdir(parents=True)
        (tmp_path / "modules" / name / "go.mod").touch()
    return tmp_path / "modules"
