"""jinja2 over the templates of a package. A misspelt name is an error, and values in Python go through repr."""

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from zonewright.codegen import reference

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, *, templates: str = "zonewright.codegen", **values: Any) -> str:
    return environment(templates).get_template(template).render(**values)


@cache
def environment(templates: str) -> "Environment":
    # Not installed where only `zonewright envtest` is used.
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    environment = Environment(
        loader=PackageLoader(templates, "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - Python, YAML and Markdown; HTML escapes would be errors in all three
    )
    environment.filters |= {
        "anchor": anchor,
        "cell": cell,
        "fields": reference.fields,
        "json": json.dumps,
        "oneline": oneline,
        "other_sections": reference.other_sections,
        "repr": repr,
        "rules": reference.rules,
        "yaml": to_yaml,
    }
    return environment


def to_yaml(value: Any) -> str:
    return yaml.safe_dump(_plain(value), sort_keys=False, allow_unicode=True, width=100).rstrip("\n")


def _plain(value: Any) -> Any:
    """Without shared objects: PyYAML would write anchors for them."""
    return json.loads(json.dumps(value))


def oneline(text: str) -> str:
    return " ".join(text.split())


def cell(text: str) -> str:
    """Text for a Markdown table: no line ends, no bare pipes, no HTML."""
    return oneline(text).replace("|", "\\|").replace("<", "&lt;")


def anchor(heading: str) -> str:
    """The anchor that Markdown renderers make of a heading."""
    return re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-")
