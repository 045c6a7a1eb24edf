"""What surrounds the objects that are made wrong, and how many of them an error takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from gen.predictions.perturb.region import Region, size

R = TypeVar("R", bound=Region)


@dataclass(frozen=True, slots=True)
class Scene(Generic[R]):
    """A photo of `frame` (height, width) and what is on it besides the objects in question.

    `others` are objects of other classes, `crowd` regions in which a prediction of the classes in
    question would go unpunished, `wrong` the label that each true label is mistaken for.
    """

    frame: tuple[int, int]
    others: tuple[R, ...] = ()
    crowd: tuple[R, ...] = ()
    wrong: Mapping[str, str] = field(default_factory=dict)


def order_of_victims(objects: Sequence[R], rng: np.random.Generator) -> list[int]:
    """All indices in random order, large objects sooner, so that an error can be seen.

    Drawn without replacement with probability in proportion to size (Efraimidis and Spirakis 2006).
    """
    if not objects:
        return []
    keys = rng.standard_exponential(len(objects)) / np.array([size(item) for item in objects])
    return [int(index) for index in np.argsort(keys, kind="stable")]


def shares(amount: float) -> list[float]:
    """`amount` objects as whole ones and a rest: 2.3 is [1, 1, 0.3]. A rest under 0.04 is dropped.

    Where a class has a single object on a photo, this is how five severities differ.
    """
    whole = int(amount + 0.04)
    rest = amount - whole
    return [1.0] * whole + ([rest] if rest >= 0.04 else [])
