"""`zonewright generate`: CRDs to a package of typed models. Errors become sentences and exit codes."""

import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.text import Text

from zonewright import extras
from zonewright.codegen import generate as codegen
from zonewright.codegen import rbac
from zonewright.codegen.errors import CodegenError
from zonewright.codegen.generate import Result, Target, generate
from zonewright.codegen.output import Difference

console = Console(stderr=True, highlight=False, soft_wrap=True)

CheckOption = Annotated[
    bool, typer.Option("--check", help="Write nothing; fail if the output is not what would be written.")
]
WatchOption = Annotated[bool, typer.Option("--watch", help="Generate again on every save.")]
Make = Callable[[Path, Target, codegen.Progress], Result]
"""From CRDs, or from another source, to what is written."""


def command(
    crds: Annotated[Path, typer.Option(help="Directory of CRDs, in YAML or JSON.")],
    out: Annotated[Path, typer.Option(help="Directory for the package; replaced as a whole.")],
    name: Annotated[str, typer.Option(help="Name of the ClusterRole.")] = "operator",
    rules: Annotated[
        Path | None, typer.Option(help="YAML list of RBAC rules that the operator needs besides its own kinds.")
    ] = None,
    check: CheckOption = False,
    watch: WatchOption = False,
) -> None:
    """Turn CRDs into typed models, informers, a registry, RBAC and API docs."""
    try:
        target = Target.at(out, name=name, rules=rbac.read(rules) if rules else ())
    except CodegenError as error:
        fail(error)
        raise typer.Exit(1) from error
    run(crds, target, check=check, watch=watch)


def run(crds: Path, target: Target, *, check: bool, watch: bool) -> None:
    """Generate once, check, or watch; exits with 1 when that fails."""
    if check and watch:
        raise typer.BadParameter("--check and --watch exclude each other")
    if obstacle := extras.missing("codegen"):
        fail(CodegenError(obstacle))
        raise typer.Exit(1)
    if watch:
        _watch(crds, target)
    elif not attempt(crds, target, check=check):
        raise typer.Exit(1)


def _watch(crds: Path, target: Target) -> None:
    from zonewright.codegen.watch import watch  # noqa: PLC0415 - watchdog is only needed here

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job starts without it
    console.print(f"watching {_short(crds.resolve())}; end with Ctrl-C")
    try:
        watch(crds, lambda: attempt(crds, target, check=False))
    except CodegenError as error:
        fail(error)
        raise typer.Exit(1) from error


def attempt(source: Path, target: Target, *, check: bool, make: Make = generate) -> bool:
    """One run. False when it failed; everything there is to say about it has been said."""
    started = time.monotonic()
    try:
        result = _with_progress(source, target, make)
        differences = result.differences(target)
        if check:
            return _report_check(result, differences, target)
        if differences:
            result.write(target)
    except CodegenError as error:
        fail(error)
        return False
    _summary(result, len(differences), time.monotonic() - started, target)
    return True


def _with_progress(source: Path, target: Target, make: Make) -> Result:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("reading", total=None)
        return make(
            source,
            target,
            lambda text, done, total: progress.update(task, description=text, completed=done, total=total),
        )


def _report_check(result: Result, differences: list[Difference], target: Target) -> bool:
    for difference in differences:
        console.print(Text(str(difference), "red"))
    if differences:
        console.print(f"The output is out of date: run [bold]{target.command}[/] and commit what it writes.")
        return False
    console.print(f"[green]up to date[/]: {result.kinds} {result.noun}, {len(result.tree)} files")
    return True


def _summary(result: Result, changed: int, seconds: float, target: Target) -> None:
    what = f"{result.kinds} {result.noun}, {result.versions} versions, {result.classes} types"
    outcome = f"{changed} files changed in {_short(target.package)}" if changed else "nothing changed"
    console.print(f"[green]generated[/] {what} in {seconds:.1f} s: {outcome}")


def _short(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def fail(error: CodegenError) -> None:
    """Say what is wrong, on stderr."""
    # Text, not markup: a path such as versions[0] would be taken for a style.
    console.print(Text.assemble(("error: ", "bold red"), str(error)))
