"""Judge items a second, from a plan to rows in a parquet file, next to the usual ways.

One thread. Photos and their PNG are in the cache, as they are for most items of a long run: each
photo is asked about many times. The peers draw the same predictions over the same photos and save
them as PNG; their detections are made outside the timing.
"""

import importlib.util
import io
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from benchmarks.settings import settings, task_names
from gen import masks
from gen.errors import UserError
from gen.export.parquet import ShardWriter
from gen.item import JudgeItem
from gen.judge import plan, plan_file
from gen.judge.items import Maker
from gen.predictions.annotation import Annotation, MaskPrediction
from gen.render.palette import swatch
from gen.rundir.place import PLAN
from gen.schema import Settings
from gen.sources.open import open_source
from gen.sources.records import Source

ITEMS = 120
FEW_ITEMS = 30  # of tasks whose pictures the plan makes
PEER_PICTURES = 40
MATPLOTLIB_PICTURES = 6
PICTURES = "option pictures a second"
TEXTS = "text items a second"


class Row(NamedTuple):
    """One figure: what was measured, how, its value and unit, and what there is to say of it."""

    stage: str
    way: str
    value: float | None
    unit: str
    note: str = ""


class Option(NamedTuple):
    """One picture for a peer to draw: the photo, and masks with labels on it."""

    photo: NDArray[np.uint8]
    boxes: NDArray[np.float32]
    masks: NDArray[np.bool_]
    labels: list[str]


@contextmanager
def one_thread() -> Iterator[None]:
    """OpenCV on one thread, as in a worker."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


def planned(chosen: Settings, source: Source, folder: Path) -> list[plan_file.PlannedItem]:
    """The plan of a run as the workers read it; its pictures, if any, are beside it."""
    path = folder / PLAN
    plan.write(chosen, source, path)
    return plan_file.read(path, 0, plan_file.header(path).items)


def pack(maker: Maker, items: list[plan_file.PlannedItem], path: Path) -> list[JudgeItem]:
    """Make and pack every item; those that were made, without their pictures."""
    made = []
    with path.open("wb") as sink, ShardWriter(sink) as writer:
        for item in maker.make(items):
            if isinstance(item, JudgeItem):
                writer.add(item)
                made.append(item)
        writer.close({}, {})
    return made


def seconds(call: Callable[[], object]) -> float:
    """The shorter time of two calls."""
    times = []
    for _ in range(2):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def rows(overrides: list[str]) -> list[Row]:
    """Every measurement on the data that `overrides` choose, in the order of the table.

    Without `task=` these are of all tasks, each under all its encodings; the peers draw masks.
    """
    tasks = [word.partition("=")[2] for word in overrides if word.startswith("task=")]
    found: list[Row] = []
    for task in tasks or task_names():
        try:
            found += _task_rows(task, [one for one in overrides if not one.startswith("task=")])
        except UserError as error:
            found.append(Row(task, "gen", None, PICTURES, str(error)))
    return found


def _task_rows(task: str, overrides: list[str]) -> list[Row]:
    default = settings([f"task={task}", *overrides])
    made_by_plan = default.task.category != "perception"
    given = [f"task={task}", f"n_items={FEW_ITEMS if made_by_plan else ITEMS}", *overrides]
    default = settings(given)
    source = open_source(default.data)
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as name, one_thread():
        folder = Path(name)
        began = time.process_time()
        items = planned(default, source, folder)
        if made_by_plan:
            speed = len(items) / (time.process_time() - began)
            note = "pictures made and scored"
            found.append(Row(f"{task} planning", "gen", speed, "items a second", note))
        for stem in default.task.encodings:
            store = plan_file.open_pictures(folder / PLAN)
            maker = Maker(settings([*given, f"encoding='{stem}'"]), source, store)
            made = pack(maker, items, folder / "warm.parquet")
            pictures = sum(f"{item.id}_" in media.name for item in made for media in item.media)
            took = seconds(lambda m=maker: pack(m, items, folder / "rows.parquet"))  # type: ignore[misc]
            speed = (pictures or len(made)) / took
            mark = "the default" if stem == default.encoding.name else ""
            found.append(Row(f"{task} {stem}", "gen", speed, PICTURES if pictures else TEXTS, mark))
        if default.task.family != "instances":
            return found
        options = [
            option(source.pixels(item.image_id), one)
            for item in items[: PEER_PICTURES // 2]
            for one in item.annotations
        ]
    stage = f"{task} {default.encoding.name}"
    ours = next(row for row in found if row.stage == stage)
    return [*found, *_peers(stage, ours.value or 0.0, options)]


def option(photo: NDArray[np.uint8], annotation: Annotation) -> Option:
    """One prediction in the form that peers start from."""
    parts = [part for part in annotation.prediction if isinstance(part, MaskPrediction)]
    stack = np.zeros((len(parts), *photo.shape[:2]), np.bool_)
    for mask, part in zip(stack, parts, strict=True):
        mask[:] = masks.decode(part.rle)
    boxes = np.array([masks.box(part.rle) for part in parts], np.float32).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]
    return Option(photo, boxes, stack, [part.label for part in parts])


def _peers(stem: str, ours: float, options: list[Option]) -> list[Row]:
    found = []
    for peer, way, count in (
        ("supervision", _supervision, len(options)),
        ("matplotlib", _matplotlib, MATPLOTLIB_PICTURES),
    ):
        name = f"{peer} + Pillow"
        if importlib.util.find_spec(peer) is None:
            note = "absent: pip install 'vlm-judge-gen[bench]'"
            found.append(Row(stem, name, None, PICTURES, note))
            continue
        draw = way()
        some = options[:count]
        draw(some[0])
        took = seconds(lambda d=draw, s=some: [_pillow_png(d(one)) for one in s])  # type: ignore[misc]
        speed = len(some) / took
        found.append(Row(stem, name, speed, PICTURES, f"gen is {ours / speed:.1f} x as fast"))
    return found


def _pillow_png(picture: NDArray[np.uint8]) -> bytes:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "png")
    return file.getvalue()


def _supervision() -> Callable[[Option], NDArray[np.uint8]]:
    import supervision as sv

    annotators = (
        sv.MaskAnnotator(opacity=0.5, color_lookup=sv.ColorLookup.CLASS),
        sv.PolygonAnnotator(thickness=2, color_lookup=sv.ColorLookup.CLASS),
        sv.BoxAnnotator(thickness=2, color_lookup=sv.ColorLookup.CLASS),
    )
    label = sv.LabelAnnotator(
        text_scale=0.5, text_padding=4, color_lookup=sv.ColorLookup.CLASS, smart_position=True
    )

    def draw(one: Option) -> NDArray[np.uint8]:
        picture = one.photo.copy()
        if not one.labels:
            return picture
        names = sorted(set(one.labels))
        classes = np.array([names.index(name) for name in one.labels])
        detections = sv.Detections(xyxy=one.boxes, mask=one.masks, class_id=classes)
        for annotator in annotators:
            picture = annotator.annotate(picture, detections)
        return np.asarray(label.annotate(picture, detections, labels=one.labels), np.uint8)

    return draw


def _matplotlib() -> Callable[[Option], NDArray[np.uint8]]:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    def draw(one: Option) -> NDArray[np.uint8]:
        height, width = one.photo.shape[:2]
        figure = plt.figure(figsize=(width / 100, height / 100), dpi=100)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.imshow(one.photo)
        axes.axis("off")
        layer = np.zeros((height, width, 4))
        names = sorted(set(one.labels))
        for (x0, y0, x1, y1), mask, name in zip(one.boxes, one.masks, one.labels, strict=True):
            color = np.array(swatch(names.index(name)).rgb) / 255
            layer[mask] = (*color, 0.5)
            axes.contour(mask, levels=[0.5], colors=[color], linewidths=1.4)
            box = plt.Rectangle((x0, y0), x1 - x0, y1 - y0, fill=False, ec=color, ls="--")
            axes.add_patch(box)
            axes.text(x0, y0, name, fontsize=8, backgroundcolor=color)
        axes.imshow(layer)
        figure.canvas.draw()
        picture = np.asarray(figure.canvas.buffer_rgba())[..., :3].copy()
        plt.close(figure)
        return picture

    return draw
