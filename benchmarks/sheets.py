"""Contact sheets: every encoding of one busy question, pictures at 100 %, the prompt beside them.

    python -m benchmarks.sheets [key=value ...]

The arguments are those of `python -m gen`. One PNG for each encoding goes to OUT_ROOT/sheets/, or
with `encoding=...` only that one. It shows, of the first n_items questions (60), the one with most
objects.
"""

import sys
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from benchmarks.settings import settings as compose
from gen.errors import UserError
from gen.item import ImagePart, JudgeItem, to_parts
from gen.judge import plan
from gen.judge.items import Maker
from gen.render.png import decode_png, encode_png
from gen.schema import Settings
from gen.sources.open import open_source

COLUMN, MARGIN, LINE = 760, 16, 18
CHARACTERS, ROWS_A_LINE, ROWS = 104, 12, 90
INK, PAPER, NOTE = (0, 0, 0), (255, 255, 255), (150, 0, 0)


def busiest(settings: Settings) -> plan.PlannedItem:
    """The planned item that shows most objects; the same one under every encoding."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.jsonl"
        top = plan.write(settings, open_source(settings.data), path)
        items = plan.read(path, 0, top.items)
    return max(items, key=lambda item: sum(len(one.prediction) for one in item.annotations))


def sheet(item: JudgeItem) -> NDArray[np.uint8]:
    """The prompt in a column, and the pictures of an item in a row: RGB uint8."""
    pictures = [decode_png(media.png) for media in item.media]
    rows = list(_rows(item))
    height = max([LINE * len(rows), *(picture.shape[0] for picture in pictures)]) + 2 * MARGIN
    width = COLUMN + sum(picture.shape[1] + MARGIN for picture in pictures) + MARGIN
    page = Image.new("RGB", (width, height), PAPER)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(14)
    for number, (text, color) in enumerate(rows):
        draw.text((MARGIN, MARGIN + LINE * number), text, color, font)
    canvas = np.array(page)
    x = COLUMN
    for picture in pictures:
        canvas[MARGIN : MARGIN + picture.shape[0], x : x + picture.shape[1]] = picture
        x += picture.shape[1] + MARGIN
    return canvas


def _rows(item: JudgeItem) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Lines of text with their colors; what is not prompt is in red."""
    yield f"{item.encoding} · {item.question_type} · answer {item.answer}", NOTE
    text = "".join(
        f"[picture {part.media.name}]" if isinstance(part, ImagePart) else part.text
        for part in to_parts(item)
    )
    lines = [textwrap.wrap(line, CHARACTERS) or [""] for line in text.split("\n")]
    shown = 0
    for line in lines:
        for row in line[:ROWS_A_LINE]:
            shown += 1
            if shown > ROWS:
                yield f"... {sum(map(len, lines)) - ROWS} rows more", NOTE
                return
            yield row, INK
        if len(line) > ROWS_A_LINE:
            yield f"... {len(line) - ROWS_A_LINE} rows more of this line", NOTE


def main(arguments: Sequence[str]) -> int:
    """Write the sheets; the exit status."""
    overrides = list(arguments)
    if not any(argument.startswith("n_items=") for argument in overrides):
        overrides.append("n_items=60")
    settings = compose(overrides)
    planned = busiest(settings)
    one = any(argument.startswith("encoding=") for argument in overrides)
    stems = [settings.encoding.name] if one else list(settings.task.encodings)
    folder = Path(settings.out_root) / "sheets"
    folder.mkdir(parents=True, exist_ok=True)
    for stem in stems:
        here = settings if one else compose([*overrides, f"encoding='{stem}'"])
        (item,) = Maker(here, open_source(here.data)).make([planned])
        if not isinstance(item, JudgeItem):
            print(f"{stem}: {item.reason}", file=sys.stderr)
            continue
        path = folder / f"{here.task.name}_{stem}_{here.question.name}.png"
        path.write_bytes(encode_png(sheet(item)))
        print(path)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except UserError as error:
        sys.exit(f"sheets: {error}")
