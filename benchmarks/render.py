"""Milliseconds a picture takes to draw and to encode, next to the usual ways.

Run as `python benchmarks/render.py`. Medians on one thread, 640 x 480, on a made-up photo-like
picture. Peers that are not installed (the `bench` extra) are listed as absent.
"""

import importlib.util
import io
import statistics
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gen.render.canvas import paper
from gen.render.fill import Crop, fill, id_map
from gen.render.grid import grid_shape, majority
from gen.render.palette import swatch, text_colour
from gen.render.placement import Box, place_labels
from gen.render.png import encode_png
from gen.render.shapes import draw_contours, draw_dashed_box
from gen.render.text import draw_plate_text, font_px, line_px, text_size

H, W, OBJECTS = 480, 640, 15
NAMES = ("person", "dining table", "cup", "traffic light", "dog")
Picture = NDArray[np.uint8]


class Row(NamedTuple):
    """One way of doing one stage: median milliseconds, or None if the peer is absent."""

    stage: str
    way: str
    ms: float | None
    note: str = ""


class Scene(NamedTuple):
    """A photo with objects on it, in the forms that the different ways of drawing start from."""

    photo: Picture
    crops: list[Crop]
    boxes: list[Box]
    labels: list[str]


def make_scene(seed: int = 0) -> Scene:
    """Octaves of smooth noise under sensor noise, and blobs with wavy edges."""
    rng = np.random.default_rng(seed)
    light = np.zeros((H, W, 3))
    for octave in range(7):
        cells = rng.normal(size=(3 * 2**octave, 4 * 2**octave, 3))
        smooth = cv2.resize(cells, (W, H), interpolation=cv2.INTER_CUBIC)
        light += np.asarray(smooth, np.float64) * 45 / 1.8**octave
    light += rng.normal(size=light.shape) * 1.5
    photo = (light + 120).clip(0, 255).astype(np.uint8)

    crops, boxes = [], []
    angle = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    for _ in range(OBJECTS):
        radius = rng.uniform(0.05, 0.2) * H * (1 + 0.2 * np.sin(3 * angle + rng.uniform(0, 6)))
        x = (rng.uniform(0, W) + radius * np.cos(angle)).clip(0, W - 1).astype(np.int32)
        y = (rng.uniform(0, H) + radius * np.sin(angle)).clip(0, H - 1).astype(np.int32)
        x0, y0, x1, y1 = int(x.min()), int(y.min()), int(x.max()) + 1, int(y.max()) + 1
        crop = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(crop, [np.stack([x - x0, y - y0], axis=1)], (1,))
        crops.append((x0, y0, crop))
        boxes.append((float(x0), float(y0), float(x1), float(y1)))
    labels = [f"{i + 1} {NAMES[i % len(NAMES)]}" for i in range(OBJECTS)]
    return Scene(photo, crops, boxes, labels)


def draw(scene: Scene) -> Picture:
    """The scene drawn with the primitives of this package."""
    canvas = paper(scene.photo)
    colours = np.array([(0, 0, 0), *(swatch(i).rgb for i in range(OBJECTS))], np.uint8)
    fill(canvas, id_map(scene.crops, (H, W)), colours, 0.5)
    line, px = line_px(H, W), font_px(H, W)
    for i, ((x, y, crop), box) in enumerate(zip(scene.crops, scene.boxes, strict=True)):
        contours, _ = cv2.findContours(crop, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE, offset=(x, y))
        draw_contours(canvas, [np.asarray(c, np.int32) for c in contours], swatch(i).rgb, line)
        draw_dashed_box(canvas, box, swatch(i).rgb, line)
    sizes = [text_size(label, px, W) for label in scene.labels]
    spots = place_labels(scene.boxes, sizes, (H, W))
    for i, (label, xy) in enumerate(zip(scene.labels, spots, strict=True)):
        rgb = swatch(i).rgb
        draw_plate_text(canvas, label, xy, px, text_colour(rgb), rgb, max_width=W)
    return canvas


def full_masks(scene: Scene) -> NDArray[np.bool_]:
    """The masks at the size of the photo, (N, H, W), as the peers take them."""
    masks = np.zeros((OBJECTS, H, W), np.bool_)
    for mask, (x, y, crop) in zip(masks, scene.crops, strict=True):
        mask[y : y + crop.shape[0], x : x + crop.shape[1]] = crop
    return masks


def supervision_way(scene: Scene) -> Callable[[], Picture]:
    """The same scene by supervision's annotators; detections are made outside the timing."""
    import supervision as sv

    detections = sv.Detections(
        xyxy=np.array(scene.boxes, np.float32),
        mask=full_masks(scene),
        class_id=np.arange(OBJECTS),
    )
    annotators = (
        sv.MaskAnnotator(opacity=0.5),
        sv.PolygonAnnotator(thickness=2),
        sv.BoxAnnotator(thickness=2),
    )
    label = sv.LabelAnnotator(text_scale=0.5, text_padding=4)

    def run() -> Picture:
        picture = scene.photo.copy()
        for annotator in annotators:
            picture = annotator.annotate(picture, detections)
        return np.asarray(label.annotate(picture, detections, labels=scene.labels), np.uint8)

    return run


def matplotlib_way(scene: Scene) -> Callable[[], Picture]:
    """The same scene as a matplotlib figure, rendered by Agg."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    masks = full_masks(scene)

    def run() -> Picture:
        figure = plt.figure(figsize=(W / 100, H / 100), dpi=100)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.imshow(scene.photo)
        axes.axis("off")
        layer = np.zeros((H, W, 4))
        for i, mask in enumerate(masks):
            layer[mask] = (*np.array(swatch(i).rgb) / 255, 0.5)
        axes.imshow(layer)
        for i, (x0, y0, x1, y1) in enumerate(scene.boxes):
            colour = np.array(swatch(i).rgb) / 255
            x, y, crop = scene.crops[i]
            found, _ = cv2.findContours(
                crop, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE, offset=(x, y)
            )
            for contour in found:
                axes.plot(*contour[:, 0].T, color=colour, linewidth=1.4)
            axes.add_patch(
                plt.Rectangle((x0, y0), x1 - x0, y1 - y0, fill=False, ec=colour, ls="--")
            )
            axes.text(x0, y0, scene.labels[i], fontsize=8, backgroundcolor=colour)
        figure.canvas.draw()
        picture = np.asarray(figure.canvas.buffer_rgba())[..., :3].copy()
        plt.close(figure)
        return picture

    return run


def naive_majority(ids: NDArray[np.generic], n_ids: int, rows: int, cols: int) -> object:
    """Each cell counted by itself."""
    ys, xs = np.linspace(0, H, rows + 1).astype(int), np.linspace(0, W, cols + 1).astype(int)
    return [
        [
            int(np.argmax([np.count_nonzero(ids[a:b, c:d] == k) for k in range(n_ids)]))
            for c, d in pairwise(xs)
        ]
        for a, b in pairwise(ys)
    ]


def milliseconds(call: Callable[[], object], repeats: int = 30) -> float:
    """Median time of a call after two warming ones."""
    call()
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def _pillow_png(picture: Picture) -> bytes:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "png")
    return file.getvalue()


def _cv2_png(picture: Picture) -> bytes:
    return bytes(cv2.imencode(".png", picture)[1])


def rows() -> list[Row]:
    """Every measurement, in the order of the table."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        scene = make_scene()
        return [
            *_png_rows(scene),
            *_overlay_rows(scene),
            *_saved_rows(scene),
            *_grid_rows(scene),
        ]
    finally:
        cv2.setNumThreads(threads)


def _png_rows(scene: Scene) -> list[Row]:
    ways = (("gen", encode_png), ("Pillow default", _pillow_png), ("cv2 default", _cv2_png))
    return [
        Row(
            f"PNG of {what}",
            way,
            milliseconds(partial(encode, picture), 10),
            f"{len(encode(picture)) / 1000:.0f} kB",
        )
        for what, picture in (("a photo", scene.photo), ("an overlay", draw(scene)))
        for way, encode in ways
    ]


def _overlay_rows(scene: Scene) -> list[Row]:
    stage = f"overlay: {OBJECTS} masks, contours, boxes, labels"
    found = [Row(stage, "gen", milliseconds(lambda: draw(scene)))]
    for peer, way in (("supervision", supervision_way), ("matplotlib", matplotlib_way)):
        if importlib.util.find_spec(peer) is None:
            found.append(Row(stage, peer, None, "absent: pip install 'vlm-judge-gen[bench]'"))
        else:
            found.append(Row(stage, peer, milliseconds(way(scene), 10)))
    return found


def _saved_rows(scene: Scene) -> list[Row]:
    """The scene drawn and encoded, each way with its usual encoder."""
    stage = "that scene drawn and saved as PNG"
    own = milliseconds(lambda: encode_png(draw(scene)))
    found = [Row(stage, "gen", own)]
    for peer, way in (("supervision", supervision_way), ("matplotlib", matplotlib_way)):
        if importlib.util.find_spec(peer) is not None:
            run = way(scene)
            ms = milliseconds(lambda run=run: _pillow_png(run()), 5)  # type: ignore[misc]
            found.append(Row(stage, f"{peer} + Pillow", ms, f"gen is {ms / own:.1f} x as fast"))
    return found


def _grid_rows(scene: Scene) -> list[Row]:
    ids = id_map(scene.crops, (H, W))
    shape = grid_shape(H, W, 16)
    stage = f"majority grid {shape[0]} x {shape[1]}"
    return [
        Row(stage, "gen", milliseconds(lambda: majority(ids, OBJECTS + 1, *shape))),
        Row(stage, "cell by cell", milliseconds(lambda: naive_majority(ids, OBJECTS + 1, *shape))),
    ]


def show(console: Console) -> None:
    """Print the table."""
    table = Table("stage", "way", "ms", "", title=f"Drawing, {W} x {H}")
    for row in rows():
        table.add_row(
            row.stage, row.way, "-" if row.ms is None else f"{row.ms:.2f}", escape(row.note)
        )
    console.print(table)


if __name__ == "__main__":
    show(Console())
