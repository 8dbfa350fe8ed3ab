"""docs/reference/bindcar.md: its command starts a bindcar beside a real named, and its example makes a zone there."""

import json
import shlex
import urllib.error
import urllib.request
from pathlib import Path

from testbed.named import TsigKey
from tests.support import ROOT
from tests.support.documents import blocks, commands, environment, substitute
from zonewright.envtest import ports
from zonewright.envtest.processes import Program, Run
from zonewright.testing import eventually

(START,) = blocks("docs/reference/bindcar.md", "sh")
(CREATE,) = blocks("docs/reference/bindcar.md", "json")


def test_the_command_serves_and_the_example_makes_a_zone(named, background: Run, tmp_path: Path):
    server = named("primary", bindcar=False, other_keys=[TsigKey.create("transfer")])
    token, listen = tmp_path / "token", f"127.0.0.1:{ports.reserve()}"
    token.write_text("a token")
    (command,) = commands(START)
    changes = {
        "0.0.0.0:8080": listen,
        "/etc/bindcar/token": str(token),
        "127.0.0.1:953": f"127.0.0.1:{server.control_port}",
        "/etc/bind/rndc.key": str(server.directory / "rndc.key"),
        "/var/cache/bind": str(server.directory / "data"),
    }
    program = background.start("bindcar", shlex.split(substitute(command, changes)), cwd=ROOT, env=environment())

    create = urllib.request.Request(
        f"http://{listen}/api/v1/zones", CREATE.text.encode(), {"Authorization": "Bearer a token"}
    )
    reply = eventually(lambda: answer(program, create), what="bindcar's answer")

    assert json.loads(reply)["success"] is True
    assert "type: primary" in server.rndc("zonestatus", "example.org")
    program.stop()


def answer(program: Program, request: urllib.request.Request) -> bytes | None:
    """The reply, or None while nobody listens yet."""
    program.check()
    try:
        with urllib.request.urlopen(request, timeout=10) as reply:
            return bytes(reply.read())
    except urllib.error.HTTPError as refused:
        raise AssertionError(refused.read().decode()) from refused
    except urllib.error.URLError:
        return None
