"""How time and memory grow with workers and with items: whole runs in processes of their own."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.judge import Row

# Runs the command line and says how much memory its process took; one worker is that process.
MEASURED = """
import json, sys
from benchmarks.memory import peak_mib
from gen.__main__ import main
status = main(json.loads(sys.argv[1]))
print(peak_mib(), file=sys.stderr)
sys.exit(status)
"""
WORKER_ITEMS = 400
SIZES = (100, 400, 1000)


def rows(overrides: list[str]) -> list[Row]:
    """Two workers against one, then one worker on more and more items."""
    found = []
    one, _ = _run(["executor.workers=1", f"n_items={WORKER_ITEMS}", *overrides])
    two, _ = _run(["executor.workers=2", f"n_items={WORKER_ITEMS}", *overrides])
    stage = f"a run of {WORKER_ITEMS} items, start to end"
    found.append(Row(stage, "1 worker", one, "s"))
    found.append(Row(stage, "2 workers", two, "s", f"{one / two:.2f} x as fast"))
    for items in SIZES:
        took, memory = _run(["executor.workers=1", f"n_items={items}", *overrides])
        note = f"{1000 * took / items:.1f} ms an item, peak memory {memory:.0f} MiB"
        found.append(Row("1 worker", f"{items} items", took, "s", note))
    return found


def _run(arguments: list[str]) -> tuple[float, float]:
    """Seconds, and peak MiB of the main process, of one run."""
    with tempfile.TemporaryDirectory() as name:
        command = [f"out_root={Path(name) / 'outputs'}", *arguments]
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, json.dumps(command)],
            check=True,
            capture_output=True,
            text=True,
        )
        took = time.perf_counter() - start
    return took, float(done.stderr.split()[-1])
