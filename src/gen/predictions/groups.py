"""Which classes a question is about, and which class each is mistaken for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gen import rng
from gen.schema import ClassGroups

# Classes whose largest objects on a photo differ more in area are not taken for each other there.
_LIKE = 4.0


@dataclass(frozen=True, slots=True)
class Group:
    """The classes in question, sorted, and for some the class that they are mistaken for."""

    classes: tuple[str, ...]
    wrong: Mapping[str, str] = field(default_factory=dict)


def class_groups(
    largest: Mapping[str, float], total: Mapping[str, float], settings: ClassGroups
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
    largest: Mapping[str, float],
    categories: Mapping[str, str],
    lookalikes: Sequence[Sequence[str]],
    seed: int,
    image: str,
) -> list[Group]:
    """`groups` with a wrong class for each of their classes, which then is in question, too.

    `largest` is as in `class_groups`, `categories` gives the kind of each class of the data set.
    Several classes are mistaken for each other. One is mistaken for a lookalike, rather one that is
    on the photo, else for another class of the photo with objects of like size, else for one of the
    same kind, else for any other. The choice hangs on the photo and the classes: it is the same for
    all severities. Groups that come to be on the same classes become one, with the mistakes of all.
    """
    merged: dict[tuple[str, ...], dict[str, str]] = {}
    for group in groups:
        alone = len(group.classes) == 1
        near = {name: largest[name] for name in (largest if alone else group.classes)}
        wrong: dict[str, str] = {}
        for name in group.classes:
            choices = _choices(name, near, categories if alone else {}, lookalikes)
            if choices:
                random = rng.stream(seed, "mistaken", image, *group.classes, name)
                wrong[name] = choices[int(random.integers(len(choices)))]
        classes = tuple(sorted({*group.classes, *wrong.values()}))
        merged[classes] = {**wrong, **merged.get(classes, {})}
    return [Group(classes, wrong) for classes, wrong in merged.items()]


def _choices(
    name: str,
    near: Mapping[str, float],
    categories: Mapping[str, str],
    lookalikes: Sequence[Sequence[str]],
) -> list[str]:
    """The classes that `name` may be mistaken for, sorted: the best kind of which there is any."""
    alike = {other for line in lookalikes if name in line for other in line}
    area = near[name]
    like_size = [other for other in near if area / _LIKE <= near[other] <= area * _LIKE]
    of_kind = [other for other, kind in categories.items() if kind and kind == categories.get(name)]
    kinds = (
        [other for other in near if other in alike],
        [other for other in categories if other in alike],
        like_size,
        of_kind,
        list(near),
        list(categories),
    )
    found = ([other for other in kind if other != name] for kind in kinds)
    return sorted(next(filter(None, found), []))
