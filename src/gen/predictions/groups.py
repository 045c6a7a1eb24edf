"""Which classes a question is about, and which class each is mistaken for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gen import rng
from gen.schema import SyntheticPredictions


@dataclass(frozen=True, slots=True)
class Group:
    """The classes in question, sorted, and for some the class that they are mistaken for."""

    classes: tuple[str, ...]
    wrong: Mapping[str, str] = field(default_factory=dict)


def class_groups(
    largest: Mapping[str, float], total: Mapping[str, float], settings: SyntheticPredictions
) -> list[Group]:
    """Every class by itself and all together, as `settings.classes` says.

    `largest` and `total` give for each class on a photo the area of its largest object and of all,
    in pixels. Classes without an object of `min_area` are in no group; of more than `max_classes`
    together, those of the greatest total area are taken.
    """
    names = sorted(name for name, area in largest.items() if area >= settings.min_area)
    groups = [Group((name,)) for name in names] if "each" in settings.classes else []
    if "all" in settings.classes:
        together = sorted(names, key=lambda name: (-total[name], name))[: settings.max_classes]
        if len(together) > 1 or (together and not groups):
            groups.append(Group(tuple(sorted(together))))
    return groups


def with_mistakes(
    groups: Sequence[Group],
    present: Iterable[str],
    lookalikes: Sequence[Sequence[str]],
    seed: int,
    image: str,
) -> list[Group]:
    """`groups` with a wrong class for each of their classes, which then is in question, too.

    Several classes are mistaken for each other. One is mistaken for a lookalike, rather one that is
    on the photo (`present`), else for another class of the photo, else for any class of a line of
    `lookalikes`. The choice hangs on the photo and the classes: it is the same for all severities.
    Groups that come to be on the same classes become one, with the mistakes of all of them.
    """
    merged: dict[tuple[str, ...], dict[str, str]] = {}
    for group in groups:
        near = set(group.classes) if len(group.classes) > 1 else set(present)
        wrong: dict[str, str] = {}
        for name in group.classes:
            choices = _choices(name, near, lookalikes, alone=len(group.classes) == 1)
            if choices:
                random = rng.stream(seed, "mistaken", image, *group.classes, name)
                wrong[name] = choices[int(random.integers(len(choices)))]
        classes = tuple(sorted({*group.classes, *wrong.values()}))
        merged[classes] = {**wrong, **merged.get(classes, {})}
    return [Group(classes, wrong) for classes, wrong in merged.items()]


def _choices(
    name: str, near: set[str], lookalikes: Sequence[Sequence[str]], alone: bool
) -> list[str]:
    """The classes that `name` may be mistaken for, sorted: the best kind of which there is any."""
    alike = {other for line in lookalikes if name in line for other in line}
    known = {other for line in lookalikes for other in line}
    kinds = (near & alike, alike, near, known) if alone else (near & alike, near)
    return next((sorted(kind - {name}) for kind in kinds if kind - {name}), [])
