"""Annotation files: records of predictions with their scores, read and written."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from pydantic import ValidationError

from gen.errors import UserError
from gen.predictions import json_parts
from gen.predictions.annotation import Annotation, Prediction
from gen.predictions.files import PredictionFile, inner
from gen.predictions.json_parts import Size
from gen.predictions.json_records import (
    RECORDS,
    TASK_NAMES,
    BoxRecord,
    DepthRecord,
    GenerationRecord,
    InstanceRecord,
    PoseRecord,
    ReferringRecord,
    RestorationRecord,
    SemanticRecord,
    names,
)
from gen.predictions.picture_store import PictureStore
from gen.schema import Task
from gen.sources.coco_records import RecordError, identifier
from gen.sources.json_outline import parse
from gen.sources.problem_log import ProblemLog

_FAULT = "bad_prediction"
# The name of a field of ours, as against the name of a type.
_FIELD = re.compile(r"(?!str$|int$)\w+")


class Found(NamedTuple):
    """An annotation, and its record's place in the file for reports.

    `picture` names the picture that has yet to be put in as its prediction; "" for any other task.
    """

    annotation: Annotation
    place: str
    picture: str


def read(
    file: PredictionFile, task: Task, root: str, sizes: Mapping[str, Size], log: ProblemLog
) -> list[Found]:
    """The annotations of one task in a file.

    `sizes` (height, width) are those of the photos that the data has; the `size` of an annotation
    on another one is what its record or its prediction tells. Annotations get the name of `task`;
    records of other tasks are passed over. Faults go to the log: file, position, field and reason;
    no other record is lost.

    Raises:
        UserError: the file cannot be read, or is not a JSON list.
    """
    try:
        entries = parse(file.content())
    except ValueError as error:
        raise UserError(f"{file.label}: not valid JSON (cut off?): {error}") from None
    if not isinstance(entries, list):
        raise UserError(f"{file.label}: expected a JSON list of annotations")
    wanted = names(task)
    known = {name for some in TASK_NAMES.values() for name in some}
    found = []
    for position, entry in enumerate(entries):
        place = f"annotation at position {position}"
        try:
            if not isinstance(entry, dict):
                raise RecordError(_FAULT, f"is a {type(entry).__name__}, not an object")
            if entry.get("task") in wanted:
                one, picture = _annotation(entry, task, root, sizes)
                found.append(Found(one, place, picture))
            elif not isinstance(entry.get("task"), str):
                raise RecordError(_FAULT, f"task: {entry.get('task')!r}; expected a task's name")
            elif entry["task"] not in known:
                raise RecordError("unknown_task", f"task: {entry['task']!r} is no task")
        except RecordError as error:
            log.add(error.kind, file.label, place, str(error))
    return found


def dump(
    annotations: Iterable[Annotation],
    path: Path,
    pictures: PictureStore | None = None,
    root: Path | None = None,
) -> None:
    """Write annotations as a file that `read` takes; depth maps go into a folder beside it.

    So do pictures, which are taken from `pictures`. The file names them below `root`, which is its
    own folder unless told otherwise.

    Raises:
        ValueError: an annotation with a depth map or a picture has an id that is no file name.
        KeyError: a picture is not in `pictures`.
        OSError: the files cannot be written.
    """
    records = [record(one, path, pictures, root) for one in annotations]
    path.write_bytes(orjson.dumps(records, option=orjson.OPT_INDENT_2))


def record(
    annotation: Annotation,
    path: Path,
    pictures: PictureStore | None = None,
    root: Path | None = None,
) -> dict[str, Any]:
    """The record of an annotation in the file `path`; its depth map or picture is written at once.

    Arguments and errors are those of `dump`.
    """

    def save(what: str, png: bytes) -> str:
        if identifier(annotation.annotation_id) is None:
            raise ValueError(f"annotation_id {annotation.annotation_id!r} is no file name")
        file = path.with_name(f"{path.stem}_{what}") / f"{annotation.annotation_id}.png"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(png)
        return file.relative_to(root or path.parent).as_posix()

    plain = {
        name: getattr(annotation, name)
        for name in Annotation.__slots__
        if name not in ("prediction", "metrics", "size", "given")
    }
    prediction = json_parts.to_parts(annotation.prediction, save, pictures)
    height, width = annotation.size or (None, None)
    return {
        **plain,
        "width": width,
        "height": height,
        "prediction": prediction,
        "metrics": dict(annotation.metrics),
    }


def _annotation(
    entry: Mapping[str, Any], task: Task, root: str, sizes: Mapping[str, Size]
) -> tuple[Annotation, str]:
    """An annotation, and the name of the picture that it lacks."""
    try:
        one = RECORDS[task.family].model_validate(entry)
    except ValidationError as error:
        raise RecordError(_FAULT, _told(error)) from None
    image_id = identifier(one.image_id)
    if image_id is None:
        raise RecordError(
            _FAULT,
            f"image_id: {one.image_id!r}; expected letters, digits, '_', '.' and '-', at most 128",
        )
    size = sizes.get(image_id)
    if size is None and one.width and one.height:
        size = one.height, one.width
    prediction, told = _prediction(one, size, root)
    annotation = Annotation(
        annotation_id=one.annotation_id,
        image_id=image_id,
        task=task.name,
        class_of_interest=None if one.class_of_interest is None else tuple(one.class_of_interest),
        error_type=one.error_type,
        severity=one.severity,
        prompt=one.prompt,
        source=one.source,
        prediction=prediction,
        final_score=one.final_score,
        metrics=dict(one.metrics),
        size=None if image_id in sizes else size or told,
    )
    if isinstance(one, RestorationRecord | GenerationRecord):
        return annotation, one.prediction[0].picture
    return annotation, ""


def _prediction(one: Any, size: Size | None, root: str) -> tuple[Prediction, Size | None]:
    """The payload of a record, and the size of the photo where the payload tells it."""
    if isinstance(one, BoxRecord):
        boxes = json_parts.boxes(one.prediction)
        return boxes, _around([(x2, y2) for _, _, x2, y2 in (part.box for part in boxes)])
    if isinstance(one, PoseRecord):
        poses = json_parts.poses(one.prediction)
        return poses, _around([(x, y) for part in poses for x, y, v in part.joints if v])
    if isinstance(one, DepthRecord):
        (part,) = one.prediction
        return json_parts.depth(part, size, lambda name: _load(root, name)), None
    if isinstance(one, RestorationRecord | GenerationRecord):
        return (), None
    if not isinstance(one, InstanceRecord | SemanticRecord | ReferringRecord):
        raise TypeError(f"no reader for {type(one).__name__}")
    masks = json_parts.mask_parts(one.prediction, size)
    told = json_parts.size_of(one.prediction)
    if isinstance(one, SemanticRecord):
        return json_parts.apart(masks), told
    if isinstance(one, ReferringRecord) and masks[0].label != one.prompt:
        raise RecordError(_FAULT, "prediction[0].label: differs from prompt; expected the same")
    return masks, told


def _around(points: Iterable[tuple[float, float]]) -> Size | None:
    """The least size that holds all points; None without any."""
    found = list(points)
    if not found:
        return None
    width, height = (max(1, -int(-max(values) // 1)) for values in zip(*found, strict=True))
    return height, width


def _load(root: str, name: str) -> bytes:
    file = inner(root, name)
    if file is None or not file.path.is_file():
        raise RecordError(
            _FAULT, f"prediction[0].depth_png: no file {name!r} below predictions.root"
        )
    return file.content()


def _told(error: ValidationError) -> str:
    """The first fault: field, reason and what was found."""
    fault = error.errors(include_url=False)[0]
    where, reason = "", fault["msg"].removeprefix("Value error, ")
    for part in fault["loc"]:
        if isinstance(part, str) and not _FIELD.fullmatch(part):
            # Pydantic goes on with the form of a union that it tried first.
            reason = "has none of the forms in the schema"
            break
        where += f"[{part}]" if isinstance(part, int) else f".{part}"
    found = "" if fault["type"] == "missing" else f", not {str(fault['input'])[:60]!r}"
    return f"{where.lstrip('.')}: {reason}{found}"
