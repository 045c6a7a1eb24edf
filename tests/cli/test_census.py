"""The registry: every row of every task, counted, with letters that mean what its settings say."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from gen.cli.groups import Groups
from gen.cli.pairs import fitting
from gen.errors import UserError

CONF = Path(__file__).resolve().parents[2] / "conf"
GROUPS = Groups((CONF,))
TASKS = {name: GROUPS.read("task", name) for name in GROUPS.options("task")}
LONG_NAMES = {
    "object_detection": "object_detection",
    "instance_seg": "instance_segmentation",
    "semantic_seg": "semantic_segmentation",
    "referring_seg": "referring_segmentation",
    "keypoint": "keypoint",
    "depth": "depth_estimation",
    "deblur": "lowlevel-deblur",
    "derain": "lowlevel-derain",
    "desnow": "lowlevel-desnow",
    "super_resolution": "lowlevel-super-resolution",
    "t2i": "generation_t2i",
    "editing": "generation_editing",
    "controllable": "generation_controllable",
    "inpainting_high_level": "generation_inpainting_high_level",
    "inpainting_low_level": "generation_inpainting_low_level",
}
# Rows that subsets use; of instance segmentation text_ss0 fits as well, but no subset uses it.
ROWS = {
    "object_detection": 6,
    "instance_seg": 13,
    "semantic_seg": 11,
    "referring_seg": 11,
    "keypoint": 8,
    "depth": 3,
}
# The tasks whose predictions are pictures share one row, `natural`.
PICTURE_TASKS = [name for name, content in TASKS.items() if content["category"] != "perception"]

# What each place of a stem stands for, by the task's family: letter, knob, and value by digit.
# Referring segmentation has `m` twice, so that a place is told by its order and not by its letter.
Places = list[tuple[str, str, list[Any]]]
CANVAS = ("m", "canvas", ["overlay", "separate"])
OPACITY = ("o", "opacity", [0.5, 1.0])
LABELS = ("l", "labels", [False, True])
PLACES: dict[str, Places] = {
    "boxes": [("s", "labels", [False, True]), CANVAS],
    "instances": [
        CANVAS,
        OPACITY,
        LABELS,
        ("c", "color_by", ["class", "instance"]),
        ("b", "boxes", ["none", "dashed"]),
    ],
    "semantic": [CANVAS, OPACITY, LABELS, ("c", "color_by", ["standard", "random"])],
    "referring": [CANVAS, OPACITY, ("m", "mask_style", ["filled", "contour", "both"])],
    "keypoints": [
        ("s", "style", ["points", "skeleton"]),
        ("c", "color_by", ["single", "person", "part"]),
        CANVAS,
    ],
}
PIXEL_ROWS = [
    (task, stem)
    for task, content in TASKS.items()
    for stem in content["encodings"]
    if stem.startswith("pixel_")
]


def used(flag: str) -> Counter[str]:
    return Counter(
        task
        for task, content in TASKS.items()
        for row in content["encodings"].values()
        if row[flag]
    )


def test_there_are_15_tasks_and_53_rows_52_of_them_of_the_base_ablation() -> None:
    assert set(TASKS) == set(LONG_NAMES)
    assert {TASKS[name]["category"] for name in ROWS} == {"perception"}
    assert sorted([*LONG_NAMES][len(ROWS) :]) == PICTURE_TASKS
    assert all(set(TASKS[task]["encodings"]) == {"natural"} for task in PICTURE_TASKS)
    for flag, rows in (("is_final", 52), ("is_base_ablation", 51)):
        counts = used(flag)
        assert {counts.pop(task) for task in PICTURE_TASKS} == {1}
        assert counts.total() == rows
        assert flag != "is_final" or counts == ROWS
    left_out = [
        (task, stem)
        for task, content in TASKS.items()
        for stem, row in content["encodings"].items()
        if row["is_final"] and not row["is_base_ablation"]
    ]
    assert left_out == [("instance_seg", "pixel_ss1_m0_o0_l0_c0_b0")]


def test_every_encoding_belongs_to_a_row_and_every_row_has_one() -> None:
    stems = {stem for content in TASKS.values() for stem in content["encodings"]}
    assert stems == set(GROUPS.options("encoding"))
    counts = {task: len(TASKS[task]["encodings"]) for task in ROWS}
    assert counts == {**ROWS, "instance_seg": 14}


@pytest.mark.parametrize("task", TASKS)
def test_short_and_long_names(gen: Callable[[str], Any], task: str) -> None:
    short, long = (gen(f"--cfg job task={name}") for name in (task, LONG_NAMES[task]))
    assert short.status == 0, short.err
    assert short.out == long.out
    settings = yaml.safe_load(short.out)
    assert settings["task"]["row_name"] == LONG_NAMES[task]
    assert settings["task"]["encodings"][settings["encoding"]["name"]]["is_final"]


@pytest.mark.parametrize(("task", "stem"), PIXEL_ROWS)
def test_letters_of_a_stem_and_its_settings_agree(task: str, stem: str) -> None:
    settings = GROUPS.read("encoding", stem)
    assert settings["name"] == stem
    _, *parts = stem.split("_")
    places = PLACES[TASKS[task]["family"]]
    if parts[0].startswith("ss"):
        sampled, *parts = parts
        assert (settings["form"] == "grid") == (sampled == "ss0")
        assert settings.get("grid") == (16 if sampled == "ss0" else None)
        places = [CANVAS] if sampled == "ss0" else places
    assert [part[0] for part in parts] == [letter for letter, _, _ in places]
    for part, (_, knob, values) in zip(parts, places, strict=True):
        assert settings[knob] == values[int(part[1:])], knob


def test_a_stem_of_two_tasks_means_the_same_in_both() -> None:
    shared = [stem for stem, count in Counter(stem for _, stem in PIXEL_ROWS).items() if count > 1]
    assert sorted(shared) == ["pixel_ss0_m0", "pixel_ss0_m1"]


@pytest.mark.parametrize(
    ("subset", "question", "jobs"),
    [
        ("judge_analysis", "pairwise,ranking,scoring", 3 * (52 + 9)),
        ("encoding_analysis", "pairwise,ranking,scoring", 51 + 9),
        ("judge_analysis", None, 52 + 9),
    ],
)
def test_a_sweep_over_everything_has_a_job_for_each_row(
    gen: Callable[[str], Any],
    monkeypatch: pytest.MonkeyPatch,
    subset: str,
    question: str | None,
    jobs: int,
) -> None:
    def counted(jobs: Any, *others: Any) -> None:
        raise UserError(f"{len(fitting(jobs, *others))} jobs")

    monkeypatch.setattr("gen.cli.pairs.fitting", counted)
    swept = f"question={question}" if question else ""
    outcome = gen(f"-m subset={subset} 'task=glob(*)' 'encoding=glob(*)' {swept}")
    assert (outcome.status, outcome.err.splitlines()[-1]) == (2, f"gen: {jobs} jobs")
    total = len(TASKS) * len(GROUPS.options("encoding")) * (3 if question else 1)
    assert outcome.err.startswith(f"gen: {total - jobs} of {total} jobs are left out")
