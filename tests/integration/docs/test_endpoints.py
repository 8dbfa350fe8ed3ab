"""docs/concepts/endpoints.md: its example is served, its blocks of Python run beside it, its tables say what is so."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from hack.markdown import parse
from testbed.stage import SAMPLES, Stage, stage
from tests.support import ROOT
from tests.support.documents import blocks, execute
from zonewright import NotFound, find_condition
from zonewright.testing import eventually

PAGE = "docs/concepts/endpoints.md"
EXTEND, REPORT, HELPERS = blocks("docs/concepts/endpoints.md", "python")
TEXT = (ROOT / PAGE).read_text()
(EXAMPLE,) = [block for block in parse(PAGE, TEXT).blocks if block.language == "yaml"]


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """An API and a server of its own: the operator of other tests would have the same objects."""
    with stage("embedded", secondaries=0) as running:
        monkeypatch.setenv("KUBECONFIG", str(running.cluster.kubeconfig))
        running.install_crds()
        running.cluster.apply(SAMPLES / "00-namespace.yaml")
        running.register_servers("dns-system")
        running.cluster.apply(SAMPLES / "10-zones.yaml")
        yield running


def condition(running: Stage, kind: str) -> tuple[str, str]:
    status = running.object("dnsendpoints", "shop", "dns-system").get("status") or {}
    found = find_condition(status.get("conditions"), kind) or {}
    return found.get("status", ""), found.get("message", "")


def test_extenders_hear_of_changes_and_report_what_they_know(running: Stage, capsys: pytest.CaptureFixture[str]):
    made = execute(EXTEND)
    parts, shown = made["parts"], []
    try:
        running.cluster.apply(EXAMPLE.text)
        eventually(lambda: condition(running, "Ready")[0] == "True", what="Ready")
        (server,) = running.primaries
        assert running.ask(server, "shop.example.org", "A") == {"192.0.2.80", "192.0.2.81"}

        def told() -> bool:
            shown.append(capsys.readouterr().out)
            return "pay.example.org CNAME True Successfully synced DNS records" in "".join(shown)

        eventually(told, what="the callback")
        assert "Successfully synced DNS records ['dns-system/shop']" in "".join(shown)

        execute(REPORT, parts=parts)
        failed = ("False", "the smoke test of shop.example.org failed")
        eventually(lambda: condition(running, "Synced") == failed, what="the report")
        assert condition(running, "Ready")[0] == "True"
        with pytest.raises(NotFound, match="dns-system/nobody"):
            parts.crd_source.update_dnsendpoint_status("dns-system", "nobody", True, "")
    finally:
        parts.manager.stop()


def test_the_helpers_return_a_new_status():
    status = execute(HELPERS)["status"]
    assert (find_condition(status["conditions"], "Synced") or {})["message"] == "primary-0: REFUSED"
    assert status["lastSyncTime"]


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    section = re.split(rf"^#+ {heading}$", TEXT, flags=re.MULTILINE)[1]
    table = [line for line in section.split("\n#")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controllers", *words]
    settings = {**os.environ, "COLUMNS": "400", "NO_COLOR": "1"}
    return subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=60, check=False)


# What the operator needs without endpoints, too.
OTHERS = {
    *("cluster-name", "kubeconfig", "context", "namespace", "workers", "operations", "poll-interval", "leader-elect"),
    *("lease-namespace", "http", "drain-seconds", "reach", "dry-run", "log-format", "log-level", "help"),
}


def test_every_flag_is_in_the_table_with_its_variable_and_its_default():
    shown = re.sub(r"\n {12,}", " ", run("run", "--help").stdout)  # one line a flag
    flags = {found[1]: found[0] for found in re.finditer(r"^  --([a-z0-9-]+).*$", shown, re.MULTILINE)}
    table = {flag.strip("`").removeprefix("--"): (env.strip("`"), default) for flag, env, default, _ in rows("Flags")}
    assert table.keys() == flags.keys() - OTHERS
    for name, (variable, default) in table.items():
        assert variable == f"ZONEWRIGHT_{name.upper().replace('-', '_')}"
        assert f"env var: {variable}" in flags[name]
        said = re.search(rf"{variable}; default: ([^]]+)\]", flags[name])
        if said is None:
            assert default in {"", "all", "`crd`"}, "no default, or none that typer knows"
        else:
            assert default == {f"no-{name}": "off", name: "on"}.get(said[1], f"`{said[1]}`")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--source=gateway-httproute"], "Gateway API routes are not supported yet"),
        (["--txt-encrypt-enabled"], "not supported yet"),
        (["--txt-encrypt-aes-key=x"], "not supported yet"),
        (["--provider=webhook"], "No such option: --provider"),
        (["--label-filter=x"], "No such option: --label-filter"),
    ],
)
def test_what_is_not_built_is_refused(words: list[str], told: str):
    done = run("--cluster-name", "test", *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert words[0].split("=")[0] in TEXT


FILES = [file for part in ("controllers", "reconcilers", "zonewright") for file in (ROOT / part).rglob("*.py")]
SOURCES = "".join(file.read_text() for file in FILES)


@pytest.mark.parametrize("row", rows("Metrics"), ids=lambda row: row[0])
def test_every_metric_is_there(row: list[str]):
    assert f'"{row[0].strip("`").partition("{")[0]}"' in SOURCES


def test_every_metric_of_endpoints_is_in_the_table():
    code = [
        ROOT / "reconcilers/endpoint.py",
        ROOT / "reconcilers/source.py",
        *(ROOT / "reconcilers/endpoints").iterdir(),
    ]
    names = {name for file in code if file.is_file() for name in re.findall(r'"(zonewright_\w+)"', file.read_text())}
    assert names - {row[0].strip("`").partition("{")[0] for row in rows("Metrics")} == set()


@pytest.mark.parametrize("row", rows("Annotations"), ids=lambda row: row[0])
def test_every_annotation_is_read(row: list[str]):
    assert f'"{row[0].strip("`")}"' in SOURCES


@pytest.mark.parametrize("row", rows("Events"), ids=lambda row: row[0])
def test_every_event_is_there(row: list[str]):
    assert f'"{row[0].strip("`")}"' in SOURCES


@pytest.mark.parametrize("row", rows("Log lines"), ids=lambda row: row[0])
def test_every_log_line_is_there(row: list[str]):
    words = re.split(r" N | ns/name|=true", row[0].strip("`"))[0]
    assert words in SOURCES
