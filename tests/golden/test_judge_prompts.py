"""One item of every task, encoding and question type, word for word.

A change of these files is a change of data: raise the task's `data_version` with it. They are
written anew by `pytest tests/golden --refresh-golden`, those of one task by adding `-k keypoint`.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from gen.item import JudgeItem
from gen.judge import plan, plan_file
from gen.judge.items import make_items
from gen.judge.plan import PlannedItem
from gen.predictions.picture_store import PictureStore
from gen.schema import Settings, validate
from gen.sources.open import open_source
from gen.sources.records import Source

HERE = Path(__file__).parent
CONF = HERE.parents[1] / "conf"
QUESTIONS = ("pairwise", "ranking", "scoring")
RANK = 7  # late enough for the photos to come round again; the last one where there are fewer
FILES = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((CONF / "task").glob("*.yaml"))
}
ROWS = [
    pytest.param(name, stem, id=f"{name}-{stem}")
    for name, content in FILES.items()
    for stem in content["encodings"]
]
# Words do not hang on the size of pictures, nor on how many more of them there are.
SMALL = {
    name: [f"task.{block}.longest={longest}", f"n_items={RANK + 1}"]
    for name, content in FILES.items()
    for block, longest in (("degradation", 128), ("staging", 192))
    if content.get(block)
}
Planned = tuple[Source, PlannedItem, PictureStore | None]


def settings(task: str, question: str, stem: str) -> Settings:
    overrides = [f"task={task}", f"question={question}", f"encoding='{stem}'"]
    overrides += SMALL.get(task, [])
    with initialize_config_dir(str(CONF), version_base="1.3"):
        config = compose("config", overrides=overrides)
    return validate(OmegaConf.to_container(config, resolve=True))


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Settings], Planned]:
    """One line of the plan, which all encodings of a task share."""
    known: dict[tuple[str, str], Planned] = {}

    def made(chosen: Settings) -> Planned:
        key = chosen.task.name, chosen.question.name
        if key not in known:
            path = tmp_path_factory.mktemp("plan") / "plan.jsonl"
            source = open_source(chosen.data)
            rank = min(RANK, plan.write(chosen, source, path).items - 1)
            line = plan.read(path, rank, rank + 1)[0]
            known[key] = source, line, plan_file.open_pictures(path)
        return known[key]

    return made


def as_text(item: JudgeItem) -> str:
    lines = [
        f"id: {item.id}",
        f"task: {item.task}",
        f"encoding: {item.encoding}",
        f"question_type: {item.question_type}",
        f"media: {', '.join(picture.name for picture in item.media)}",
        f"choices: {', '.join(item.choices)}",
        f"answer: {item.answer}",
        "prompt:",
        item.prompt,
    ]
    return "\n".join(lines) + "\n"


CASES = [
    pytest.param(*row.values, question, id=f"{row.id}-{question}", marks=marks)
    for row in ROWS
    for question in QUESTIONS
    for marks in [
        [pytest.mark.slow]
        if row.values[0] in SMALL and (question != "pairwise" or "high" in str(row.values[0]))
        else []
    ]
]


@pytest.mark.parametrize(("task", "stem", "question"), CASES)
def test_item_is_word_for_word_as_before(
    planned: Callable[[Settings], Planned],
    refresh_golden: bool,
    task: str,
    stem: str,
    question: str,
) -> None:
    chosen = settings(task, question, stem)
    source, line, pictures = planned(chosen)
    (item,) = make_items(chosen, source, [line], pictures)
    assert isinstance(item, JudgeItem)
    golden = HERE / task / question / f"{stem}.txt"
    if refresh_golden:
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(as_text(item), encoding="utf-8")
    assert as_text(item) == golden.read_text(encoding="utf-8")


def test_no_golden_file_is_left_of_a_row_that_is_gone() -> None:
    expected = {
        Path(str(task), question, f"{stem}.txt")
        for task, stem in (row.values for row in ROWS)
        for question in QUESTIONS
    }
    assert {path.relative_to(HERE) for path in HERE.rglob("*.txt")} <= expected
