"""Log lines: JSON for machines, short for people, bound fields on each, and never a secret."""

import io
import json
import logging
import threading

import pytest

from zonewright import log
from zonewright.api.kind import Request


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def restored():
    """The root logger is everybody's: put back what a test sets up."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def lines(stream: io.StringIO) -> list[dict]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_json_lines_hold_the_event_and_its_fields():
    stream = io.StringIO()
    log.setup_logging("auto", "info", stream)
    log.get_logger("test").info("update applied", zone="example.org", serial=7, key=Request("dns", "z"), odd={"b", "a"})
    (line,) = lines(stream)
    assert line["time"].endswith("Z")
    assert {name: line[name] for name in ("level", "logger", "event", "zone", "serial", "key", "odd")} == {
        "level": "info", "logger": "test", "event": "update applied", "zone": "example.org", "serial": 7,
        "key": "dns/z", "odd": ["a", "b"],
    }  # fmt: skip


def test_the_level_decides_what_is_written():
    stream = io.StringIO()
    log.setup_logging("json", "warning", stream)
    logger = log.get_logger("test")
    logger.debug("no")
    logger.info("no")
    logger.warning("yes")
    logger.error("yes too", error=None, parts=[1], pair=(1, 2))
    assert [line["event"] for line in lines(stream)] == ["yes", "yes too"]


def test_bound_fields_are_on_every_line_also_on_those_of_libraries():
    stream = io.StringIO()
    log.setup_logging("json", "info", stream)
    with log.bind(controller="zones"), log.bind(reconcile="1-1"):
        log.get_logger("test").info("ours")
        logging.getLogger("library").warning("theirs %d", 5)
    log.get_logger("test").info("after")
    ours, theirs, after = lines(stream)
    assert ours["reconcile"] == theirs["reconcile"] == "1-1"
    assert theirs["event"] == "theirs 5"
    assert theirs["controller"] == "zones"
    assert "controller" not in after


def test_threads_do_not_share_what_is_bound():
    seen = []
    thread = threading.Thread(target=lambda: seen.append(dict(log.bound())))
    with log.bind(controller="zones"):
        thread.start()
        thread.join()
    assert seen == [{}]


def test_an_exception_comes_with_its_traceback():
    for format_ in ("json", "human"):
        stream = io.StringIO()
        log.setup_logging(format_, "info", stream)
        with pytest.raises(KeyError) as caught:
            {"metadata": 1}["spec"]
        log.get_logger("test").error("reconcile failed", exc_info=caught.value)
        assert "Traceback" in stream.getvalue()


def test_people_get_short_lines_with_colour_on_a_terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Terminal()
    log.setup_logging("auto", "info", stream)
    with log.bind(controller="zones", key=Request("dns", "z"), reconcile="a1-7"):
        log.get_logger("test").warning("reconcile failed", error="no route", retry_in=0.0051234)
    text = stream.getvalue()
    assert "\x1b[33mWARN " in text
    assert "\x1b[36mzones dns/z\x1b[0m" in text
    assert text.index("error=") < text.index("reconcile="), "the id is for searching: it goes last"
    assert '"no route"' in text
    assert "0.00512" in text


def test_no_colour_where_nobody_wants_it(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Terminal()
    log.setup_logging("auto", "info", stream)
    log.get_logger("test").info("plain", empty="")
    logging.getLogger("test").critical("odd level")
    assert "\x1b" not in stream.getvalue()
    assert 'empty=""' in stream.getvalue()
    assert "CRITICAL" in stream.getvalue()


SECRETS = {
    "a token field": {"token": "s3cr3t"},
    "a secret field with a prefix": {"tsig_secret": "s3cr3t"},
    "an authorization field": {"authorization": "s3cr3t"},
    "a bearer token in a text": {"error": "sent Bearer s3cr3tabcdef to the server"},
}


@pytest.mark.parametrize("fields", SECRETS.values(), ids=SECRETS.keys())
@pytest.mark.parametrize("format_", ["json", "human"])
def test_secrets_are_never_printed(fields, format_):
    stream = io.StringIO()
    log.setup_logging(format_, "info", stream)
    log.get_logger("test").info("request sent", **fields)
    assert "s3cr3t" not in stream.getvalue()
    assert "[hidden]" in stream.getvalue()
