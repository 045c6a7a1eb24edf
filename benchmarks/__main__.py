"""`python -m benchmarks [part ...] [key=value ...]`: print the tables of the parts, or of all."""

import sys

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks import judge, parquet, render, scale, startup

PARTS = ("render", "judge", "parquet", "startup", "scale")


def main(arguments: list[str]) -> int:
    """Run the parts that `arguments` name, or all; key=value go to the settings of gen."""
    overrides = [word for word in arguments if "=" in word]
    chosen = [word for word in arguments if "=" not in word] or list(PARTS)
    for name in chosen:
        if name not in PARTS:
            print(f"benchmarks: no part is named '{name}': known: {', '.join(PARTS)}")
            return 2
    console = Console(width=None if sys.stdout.isatty() else 140)
    if "render" in chosen:
        render.show(console)
    for name, part in (
        ("judge", judge),
        ("parquet", parquet),
        ("startup", startup),
        ("scale", scale),
    ):
        if name in chosen:
            console.print(_table(name, part.rows(overrides)))
    return 0


def _table(name: str, rows: list[judge.Row]) -> Table:
    table = Table("what", "how", "figure", "unit", "", title=name)
    for row in rows:
        figure = "-" if row.value is None else f"{row.value:.4g}"
        table.add_row(escape(row.stage), row.way, figure, row.unit, escape(row.note))
    return table


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
