"""Tables as text, in the colors and the width of the terminal if stdout is one."""

import io
import sys
from typing import Any

# Wide enough for every row: what reads a pipe can cut lines for itself.
_PIPE_WIDTH = 10_000


def text(*tables: Any) -> str:
    """`tables` of rich as they are to be printed; their cells are shown as they are."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    # Rich would end the program with status 1 where the reader of a pipe has gone.
    page = io.StringIO()
    console = Console(
        file=page,
        force_terminal=terminal,
        width=None if terminal else _PIPE_WIDTH,
        markup=False,
        highlight=False,
    )
    for table in tables:
        console.print(table)
    return page.getvalue().removesuffix("\n")
