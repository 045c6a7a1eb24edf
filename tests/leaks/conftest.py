"""Pairs as a run would have them, and settings as the command line would make them."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from gen.item import JudgeItem
from gen.judge import plan
from gen.judge.items import Maker
from gen.schema import Settings, validate
from gen.sources.open import open_source

CONF = Path(__file__).resolve().parents[2] / "conf"
Pairs = Callable[[str, str, int], list[JudgeItem]]


def settings(*overrides: str) -> Settings:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        config = compose("config", overrides=list(overrides))
    return validate(OmegaConf.to_container(config, resolve=True))


@pytest.fixture(scope="session")
def real_pairs(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Pairs:
    """The first so many pairs of a task on real photos, under one encoding."""
    folder = tmp_path_factory.mktemp("plans")
    source = open_source(settings("data=folder", f"data.root={shared_data}").data)

    @cache
    def planned(task: str, count: int) -> list[plan.PlannedItem]:
        asked = settings(
            "data=folder", f"data.root={shared_data}", f"task={task}", f"n_items={count}"
        )
        header = plan.write(asked, source, folder / task)
        return plan.read(folder / task, 0, header.items)

    def made(task: str, stem: str, count: int) -> list[JudgeItem]:
        chosen = settings(
            "data=folder", f"data.root={shared_data}", f"task={task}", f"encoding='{stem}'"
        )
        items = Maker(chosen, source).make(planned(task, count))
        return [item for item in items if isinstance(item, JudgeItem)]

    return made
