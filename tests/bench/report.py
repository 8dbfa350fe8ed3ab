"""What a benchmark found: absolute figures, which belong to the machine, and ratios, which are held to a bound."""

import math
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Row:
    text: str
    value: float
    unit: str
    bound: str = ""
    held: bool = True


@dataclass(slots=True)
class Report:
    title: str
    rows: list[Row] = field(default_factory=list)

    def figure(self, text: str, value: float, unit: str) -> None:
        self.rows.append(Row(text, value, unit))

    def ratio(
        self, text: str, value: float, *, at_least: float = -math.inf, at_most: float = math.inf, unit: str = "x"
    ) -> None:
        bounds = [f">= {at_least:g}"] if at_least > -math.inf else []
        bounds += [f"<= {at_most:g}"] if at_most < math.inf else []
        self.rows.append(Row(text, value, unit, " and ".join(bounds), at_least <= value <= at_most))

    def absent(self, text: str, why: str) -> None:
        """What could not be measured here."""
        self.rows.append(Row(text, math.nan, why))

    @property
    def missed(self) -> list[Row]:
        return [row for row in self.rows if not row.held]

    def show(self, console: Console) -> None:
        table = Table("what", "value", "unit", "bound", "", title=self.title, title_justify="left")
        for row in self.rows:
            mark = "" if not row.bound else "[green]held[/]" if row.held else "[red]missed[/]"
            value = "" if math.isnan(row.value) else f"{row.value:,.4g}"
            table.add_row(row.text, value, row.unit, row.bound, mark)
        console.print(table)
