"""Several data sets as one."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gen.errors import UserError
from gen.progress import say
from gen.sources.records import Depth, Photo, Problem, Semantic, Source, Truth


class FolderSource:
    """A `Source` over the photos of several others, each of which answers for its own photos."""

    def __init__(self, parts: Mapping[str, Source]) -> None:
        """Join `parts`, one or more, in their order; their names are for reports.

        Raises:
            UserError: two parts have a photo of one id.
        """
        self._parts = dict(parts)
        self._owners: dict[str, str] = {}
        photos: list[Photo] = []
        for name, part in self._parts.items():
            for photo in part.photos():
                other = self._owners.setdefault(photo.image_id, name)
                if other != name:
                    raise UserError(
                        f"data={other} and data={name} both have a photo '{photo.image_id}': leave "
                        f"one part out (data.{name}=null)"
                    )
                photos.append(photo)
        self._photos = tuple(photos)

    @property
    def parts(self) -> tuple[Source, ...]:
        """The sources that were joined."""
        return tuple(self._parts.values())

    def photos(self) -> Sequence[Photo]:
        """The photos of all parts, part by part."""
        return self._photos

    def categories(self) -> Mapping[str, str]:
        """The classes of objects of all parts; of two kinds of one class, the first part's."""
        found: dict[str, str] = {}
        for part in self._parts.values():
            for name, kind in part.categories().items():
                found[name] = found.get(name) or kind
        return dict(sorted(found.items()))

    def truth(self, image_id: str) -> Truth:
        """The labels of objects on one photo.

        Raises:
            KeyError: none of `photos` has this id.
        """
        return self._part(image_id).truth(image_id)

    def semantic(self, image_id: str) -> Semantic | None:
        """The class of each pixel of one photo, if its part has it."""
        return self._part(image_id).semantic(image_id)

    def depth(self, image_id: str) -> Depth | None:
        """The measured depth of one photo, if its part has it."""
        return self._part(image_id).depth(image_id)

    def pixels(self, image_id: str) -> NDArray[np.uint8]:
        """The photo as RGB, uint8 (height, width, 3).

        Raises:
            PhotoError: the photo cannot be used.
        """
        return self._part(image_id).pixels(image_id)

    def fingerprint(self) -> str:
        """A SHA-256 over the fingerprints of the parts."""
        prints = [(name, part.fingerprint()) for name, part in self._parts.items()]
        return hashlib.sha256(json.dumps(prints).encode()).hexdigest()

    def problems(self) -> Sequence[Problem]:
        """What the parts found broken so far, part by part."""
        told = [problem for part in self._parts.values() for problem in part.problems()]
        return tuple(dict.fromkeys(told))

    def _part(self, image_id: str) -> Source:
        return self._parts[self._owners[image_id]]


def join(root: str, openers: Mapping[str, tuple[str, Callable[[], Source]]]) -> FolderSource:
    """The source over those parts whose folder is there; the others are named on stderr.

    `openers` gives for the name of each part its folder, and what opens it.

    Raises:
        UserError: no part is there, or one that is cannot be opened.
    """
    parts: dict[str, Source] = {}
    absent = []
    for name, (folder, opener) in openers.items():
        if Path(folder).expanduser().is_dir():
            parts[name] = opener()
        else:
            absent.append(f"{name} ({folder})")
    if not parts:
        looked = ", ".join(absent) or "none: every part is null"
        raise UserError(f"data.root={root}: no part is there; looked for {looked}")
    if absent:
        say(f"data={root}: left out, since there is no such folder: {', '.join(absent)}")
    return FolderSource(parts)
