"""Which annotation files and photo folders a COCO data root holds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gen.errors import UserError, nearest
from gen.schema import CocoData

_SPLIT = re.compile(r"(?:train|val|test|minival)\d{4}$")


@dataclass(frozen=True, slots=True)
class CocoLayout:
    """The files and folders of one data root, by kind, each in the order of the settings."""

    root: Path
    images: tuple[Path, ...]
    instances: tuple[Path, ...] = ()
    keypoints: tuple[Path, ...] = ()
    captions: tuple[Path, ...] = ()
    panoptic: tuple[Path, ...] = ()
    panoptic_masks: tuple[Path, ...] = ()
    referring: tuple[Path, ...] = ()
    label_maps: Path | None = None

    def label(self, path: Path) -> str:
        """The name of a file in reports: relative to the root, or folder and name beside it."""
        inside = path.relative_to(self.root) if path.is_relative_to(self.root) else None
        if inside is None or ".." in inside.parts:
            return f"{path.parent.name}/{path.name}"
        return inside.as_posix()

    def folders_for(self, annotation_file: Path) -> tuple[Path, ...]:
        """The photo folders in the order in which the photos of this file are looked for.

        `instances_val2017.json` means the photos in `val2017/` before those of the same names in
        another folder.
        """
        stem = annotation_file.stem
        return tuple(sorted(self.images, key=lambda folder: not stem.endswith(folder.name)))


def find(data: CocoData) -> CocoLayout:
    """What is there under `data.root`.

    Of files found by pattern, those of a split without a photo folder are left out where other
    splits have one and `data.download` is false: reading `instances_train2017.json` takes seconds
    and gigabytes, and none of its photos could be used.

    Raises:
        UserError: the root, or a path that was given without a pattern, is not there; or there is
            no annotation file at all; or a name that no disk takes.
    """
    try:
        return _find(data)
    except OSError as error:
        raise UserError(f"data.root={data.root}: {error.filename}: {error.strerror}") from None


def _find(data: CocoData) -> CocoLayout:
    root = Path(data.root).expanduser()
    if not root.is_dir():
        raise UserError(f"data.root: no folder {_missing(root, Path(), folder=True)}")
    images = _matches(root, "images", data.images, folders=True)
    splits = {} if data.download else dict.fromkeys(_split(folder.name) for folder in images)
    splits.pop(None, None)

    def files(knob: str, patterns: Sequence[str]) -> tuple[Path, ...]:
        found = _matches(root, knob, patterns, folders=False)
        return tuple(
            path
            for path in found
            if not splits or _split(path.stem) in (None, *splits) or _is_named(root, path, patterns)
        )

    layout = CocoLayout(
        root=root,
        images=images or (root,),
        instances=files("instances", data.instances),
        keypoints=files("keypoints", data.keypoints),
        captions=files("captions", data.captions),
        panoptic=files("panoptic", data.panoptic),
        panoptic_masks=_matches(root, "panoptic_masks", data.panoptic_masks, folders=True),
        referring=_matches(root, "referring", data.referring, folders=False),
    )
    if not (layout.instances or layout.keypoints or layout.captions or layout.panoptic):
        wanted = (*data.instances, *data.keypoints, *data.captions, *data.panoptic)
        raise UserError(
            f"data.root={data.root}: no annotation file; looked for {', '.join(wanted) or 'none'}"
        )
    return layout


def _split(name: str) -> str | None:
    match = _SPLIT.search(name)
    return match.group() if match else None


def _is_pattern(text: str) -> bool:
    return any(sign in text for sign in "*?[")


def _is_named(root: Path, path: Path, patterns: Sequence[str]) -> bool:
    return any(root / plain == path for plain in patterns if not _is_pattern(plain))


def _matches(root: Path, knob: str, patterns: Sequence[str], *, folders: bool) -> tuple[Path, ...]:
    """All paths that are of the right kind, without repeats; matches of a pattern are sorted."""
    found: dict[Path, None] = {}
    for text in patterns:
        if _is_pattern(text):
            try:
                hits = sorted(path for path in _glob(root, text) if path.is_dir() == folders)
            except ValueError as error:
                raise UserError(f"data.{knob}: '{text}' is no pattern: {error}") from None
        else:
            hits = [root / text]
            if not (hits[0].is_dir() if folders else hits[0].is_file()):
                what = "folder" if folders else "file"
                raise UserError(f"data.{knob}: no {what} {_missing(hits[0], root, folder=folders)}")
        found.update(dict.fromkeys(hits))
    return tuple(found)


def _glob(root: Path, pattern: str) -> Iterator[Path]:
    parent, rest = root, Path(pattern).parts
    while rest and (rest[0] == ".." or not _is_pattern(rest[0])):
        parent, rest = parent / rest[0], rest[1:]
    return parent.glob("/".join(rest))


def _missing(path: Path, root: Path, *, folder: bool) -> str:
    """`path` as the user wrote it and what is there instead, for the end of an error."""
    shown = path.relative_to(root) if path.is_relative_to(root) else path
    parent = path.parent
    if not parent.is_dir():
        return f"'{shown}': there is no folder '{shown.parent}' either"
    near = nearest(
        path.name, sorted(entry.name for entry in parent.iterdir() if entry.is_dir() == folder)
    )
    return f"'{shown}'" + (f": did you mean {' or '.join(near)}?" if near else "")
