"""Contact sheets: every encoding of one busy question, pictures at 100 %, the prompt beside them.

    python -m benchmarks.sheets [task=name[,name ...]] [key=value ...]

The arguments are those of `python -m gen`; without `task=` all tasks are shown. For each task one
PNG an encoding goes to OUT_ROOT/sheets/, and one PNG with all of them, the contact sheet; with
`encoding=...` only that one encoding. It shows, of the first n_items questions (60), the one with
most objects; of tasks whose predictions are pictures, the first 20 questions.
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
from benchmarks.settings import task_names
from gen.errors import UserError
from gen.item import ImagePart, JudgeItem, to_parts
from gen.judge import plan, plan_file
from gen.judge.items import Maker
from gen.render.png import decode_png, encode_png
from gen.sources.open import open_source

COLUMN, MARGIN, LINE = 760, 16, 18
PAIRS = 20  # of tasks whose predictions are pictures
CHARACTERS, ROWS_A_LINE, ROWS = 104, 12, 90
INK, PAPER, NOTE = (0, 0, 0), (255, 255, 255), (150, 0, 0)


def busiest(items: Sequence[plan.PlannedItem]) -> plan.PlannedItem:
    """The planned item that shows most objects; the same one under every encoding."""
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


def contact_sheet(sheets: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Sheets below each other, with a line between them: RGB uint8."""
    width = max(sheet.shape[1] for sheet in sheets)
    rows = []
    for sheet in sheets:
        right = width - sheet.shape[1]
        rows.append(np.pad(sheet, ((0, 0), (0, right), (0, 0)), constant_values=255))
        rows.append(np.zeros((2, width, 3), np.uint8))
    return np.concatenate(rows[:-1])


def show(task: str, overrides: Sequence[str]) -> Iterator[Path]:
    """Write the sheets of one task; the files, one after the other.

    Raises:
        UserError: the settings do not fit the task, or the data gives no question.
    """
    given = [f"task={task}", *overrides]
    settings = compose(given)
    source = open_source(settings.data)
    folder = Path(settings.out_root) / "sheets"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "plan.jsonl"
        top = plan.write(settings, source, path)
        planned = plan.read(path, 0, top.items)
        pictures = plan_file.open_pictures(path)
        if settings.task.category == "perception":
            one = any(argument.startswith("encoding=") for argument in overrides)
            stems = [settings.encoding.name] if one else list(settings.task.encodings)
            chosen = busiest(planned)
            wanted = [
                (stem, settings if one else compose([*given, f"encoding='{stem}'"]), chosen)
                for stem in stems
            ]
        else:
            wanted = [(f"{one.rank:02d}", settings, one) for one in planned[:PAIRS]]
        sheets = []
        for name, here, planned_item in wanted:
            (item,) = Maker(here, source, pictures).make([planned_item])
            if not isinstance(item, JudgeItem):
                print(f"{task} {name}: {item.reason}", file=sys.stderr)
                continue
            sheets.append(sheet(item))
            path = folder / f"{task}_{name}_{here.question.name}.png"
            path.write_bytes(encode_png(sheets[-1]))
            yield path
    if len(sheets) > 1:
        path = folder / f"{task}_{settings.question.name}.png"
        path.write_bytes(encode_png(contact_sheet(sheets)))
        yield path


def main(arguments: Sequence[str]) -> int:
    """Write the sheets; the exit status, 1 where a task had none."""
    chosen = [word.partition("=")[2] for word in arguments if word.startswith("task=")]
    tasks = chosen[-1].split(",") if chosen else task_names()
    overrides = [word for word in arguments if not word.startswith("task=")]
    if not any(word.startswith("n_items=") for word in overrides):
        overrides.append("n_items=60")
    status = 0
    for task in tasks:
        try:
            for path in show(task, overrides):
                print(path, flush=True)
        except UserError as error:
            print(f"sheets: {task}: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
