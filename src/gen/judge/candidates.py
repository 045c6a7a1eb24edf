"""The predictions on the photos of a source: which there are, and which of them may meet."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import TypeVar

import orjson

from gen.judge import encodings
from gen.judge.bulk import Bulk, bulk
from gen.judge.sampling import Group, Pool
from gen.predictions.annotation import Annotation
from gen.predictions.picture_store import PictureStore
from gen.predictions.supply import open_supply
from gen.rng import stream
from gen.schema import Settings
from gen.sources.photos import PhotoError
from gen.sources.records import Problem, Source

UNITS_KEPT = 512

T = TypeVar("T")


def group_key(annotation: Annotation, by: Sequence[str]) -> tuple[str, ...]:
    """What an annotation shares with the others of its group, as JSON texts: its fields `by`."""
    return tuple(orjson.dumps(getattr(annotation, name)).decode() for name in sorted(by))


class Candidates:
    """Photos in a seeded order, each with its groups of predictions.

    Predictions are made in units, kind of error by kind of error, and only when a group of that
    unit is asked for: most runs use a small part of what a photo could give.
    """

    def __init__(self, settings: Settings, source: Source, pictures: PictureStore) -> None:
        """Predictions that are pictures are added to `pictures`."""
        self._settings = settings
        self._source = source
        self.pictures = pictures
        self._supply = open_supply(settings, source, pictures)
        self._groups = lru_cache(UNITS_KEPT)(self._load)
        self._readable: dict[str, bool] = {}
        self._unreadable: list[Problem] = []
        self._photos = {photo.image_id: photo for photo in source.photos()}
        self._rounds = self._supply.images()
        self._sizes = {name: size for images in self._rounds for name, size in images.items()}
        self.drops: Counter[str] = Counter()

    def pools(self) -> Iterator[Pool]:
        """A pool for each image, in the order of permutations that the seed decides.

        Each photo begins with the unit after that of the photo before, so that short runs have all
        kinds of error, too.
        """
        seed, task = self._settings.seed, self._settings.task.name
        units = self._units()
        first = stream(seed, "judge", task, "units").permutation(len(units)).tolist()
        turns = count()
        for turn, images in enumerate(self._rounds):
            ids, key = list(images), ("photos", turn) if turn else ("photos",)
            for row in stream(seed, "judge", task, *key).permutation(len(ids)).tolist():
                start = next(turns) % len(units)
                yield self._pool(ids[row], units, first[start:] + first[:start])

    def readable(self, image_id: str) -> bool:
        """Whether the pixels of a photo can be read, or it has none; each photo is tried once."""
        if image_id not in self._photos:
            return True
        if image_id not in self._readable:
            try:
                self._source.pixels(image_id)
                self._readable[image_id] = True
            except PhotoError as error:
                self._readable[image_id] = False
                name = self._photos[image_id].path.name
                self._unreadable.append(Problem(error.kind, name, image_id, str(error)))
        return self._readable[image_id]

    def problems(self) -> tuple[Problem, ...]:
        """What the source found broken, and photos that could not be read, once each."""
        told = [*self._source.problems(), *self._supply.problems()]
        known = {(problem.kind, problem.record) for problem in told}
        told += [one for one in self._unreadable if (one.kind, one.record) not in known]
        return tuple(told)

    def census(self) -> str:
        """How many photos there are and how many of those tried are broken, in words."""
        broken = len(self._unreadable)
        return f"{len(self._photos)} photos, {broken} of them unreadable"

    def _units(self) -> list[tuple[str | None, ...]]:
        """Kinds of error that are made together: alone, unless different kinds may meet."""
        kinds = self._supply.kinds
        if "error_type" in self._settings.question.group_by:
            return [(kind,) for kind in kinds]
        return [kinds]

    def _pool(
        self, image_id: str, units: Sequence[tuple[str | None, ...]], order: Sequence[int]
    ) -> Pool:
        return Pool(
            image_id=image_id,
            order=order,
            load=lambda unit: self._groups(image_id, units[unit]),
            seed=self._settings.seed,
            drops=self.drops,
        )

    def _load(self, image_id: str, kinds: tuple[str | None, ...]) -> tuple[Group, ...]:
        settings = self._settings
        members: dict[tuple[str, ...], list[Annotation]] = {}
        for one in self._supply.annotations(image_id, kinds):
            members.setdefault(group_key(one, settings.question.group_by), []).append(one)
        size = self._sizes[image_id]
        looks, weigh = self._looks(size), self._weigh(size)
        groups = [Group.of(members[key], looks, weigh) for key in sorted(members)]
        rng = stream(
            settings.seed,
            "judge",
            settings.task.name,
            "groups",
            image_id,
            *(kind or "" for kind in kinds),
        )
        return tuple(groups[row] for row in rng.permutation(len(groups)))

    def _looks(self, size: tuple[int, int]) -> Callable[[Annotation], Mapping[str, str]]:
        task = self._settings.task
        return _once(lambda one: encodings.appearances(task, one.prediction, size))

    def _weigh(self, size: tuple[int, int]) -> Callable[[Annotation], Bulk]:
        task = self._settings.task
        return _once(lambda one: bulk(one.prediction, encodings.weight(task, one.prediction, size)))


def _once(ask: Callable[[Annotation], T]) -> Callable[[Annotation], T]:
    """`ask`, with each answer kept."""
    known: dict[str, T] = {}

    def asked(one: Annotation) -> T:
        if one.annotation_id not in known:
            known[one.annotation_id] = ask(one)
        return known[one.annotation_id]

    return asked
