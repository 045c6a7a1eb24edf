"""Index files: JSON objects of id -> file or address, or lists of records."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from gen.errors import UserError, nearest
from gen.schema import IndexData
from gen.sources import licences
from gen.sources.coco_records import RecordError, identifier
from gen.sources.download import is_address
from gen.sources.json_outline import parse
from gen.sources.licences import Licence
from gen.sources.problem_log import ProblemLog

_MAX_SIDE = 65_535


@dataclass(frozen=True, slots=True)
class Entry:
    """One photo of an index: a `file` below the root, or a `url`; the other one is "".

    `size` is its width and height in pixels, or None where the index does not tell.
    """

    image_id: str
    file: str
    url: str
    size: tuple[int, int] | None
    licence: Licence
    author: str

    @property
    def place(self) -> str:
        """Where it is, for reports."""
        return self.file or self.url


def find(data: IndexData) -> list[tuple[Path, str]]:
    """The index files that `data.images` names below `data.root`, each with its relative name.

    Raises:
        UserError: the root, or a path without a pattern, is not there; or nothing matches.
    """
    root = Path(data.root).expanduser()
    if not root.is_dir():
        raise UserError(f"data.root: no folder '{data.root}'")
    found: dict[Path, None] = {}
    for text in data.images:
        if any(sign in text for sign in "*?["):
            try:
                hits = sorted(path for path in root.glob(text) if path.is_file())
            except (ValueError, NotImplementedError) as error:
                raise UserError(f"data.images: '{text}' is no pattern: {error}") from None
        elif (root / text).is_file():
            hits = [root / text]
        else:
            near = nearest(text, sorted(path.name for path in root.iterdir()))
            hint = f": did you mean {' or '.join(near)}?" if near else ""
            raise UserError(f"data.images: no file '{text}'{hint}")
        found.update(dict.fromkeys(hits))
    if not found:
        wanted = ", ".join(data.images)
        raise UserError(f"data.root={data.root}: no index file; data.images is {wanted}")
    return [
        (path, path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name)
        for path in found
    ]


def entries(path: Path, label: str, log: ProblemLog) -> Iterator[Entry]:
    """The usable entries of an index file in their order; the others go to the log.

    Raises:
        UserError: it cannot be read, or is neither a JSON object nor a list.
    """
    try:
        content = parse(path.read_bytes())
    except OSError as error:
        raise UserError(f"{label}: {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"{label}: not valid JSON (cut off?): {error}") from None
    if isinstance(content, dict):
        content = [{"image_id": key, **_record(value)} for key, value in content.items()]
    if not isinstance(content, list):
        raise UserError(f"{label}: expected a JSON object of image ids, or a list of records")
    for position, raw in enumerate(content):
        try:
            yield _entry(raw)
        except RecordError as error:
            log.add(error.kind, label, f"image at position {position}", str(error))


def _record(value: object) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    by_address = isinstance(value, str) and is_address(value)
    return {"url" if by_address else "file": value}


def _entry(raw: object) -> Entry:
    if not isinstance(raw, dict):
        raise _fault(f"is a {type(raw).__name__}, not an object")
    image_id = identifier(raw.get("image_id"))
    if image_id is None:
        raise _fault(
            f"image_id: {raw.get('image_id')!r}; expected letters, digits, '_', '.' and '-', at "
            "most 128"
        )
    file, url = _text(raw, "file"), _text(raw, "url")
    if bool(file) == bool(url):
        raise _fault("file, url: expected one of them")
    if url and not is_address(url):
        raise _fault(f"url: '{url}' is no http address")
    inner = PurePosixPath(file)
    # Else an index from the web could publish any picture of this disk.
    if inner.is_absolute() or ".." in inner.parts or "\\" in file or "\0" in file:
        raise _fault(f"file: '{file}' is not a path below data.root")
    licence = licences.recognise(_text(raw, "license"), _text(raw, "license_url"))
    return Entry(image_id, file, url, _size(raw), licence, _text(raw, "author"))


def _size(raw: Mapping[str, Any]) -> tuple[int, int] | None:
    width, height = (_side(raw, name) for name in ("width", "height"))
    return (width, height) if width and height else None


def _side(raw: Mapping[str, Any], name: str) -> int | None:
    value = raw.get(name)
    if value is None:
        return None
    if type(value) is not int or not 1 <= value <= _MAX_SIDE:
        raise _fault(f"{name}: {value!r}; expected 1 to {_MAX_SIDE}")
    return value


def _text(raw: Mapping[str, Any], name: str) -> str:
    value = raw.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or not value.isprintable():
        raise _fault(f"{name}: {value!r}; expected a text on one line")
    return value.strip()


def _fault(reason: str) -> RecordError:
    return RecordError("bad_image", reason)
