"""`--watch`: every save is followed, however the editor writes it; a broken CRD costs nothing but a message."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support import ROOT
from zonewright.testing import eventually

GOOD = (ROOT / "config/crd/arecords.yaml").read_text()
PATIENCE = 120.0


class Watcher:
    """The process, and what it has said so far."""

    def __init__(self, crds: Path, out: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zonewright", "generate", "--crds", str(crds), "--out", str(out), "--watch"],
            cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        self.lines: list[str] = []
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            with self._news:
                self.lines.append(line)
                self._news.notify_all()

    def said(self, text: str) -> bool:
        """Waits until it has said something."""
        with self._news:
            return self._news.wait_for(lambda: any(text in line for line in self.lines), timeout=PATIENCE)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        return code

    def close(self) -> None:
        self.process.kill()
        self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        assert self.process.stderr
        self.process.stderr.close()


@pytest.fixture
def watched(tmp_path):
    crds, out = tmp_path / "crds", tmp_path / "out"
    (crds / "sub").mkdir(parents=True)
    (crds / "sub/arecords.yaml").write_text(GOOD)
    watcher = Watcher(crds, out)
    try:
        assert watcher.said("generated 1 CRDs"), watcher.lines
        yield watcher, crds / "sub/arecords.yaml", out
    finally:
        watcher.close()


def save(file, text):
    """By atomic rename, as many editors do."""
    beside = file.with_suffix(".tmp")
    beside.write_text(text)
    beside.rename(file)


def test_saves_are_followed_and_broken_crds_cost_nothing(watched):
    watcher, file, out = watched
    model = out / "bindy_firestoned_io_v1beta1/arecord.py"

    # In place, in a sub-directory. On a slow machine one save may be two changes, so what counts is the outcome.
    file.write_text(GOOD.replace("ipv4Address:", "oldAddress:"))
    eventually(lambda: "old_address" in model.read_text(), ignoring=OSError, what=lambda: watcher.lines)

    # Half a file, and a type that does not exist: the last good output stays.
    for broken, message in (
        (GOOD[:3000] + "\n  x: [", "not valid YAML"),
        (GOOD.replace("type: integer", "type: int"), "'int' is not one of"),
    ):
        save(file, broken)
        assert watcher.said(message), watcher.lines
        assert "old_address" in model.read_text()

    save(file, GOOD)
    eventually(lambda: "ipv4_address:" in model.read_text(), ignoring=OSError, what=lambda: watcher.lines)

    # A new file, and its removal.
    another = out / "bindy_firestoned_io_v1beta1/mxrecord.py"
    shutil.copy(ROOT / "config/crd/mxrecords.yaml", file.parent)
    eventually(another.exists, what=lambda: watcher.lines)
    (file.parent / "mxrecords.yaml").unlink()
    eventually(lambda: not another.exists(), what=lambda: watcher.lines)

    assert watcher.stop() == 0, watcher.lines
    assert not any("Traceback" in line for line in watcher.lines)
