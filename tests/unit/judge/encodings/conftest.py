"""Fixtures: the settings as the program composes them, and a photo."""

from typing import Any

import cv2
import numpy as np
import pytest
from encoding_cases import CONF, Shipped, task_stems
from hydra import compose, initialize_config_dir
from numpy.typing import NDArray
from omegaconf import OmegaConf
from pydantic import TypeAdapter

from gen import schema
from gen.wording import Wording


def in_conf(task: str) -> Shipped:
    adapter: TypeAdapter[schema.Encoding] = TypeAdapter(schema.Encoding)
    found: dict[str, schema.Encoding] = {}
    with initialize_config_dir(str(CONF), version_base="1.3"):
        for stem in task_stems(task):
            config: Any = OmegaConf.to_container(
                compose("config", overrides=[f"task={task}", f"encoding='{stem}'"])
            )
            found[stem] = adapter.validate_python(config["encoding"])
    read = schema.Task.model_validate(config["task"])
    return Shipped(read, Wording.model_validate(config["wording"]), found)


@pytest.fixture(scope="session")
def shipped() -> Shipped:
    return in_conf("instance_seg")


@pytest.fixture(scope="session")
def semantic() -> Shipped:
    return in_conf("semantic_seg")


@pytest.fixture(scope="session")
def referring() -> Shipped:
    return in_conf("referring_seg")


@pytest.fixture
def photo() -> NDArray[np.uint8]:
    """A photo-like picture of 120 x 160 px, without black."""
    noise = np.random.default_rng(3).integers(30, 226, (120, 160, 3), dtype=np.uint8)
    return np.ascontiguousarray(cv2.GaussianBlur(noise, (0, 0), 2))
