"""Settings as the command line would make them."""

from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from gen.cli.groups import Groups, shipped
from gen.cli.overrides import rewrite
from gen.schema import Settings, validate


def settings(overrides: list[str]) -> Settings:
    """The settings that `python -m gen *overrides` would run with."""
    with initialize_config_dir(str(shipped()), version_base="1.3"):
        config = OmegaConf.to_container(
            compose("config", rewrite(overrides, Groups((shipped(),)))), resolve=True
        )
    if not isinstance(config, dict):
        raise TypeError("the configuration is not a mapping")
    return validate({str(key): value for key, value in config.items()})
