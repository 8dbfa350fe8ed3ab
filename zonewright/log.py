"""Structured logs: events with fields, short and coloured on a terminal, one JSON object per line anywhere else.

    log = get_logger(__name__)
    log.info("backup taken", database=name, size=size, seconds=3.2)

Fields bound with `bind` (a controller binds its name, the key and the reconcile id) are on every line of that thread,
also on those of libraries that use `logging` directly. Built on `logging`: levels, handlers and capturing in tests are
its. It knows nothing of controllers.
"""

import contextlib
import contextvars
import datetime as dt
import json
import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import IO, Any, Literal

Format = Literal["auto", "human", "json"]

_NOTHING: Mapping[str, object] = MappingProxyType({})
_bound: contextvars.ContextVar[Mapping[str, object]] = contextvars.ContextVar("bound", default=_NOTHING)

# A last line of defence: secrets have no repr of their own and are not to be logged in the first place.
_SECRET_NAME = re.compile(r"(?i)(^|[_-])(token|secret|password|passwd|authorization|credentials?|private_?key)$")
_SECRET_TEXT = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}")
_HIDDEN = "[hidden]"


class Logger:
    """What the code logs with: a sentence without values in it, and the values as fields."""

    __slots__ = ("_logger",)

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger

    def debug(self, event: str, **fields: object) -> None:
        """For people who debug."""
        self._log(logging.DEBUG, event, fields)

    def info(self, event: str, **fields: object) -> None:
        """What an operator wants to see in a healthy process."""
        self._log(logging.INFO, event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Something is wrong that will be retried."""
        self._log(logging.WARNING, event, fields)

    def error(self, event: str, *, exc_info: BaseException | None = None, **fields: object) -> None:
        """With `exc_info` the traceback is part of the line."""
        self._log(logging.ERROR, event, fields, exc_info)

    def _log(self, level: int, event: str, fields: Mapping[str, object], error: BaseException | None = None) -> None:
        if self._logger.isEnabledFor(level):
            # stacklevel 3 is whoever called debug, info, ...
            self._logger.log(level, "%s", event, extra={"fields": fields}, exc_info=error, stacklevel=3)


def get_logger(name: str) -> Logger:
    """A logger that takes fields: `log.info("database created", database=name)`."""
    return Logger(logging.getLogger(name))


@contextlib.contextmanager
def bind(**fields: object) -> Iterator[None]:
    """On every line logged inside, in this thread."""
    token = begin(**{**_bound.get(), **fields})
    try:
        yield
    finally:
        end(token)


def begin(**fields: object) -> contextvars.Token[Mapping[str, object]]:
    """As `bind`, for a hot path, and in place of what was bound; `end` takes what this returns."""
    return _bound.set(fields)


def end(token: contextvars.Token[Mapping[str, object]]) -> None:
    _bound.reset(token)


def bound() -> Mapping[str, object]:
    """The fields that are bound in this context: controller, key, reconcile id."""
    return _bound.get()


def setup_logging(format: Format = "auto", level: str = "info", stream: IO[str] | None = None) -> None:  # noqa: A002 - the option's name
    """Every log line of the process goes to `stream` (standard error). "auto" is human on a terminal, else JSON."""
    stream = stream or sys.stderr
    human = format == "human" or (format == "auto" and stream.isatty())
    handler = logging.StreamHandler(stream)
    handler.setFormatter(HumanFormatter(colour=_wants_colour(stream)) if human else JsonFormatter())
    root = logging.getLogger()
    for other in root.handlers[:]:
        root.removeHandler(other)
    root.addHandler(handler)
    root.setLevel(level.upper())
    # urllib3 tells of every connection it opens and every retry; what matters of that is ours to say.
    logging.getLogger("urllib3").setLevel(max(logging.WARNING, root.level))


def _wants_colour(stream: IO[str]) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ


def fields_of(record: logging.LogRecord) -> dict[str, object]:
    """What was bound and what was given, secrets hidden."""
    fields = {**_bound.get(), **getattr(record, "fields", _NOTHING)}
    return {name: _HIDDEN if _SECRET_NAME.search(name) else value for name, value in fields.items()}


def without_secrets(text: str) -> str:
    """The text with credentials hidden, as far as they look like some."""
    return _SECRET_TEXT.sub(rf"\1 {_HIDDEN}", text)


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = dt.datetime.fromtimestamp(record.created, dt.UTC)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **{name: _jsonable(value) for name, value in fields_of(record).items()},
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return without_secrets(json.dumps(line, ensure_ascii=False, default=str))


def _jsonable(value: object) -> object:
    """Numbers and strings as they are; keys, names and whatever else as people write them."""
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, list | dict | frozenset | set) or type(value) is tuple:
        return sorted(map(str, value)) if isinstance(value, frozenset | set) else value
    return str(value)


class HumanFormatter(logging.Formatter):
    """`05:04:19 WARN  reconcile failed                      widget default/large  error="..." retry=3`"""

    LEVELS: Mapping[int, tuple[str, str]] = MappingProxyType(
        {
            logging.DEBUG: ("DEBUG", "2"),
            logging.INFO: ("INFO", "32"),
            logging.WARNING: ("WARN", "33"),
            logging.ERROR: ("ERROR", "31"),
        }
    )
    # On a terminal these are recognised by their place; the reconcile id is for searching, so it goes last.
    SUBJECT = ("controller", "key")
    LAST = "reconcile"

    def __init__(self, *, colour: bool) -> None:
        super().__init__()
        self._colour = colour

    def format(self, record: logging.LogRecord) -> str:
        fields = fields_of(record)
        moment = dt.datetime.fromtimestamp(record.created).astimezone()
        word, code = self.LEVELS.get(record.levelno, (record.levelname, "35"))
        subject = " ".join(str(fields.pop(name)) for name in self.SUBJECT if name in fields)
        last = {self.LAST: fields.pop(self.LAST)} if self.LAST in fields else {}
        parts = [
            self._paint(f"{moment:%H:%M:%S}", "2"),
            self._paint(f"{word:<5}", code),
            f"{record.getMessage():<36}",
            self._paint(subject, "36"),
            *(f"{self._paint(name + '=', '2')}{_quoted(value)}" for name, value in {**fields, **last}.items()),
        ]
        text = " ".join(part for part in parts if part).rstrip()
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return without_secrets(text)

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour and text else text


def _quoted(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if not text or any(c in text for c in ' "\n=') else text
