"""Tasks of one's own: the kinds of error that they name have to be ones that can be made."""

from io import BytesIO
from pathlib import Path

import pytest
import yaml
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from gen.errors import UserError
from gen.predictions.picture_store import PictureStore
from gen.predictions.supply import open_supply
from gen.schema import Task, validate
from gen.sources.open import open_source

CONF = Path(__file__).parents[3] / "conf"


def task_of(path):
    record = yaml.safe_load(path.read_text(encoding="utf-8"))
    del record["defaults"]
    return Task.model_validate(record)


TASKS = {path.stem: task_of(path) for path in sorted((CONF / "task").glob("*.yaml"))}
PERTURBED = [name for name, task in TASKS.items() if task.error_types]


@pytest.fixture(scope="module")
def opened():
    """Opens the supply of a task that differs in `changes`."""
    with initialize_config_dir(str(CONF), version_base=None):
        settings = validate(OmegaConf.to_container(compose("config"), resolve=True))
    source = open_source(settings.data)

    def supply(name, **changes):
        task = TASKS[name].model_copy(update=changes)
        with PictureStore(BytesIO()) as pictures:
            return open_supply(settings.model_copy(update={"task": task}), source, pictures)

    return supply


@pytest.mark.parametrize("name", TASKS)
def test_kinds_of_a_task_can_be_made_and_others_are_refused(opened, name):
    opened(name)
    with pytest.raises(UserError, match=r"no error type of tasks of family .* 'blurr'"):
        opened(name, error_types=("blurr",))


@pytest.mark.parametrize("name", PERTURBED)
def test_a_task_without_kinds_is_told_which_there_are(opened, name):
    with pytest.raises(UserError, match=r"task\.error_types of .* is empty: expected one or more"):
        opened(name, error_types=())


def test_kinds_are_those_of_what_is_staged(opened):
    with pytest.raises(UserError, match="'edit_ignored'"):
        opened("editing", staging=TASKS["t2i"].staging)
