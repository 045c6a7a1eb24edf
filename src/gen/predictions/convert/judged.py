"""What a sample becomes: answers with scores to one thing that was asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Rgb = NDArray[np.uint8]
"""RGB, (height, width, 3)."""

Report = Callable[[str, str], None]
"""Notes a fault of a sample that costs one of its pictures: its kind, and the reason."""

NO_SCORE = "no_score"


class Answer(NamedTuple):
    """A picture, the model or method that made it, its final score 0 to 10, and raw metrics."""

    source: str
    picture: Rgb
    score: float
    metrics: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Judged:
    """Answers to one input. `given` is the picture that is shown first, or None.

    `task` is a task's short name. `credits` is what an index of photos may hold of the given one.
    """

    image_id: str
    task: str
    prompt: str | None
    given: Rgb | None
    answers: Sequence[Answer]
    credits: Mapping[str, str] = field(default_factory=dict)
