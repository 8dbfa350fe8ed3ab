"""A released control plane is downloaded whole and checked, or not used at all."""

from __future__ import annotations

import hashlib
import io
import random
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from rich.console import Console

from zonewright.envtest.controlplane import binaries, download
from zonewright.envtest.controlplane.download import Release
from zonewright.envtest.errors import Unavailable

PLATFORM = "linux-amd64"


class Quiet(SimpleHTTPRequestHandler):
    """Knows ranges, which the base class does not: as the servers of the releases do."""

    asked: ClassVar[list[tuple[str, str]]] = []  # path and range of each request
    break_off = False  # in the middle of the next long reply

    def do_GET(self) -> None:
        wanted = self.headers.get("Range", "")
        self.asked.append((self.path.rpartition("/")[2], wanted))
        content = Path(self.translate_path(self.path))
        start = int(wanted.removeprefix("bytes=").rstrip("-") or 0)
        if not content.is_file():
            self.send_error(404)
        elif start and start >= content.stat().st_size:
            self.send_error(416)
        else:
            self._send(content.read_bytes()[start:], partial=bool(wanted))

    def _send(self, content: bytes, *, partial: bool) -> None:
        self.send_response(206 if partial else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        breaks = Quiet.break_off and len(content) > 200
        Quiet.break_off = Quiet.break_off and not breaks
        self.wfile.write(content[:100] if breaks else content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class calls it so)
        pass


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    files = tmp_path / "mirror"
    files.mkdir()
    Quiet.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(files))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield files, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def archive(**programs: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, content in programs.items():
            member = tarfile.TarInfo(f"controller-tools/envtest/{name.replace('_', '-')}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content.encode()))
    return buffer.getvalue()


def publish(mirror: tuple[Path, str], content: bytes, *, manager: bytes = b"manager", manager_sum: str = "") -> Release:
    """Put a release on the mirror the way the two projects publish theirs."""
    files, url = mirror
    put(files / "envtest-v1.2.3" / f"envtest-v1.2.3-{PLATFORM}.tar.gz", content)
    program = files / "v1.2.3" / "bin" / "linux" / "amd64" / "kube-controller-manager"
    put(program, manager)
    put(program.with_suffix(".sha512"), (manager_sum or hashlib.sha512(manager).hexdigest()).encode())
    return Release("1.2.3", archives=url, programs=url, sha512={PLATFORM: hashlib.sha512(content).hexdigest()})


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def fetch(directory: Path, release: Release, platform: str = PLATFORM) -> None:
    directory.mkdir(exist_ok=True)
    download.fetch(directory, Console(file=io.StringIO()), release=release, platform=platform)


def test_all_programs_of_a_release_arrive_and_can_be_run(mirror: tuple[Path, str], tmp_path: Path) -> None:
    release = publish(mirror, archive(etcd="e", kube_apiserver="a", kubectl="k"))

    fetch(tmp_path / "programs", release)

    assert binaries.missing(tmp_path / "programs") == []
    assert (tmp_path / "programs" / "kube-apiserver").read_text() == "a"
    assert (tmp_path / "programs" / "kube-controller-manager").read_text() == "manager"


def test_a_download_that_broke_off_goes_on_where_it_stopped(mirror: tuple[Path, str], tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(1000).hex()  # does not compress
    release = publish(mirror, archive(etcd=noise, kube_apiserver="a", kubectl="k"))
    Quiet.break_off = True
    with pytest.raises(Unavailable, match=r"broke off with .* bytes to go: run the same command again"):
        fetch(tmp_path / "programs", release)

    fetch(tmp_path / "programs", release)

    assert (tmp_path / "programs" / "etcd").read_text() == noise
    assert [wanted for name, wanted in Quiet.asked if name.endswith("tar.gz")] == ["", "bytes=100-"]


def test_a_second_try_asks_only_for_what_the_first_did_not_get(mirror: tuple[Path, str], tmp_path: Path) -> None:
    release = publish(mirror, archive(etcd="e", kube_apiserver="a", kubectl="k"), manager_sum="0" * 128)
    with pytest.raises(Unavailable, match="wrong checksum"):
        fetch(tmp_path / "programs", release)
    good = publish(mirror, archive(etcd="e", kube_apiserver="a", kubectl="k"))

    fetch(tmp_path / "programs", good)

    assert len([name for name, _ in Quiet.asked if name.endswith("tar.gz")]) == 1


def test_what_was_complete_but_unchecked_is_checked_after_all(mirror: tuple[Path, str], tmp_path: Path) -> None:
    content = archive(etcd="e", kube_apiserver="a", kubectl="k")
    put(tmp_path / "programs" / f".envtest-v1.2.3-{PLATFORM}.tar.gz.part", content)

    fetch(tmp_path / "programs", publish(mirror, content))

    assert binaries.missing(tmp_path / "programs") == []


def test_a_changed_archive_is_not_unpacked(mirror: tuple[Path, str], tmp_path: Path) -> None:
    release = publish(mirror, archive(etcd="e"))
    put(mirror[0] / "envtest-v1.2.3" / f"envtest-v1.2.3-{PLATFORM}.tar.gz", archive(etcd="evil"))

    with pytest.raises(Unavailable, match="wrong checksum"):
        fetch(tmp_path / "programs", release)

    assert list((tmp_path / "programs").iterdir()) == []


def test_a_download_without_an_end_is_given_up(
    mirror: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "LARGEST", 100)
    release = publish(mirror, archive(etcd="e", kube_apiserver="a", kubectl="k"))

    with pytest.raises(Unavailable, match=r"tar\.gz has more than .* MiB: not used"):
        fetch(tmp_path / "programs", release)


def test_a_program_that_was_unpacked_in_part_cannot_be_run(mirror: tuple[Path, str], tmp_path: Path) -> None:
    whole = archive(etcd=random.Random(1).randbytes(100_000).hex())

    with pytest.raises(Unavailable, match="cannot be unpacked"):
        fetch(tmp_path / "programs", publish(mirror, whole[: len(whole) // 2]))

    assert (tmp_path / "programs" / "etcd").exists()
    assert "etcd" in binaries.missing(tmp_path / "programs")


def test_a_changed_controller_manager_is_not_used(mirror: tuple[Path, str], tmp_path: Path) -> None:
    release = publish(mirror, archive(etcd="e"), manager_sum="0" * 128)

    with pytest.raises(Unavailable, match="kube-controller-manager has the wrong checksum"):
        fetch(tmp_path / "programs", release)


def test_a_release_that_is_not_there_is_one_line(mirror: tuple[Path, str], tmp_path: Path) -> None:
    release = Release("9.9.9", archives=mirror[1], programs=mirror[1], sha512={PLATFORM: "0"})

    with pytest.raises(Unavailable, match=r"envtest-v9\.9\.9-linux-amd64\.tar\.gz cannot be downloaded \(Not Found\)"):
        fetch(tmp_path / "programs", release)


def test_an_unknown_platform_is_not_even_asked_for(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="no release of it is known for plan9-mips"):
        fetch(tmp_path / "programs", download.RELEASE, platform="plan9-mips")


def test_paths_inside_an_archive_are_never_followed(mirror: tuple[Path, str], tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        member = tarfile.TarInfo("../../escaped")
        member.size = 1
        tar.addfile(member, io.BytesIO(b"x"))

    fetch(tmp_path / "programs", publish(mirror, buffer.getvalue()))

    assert (tmp_path / "programs" / "escaped").exists()
    assert not (tmp_path.parent / "escaped").exists()
