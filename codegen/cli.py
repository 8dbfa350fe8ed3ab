"""`python -m codegen [--check | --watch]` and `python -m codegen new-kind TYPE`."""

from pathlib import Path
from typing import Annotated

import typer

from zonewright.cli import generate
from zonewright.codegen import builtin, rbac
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.generate import Target

ROOT = Path(__file__).resolve().parent.parent
CRDS = ROOT / "config/crd"
PROJECT = Target(
    package=ROOT / "generated",
    role=ROOT / "config/rbac/role.yaml",
    reference=ROOT / "docs/reference/api.md",
    name="zonewright",
    rules=rbac.read(Path(__file__).with_name("rules.yaml")),
    command="make generate",
)
# The framework's typed built-in kinds are generated here too: they come with the framework, not with an operator.
BUILTIN_OPENAPI = ROOT / "zonewright/envtest/embedded/builtin.json"
BUILTIN = Target(package=ROOT / "zonewright/api/builtin", command="make generate")

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def main(context: typer.Context, check: generate.CheckOption = False, watch: generate.WatchOption = False) -> None:
    """Turn config/crd into generated/, config/rbac/role.yaml and docs/reference/api.md; and the API server's OpenAPI
    into zonewright/api/builtin."""
    if context.invoked_subcommand:
        return
    generate.run(CRDS, PROJECT, check=check, watch=watch)
    if not watch and not generate.attempt(BUILTIN_OPENAPI, BUILTIN, check=check, make=builtin.generate):
        raise typer.Exit(1)


@app.command("new-kind")
def new_kind(rdtype: Annotated[str, typer.Argument(metavar="TYPE", help="A DNS type, such as SSHFP.")]) -> None:
    """Stamp a new record kind: its CRD and its handler, two files."""
    from codegen.newkind import stamp  # noqa: PLC0415 - only this command needs dnspython

    try:
        files = stamp(rdtype, ROOT)
    except CodegenError as error:
        generate.fail(error)
        raise typer.Exit(1) from error
    for file in files:
        generate.console.print(f"[green]wrote[/] {file.relative_to(ROOT)}")
    generate.console.print("Next: look at both files, then run [bold]make generate[/] and [bold]make unit[/].")
