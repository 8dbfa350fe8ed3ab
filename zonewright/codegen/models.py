"""Definitions -> Python classes, by datamodel-code-generator as a library. No templates of its own are replaced.

Knows the options that make its output lossless, and nothing of CRDs.
"""

import ast
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from zonewright.codegen import names
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.schema.scalars import ALIASES
from zonewright.codegen.schema.walk import Node

# The writer wants absolute imports; the output must work under any package name. So it imports from a package that
# cannot exist, and `_relative` writes the dots.
PLACEHOLDER = "codegen_output_package"
MODEL = f"{PLACEHOLDER}.base.Model"
RESOURCE = f"{PLACEHOLDER}.resource.Resource"


@dataclass(frozen=True, slots=True)
class Source:
    """A module of models: its text, and the public names in it in the order of the file."""

    text: str
    names: tuple[str, ...]


def write(
    definitions: Mapping[str, Node],
    *,
    shared: Mapping[str, str] = MappingProxyType({}),
    root: str | None = None,
    dots: str = "..",
) -> Source:
    """One module with a class or alias per definition.

    `shared` are the names that other modules define, each with its module, `root` is the class that is a Kubernetes
    object, and `dots` lead from the module to the package that holds base, resource and the shared ones.
    """
    return _write(json.dumps(definitions), tuple(sorted(shared.items())), root, dots)


# The same definitions come back on every save in watch mode, and writing them is most of the work.
@lru_cache(maxsize=1024)
def _write(encoded: str, shared: tuple[tuple[str, str], ...], root: str | None, dots: str) -> Source:
    definitions, homes = json.loads(encoded), dict(shared)
    text = _generate(_document(definitions, homes, root), definitions, homes)
    written = _top_level_names(text)
    if missing := set(definitions) ^ set(written):
        raise CodegenError(f"the model writer renamed {', '.join(sorted(missing))}: reserve it in codegen/names.py")
    return Source(_relative(text, dots), tuple(written))


def _document(definitions: Mapping[str, Node], shared: Collection[str], root: str | None) -> dict[str, Any]:
    stubs = {name: {"type": "object"} for name in (*ALIASES, *shared)}
    defs = {**stubs, **definitions}
    if root:
        defs[root] = {**definitions[root], "customBasePath": RESOURCE}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": defs}


def _generate(document: Mapping[str, Any], definitions: Mapping[str, Node], shared: Mapping[str, str]) -> str:
    # Takes a third of a second, and is not installed where only `zonewright envtest` is used.
    from datamodel_code_generator import InputFileType, LiteralType, PythonVersion, generate  # noqa: PLC0415
    from datamodel_code_generator.enums import DataModelType  # noqa: PLC0415

    try:
        text = generate(
            document,
            input_file_type=InputFileType.JsonSchema,
            output_model_type=DataModelType.PydanticV2BaseModel,
            target_python_version=PythonVersion.PY_311,
            base_class=MODEL,
            type_overrides=_overrides(shared),
            aliases=_aliases(definitions),
            allow_remote_refs=False,
            apply_default_values_for_required_fields=True,
            disable_future_imports=True,  # annotations that are no strings make the import a fifth quicker
            disable_timestamp=True,
            enum_field_as_literal=LiteralType.All,
            field_constraints=True,
            formatters=[],
            skip_root_model=True,
            strict_nullable=True,
            strict_refs=True,
            use_annotated=True,
            use_field_description=True,
            use_schema_description=True,
            use_single_line_docstring=True,
            use_standard_collections=True,
            use_type_alias=True,
            use_union_operator=True,
        )
    except Exception as error:  # whatever a schema makes it raise, people get a sentence and a path
        raise CodegenError(f"the model writer refused the schema: {error}") from error
    assert isinstance(text, str)  # noqa: S101 - one input, no output path: the result is one text
    return text


def _overrides(shared: Mapping[str, str]) -> dict[str, str]:
    homes = dict.fromkeys(ALIASES, "base") | dict(shared)
    return {name: f"{PLACEHOLDER}.{home}.{name}" for name, home in homes.items()}


def _aliases(definitions: Mapping[str, Node]) -> dict[str, str]:
    """`Class.wireName` -> attribute, wherever they differ: the writer's own snake_case splits acronyms."""
    return {
        f"{owner}.{wire}": attribute
        for owner, node in definitions.items()
        for wire, attribute in names.attributes(node.get("properties", ())).items()
        if wire != attribute
    }


def _top_level_names(text: str) -> list[str]:
    found: list[str] = []
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.ClassDef):
            found.append(statement.name)
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            found.append(statement.targets[0].id)
    return found


def _relative(text: str, dots: str) -> str:
    """The module without the writer's header and with imports that work wherever the package lies."""
    body = re.sub(r"\A(?:#.*\n|\n)*", "", text)
    return re.sub(rf"^from {PLACEHOLDER}\.", f"from {dots}", body, flags=re.MULTILINE)
