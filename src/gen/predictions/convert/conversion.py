"""From an index of samples to a folder of annotation files."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gen.errors import UserError
from gen.predictions.convert import folder, generation, restoration, samples
from gen.predictions.convert.judged import Judged
from gen.sources.coco_records import RecordError
from gen.sources.problem_log import ProblemLog
from gen.sources.records import Problem

_TOLD = 3


@dataclass(frozen=True, slots=True)
class Converted:
    """How many annotations there are by task, and what was left out and why."""

    counts: Counter[str]
    problems: Sequence[Problem]


def convert(
    index: Path, out: Path, root: str | None = None, ratings: str | None = None, seed: int = 42
) -> Converted:
    """Make annotation files in `out` of the samples in `index`.

    `root` and `ratings` are as in `samples.read`; `seed` is that of restorations which draw random
    numbers. A fault costs no more than the sample or the picture that has it.

    Raises:
        UserError: a file cannot be used, or no sample has anything that can be judged.
        OSError: `out` cannot be written.
    """
    log = ProblemLog()

    def found() -> Iterator[Judged]:
        for sample in samples.read(index, root, ratings, log):
            name = f"sample {sample.sample_id}"

            def report(kind: str, reason: str, name: str = name) -> None:
                log.add(kind, index.name, name, reason)

            try:
                if sample.task:
                    yield from restoration.judged(sample, seed, report)
                else:
                    yield from generation.judged(sample, report)
            except RecordError as error:
                report(error.kind, str(error))

    counts = folder.write(found(), out)
    if not counts:
        told = "; ".join(f"{one.record}: {one.reason}" for one in log.told()[:_TOLD])
        raise UserError(f"{index.name}: no sample can be used: {told or 'there is none'}")
    return Converted(counts, log.told())
