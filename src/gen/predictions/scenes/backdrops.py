"""What things stand on and before: almost without colour, so that things stand out."""

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.case import Rgb
from gen.predictions.scenes.shapes import Array

CHROMA = 12.0
"""The greatest chroma (CIELAB) of a backdrop before rounding."""
_TILE = 768
_GRAIN = 1.6
"""Standard deviation in 8-bit levels."""


def studio(size: tuple[int, int], rng: np.random.Generator) -> Rgb:
    """A table before a wall out of focus, with the grain of a sensor.

    `size` is height and width. The table begins above 45 % of the height.
    """
    horizon = int(rng.uniform(0.26, 0.38) * size[0])
    wall = _wall(size, rng)
    ground = _ground(size, horizon, rng)
    return _finished(_joined(wall, ground, horizon), rng)


def from_photo(photo: Rgb, rng: np.random.Generator) -> Rgb:
    """`photo` far out of focus and almost without colour, behind a table; in its size."""
    height, width = size = photo.shape[0], photo.shape[1]
    horizon = int(rng.uniform(0.30, 0.40) * height)
    lab = cv2.cvtColor(photo.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    # The whole photo is squeezed above the edge of the table, so that it stays recognisable.
    wall = cv2.resize(lab, (width, height), interpolation=cv2.INTER_AREA)
    for _ in range(2):
        wall = cv2.GaussianBlur(wall, (0, 0), 0.014 * width)
    wall[..., 0] = 18 + 0.68 * wall[..., 0]
    return _finished(
        _joined(np.asarray(wall, np.float32), _ground(size, horizon, rng), horizon), rng
    )


def _joined(wall: Array, ground: Array, horizon: int) -> Array:
    """Both in CIELAB; the edge of the table is out of focus."""
    height, width = wall.shape[:2]
    rows = np.arange(height, dtype=np.float32) - horizon
    soft = np.float32(0.012 * width)
    share = np.clip(rows / soft * 0.5 + 0.5, 0, 1)
    share = share * share * (3 - 2 * share)
    return np.asarray(wall + share[:, None, None] * (ground - wall))


def _finished(lab: Array, rng: np.random.Generator) -> Rgb:
    """RGB with a vignette and grain, its chroma squeezed below `CHROMA`."""
    height, width = lab.shape[:2]
    chroma = np.sqrt(lab[..., 1] ** 2 + lab[..., 2] ** 2) / np.float32(CHROMA)
    lab[..., 1:] /= np.sqrt(1 + chroma * chroma)[..., None]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, width, dtype=np.float32)
    lab[..., 0] *= 1 - 0.09 * (x * x + y * y)
    lab[..., 0] = np.clip(lab[..., 0], 8, 95)
    levels = np.asarray(255 * cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), np.float32)
    levels += sensor_noise((height, width), rng)[..., None]
    return np.asarray(np.clip(levels + 0.5, 0, 255).astype(np.uint8))


def sensor_noise(size: tuple[int, int], rng: np.random.Generator) -> Array:
    """Grain in 8-bit levels, equal in all channels, (height, width) as `size`."""
    noise = cv2.GaussianBlur(rng.standard_normal(size, np.float32), (3, 3), 0.45)
    return np.asarray(noise * np.float32(_GRAIN * 1.4), np.float32)


def _noise(shape: tuple[int, int], cells: tuple[float, float], rng: np.random.Generator) -> Array:
    """Smooth noise of about unit deviation with so many cells down and across."""
    down, across = (max(round(count), 2) for count in cells)
    coarse = rng.standard_normal((down, across), np.float32)
    return np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC)) * 1.3


def _wall(size: tuple[int, int], rng: np.random.Generator) -> Array:
    """CIELAB of a room out of focus: soft light from a side, blurred furniture or lamps."""
    height, width = size
    lab = np.empty((*size, 3), np.float32)
    base = float(rng.uniform(38, 72))
    x = np.linspace(0, 1, width, dtype=np.float32)
    lit = rng.uniform(-14, 14) * (x - 0.5) + 7 * _noise(size, (2, 3), rng)
    lab[..., 0] = base + lit
    warm = rng.uniform(-6, 9)
    lab[..., 1], lab[..., 2] = 0.25 * warm, warm
    for _ in range(int(rng.integers(3, 8))):
        left, wide = rng.uniform(-0.1, 1.0) * width, rng.uniform(0.04, 0.22) * width
        top, bottom = rng.uniform(-0.2, 0.25) * height, rng.uniform(0.3, 0.5) * height
        tone = (rng.uniform(-22, 22), rng.uniform(-5, 5), rng.uniform(-7, 9))
        box = [round(float(one)) for one in (left, top, left + wide, bottom)]
        part = lab[max(box[1], 0) : max(box[3], 0), max(box[0], 0) : max(box[2], 0)]
        part += np.array(tone, np.float32)
    return _bokeh(np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.022 * width), np.float32), rng)


def _bokeh(lab: Array, rng: np.random.Generator) -> Array:
    """Small lamps far away: discs of the lens."""
    if rng.random() < 0.4:
        return lab
    height, width = lab.shape[:2]
    glow = np.zeros((height, width), np.float32)
    radius = rng.uniform(0.014, 0.03) * width
    for _ in range(int(rng.integers(4, 14))):
        disc = np.zeros((height, width), np.float32)
        middle = rng.uniform(0, width), rng.uniform(0, 0.36) * height
        center = [round(float(one) * 16) for one in middle]
        size = round(float(radius * rng.uniform(0.8, 1.15)) * 16)
        cv2.circle(disc, center, size, float(rng.uniform(5, 18)), -1, cv2.LINE_AA, 4)
        glow += disc
    lab[..., 0] += cv2.GaussianBlur(glow, (0, 0), 0.003 * width + 0.3)
    return lab


def _ground(size: tuple[int, int], horizon: int, rng: np.random.Generator) -> Array:
    """CIELAB of a table in perspective, sharp in front and less so behind."""
    height, width = size
    tile = _MATERIALS[rng.integers(len(_MATERIALS))](rng)
    # Depth makes the far edge as much narrower as the camera's low height has it.
    narrow = 0.30
    far = [[0.5 - narrow, 0.0], [0.5 + narrow, 0.0], [0.5 + 0.16, 1.0], [0.5 - 0.16, 1.0]]
    source = np.array(far, np.float32) * _TILE
    target = np.array([[0, horizon], [width, horizon], [width, height], [0, height]], np.float32)
    plane = cv2.warpPerspective(
        tile,
        cv2.getPerspectiveTransform(source, target),
        (width, height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT_101,
    )
    rows = (np.arange(height, dtype=np.float32) - horizon) / max(height - horizon, 1)
    away = np.clip(1 - rows / 0.45, 0, 1)[:, None, None]
    blurred = np.asarray(cv2.GaussianBlur(plane, (0, 0), 0.009 * width), np.float32)
    plane = np.asarray(plane + away * (blurred - plane), np.float32)
    x = np.linspace(-0.5, 0.5, width, dtype=np.float32)
    light = float(rng.uniform(-9, 9)) * x + 6 * np.clip(rows, 0, 1)[:, None] - 2
    plane[..., 0] += np.asarray(light, np.float32)
    return np.asarray(plane, np.float32)


def _colored(lightness: NDArray[np.floating], warmth: float) -> Array:
    lab = np.empty((_TILE, _TILE, 3), np.float32)
    lab[..., 0] = lightness
    lab[..., 1], lab[..., 2] = 0.25 * warmth, warmth
    return lab


def _wood(rng: np.random.Generator) -> Array:
    """Boards of grey oak that run to the viewer."""
    tile = (_TILE, _TILE)
    u = np.arange(_TILE, dtype=np.float32) / _TILE
    boards = float(rng.integers(7, 12))
    board = np.floor(u * boards)
    shift = rng.uniform(0, 1, 16).astype(np.float32)[board.astype(np.int64)]
    bend = 0.03 * _noise(tile, (4, 12), rng)
    waves = (u + bend + 0.25 * shift) * 55
    rings = np.abs(waves - np.floor(waves) - 0.5) * 4 - 1
    fibre = _noise(tile, (24, 380), rng)
    tone = rng.uniform(-5, 5, 16).astype(np.float32)[board.astype(np.int64)]
    lightness = rng.uniform(48, 68) + tone + 2.2 * rings + 2.0 * fibre
    joint = np.abs(u * boards - board - 0.5) > 0.5 - 0.012
    return _colored(np.where(joint, lightness - 22, lightness), rng.uniform(5, 9))


def _concrete(rng: np.random.Generator) -> Array:
    tile = (_TILE, _TILE)
    lightness = rng.uniform(50, 70) + sum(
        weight * _noise(tile, (cells, cells), rng)
        for weight, cells in ((3.0, 5), (2.0, 14), (1.6, 60), (1.6, 250))
    )
    pores = _noise(tile, (170, 170), rng) > 3.0
    return _colored(lightness - 14 * pores, rng.uniform(-2, 3))


def _linen(rng: np.random.Generator) -> Array:
    tile = (_TILE, _TILE)
    v, u = np.mgrid[0:_TILE, 0:_TILE].astype(np.float32)
    warp, weft = u / 4, v / 4
    over = (np.floor(warp) + np.floor(weft)) % 2
    thread = np.where(over == 0, np.abs(warp % 1 - 0.5), np.abs(weft % 1 - 0.5))
    slub = 2 * _noise(tile, (6, 190), rng) + 2 * _noise(tile, (190, 6), rng)
    folds = 3 * _noise(tile, (3, 5), rng)
    return _colored(rng.uniform(66, 82) - 12 * thread + slub + folds, rng.uniform(3, 7))


def _marble(rng: np.random.Generator) -> Array:
    tile = (_TILE, _TILE)
    wander = sum(
        weight * _noise(tile, (cells, cells), rng)
        for weight, cells in ((1.0, 3), (0.5, 7), (0.25, 16), (0.12, 40))
    )
    vein = 1 / (1 + (np.asarray(wander) * 14) ** 2)
    cloud = 2.5 * _noise(tile, (6, 6), rng) + 0.7 * _noise(tile, (200, 200), rng)
    return _colored(rng.uniform(70, 84) + cloud - 17 * vein, rng.uniform(-3, 3))


_MATERIALS = (_wood, _concrete, _linen, _marble)
