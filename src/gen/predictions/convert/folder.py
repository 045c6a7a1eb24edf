"""A folder of annotation files with their pictures, and the indices of what is shown first."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from gen import atomic, rng
from gen.predictions import json_file
from gen.predictions.annotation import Annotation
from gen.predictions.convert.judged import Judged, Rgb
from gen.predictions.json_records import TASK_NAMES
from gen.predictions.picture_store import PictureStore
from gen.render.png import encode_png

# The name that records give a task, by its short name: families of pictures have both in turn.
_ROW_NAMES: Mapping[str, str] = {
    short: row
    for names in (TASK_NAMES["restoration"], TASK_NAMES["scenes"])
    for short, row in zip(names[::2], names[1::2], strict=True)
}
# The files of a group of tasks, which is how their names in rows begin: annotations, and images.
_FILES = {
    "lowlevel": ("data_json_v2/lowlevel_annotations.json", "images_v2/lowlevel.json"),
    "generation": ("data_json_v2/generation_annotations.json", "images_v2/generation_images.json"),
}
_DECIMALS = 6


def write(found: Iterable[Judged], folder: Path) -> Counter[str]:
    """Write what is `found` below `folder`; the number of annotations by the task's short name.

    `predictions=json` and `data=index` read such a folder. Files of a group of tasks (restoration,
    generation) of which nothing is found stay as they are. Answers that show the same are written
    once. Equal input gives equal files.

    Raises:
        OSError: the folder cannot be written.
    """
    annotations: dict[str, list[Annotation]] = {}
    images: dict[str, dict[str, Any]] = {}
    counts: Counter[str] = Counter()
    with tempfile.TemporaryFile() as file, PictureStore(file) as pictures:
        for one in found:
            group = _ROW_NAMES[one.task].partition("-")[0].partition("_")[0]
            made = list(_annotations(one, pictures))
            annotations.setdefault(group, []).extend(made)
            counts[one.task] += len(made)
            listed = images.setdefault(group, {})
            if one.given is not None:
                listed[one.image_id] = _listed(one, one.given, folder, _FILES[group][1])
        for group, some in annotations.items():
            path, index = (folder / name for name in _FILES[group])
            for file_path in (path, index):
                file_path.parent.mkdir(parents=True, exist_ok=True)
            json_file.dump(some, path, pictures, folder)
            atomic.write(index, orjson.dumps(images[group], option=orjson.OPT_INDENT_2))
    return counts


def _annotations(one: Judged, pictures: PictureStore) -> Iterator[Annotation]:
    seen = set()
    for answer in one.answers:
        stored = pictures.add(answer.picture)
        if stored.digest in seen:
            continue
        seen.add(stored.digest)
        yield Annotation(
            annotation_id=rng.opaque_id(one.task, one.image_id, answer.source, stored.digest),
            image_id=one.image_id,
            task=_ROW_NAMES[one.task],
            class_of_interest=None,
            error_type=None,
            severity=None,
            prompt=one.prompt,
            source=answer.source,
            prediction=(stored,),
            final_score=round(answer.score, _DECIMALS),
            metrics={name: round(value, _DECIMALS) for name, value in answer.metrics.items()},
            size=None if one.given is None else (one.given.shape[0], one.given.shape[1]),
        )


def _listed(one: Judged, given: Rgb, folder: Path, index: str) -> dict[str, Any]:
    """The entry of the picture that is shown first; its file is written at once."""
    path = (folder / index).with_suffix("") / f"{one.image_id}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_png(given))
    height, width = given.shape[:2]
    name = path.relative_to(folder).as_posix()
    return {"file": name, "width": width, "height": height, **one.credits}
