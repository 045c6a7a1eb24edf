"""Settings as the command line would make them."""

from hydra import compose, initialize_config_dir
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from gen.cli.faults import explain
from gen.cli.groups import Groups, shipped
from gen.cli.overrides import rewrite
from gen.schema import Settings, validate


def settings(overrides: list[str]) -> Settings:
    """The settings that `python -m gen *overrides` would run with.

    Raises:
        UserError: they cannot be composed, or do not go together.
    """
    try:
        with initialize_config_dir(str(shipped()), version_base="1.3"):
            config = OmegaConf.to_container(
                compose("config", rewrite(overrides, Groups((shipped(),)))), resolve=True
            )
    except (HydraException, OmegaConfBaseException) as error:
        raise explain(error) from None
    if not isinstance(config, dict):
        raise TypeError("the configuration is not a mapping")
    return validate({str(key): value for key, value in config.items()})


def task_names() -> list[str]:
    """The names of all tasks that gen ships, sorted."""
    return Groups((shipped(),)).options("task")
