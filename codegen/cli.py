"""What people meet: `python -m codegen`, `--check`, `--watch`, `new-kind`. Errors become sentences and exit codes."""

import signal
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.text import Text

from codegen.errors import CodegenError
from codegen.generate import Result, Target, generate
from codegen.output import Difference

ROOT = Path(__file__).resolve().parent.parent
PROJECT = Target(
    package=ROOT / "generated", role=ROOT / "config/rbac/role.yaml", reference=ROOT / "docs/reference/api.md"
)

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
console = Console(stderr=True, highlight=False, soft_wrap=True)

CrdsOption = Annotated[Path, typer.Option(help="Directory of CRDs, in YAML or JSON.")]
OutOption = Annotated[Path | None, typer.Option(help="Directory for the package; default: this project's own places.")]
CheckOption = Annotated[
    bool, typer.Option("--check", help="Write nothing; fail if the output is not what would be written.")
]
WatchOption = Annotated[bool, typer.Option("--watch", help="Generate again on every save.")]


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    crds: CrdsOption = ROOT / "config/crd",
    out: OutOption = None,
    check: CheckOption = False,
    watch: WatchOption = False,
) -> None:
    """Turn CRDs into typed models, informers, a registry, RBAC and API docs."""
    if context.invoked_subcommand:
        return
    if check and watch:
        raise typer.BadParameter("--check and --watch exclude each other")
    target = Target.at(out) if out else PROJECT
    if watch:
        _watch(crds, target)
    elif not attempt(crds, target, check=check):
        raise typer.Exit(1)


@app.command("new-kind")
def new_kind(rdtype: Annotated[str, typer.Argument(metavar="TYPE", help="A DNS type, such as SSHFP.")]) -> None:
    """Stamp a new record kind: its CRD and its handler, two files."""
    from codegen.newkind import stamp  # noqa: PLC0415 - only this command needs dnspython

    try:
        files = stamp(rdtype, ROOT)
    except CodegenError as error:
        _fail(error)
        raise typer.Exit(1) from error
    for file in files:
        console.print(f"[green]wrote[/] {file.relative_to(ROOT)}")
    console.print("Next: look at both files, then run [bold]make generate[/] and [bold]make unit[/].")


def _watch(crds: Path, target: Target) -> None:
    from codegen.watch import watch  # noqa: PLC0415 - watchdog is only needed here

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job starts without it
    console.print(f"watching {_short(crds.resolve())}; end with Ctrl-C")
    try:
        watch(crds, lambda: attempt(crds, target, check=False))
    except CodegenError as error:
        _fail(error)
        raise typer.Exit(1) from error


def attempt(crds: Path, target: Target, *, check: bool) -> bool:
    """One run. False when it failed; everything there is to say about it has been said."""
    started = time.monotonic()
    try:
        result = _with_progress(crds, target)
        differences = result.differences(target)
        if check:
            return _report_check(result, differences)
        if differences:
            result.write(target)
    except CodegenError as error:
        _fail(error)
        return False
    _summary(result, len(differences), time.monotonic() - started, target)
    return True


def _with_progress(crds: Path, target: Target) -> Result:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("reading", total=None)
        return generate(
            crds,
            target,
            lambda text, done, total: progress.update(task, description=text, completed=done, total=total),
        )


def _report_check(result: Result, differences: list[Difference]) -> bool:
    for difference in differences:
        console.print(Text(str(difference), "red"))
    if differences:
        console.print("The output is out of date: run [bold]make generate[/] and commit what it writes.")
        return False
    console.print(f"[green]up to date[/]: {result.crds} CRDs, {len(result.tree)} files")
    return True


def _summary(result: Result, changed: int, seconds: float, target: Target) -> None:
    what = f"{result.crds} CRDs, {result.versions} versions, {result.classes} types"
    outcome = f"{changed} files changed in {_short(target.package)}" if changed else "nothing changed"
    console.print(f"[green]generated[/] {what} in {seconds:.1f} s: {outcome}")


def _short(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _fail(error: CodegenError) -> None:
    # Text, not markup: a path such as versions[0] would be taken for a style.
    console.print(Text.assemble(("error: ", "bold red"), str(error)))
