"""Settings as a user would compose them, and photos."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from shapes_source import Shapes

from gen.schema import Settings, validate

CONF = Path(__file__).resolve().parents[3] / "conf"
Compose = Callable[..., Settings]


@pytest.fixture(scope="session")
def settings() -> Compose:
    """The settings that the command line would give for these overrides."""
    made: dict[tuple[str, ...], Settings] = {}

    def composed(*overrides: str) -> Settings:
        if overrides not in made:
            with initialize_config_dir(str(CONF), version_base="1.3"):
                config = compose("config", overrides=list(overrides))
            made[overrides] = validate(OmegaConf.to_container(config, resolve=True))
        return made[overrides]

    return composed


@pytest.fixture(scope="session")
def shapes() -> Shapes:
    """Six photos with five objects each."""
    return Shapes(6)
