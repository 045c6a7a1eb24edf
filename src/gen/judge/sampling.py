"""Which predictions of a photo meet: pairs by the size of their gap, groups by their spread.

Nothing here knows how a prediction is shown; `Group` alone asks whether two look alike or do not go
together, and how much more there is to see in one than in the other.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from math import inf
from typing import NamedTuple, TypeVar

import numpy as np

from gen.judge.balance import Balance, Contrast, contrast
from gen.judge.bulk import Bulk
from gen.judge.questions.scoring import spread
from gen.predictions.annotation import Annotation
from gen.predictions.metrics.agreement import unfit
from gen.rng import stream

LEAST_GAP = 0.005  # final scores that are nearer than this count as equal
TRUTH_EVERY = 5  # one rank in five may hold the truth itself, the last of its five

# In how many groups of each unit a pair is looked for that serves the balance, before any other
# pair of the photo will do. Each group that is looked into costs time.
TRIES = 2

Looks = Callable[[Annotation], Mapping[str, str]]
Weigh = Callable[[Annotation], Bulk]
Place = tuple[int, int]
Dealt = TypeVar("Dealt")


@dataclass(frozen=True, slots=True)
class Group:
    """Predictions that may meet, best first.

    `looks` tells what one looks like in every encoding, `weigh` how much there is to see in it.
    """

    annotations: tuple[Annotation, ...]
    looks: Looks
    weigh: Weigh

    @classmethod
    def of(cls, annotations: Iterable[Annotation], looks: Looks, weigh: Weigh) -> "Group":
        """A group in a fixed order: descending score, then id."""
        best_first = sorted(annotations, key=lambda one: (-one.final_score, one.annotation_id))
        return cls(tuple(best_first), looks, weigh)

    def clash(self, first: int, second: int) -> list[str]:
        """Why two predictions must not meet: the encodings in which they look alike, or other."""
        pair = self.annotations[first], self.annotations[second]
        if reason := unfit(*pair):
            return [reason]
        one, two = map(self.looks, pair)
        return sorted(view for view in one if one[view] == two.get(view))

    def contrast(self, better: int, worse: int) -> Contrast:
        """How two predictions differ at a glance."""
        one, two = (self.weigh(self.annotations[index]) for index in (better, worse))
        return contrast(one, two)


class Pair(NamedTuple):
    """Two predictions, the better one first, and how they differ at a glance."""

    options: tuple[Annotation, Annotation]
    contrast: Contrast


def is_truth(annotation: Annotation) -> bool:
    """Whether a prediction is the truth itself rather than a model's or a spoilt one."""
    return annotation.severity == 0


def truth_allowed(rank: int) -> bool:
    """Whether the pair or group of this rank may hold the truth: at most 1 in 5, in any prefix."""
    return rank % TRUTH_EVERY == TRUTH_EVERY - 1


def wanted_third(seed: int, task: str, rank: int) -> int:
    """Which third of the gaps the pair of this rank is from: 0 small, 1 middle, 2 large.

    Ranks 3k to 3k + 2 are a random permutation of the three.
    """
    return int(stream(seed, "judge", task, "gap third", rank // 3).permutation(3)[rank % 3])


@dataclass(slots=True)
class Pool:
    """The groups of one photo and what has been dealt from them.

    Groups come in units, in the given `order`. `load` makes the groups of a unit when they are
    needed, so a pool costs next to nothing until then and can be kept for every photo of a run. A
    place is a unit and the position of a group in it. `queue` has the units by when they last dealt
    something. `drops` counts, by encoding, what looked alike.
    """

    image_id: str
    order: Sequence[int]
    load: Callable[[int], Sequence[Group]]
    seed: int
    drops: Counter[str]
    queue: list[int] = field(default_factory=list)
    turns: Counter[int] = field(default_factory=Counter)
    counts: dict[int, int] = field(default_factory=dict)
    used: dict[Place, set[tuple[int, int]]] = field(default_factory=dict)
    sizes: dict[tuple[Place, bool], int] = field(default_factory=dict)
    spent: dict[bool, set[Place]] = field(default_factory=lambda: {False: set(), True: set()})

    def __post_init__(self) -> None:
        self.queue = list(self.order)

    def exhausted(self) -> bool:
        """Whether nothing is left, not even with the truth."""
        known = len(self.counts) == len(self.order)
        return known and sum(self.counts.values()) == len(self.spent[True])

    def _places(self, truth: bool, most: int | None = None) -> Iterator[Place]:
        """Places that may have something left: units take turns, and the groups within a unit.

        Of each unit at most `most`.
        """
        for unit in tuple(self.queue):
            if unit not in self.counts:
                self.counts[unit] = len(self.load(unit))
            count = self.counts[unit]
            turns = ((unit, (self.turns[unit] + position) % count) for position in range(count))
            spent = self.spent[truth] | self.spent[True]
            yield from islice((place for place in turns if place not in spent), most)

    def _pass_on(self, place: Place) -> None:
        unit, position = place
        self.queue.remove(unit)
        self.queue.append(unit)
        self.turns[unit] = position + 1

    def _group(self, place: Place) -> Group:
        return self.load(place[0])[place[1]]

    def deal_pair(
        self, min_gap: float, third: int, truth: bool, balance: Balance | None = None
    ) -> Pair | None:
        """The next pair, better one first; its gap is from the wanted third of its group's gaps.

        With `balance`, a pair that serves it goes before one that does not, in whichever group of
        the next few it is found. Where the third has no pair left the nearest third serves; where
        the photo has no pair left (without the truth, unless `truth`) the answer is None.
        """
        if balance:
            for place in self._places(truth, TRIES):
                pair = self._fresh_pair(place, min_gap, third, truth, balance, worst=0)
                if pair is not None:
                    self._pass_on(place)
                    return pair
        for place in self._places(truth):
            pair = self._fresh_pair(place, min_gap, third, truth, balance)
            if pair is not None:
                self._pass_on(place)
                return pair
            self.spent[truth].add(place)
        return None

    def _fresh_pair(
        self,
        place: Place,
        min_gap: float,
        third: int,
        truth: bool,
        balance: Balance | None,
        worst: float = inf,
    ) -> Pair | None:
        group, used = self._group(place), self.used.setdefault(place, set())
        pairs = gap_order(group.annotations, min_gap, truth)
        # A key of its own for each pair, so that what was dealt before changes no later choice.
        luck = stream(self.seed, "judge", "pairs", self.image_id, *place).random(
            (len(group.annotations),) * 2
        )
        for wanted in sorted(range(3), key=lambda other: (abs(other - third), other)):
            rows = range(-(-wanted * len(pairs) // 3), -(-(wanted + 1) * len(pairs) // 3))
            left = [pair for row in rows if (pair := pairs[row]) not in used]
            ranked = [
                (balance.score(group.contrast(*pair)) if balance else 0, luck[pair], pair)
                for pair in left
            ]
            for score, _, pair in sorted(ranked):
                if score > worst:
                    break
                used.add(pair)
                if not self._alike(group, pair):
                    better, worse = (group.annotations[row] for row in pair)
                    return Pair((better, worse), group.contrast(*pair))
        return None

    def _alike(self, group: Group, pair: tuple[int, int]) -> bool:
        clash = group.clash(*pair)
        self.drops.update(clash)
        return bool(clash)

    def deal_group(
        self, least: int, most: int, min_gap: float, truth: bool
    ) -> tuple[Annotation, ...] | None:
        """`least` to `most` predictions of the next group, best first.

        No two have equal scores, and they are spread over the group's range. Groups that offer
        `most` come first, so that rankings and scorings of equal settings are on the same groups.
        """
        best, size = None, least - 1
        for place in self._places(truth):
            if (place, truth) not in self.sizes:
                self.sizes[place, truth] = len(self._options(place, most, min_gap, truth))
            if self.sizes[place, truth] < least:
                self.spent[truth].add(place)
            elif self.sizes[place, truth] > size:
                best, size = place, self.sizes[place, truth]
            if size == most:
                break
        if best is None:
            return None
        self._pass_on(best)
        self.spent[True].add(best)
        return self._options(best, most, min_gap, truth)

    def _options(
        self, place: Place, most: int, min_gap: float, truth: bool
    ) -> tuple[Annotation, ...]:
        group = self._group(place)
        kept: list[int] = []
        for row, annotation in enumerate(group.annotations):
            if is_truth(annotation) and not truth:
                continue
            if kept and not _apart(group.annotations[kept[-1]], annotation, min_gap):
                continue
            alike = [(other, row) for other in kept if group.clash(other, row)]
            for pair in alike:
                if pair not in self.used.setdefault(place, set()):
                    self.used[place].add(pair)
                    self._alike(group, pair)
            if not alike:
                kept.append(row)
        chosen = spread([group.annotations[row].final_score for row in kept], most)
        return tuple(group.annotations[kept[row]] for row in chosen)


def gap_order(
    annotations: Sequence[Annotation], min_gap: float, truth: bool
) -> list[tuple[int, int]]:
    """All pairs whose scores differ enough, as (better, worse), by ascending gap.

    `annotations` are ordered by descending score; pairs with the truth are left out unless `truth`.
    """
    pairs = [
        (first, second)
        for first, second in combinations(range(len(annotations)), 2)
        if _apart(annotations[first], annotations[second], min_gap)
        and (truth or not (is_truth(annotations[first]) or is_truth(annotations[second])))
    ]
    gaps = [annotations[a].final_score - annotations[b].final_score for a, b in pairs]
    return [pairs[row] for row in np.argsort(gaps, kind="stable")]


def _apart(better: Annotation, worse: Annotation, min_gap: float) -> bool:
    return better.final_score - worse.final_score >= max(LEAST_GAP, min_gap)


def round_robin(
    pools: Iterable[Pool], images: int | None, deal: Callable[[Pool, int], Dealt | None]
) -> Iterator[Dealt]:
    """Deal rank 0, 1, 2, ... from one photo after the other, and again, until nothing is left.

    A photo joins when its first turn comes and it has something to deal, up to `images` photos; so
    no more photos are opened than are used, and a shorter run is the beginning of a longer one.
    """
    rank = 0
    active: list[Pool] = []
    for pool in pools:
        if (dealt := deal(pool, rank)) is None:
            continue
        active.append(pool)
        yield dealt
        rank += 1
        if len(active) == images:
            break
    progress = True
    while progress:
        progress = False
        for pool in active:
            if (dealt := deal(pool, rank)) is not None:
                progress = True
                yield dealt
                rank += 1
        active = [pool for pool in active if not pool.exhausted()]
