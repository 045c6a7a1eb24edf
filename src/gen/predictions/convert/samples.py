"""Indices of samples: what a model was given, what it put out, and the truth where there is one."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gen.errors import UserError, nearest
from gen.predictions.files import inner
from gen.sources.coco_records import RecordError, identifier
from gen.sources.json_outline import parse
from gen.sources.photos import PhotoError, read_rgb
from gen.sources.problem_log import ProblemLog

BEST = 10.0
# The keys of a sample that name pictures.
_PICTURE = re.compile(
    r"gt|image|mask|mask_overlay|control|lq(_x[2-8])?|(restored|result)[0-9]*(_x[2-8])?"
)
_CREDITS = ("license", "license_url", "author")


@dataclass(frozen=True, slots=True)
class Sample:
    """One entry of an index.

    `task` names a restoration, `kind` a sort of generation; the other one is "". `pictures` maps
    the keys of the entry that name pictures to their paths below `root`. `aligned` is True where
    truth and input show the same pixels, False where they do not, None where they do but for a
    shift. `models` names what made a picture, and `ratings` what people say of it from 0 to 10,
    both by its key. `credits` is what an index of photos may hold of licence and author.
    """

    sample_id: str
    task: str
    kind: str
    prompt: str | None
    pictures: Mapping[str, str]
    aligned: bool | None
    models: Mapping[str, str]
    ratings: Mapping[str, float]
    credits: Mapping[str, str]
    root: Path

    def read(self, key: str) -> NDArray[np.uint8]:
        """The picture at `key`, RGB uint8 (height, width, 3).

        Raises:
            RecordError: "bad_picture": there is none, or it cannot be read.
        """
        name = self.pictures.get(key)
        if name is None:
            raise RecordError("bad_picture", f"{key}: the sample has none")
        file = inner(str(self.root), name)
        if file is None:
            raise RecordError("bad_picture", f"{key}: {name!r} is no path below the root")
        try:
            return read_rgb(file.path)
        except PhotoError as error:
            raise RecordError("bad_picture", f"{key}: '{name}' {error}") from None

    def outputs(self, scale: int = 0) -> list[str]:
        """The keys of a model's outputs, in order; those at `scale`, where that is not 0."""
        end = f"_x{scale}" if scale else ""
        found = (re.fullmatch(rf"(restored|result)([0-9]*){end}", key) for key in self.pictures)
        return [key for _, key in sorted((int(hit[2] or 1), hit[0]) for hit in found if hit)]

    def source(self, key: str) -> str:
        """The name of the model behind a picture; the key itself where nothing tells it."""
        return self.models.get(key, key)


def read(index: Path, root: str | None, ratings: str | None, log: ProblemLog) -> Iterator[Sample]:
    """The samples of an index, in its order; entries that cannot be used go to the log.

    Paths of pictures are relative to `root`; where that is None to the index's own folder, or to
    the one above it, whichever has the first picture that is in one of them. `ratings` is a file
    {"id": {"key of a picture": 0 to 10}}.

    Raises:
        UserError: a file or folder is not there, or is no JSON of the right form.
    """
    entries = _json(index, "pairs", list)
    said = _ratings(Path(ratings), log) if ratings else {}
    folder = Path(root).expanduser() if root else _root(index.absolute().parent, entries)
    if not folder.is_dir():
        raise UserError(f"root: no folder '{root}'")
    seen: set[str] = set()
    for position, entry in enumerate(entries):
        try:
            sample = _sample(entry, said, folder)
            if sample.sample_id in seen:
                raise _fault(f"id: {sample.sample_id} is there twice; the first is used")
        except RecordError as error:
            log.add(error.kind, index.name, f"sample at position {position}", str(error))
            continue
        seen.add(sample.sample_id)
        yield sample
    for name in sorted(said.keys() - seen):
        near = nearest(name, sorted(seen), 1)
        hint = f": did you mean {near[0]}?" if near else ""
        log.add("unused_rating", Path(ratings or "").name, name, f"there is no such sample{hint}")


def _sample(entry: object, said: Mapping[str, Mapping[str, float]], root: Path) -> Sample:
    if not isinstance(entry, dict):
        raise _fault(f"is a {type(entry).__name__}, not an object")
    sample_id = identifier(entry.get("id"))
    if sample_id is None:
        raise _fault(f"id: {entry.get('id')!r}; expected letters, digits, '_', '.' and '-'")
    task, kind = _text(entry, "task"), _text(entry, "kind")
    if bool(task) == bool(kind):
        raise _fault("task, kind: expected one of them")
    aligned = entry.get("aligned", True)
    if not isinstance(aligned, bool | str):
        raise _fault(f"aligned: {aligned!r}; expected true, false, or a remark on the shift")
    named = {key: _text(entry, key) for key in entry if _PICTURE.fullmatch(str(key))}
    return Sample(
        sample_id=sample_id,
        task=task,
        kind=kind,
        prompt=_text(entry, "prompt") or None,
        pictures={key: name for key, name in named.items() if name},
        aligned=aligned if isinstance(aligned, bool) else None,
        models=_models(entry.get("models", {})),
        ratings=said.get(sample_id, {}),
        credits={key: value for key in _CREDITS if (value := _text(entry, key))},
        root=root,
    )


def _models(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise _fault(f"models: {value!r}; expected an object of names")
    return {key: name for key in value if (name := _text(value, key))}


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if value is None:
        return ""
    if not isinstance(value, str) or not value.isprintable():
        raise _fault(f"{key}: {value!r}; expected a text on one line")
    return value.strip()


def _ratings(path: Path, log: ProblemLog) -> dict[str, dict[str, float]]:
    """What people say of each sample's pictures, by the sample's id and the picture's key."""
    found: dict[str, dict[str, float]] = {}
    for name, said in _json(path, "ratings", dict).items():
        if not isinstance(said, dict):
            log.add("bad_rating", path.name, name, f"{said!r}; expected an object of numbers")
            continue
        for key, score in said.items():
            if type(score) in (int, float) and 0 <= score <= BEST:
                found.setdefault(name, {})[key] = float(score)
            else:
                log.add("bad_rating", path.name, name, f"{key}: {score!r}; expected 0 to {BEST:g}")
    return found


def _root(own: Path, entries: list[Any]) -> Path:
    names = (
        str(value)
        for entry in entries
        if isinstance(entry, dict)
        for key, value in entry.items()
        if _PICTURE.fullmatch(str(key))
    )
    for name in names:
        for folder in (own, own.parent):
            file = inner(str(folder), name)
            if file and file.path.is_file():
                return folder
    return own


def _json(path: Path, knob: str, kind: type) -> Any:
    try:
        content = parse(path.expanduser().read_bytes())
    except OSError as error:
        raise UserError(f"{knob}={path}: {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"{knob}={path}: not valid JSON (cut off?): {error}") from None
    if not isinstance(content, kind):
        wanted = "list of samples" if kind is list else "object of samples' ids"
        raise UserError(f"{knob}={path}: expected a JSON {wanted}")
    return content


def _fault(reason: str) -> RecordError:
    return RecordError("bad_sample", reason)
