"""The plan of a run: what it promises of order, truth, gaps, wording, repeats and shortfalls."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from shapes_source import Shapes

from gen.errors import UserError
from gen.judge import plan
from gen.judge.encodings.masks.text import encode_polygon
from gen.judge.plan import Header, PlannedItem
from gen.judge.plan_file import INDEX_STEP
from gen.predictions.annotation import Annotation, MaskPrediction
from gen.schema import Settings
from gen.sources.records import Source

Compose = Callable[..., Settings]
Planned = tuple[Header, list[PlannedItem]]
MANY = Shapes(30)


@pytest.fixture(scope="module")
def plan_of(
    settings: Compose, shapes: Shapes, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Planned]:
    path = tmp_path_factory.mktemp("plan") / "plan.jsonl"
    known: dict[tuple[Source, tuple[str, ...]], Planned] = {}

    def made(*overrides: str, source: Source = shapes) -> Planned:
        if (source, overrides) not in known:
            written = plan.write(settings(*overrides), source, path)
            assert plan.header(path) == written
            known[source, overrides] = written, plan.read(path, 0, written.items)
        return known[source, overrides]

    return made


Plan = Callable[..., Planned]


def gap(item: PlannedItem) -> float:
    scores = [one.final_score for one in item.annotations]
    return max(scores) - min(scores)


def a_is_right(items: Sequence[PlannedItem]) -> int:
    return sum(one.annotations[0].final_score > one.annotations[1].final_score for one in items)


def polygons(one: Annotation) -> int:
    masks = [part for part in one.prediction if isinstance(part, MaskPrediction)]
    return len(encode_polygon(masks))


def ids(item: PlannedItem) -> tuple[str, ...]:
    return tuple(one.annotation_id for one in item.annotations)


def test_a_free_run_has_the_items_that_were_asked_for(plan_of: Plan) -> None:
    header, items = plan_of("n_items=20")
    assert (header.items, header.images, header.shortfalls) == (20, 6, ())
    assert sum(header.error_types.values()) == 20
    assert [item.rank for item in items] == list(range(20))
    first_lap = [item.image_id for item in items[:6]]
    assert sorted(first_lap) == list("012345")
    assert [item.image_id for item in items[6:12]] == first_lap
    assert len(header.error_types) >= 6


def test_pairs_keep_the_rules(plan_of: Plan) -> None:
    _, items = plan_of("n_items=200")
    assert all(abs(2 * a_is_right(items[:n]) - n) <= n % 2 for n in range(1, 201))
    with_truth = [any(one.severity == 0 for one in item.annotations) for item in items]
    assert all(5 * sum(with_truth[:n]) <= n for n in range(1, 201))
    assert sum(with_truth) > 0
    assert min(gap(item) for item in items) >= 0.005
    assert len({frozenset(ids(item)) for item in items}) == 200
    assert len({item.pair_id for item in items}) == 200
    for item in items:
        one, other = item.annotations
        assert one.image_id == other.image_id == item.image_id
        assert (one.class_of_interest, one.error_type) == (
            other.class_of_interest,
            other.error_type,
        )


def test_wording_is_even_and_says_nothing_of_the_answer(plan_of: Plan) -> None:
    _, items = plan_of("n_items=200")
    both = Counter((item.wording, a_is_right([item])) for item in items)
    assert set(both) == {(wording, right) for wording in range(5) for right in (0, 1)}
    assert min(both.values()) >= 10


@pytest.mark.parametrize("seed", [1, 2])
def test_each_third_of_the_gaps_is_used_about_equally(plan_of: Plan, seed: int) -> None:
    """Thirds are those of all pairs without the truth that a photo's group could give."""
    _, pool = plan_of("n_items=100000", f"seed={seed}", source=Shapes(2))
    items = pool[:60]
    gaps: dict[str, list[float]] = {}
    for item in pool:
        if all(one.severity for one in item.annotations):
            gaps.setdefault(item.group, []).append(gap(item))
    thirds: Counter[int] = Counter()
    for item in items:
        if item.group in gaps and all(one.severity for one in item.annotations):
            below = sum(other < gap(item) for other in gaps[item.group])
            thirds[below * 3 // len(gaps[item.group])] += 1
    assert min(thirds.values()) > 0.2 * sum(thirds.values())


def test_more_to_see_is_not_better(plan_of: Plan) -> None:
    _, items = plan_of("n_items=200", source=MANY)
    more = {"objects": 0, "polygons": 0}
    differ = {"objects": 0, "polygons": 0}
    for item in items:
        better, worse = sorted(item.annotations, key=lambda one: -one.final_score)
        for name, one, other in (
            ("objects", len(better.prediction), len(worse.prediction)),
            ("polygons", polygons(better), polygons(worse)),
        ):
            more[name] += one > other
            differ[name] += one != other
    for name, count in differ.items():
        assert count > 60
        assert abs(more[name] / count - 0.5) < 0.06, name


def test_least_gap_is_kept(plan_of: Plan) -> None:
    _, items = plan_of("n_items=30", "question.min_gap=2.5")
    assert min(gap(item) for item in items) >= 2.5


def test_both_orders_are_twins(plan_of: Plan) -> None:
    header, items = plan_of("n_items=21", "question.order=both")
    assert header.items == 21
    for first, second in zip(items[0:20:2], items[1:20:2], strict=True):
        assert (first.order, second.order) == ("AB", "BA")
        assert first.pair_id == second.pair_id
        assert ids(first) == ids(second)[::-1]
        assert (first.wording, first.classes) == (second.wording, second.classes)
    assert a_is_right(items[:20]) == 10
    assert items[20].order == "AB"
    single = plan_of("n_items=11")[1]
    assert [ids(one) for one in items[::2]] == [ids(one) for one in single]


@pytest.mark.parametrize("question", ["pairwise", "ranking", "scoring"])
def test_a_short_run_begins_a_long_one(plan_of: Plan, question: str) -> None:
    long = plan_of("n_items=30", f"question={question}")[1]
    for length in (1, 9):
        assert plan_of(f"n_items={length}", f"question={question}")[1] == long[:length]


def test_seeds_share_no_order(plan_of: Plan) -> None:
    one, two = (plan_of("n_items=30", f"seed={seed}")[1] for seed in (42, 43))
    assert [item.image_id for item in one[:6]] != [item.image_id for item in two[:6]]
    assert not {ids(item) for item in one} & {ids(item) for item in two}


def test_rankings_have_three_to_five_distinct_scores(plan_of: Plan) -> None:
    _, items = plan_of("n_items=60", "question=ranking")
    assert {len(item.annotations) for item in items} <= {3, 4, 5}
    with_truth = 0
    for place, item in enumerate(items, start=1):
        scores = sorted(one.final_score for one in item.annotations)
        assert min(high - low for low, high in pairwise(scores)) >= 0.005
        with_truth += any(one.severity == 0 for one in item.annotations)
        assert 5 * with_truth <= place
    assert len({item.group for item in items}) == 60


def test_scorings_are_five_a_group_over_its_range(plan_of: Plan) -> None:
    _, items = plan_of("n_items=50", "question=scoring")
    assert len({ids(item) for item in items}) == 50
    groups = [items[start : start + 5] for start in range(0, 50, 5)]
    for group in groups:
        assert len({item.group for item in group}) == len({item.rank for item in group}) == 1
    best_first = [
        max(range(5), key=lambda row: group[row].annotations[0].final_score) for group in groups
    ]
    assert len(set(best_first)) > 1
    truth = sum(item.annotations[0].severity == 0 for item in items)
    assert 0 < truth <= 2


def test_rankings_and_scorings_are_on_the_same_groups(plan_of: Plan) -> None:
    ranked = plan_of("n_items=12", "question=ranking")[1]
    scored = plan_of("n_items=60", "question=scoring")[1]
    for rank, item in enumerate(ranked):
        of_group = {ids(one)[0] for one in scored if one.rank == rank}
        assert of_group == set(ids(item))


def test_the_plan_is_the_same_under_every_encoding(
    settings: Compose, shapes: Shapes, tmp_path: Path
) -> None:
    stems = [f"'{stem}'" for stem in settings().task.encodings]
    assert len(stems) >= 14
    for number, stem in enumerate(stems):
        plan.write(settings("n_items=3", f"encoding={stem}"), shapes, tmp_path / str(number))
    assert len({(tmp_path / str(number)).read_bytes() for number in range(len(stems))}) == 1


def test_different_kinds_of_error_may_meet(plan_of: Plan) -> None:
    _, items = plan_of("n_items=40", "question.group_by=[class_of_interest,prompt]")
    kinds = [{one.error_type for one in item.annotations} for item in items]
    assert max(len(kind) for kind in kinds) == 2
    assert all(item.annotations[0].class_of_interest for item in items)


def test_a_range_is_read_as_it_was_written(
    settings: Compose, shapes: Shapes, tmp_path: Path
) -> None:
    path = tmp_path / "plan.jsonl"
    header = plan.write(settings("n_items=200"), shapes, path)
    items = plan.read(path, 0, 200)
    assert len(header.index) == -(-200 // INDEX_STEP)
    for start, stop in [(0, 1), (63, 66), (64, 65), (130, 200), (199, 300), (5, 5), (200, 201)]:
        assert plan.read(path, start, stop) == items[start:stop]


def test_subset_encoding_analysis(plan_of: Plan) -> None:
    header, items = plan_of("subset=encoding_analysis", source=MANY)
    assert (header.items, header.images, header.shortfalls) == (10, 10, ())
    assert a_is_right(items) == 5
    larger = plan_of("subset=judge_analysis", source=MANY)[1]
    assert larger[:10] == items


def test_subset_judge_analysis(plan_of: Plan) -> None:
    source = MANY
    header, pairs = plan_of("subset=judge_analysis", source=source)
    assert (header.items, header.images, header.shortfalls) == (50, 20, ())
    assert a_is_right(pairs) == 25
    scored = plan_of("subset=judge_analysis", "question=scoring", source=source)
    assert (scored[0].items, scored[0].images) == (100, 20)
    ranked = plan_of("subset=judge_analysis", "question=ranking", source=source)
    assert (ranked[0].items, ranked[0].images) == (20, 20)
    assert {item.group for item in ranked[1]} == {item.group for item in scored[1]}


def test_too_little_data_is_said_and_not_filled_up(plan_of: Plan) -> None:
    header, items = plan_of("subset=judge_analysis", source=Shapes(3))
    assert header.shortfalls == ("the data gives 3 of 20 images, 17 too few",)
    assert len({item.pair_id for item in items}) == 50
    header, items = plan_of("n_items=100000", source=Shapes(1, objects=1))
    assert header.shortfalls == (
        f"the data gives {len(items)} of 100000 items, {100000 - len(items)} too few",
    )
    assert len({item.pair_id for item in items}) == len(items)


def test_a_photo_that_cannot_be_read_gives_way_to_the_next(plan_of: Plan) -> None:
    fine = plan_of("n_items=6")[1]
    broken = fine[2].image_id
    header, items = plan_of("n_items=6", source=Shapes(6, unreadable=[broken]))
    assert header.images == 5
    assert [item.image_id for item in items[:5]] == [
        item.image_id for item in fine if item.image_id != broken
    ]
    (problem,) = header.problems
    assert (problem.kind, problem.record, problem.file) == (
        "corrupt_photo",
        broken,
        f"{broken}.png",
    )


@pytest.mark.parametrize("source", [Shapes(0), Shapes(2, objects=0), Shapes(1, unreadable="0")])
def test_data_without_a_single_item_is_an_error(plan_of: Plan, source: Shapes) -> None:
    with pytest.raises(UserError, match=r"data=embedded gives no pairwise item: \d photos"):
        plan_of("n_items=1", source=source)


@pytest.mark.parametrize(("n", "singles"), [(6, 0), (7, 1)])
def test_a_last_item_without_its_twin_is_said(plan_of: Plan, n: int, singles: int) -> None:
    header, items = plan_of("question.order=both", f"n_items={n}")
    assert len(items) == n
    assert [line for line in header.shortfalls if "no twin" in line] == [
        f"question.order=both, but the last of {n} items has no twin: the number is odd"
    ] * singles


def test_nothing_at_all_says_why(settings: Compose, tmp_path: Path) -> None:
    source = Shapes(2, unreadable=("0", "1"))
    with pytest.raises(UserError, match=r"2 corrupt_photo; the first: \d\.png, \d: cut off after"):
        plan.write(settings("n_items=3"), source, tmp_path / "plan.jsonl")


def test_the_plan_needs_no_other_disk_than_its_own(
    settings: Compose, shapes: Shapes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    assert plan.write(settings("n_items=3"), shapes, tmp_path / "plan.jsonl").items == 3
