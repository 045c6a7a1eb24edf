"""The label maps that this package ships for the embedded photos."""

import hashlib
from pathlib import Path
from typing import Any

from gen.sources import label_map
from gen.sources.coco_records import RecordError
from gen.sources.json_outline import parse
from gen.sources.problem_log import ProblemLog
from gen.sources.records import Semantic


class LabelMaps:
    """An index of label maps: the class of each number, and the PNG of each photo beside it."""

    def __init__(self, path: Path, log: ProblemLog) -> None:
        """Read the index; a map is read when it is asked for."""
        self._path = path
        self._log = log
        content: dict[str, Any] = parse(path.read_bytes())
        self._names: dict[int, str] = {
            entry["id"]: entry["name"] for entry in content["categories"] if entry["id"] != 0
        }
        self._maps: dict[str, str] = {
            str(entry["image_id"]): entry["label_map"] for entry in content["images"]
        }

    def semantic(self, image_id: str, size: tuple[int, int]) -> Semantic | None:
        """The class of each pixel of a photo of `size` (height, width), if there is a map of it."""
        name = self._maps.get(image_id)
        if name is None:
            return None
        try:
            values = label_map.read_values(self._path.parent / name, size)
        except RecordError as error:
            self._log.add(error.kind, self._path.name, name, str(error))
            return None
        found, unknown = label_map.semantic(values, self._names, self._names.values())
        if unknown:
            reason = f"numbers without a class: {', '.join(map(str, unknown))}"
            self._log.add("unknown_category", self._path.name, name, reason)
        return found

    def prints(self) -> list[str]:
        """The SHA-256 of the index and of every map that is there, sorted."""
        maps = [self._path.parent / name for name in self._maps.values()]
        files = [self._path, *(path for path in maps if path.is_file())]
        return sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)
