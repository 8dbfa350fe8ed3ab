"""One BIND server with a bindcar beside it, as a pod has them: started, disturbed and stopped by a test.

Both are programs of a `Run`, so nothing is left behind. A server answers on `address`:`port` before start() returns:
`named` with a wrong address would run and listen nowhere.
"""

from __future__ import annotations

import importlib.util
import re
import secrets
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

import dns.exception
import dns.message
import dns.query

from testbed.named.configuration import ACL, Configuration, program
from testbed.named.keys import TsigKey
from testbed.named.relay import Cut, Relay, Route
from zonewright.envtest import ports
from zonewright.envtest.processes import Program, Run

ROOT = Path(__file__).resolve().parents[2]  # where bindcar is imported from
ADDRESS = "127.0.0.1"
PATIENCE = 30.0


class NameServer:
    """A BIND server on loopback."""

    address = ADDRESS

    def __init__(
        self,
        run: Run,
        *,
        role: str = "primary",
        name: str | None = None,
        key: TsigKey | None = None,
        other_keys: Sequence[TsigKey] = (),
        cuttable: bool = False,
        bindcar: bool | None = None,
        options: str = "",
    ) -> None:
        """Choose ports and keys; nothing runs yet.

        `key` signs updates and transfers; servers that transfer from each other share it or have it in `other_keys`.
        `cuttable` puts a relay in front, which costs a little speed. `bindcar` defaults to whether it is installed.
        `options` goes verbatim into named's options.
        """
        self.role = role
        self.name = name or f"{role}-{secrets.token_hex(3)}"
        self.key = key or TsigKey.create("zonewright")
        self.token = secrets.token_hex(16)
        self.port = ports.reserve()
        self.control_port = ports.reserve()
        self.directory = run.directory / self.name
        self.named: Program | None = None
        self.bindcar: Program | None = None
        self._run = run
        self._keys = (self.key, *other_keys)
        self._options = options
        self._named_port = ports.reserve() if cuttable else self.port
        self._with_bindcar = importlib.util.find_spec("bindcar.__main__") is not None if bindcar is None else bindcar
        self.bindcar_port = ports.reserve() if self._with_bindcar else 0
        self._bindcar_listen = ports.reserve() if self._with_bindcar and cuttable else self.bindcar_port
        self._relay = self._make_relay() if cuttable else None

    def _make_relay(self) -> Relay:
        routes = [Route(self.port, self._named_port)]
        if self._with_bindcar:
            routes.append(Route(self.bindcar_port, self._bindcar_listen, udp=False))
        return Relay(routes)

    @property
    def bindcar_url(self) -> str | None:
        """Return bindcar's address, None when it does not run."""
        return f"http://{ADDRESS}:{self.bindcar_port}" if self._with_bindcar else None

    @property
    def key_file(self) -> Path:
        """Return a file for `nsupdate -k` and `dig -k`."""
        return self.directory / f"{self.key.name}.key"

    def start(self, *, wait: bool = True) -> None:
        """Write the configuration and start; return when the server answers, or at once and wait_ready() later."""
        self._write_configuration()
        if self._relay is not None:
            self._relay.start()
        self._start_programs()
        if wait:
            self.wait_ready()

    def _write_configuration(self) -> None:
        (self.directory / "data").mkdir(parents=True)
        configuration = Configuration(
            self.directory, self._keys, port=self._named_port, control_port=self.control_port, options=self._options
        )
        configuration.write()

    def _start_programs(self) -> None:
        # -n 1: one worker thread; a test has many servers and few processors.
        command = [program("named"), "-f", "-n", "1", "-c", str(self.directory / "named.conf")]
        self.named = self._run.start(self.name, command)
        if self._with_bindcar:
            self.bindcar = self._start_bindcar()

    def _start_bindcar(self) -> Program:
        token_file = self.directory / "token"
        token_file.touch(mode=0o600)
        token_file.write_text(self.token)
        command = [sys.executable, "-m", "bindcar", "--listen", f"{ADDRESS}:{self._bindcar_listen}"]
        command += ["--rndc", f"{ADDRESS}:{self.control_port}", "--rndc-key", str(self.directory / "rndc.key")]
        command += ["--zones-dir", str(self.directory / "data"), "--token-file", str(token_file)]
        return self._run.start(f"{self.name}-bindcar", command, env={"PYTHONPATH": str(ROOT)})

    def wait_ready(self) -> None:
        """Wait until `named`, and bindcar where there is one, answers."""
        self._until(self._named_answers)
        if self._with_bindcar:
            self._until(self._bindcar_answers)

    def _named_answers(self) -> bool:
        # Any answer will do, REFUSED included: it comes from a server that reads its port.
        question = dns.message.make_query(".", "SOA")
        try:
            # TCP first: until it listens it refuses at once, where UDP would only time out.
            dns.query.tcp(question, ADDRESS, port=self._named_port, timeout=1)
            dns.query.udp(question, ADDRESS, port=self._named_port, timeout=1)
        except (OSError, dns.exception.DNSException):
            return False
        return True

    def _bindcar_answers(self) -> bool:
        # Its readiness asks `named` over the control channel, so that works too.
        try:
            with urllib.request.urlopen(f"http://{ADDRESS}:{self._bindcar_listen}/ready", timeout=5) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False

    def _until(self, condition: Callable[[], bool], otherwise: str = "does not answer") -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            for each in self._programs():
                each.check()
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.name} {otherwise} after {PATIENCE:g} s:\n{self.log()}")
            time.sleep(0.02)

    def _programs(self) -> list[Program]:
        return [each for each in (self.named, self.bindcar) if each is not None]

    def log(self, lines: int = 20) -> str:
        """Return the end of what the programs said."""
        return "\n".join(each.output(lines) for each in self._programs())

    def kill(self) -> None:
        """End both programs at once, as when a node dies."""
        for each in self._programs():
            each.kill()

    def stop(self) -> None:
        """End both programs in order: `named` saves its zones."""
        self._run.stop([each for each in self._programs() if each.running])

    def restart(self, *, empty: bool = False) -> None:
        """Kill and start again, with the zones it had, or as a new pod that has none."""
        self.kill()
        if empty:
            shutil.rmtree(self.directory / "data")
            (self.directory / "data").mkdir()
        self._start_programs()
        self.wait_ready()

    def pause(self) -> None:
        """Freeze both programs: connections are accepted by the kernel and nobody answers."""
        for each in self._programs():
            each.signal(signal.SIGSTOP)
        self._until(lambda: all(each.paused for each in self._programs()), "is not paused")

    def resume(self) -> None:
        """Let them go on."""
        for each in self._programs():
            each.signal(signal.SIGCONT)

    def cut(self, how: Cut = Cut.SILENT) -> None:
        """Cut the network between this server and everybody; needs cuttable=True."""
        self._cuttable().cut(how)

    def restore(self) -> None:
        """Mend the network."""
        self._cuttable().restore()

    def _cuttable(self) -> Relay:
        if self._relay is None:
            raise ValueError(f"{self.name} has no relay in front: make it with cuttable=True")
        return self._relay

    def close(self) -> None:
        """End everything and give the ports back; the directory goes with the run."""
        for each in self._programs():
            each.kill()
        if self._relay is not None:
            self._relay.close()
        for port in {self.port, self.control_port, self._named_port, self.bindcar_port, self._bindcar_listen}:
            ports.release(port)

    def rndc(self, *args: str) -> str:
        """Run an rndc command and return what it prints."""
        server = ["-s", ADDRESS, "-p", str(self.control_port), "-k", str(self.directory / "rndc.key")]
        done = subprocess.run([program("rndc"), *server, *args], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"rndc {' '.join(args)}: {done.stderr.strip()}")
        return done.stdout

    def received(self, what: str) -> int:
        """Return how many requests with an opcode (UPDATE) or queries for a type (SOA) it has had, by its own count."""
        self.rndc("stats")
        dump = (self.directory / "data" / "named.stats").read_text().rpartition("+++ Statistics Dump")[2]
        found = re.search(rf"^\s*(\d+) {what}$", dump.partition("++ Outgoing")[0], re.MULTILINE)
        return int(found[1]) if found else 0

    def add_zone(self, zone: str, records: str = "", *, serial: int = 1, primaries: Sequence[NameServer] = ()) -> None:
        """Make a zone without bindcar: on a primary from master-file lines, on a secondary from its primaries."""
        if primaries:
            sources = " ".join(f'{each.address} port {each.port} key "{each.key.name}";' for each in primaries)
            self.rndc("addzone", zone, f'{{ type secondary; file "{_file(zone)}"; primaries {{ {sources} }}; }};')
            return
        soa = f"$ORIGIN {zone.rstrip('.')}.\n$TTL 300\n@ SOA ns1 hostmaster {serial} 3600 600 86400 300\n"
        content = f"{soa}@ NS ns1\nns1 A 192.0.2.53\n{records}\n"
        (self.directory / "data" / _file(zone)).write_text(content)
        self.rndc("addzone", zone, f'{{ type primary; file "{_file(zone)}"; allow-update {{ "{ACL}"; }}; }};')

    def delete_zone(self, zone: str) -> None:
        """Remove a zone and its files, so that it can be made again at once.

        `rndc delzone` answers before `named` has removed the files: a new zone's file would go with them.
        """
        self.rndc("delzone", "-clean", zone)
        self._until(lambda: not list((self.directory / "data").glob(f"{_file(zone)}*")), f"still has files of {zone}")


def _file(zone: str) -> str:
    return f"{zone.rstrip('.').replace('/', '_')}.zone"
