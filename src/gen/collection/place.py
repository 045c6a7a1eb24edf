"""The folder of a build: its name, and the names of what is in it."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gen.collection.parts import Part, PlanKey
from gen.rundir.contents import SHARD_NAME
from gen.rundir.place import CONFIG, MANIFEST, MEDIA, README, RUN_LOG
from gen.schema import BuildSettings, identity

# Raised by hand on every edit that changes what is gathered from equal parts.
GATHER_VERSION = 1

PLANS = "plans"
FILES = (CONFIG, MANIFEST, README, RUN_LOG)


@dataclass(frozen=True, slots=True)
class BuildDir:
    """A build's place: `out_root`/`id`, its parquet in a folder for each of `tasks`.

    `key` is what the id was made of, as JSON data.
    """

    out_root: Path
    id: str
    tasks: tuple[str, ...]
    key: Mapping[str, Any]

    @property
    def path(self) -> Path:
        return self.out_root / self.id

    def plan(self, key: PlanKey) -> Path:
        """The plan that all encodings of a task share for one question type and subset."""
        return self.path / PLANS / f"{key.subset}-{key.task}-{key.question}.jsonl"

    def shard_names(self) -> list[str]:
        """The names, relative to the folder, of all shards that are there, in order."""
        return [
            f"{task}/{path.name}"
            for task in self.tasks
            if (self.path / task).is_dir()
            for path in sorted((self.path / task).iterdir())
            if SHARD_NAME.fullmatch(path.name)
        ]

    def own_files(self) -> Iterable[Path]:
        """All files that a build has written here; nothing else is ever removed."""
        yield from (self.path / name for name in FILES)
        yield from (self.path / PLANS).glob("*.jsonl")
        yield from (self.path / PLANS).glob("*_pictures.zip")
        yield from (self.path / name for name in self.shard_names())
        yield from (self.path / MEDIA).glob("*.png")


def locate(settings: BuildSettings, parts: Sequence[Part]) -> BuildDir:
    """Where the build of these parts belongs.

    Its id is made, as a run's is, of all that decides what it holds: the collection and the runs
    that are its parts, each of which is named after its content.
    """
    key = {
        "config": _config(settings, parts),
        "parts": [part.run.id for part in parts],
        "gather_version": GATHER_VERSION,
    }
    text = json.dumps(key, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    tasks = tuple(dict.fromkeys(part.plan_key.task for part in parts))
    return BuildDir(Path(settings.out_root), digest[:12], tasks, key)


def _config(settings: BuildSettings, parts: Sequence[Part]) -> dict[str, Any]:
    """What is told of a build: the collection, what chose its parts, and what they share."""
    shared = parts[0].settings
    return {
        "collection": identity(settings.collection),
        "tasks": list(settings.tasks),
        "encodings": list(settings.encodings),
        "questions": list(settings.questions),
        "question": identity(settings.question),
        "seed": shared.seed,
        "media": shared.media,
        "data": identity(shared.data),
        "predictions": {"name": shared.predictions.name},
    }
