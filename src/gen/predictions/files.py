"""The files that predictions are read from, and what is in them without reading more than bytes."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gen.errors import UserError, nearest
from gen.schema import CocoResultsPredictions, JsonPredictions, Predictions

_RESULTS = re.compile(r"[_.-]results$")
_PICTURE_FILE = re.compile(rb'"(?:depth_png|picture)"\s*:\s*("(?:[^"\\]|\\.)*")')

# What file systems take, in bytes.
_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class PredictionFile:
    """A file below the root of the settings; `label` is its name in reports, relative to there."""

    path: Path
    label: str

    def content(self) -> bytes:
        """All bytes of the file.

        Raises:
            UserError: it cannot be read.
        """
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise UserError(f"{self.label}: {error.strerror}") from None


def find(knob: str, root: str, patterns: Sequence[str]) -> tuple[PredictionFile, ...]:
    """The files that `predictions.<knob>` names, without repeats; matches of a pattern are sorted.

    Raises:
        UserError: the root, or a path without a pattern, is not there; or nothing matches.
    """
    folder = Path(root).expanduser()
    if not folder.is_dir():
        raise UserError(f"predictions.root: no folder '{root}'")
    found: dict[Path, None] = {}
    for text in patterns:
        if any(sign in text for sign in "*?["):
            try:
                hits = sorted(path for path in folder.glob(text) if path.is_file())
            except (ValueError, NotImplementedError) as error:
                raise UserError(f"predictions.{knob}: '{text}' is no pattern: {error}") from None
        else:
            hits = [_plain(knob, folder, text)]
        found.update(dict.fromkeys(hits))
    if not found:
        wanted = ", ".join(patterns)
        raise UserError(f"predictions.root={root}: no file; predictions.{knob} is {wanted}")
    return tuple(PredictionFile(path, _label(folder, path)) for path in found)


def fingerprint(settings: Predictions) -> str | None:
    """A SHA-256 over what the files of predictions hold, not where they lie; None without files.

    The names of COCO results count, for they name the models. Costs a reading of every byte.

    Raises:
        UserError: a file is not there or cannot be read.
    """
    if isinstance(settings, CocoResultsPredictions):
        files = find("files", settings.root, settings.files)
        names = model_names(files)
        parts = sorted([names[file], sha256(file.content())] for file in files)
    elif isinstance(settings, JsonPredictions):
        files = find("annotations", settings.root, settings.annotations)
        parts = sorted([sha256(file.content()), *_pictures(settings.root, file)] for file in files)
    else:
        return None
    return sha256(json.dumps(parts).encode())


def inner(root: str, name: str) -> PredictionFile | None:
    """The file `name` below the folder `root`; None for a name that leads elsewhere, or nowhere."""
    path = PurePosixPath(name)
    if not name.isprintable() or any(len(part.encode()) > _LONGEST_NAME for part in path.parts):
        return None
    if not name or path.is_absolute() or ".." in path.parts or "\\" in name:
        return None
    return PredictionFile(Path(root).expanduser() / name, name)


def model_names(files: Sequence[PredictionFile]) -> dict[PredictionFile, str]:
    """The name of the model behind each results file: its stem, without "_results" at the end.

    The whole stem where that would give two models one name, and the label where even that does.
    """
    stems = {file: file.path.name.removesuffix(".json") for file in files}
    short = {file: _RESULTS.sub("", stem) or stem for file, stem in stems.items()}
    labels = {file: file.label.removesuffix(".json") for file in files}
    return next(names for names in (short, stems, labels) if len({*names.values()}) == len(files))


def sha256(content: bytes) -> str:
    """The SHA-256 of `content` in hex."""
    return hashlib.sha256(content).hexdigest()


def _pictures(root: str, file: PredictionFile) -> list[str]:
    """The digests of the depth maps and pictures below `root` that a file names, in their order."""
    found = (inner(root, name) for name in _names(file.content()))
    return [sha256(one.content()) for one in found if one and one.path.is_file()]


def _names(content: bytes) -> Iterator[str]:
    for hit in _PICTURE_FILE.finditer(content):
        try:
            yield json.loads(hit[1])
        except ValueError:  # nor can the file be read as JSON, which says so
            continue


def _plain(knob: str, folder: Path, text: str) -> Path:
    path = folder / text
    if not path.is_file():
        names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        near = nearest(path.name, sorted(names))
        hint = f": did you mean {' or '.join(near)}?" if near else ""
        raise UserError(f"predictions.{knob}: no file '{text}'{hint}")
    return path


def _label(folder: Path, path: Path) -> str:
    inside = path.is_relative_to(folder) and ".." not in path.relative_to(folder).parts
    return path.relative_to(folder).as_posix() if inside else f"{path.parent.name}/{path.name}"
