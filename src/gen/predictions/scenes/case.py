"""What every generation task gives: something that is asked for, and attempts at it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gen import rng
from gen.sources.records import Instance

Rgb = NDArray[np.uint8]
"""RGB, (height, width, 3)."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What a task may use for one case.

    `size` is the height and width of the pictures, and `photo` a photo of that size. `on_photo`
    tells whether the case is to be about the photo itself, with its true `instances` (masks of that
    size; classes with a crowd are left out), or about a drawn scene, to which the photo may lend
    its backdrop.
    """

    image_id: str
    seed: int
    size: tuple[int, int]
    photo: Rgb | None
    on_photo: bool
    instances: Sequence[Instance] = ()

    def stream(self, *key: str | int) -> np.random.Generator:
        """A random stream of this case for `key`."""
        return rng.stream(self.seed, "scene", self.image_id, *key)


class Attempt(NamedTuple):
    """A generated picture and how well it does what was asked.

    `met` tells for each check of the case whether it is met, `damage` how much of the picture is
    spoilt, from 0 to 1; both are measured on the pixels of `picture`.
    """

    picture: Rgb
    met: Mapping[str, bool]
    damage: float


@dataclass(frozen=True, slots=True)
class Case:
    """Something that is asked of a generator.

    `prompt` is the text that a judge reads. `given` is the picture that goes with it, in the size
    of the stage, or None. `checks` tells in words what must hold, by the name that `Attempt.met`
    uses; `details` is plain JSON data that allows the checks to be recomputed from pictures.
    `attempt(error_type, severity)` draws one answer: severity 0 as asked, 1 to 5 ever worse; None
    where this error cannot be made here. Equal arguments give equal pictures.
    """

    prompt: str
    given: Rgb | None
    checks: Mapping[str, str]
    details: Mapping[str, Any]
    attempt: Callable[[str, int], Attempt | None]
    uses_photo: bool
