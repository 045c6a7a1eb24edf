"""Which predictions meet: gaps by thirds, little truth, no repeats, taking turns."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

import pytest

from gen.judge.balance import Balance
from gen.judge.bulk import Bulk
from gen.judge.sampling import (
    Group,
    Pool,
    gap_order,
    round_robin,
    truth_allowed,
    wanted_third,
)
from gen.predictions.annotation import Annotation

Pair = tuple[Annotation, ...]


def annotation(name: str, score: float, severity: int | None = 1) -> Annotation:
    return Annotation(
        name, "photo", "instance_seg", ("cat",), "missed", severity, None, "x", (), score
    )


def differ(one: Annotation) -> Mapping[str, str]:
    return {"text": one.annotation_id}


def of_one_size(_: Annotation) -> Bulk:
    return Bulk(1, 1, 3, 100.0, 100.0, 100.0)


def group(name: str, scores: Sequence[float], truth: bool = False) -> Group:
    """Predictions with these scores; the first one is the truth where `truth`."""
    made = [
        annotation(f"{name}{row}", score, 0 if truth and row == 0 else 1)
        for row, score in enumerate(scores)
    ]
    return Group.of(made, differ, of_one_size)


def pool(*units: Sequence[Group], image_id: str = "photo") -> Pool:
    return Pool(image_id, range(len(units)), units.__getitem__, 42, Counter())


def deal(one: Pool, third: int, truth: bool = True, min_gap: float = 0.0) -> Pair | None:
    pair = one.deal_pair(min_gap, third, truth)
    return pair.options if pair else None


def deal_all(one: Pool, truth: bool, min_gap: float = 0.0) -> list[Pair]:
    dealt = []
    for rank in range(1000):
        pair = deal(one, wanted_third(42, "t", rank), truth, min_gap)
        if pair is None:
            return dealt
        dealt.append(pair)
    raise AssertionError("pairs without end")


def names(options: Sequence[Annotation]) -> str:
    return "-".join(one.annotation_id for one in options)


def test_every_pair_is_dealt_once() -> None:
    dealt = deal_all(pool([group("a", [9, 7, 4, 1])], [group("b", [5, 2])]), truth=True)
    assert len(dealt) == 6 + 1
    assert len({names(pair) for pair in dealt}) == 7
    assert all(better.final_score > worse.final_score for better, worse in dealt)


def test_equal_scores_and_small_gaps_never_meet() -> None:
    close = group("a", [5.0, 5.0, 5.004, 5.3])
    assert {names(pair) for pair in deal_all(pool([close]), truth=True)} == {
        "a3-a2",
        "a3-a0",
        "a3-a1",
    }
    assert deal_all(pool([close]), truth=True, min_gap=0.31) == []
    assert len(deal_all(pool([group("a", [9, 7, 4, 1])]), True, min_gap=3)) == 5


def test_predictions_of_two_groups_never_meet() -> None:
    dealt = deal_all(pool([group("a", [9, 7]), group("b", [8, 3])]), truth=True)
    assert sorted(names(pair) for pair in dealt) == ["a0-a1", "b0-b1"]


def test_truth_is_kept_out_unless_it_is_allowed() -> None:
    three = group("a", [10, 6, 1], truth=True)
    one = pool([three])
    assert [names(pair) for pair in deal_all(one, truth=False)] == ["a1-a2"]
    assert not one.exhausted()
    assert len(deal_all(one, truth=True)) == 2
    assert one.exhausted()


def test_one_rank_in_five_may_hold_the_truth_and_none_before() -> None:
    allowed = [truth_allowed(rank) for rank in range(100)]
    assert all(5 * sum(allowed[:length]) <= length for length in range(1, 101))
    assert sum(allowed) == 20


@pytest.mark.parametrize("seed", range(10))
def test_thirds_are_a_permutation_in_each_block(seed: int) -> None:
    wanted = [wanted_third(seed, "t", rank) for rank in range(90)]
    assert all(sorted(wanted[i : i + 3]) == [0, 1, 2] for i in range(0, 90, 3))
    assert len({tuple(wanted[i : i + 3]) for i in range(0, 90, 3)}) > 3


def test_gap_is_from_the_wanted_third() -> None:
    ten = group("a", [10, 9, 7, 4, 0])
    gaps = sorted(
        ten.annotations[a].final_score - ten.annotations[b].final_score
        for a, b in gap_order(ten.annotations, 0, truth=True)
    )
    for third, limits in enumerate([gaps[:4], gaps[4:7], gaps[7:]]):
        better, worse = deal(pool([ten]), third) or pytest.fail("no pair")
        assert limits[0] <= better.final_score - worse.final_score <= limits[-1]


def test_nearest_third_serves_when_the_wanted_one_is_used_up() -> None:
    one = pool([group("a", [10, 6, 0])])
    gaps = [
        better.final_score - worse.final_score
        for better, worse in (deal(one, 2) or pytest.fail("no pair") for _ in range(3))
    ]
    assert gaps == [10, 6, 4]


def test_units_and_groups_take_turns() -> None:
    one = pool([group("a", [9, 5, 1]), group("b", [9, 5, 1])], [group("c", [9, 5, 1])])
    dealt = [names(deal(one, 0) or ())[0] for _ in range(9)]
    assert dealt == ["a", "c", "b", "c", "a", "c", "b", "a", "b"]


def test_what_looks_alike_is_dropped_and_counted() -> None:
    def looks(one: Annotation) -> Mapping[str, str]:
        return {"grid": "same" if one.annotation_id in ("x", "y") else one.annotation_id, "rle": ""}

    def fine(one: Annotation) -> Mapping[str, str]:
        return {"grid": looks(one)["grid"], "rle": one.annotation_id}

    trio = [annotation("x", 9), annotation("y", 5), annotation("z", 1)]
    one = pool([Group.of(trio, fine, of_one_size)])
    assert sorted(names(pair) for pair in deal_all(one, truth=True)) == ["x-z", "y-z"]
    assert one.drops == {"grid": 1}

    blind = pool([Group.of(trio, looks, of_one_size)])
    assert deal_all(blind, truth=True) == []
    assert blind.drops == {"grid": 1, "rle": 3}

    ranked = pool([Group.of(trio, fine, of_one_size)])
    assert ranked.deal_group(3, 5, 0, True) is None
    assert ranked.drops == {"grid": 1}


def test_full_groups_come_first_and_each_once() -> None:
    one = pool(
        [group("a", [9, 5, 1]), group("b", [9, 7, 5, 3, 1, 0])],
        [group("c", [9, 5]), group("d", [4])],
    )
    dealt = [one.deal_group(3, 5, 0, True) for _ in range(3)]
    assert [names(options) if options else None for options in dealt] == [
        "b0-b1-b2-b3-b5",
        "a0-a1-a2",
        None,
    ]
    assert one.exhausted()


def test_groups_leave_out_truth_and_near_scores() -> None:
    five = group("a", [10, 8, 7.999, 4, 1], truth=True)
    assert names(pool([five]).deal_group(3, 5, 0, False) or ()) == "a1-a3-a4"
    assert names(pool([five]).deal_group(3, 5, 0, True) or ()) == "a0-a1-a3-a4"
    assert names(pool([five]).deal_group(1, 5, 3.5, True) or ()) == "a0-a3"


def robin(sizes: Sequence[int], images: int | None) -> list[str]:
    """The photos that are dealt from; photo i has sizes[i] pairs."""
    pools = [
        pool([group(f"{i}.", [10 - 0.1 * row for row in range(size + 1)])], image_id=str(i))
        for i, size in enumerate(sizes)
    ]
    left = {str(i): size for i, size in enumerate(sizes)}

    def deal(one: Pool, rank: int) -> str | None:
        if left[one.image_id] and one.deal_pair(0, 0, True):
            left[one.image_id] -= 1
            return one.image_id
        return None

    return list(round_robin(pools, images, deal))


def test_photos_take_turns_until_each_is_used_up() -> None:
    assert "".join(robin([1, 3, 0, 2], None)) == "013131"


def test_photos_without_anything_are_replaced_by_the_next() -> None:
    assert robin([0, 1, 0, 2, 5], 2) == ["1", "3", "3"]


def test_photos_are_opened_one_by_one() -> None:
    opened = []

    def pools() -> Iterator[Pool]:
        for i in count():
            opened.append(i)
            yield pool([group("a", [9, 1])], image_id=str(i))

    dealt = round_robin(pools(), None, lambda one, rank: one.deal_pair(0, 0, True))
    for _ in range(3):
        next(dealt)
    assert opened == [0, 1, 2]


def test_a_turn_that_waits_for_the_truth_does_not_end_the_run() -> None:
    pools = [
        pool([group("a", [10, 5], truth=True)], image_id="truth"),
        pool([group("b", [9, 8, 7, 6, 5])], image_id="plain"),
    ]

    def deal(one: Pool, rank: int) -> str | None:
        dealt = one.deal_pair(0, 0, truth_allowed(rank) or rank == 0)
        return one.image_id if dealt else None

    assert list(round_robin(pools, None, deal)) == ["truth"] + ["plain"] * 10


def test_the_better_one_has_more_in_half_of_the_pairs_where_the_data_allows() -> None:
    """Two kinds of error, of which one takes away and one adds, and a third that does both."""

    def weighed(grows: int) -> Group:
        made = [annotation(f"{grows}.{row}", 10.0 - row) for row in range(6)]

        def weigh(one: Annotation) -> Bulk:
            worse = round(10.0 - one.final_score)
            return Bulk(1, 1, 3, 100.0 * 1.1 ** (grows * worse), 100.0, 100.0)

        return Group.of(made, differ, weigh)

    balance, more = Balance(), 0
    one = pool([weighed(-1)], [weighed(1)], [weighed(1)])
    for rank in range(20):
        pair = one.deal_pair(0, wanted_third(42, "t", rank), True, balance)
        assert pair is not None
        balance.add(pair.contrast)
        better, worse = (int(a.annotation_id[0] == "-") for a in pair.options)
        assert better == worse
        more += better
        assert abs(2 * more - rank - 1) <= 4
    assert more == 10


def test_a_pair_against_the_balance_is_dealt_before_none() -> None:
    def weigh(one: Annotation) -> Bulk:
        return Bulk(1, 1, 3, 50.0 + 10 * one.final_score, 100.0, 100.0)

    made = [annotation(str(row), float(row)) for row in range(4)]
    one, balance, dealt = pool([Group.of(made, differ, weigh)]), Balance(), 0
    while pair := one.deal_pair(0, 1, True, balance):
        balance.add(pair.contrast)
        dealt += 1
    assert dealt == 6
