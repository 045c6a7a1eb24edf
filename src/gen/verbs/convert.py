"""`python -m gen convert`: outputs of real models as annotation files."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from gen.errors import UserError
from gen.fields import FolderPath, Whole
from gen.invalid import check
from gen.schema import Model
from gen.verbs import tables


class ConvertSettings(Model):
    """What the verb can be told."""

    pairs: str = Field(min_length=1)
    out: FolderPath
    root: str | None = Field(min_length=1)
    ratings: str | None = Field(min_length=1)
    seed: Whole = Field(ge=0, lt=2**63)


def main(cfg: Mapping[str, Any]) -> int:
    """Convert the samples of `cfg["pairs"]`; the folder is the last line on stdout. Returns 0.

    What is left out is told on stderr, a line each, with a table of what is made.

    Raises:
        UserError: a setting is wrong, a file cannot be used, or nothing can be converted.
    """
    settings = check(ConvertSettings, cfg)
    from gen.predictions.convert.conversion import convert

    out = Path(settings.out)
    try:
        done = convert(Path(settings.pairs), out, settings.root, settings.ratings, settings.seed)
    except OSError as error:
        raise UserError(f"out={out}: {error.strerror or error}") from None
    for problem in done.problems:
        print(f"{problem.file}, {problem.record}: {problem.reason}", file=sys.stderr)
    print(_table(done.counts), file=sys.stderr)
    print(out, flush=True)
    return 0


def _table(counts: Mapping[str, int]) -> str:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    table.add_column("task")
    table.add_column("annotations", justify="right")
    for task, count in sorted(counts.items()):
        table.add_row(task, str(count))
    return tables.text(table)
