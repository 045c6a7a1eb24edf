"""The folder of a run: its name, and the names of what is in it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gen.predictions import files
from gen.schema import Settings, identity, validate

# Raised by hand on every edit that changes what the generator makes out of equal settings; a
# task's own `data_version` does the same for that task alone.
DATA_VERSION = 1

SPLIT = "test"
CONFIG = "config.yaml"
MANIFEST = "manifest.json"
MEDIA = "media"
PLAN = "plan.jsonl"
PICTURES = "plan_pictures.zip"
README = "README.md"
RUN_LOG = "run_log.json"

# `config.yaml` works as the only file of a configuration; these lines keep Hydra from adding logs
# and folders of its own.
_HYDRA = {
    "defaults": [
        {"override hydra/job_logging": "none"},
        {"override hydra/hydra_logging": "none"},
        "_self_",
    ],
    "hydra": {"output_subdir": None, "run": {"dir": "."}, "job": {"chdir": False}},
}


@dataclass(frozen=True, slots=True)
class RunDir:
    """A run's place: `out_root`/`id`, its parquet in the folder `config` under that.

    `key` is what the id was made of, as JSON data.
    """

    out_root: Path
    id: str
    config: str
    key: Mapping[str, Any]

    @property
    def path(self) -> Path:
        return self.out_root / self.id

    @property
    def shard_folder(self) -> Path:
        return self.path / self.config


def locate(settings: Settings, fingerprint: str) -> RunDir:
    """Where the run with these settings belongs, over data with this fingerprint.

    Prediction files, if the settings name any, are read for their own.

    Its id is the first 12 hex digits of SHA-256 over the canonical JSON (keys sorted, no white
    space) of all that decides what it holds: settings, data and data versions.

    Raises:
        UserError: a prediction file is not there or cannot be read.
    """
    predictions = files.fingerprint(settings.predictions)
    key = {
        "config": key_config(settings),
        **({"predictions": predictions} if predictions else {}),
        "source": fingerprint,
        "data_versions": {"generator": DATA_VERSION, "task": settings.task.data_version},
    }
    text = json.dumps(
        key, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )
    digest = hashlib.sha256(text.encode()).hexdigest()
    return RunDir(Path(settings.out_root), digest[:12], settings.task.name, key)


def key_config(settings: Settings) -> dict[str, Any]:
    """The part of `settings` that decides what a run holds."""
    config = identity(settings)
    if settings.subset.name != "none":
        del config["n_items"]  # the subset says how many there are
    return config


def config_yaml(settings: Settings) -> str:
    """`settings` as a YAML file by which Hydra alone resolves to the same settings again."""
    from omegaconf import OmegaConf

    return OmegaConf.to_yaml(OmegaConf.create(_HYDRA | settings.model_dump(mode="json")))


def read_config(run: Path) -> Settings:
    """The settings in the `config.yaml` of the run in the folder `run`.

    Raises:
        OSError: there is no such file.
        ValueError: it is not YAML, or holds no settings.
        UserError: it holds settings that this version of gen does not take.
    """
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        content = yaml.load((run / CONFIG).read_text(encoding="utf-8"), Loader=loader)
    except yaml.YAMLError:
        raise ValueError(f"{CONFIG} is not YAML") from None
    if not isinstance(content, dict):
        raise ValueError(f"{CONFIG} holds no settings")
    return validate({key: value for key, value in content.items() if key not in _HYDRA})
