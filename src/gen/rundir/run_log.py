"""`run_log.json`: who worked on a run, when and where, and what the work rests on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from gen import atomic
from gen.rundir.place import RUN_LOG


def read(run: Path) -> dict[str, Any]:
    """The log of the run in the folder `run`; empty where there is none that can be read."""
    try:
        log = orjson.loads((run / RUN_LOG).read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    return log if isinstance(log, dict) else {}


def write(run: Path, log: Mapping[str, Any]) -> None:
    """Replace the log.

    Raises:
        OSError: the folder cannot be written.
    """
    option = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    atomic.write(run / RUN_LOG, orjson.dumps(log, option=option))
