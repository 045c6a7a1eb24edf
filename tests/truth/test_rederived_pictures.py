"""Scores of restored photos, computed again from the pictures of a row and the photo files alone.

The clean photo is made anew: the file, reduced to the longer side that the metadata tells by the
mean of each area. PSNR and SSIM are those of scikit-image, on the luminance of its YCbCr.
"""

import io
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from reference import Data
from skimage.color import rgb2ycbcr
from skimage.metrics import peak_signal_noise_ratio, structural_similarity
from test_rederived import Row, check, made, pixels

Rgb = NDArray[np.uint8]
Mask = NDArray[np.bool_]
pytestmark = pytest.mark.slow

# How far the window of SSIM reaches, and what PSNR a picture without any error is said to have.
REACH, EQUAL = 5, 100.0


@pytest.fixture(scope="module")
def data(shared_data: Path) -> Data:
    return Data(shared_data)


def path_of(root: Path, photo_id: str) -> Path:
    """The file of a photo."""
    if photo_id.isdecimal():
        return root / "coco/images" / f"{int(photo_id):012d}.jpg"
    if photo_id.startswith("ADE"):
        return root / "panoptic/ade20k/images" / f"{photo_id}.jpg"
    folder, _, name = photo_id.partition("_")
    form = {"nyu": "rgb_{}.jpg", "kitti": "rgb_{}.png", "7scenes": "frame-{}.color.jpg"}[folder]
    return root / "depth" / folder / form.format(name)


def overlaps(source: int, target: int) -> NDArray[np.float64]:
    """How much each of `target` equal parts of a line covers of each of `source` pixels."""
    edges = np.linspace(0, source, target + 1)
    low, high = edges[:-1, None], edges[1:, None]
    pixel = np.arange(source)
    shared = np.clip(np.minimum(high, pixel + 1) - np.maximum(low, pixel), 0, None)
    return shared / shared.sum(axis=1, keepdims=True)


def clean(root: Path, row: Row, shape: tuple[int, ...]) -> Rgb:
    """The photo in the size of use; `shape` is that of the options, which may be cropped."""
    told = row["metadata"]
    photo = reduced(path_of(root, told["photo"]["photo_id"]), told["given"]["longest"])
    cut = told["given"].get("factor", 1)
    assert [side // cut * cut for side in photo.shape[:2]] == list(shape[:2])
    return photo[: shape[0], : shape[1]]


@cache
def reduced(path: Path, longest: int) -> Rgb:
    photo = np.asarray(Image.open(path).convert("RGB"))
    height, width = photo.shape[:2]
    scale = min(1.0, longest / max(height, width))
    rows = overlaps(height, max(1, round(height * scale)))
    columns = overlaps(width, max(1, round(width * scale)))
    mean = np.einsum("yh,hwc,xw->yxc", rows, photo.astype(np.float64), columns, optimize=True)
    return np.rint(mean).astype(np.uint8)


def measured(picture: Rgb, truth: Rgb, crop: int, hole: Mask | None) -> tuple[float, float]:
    """PSNR and SSIM of a picture, in the hole only if there is one."""
    planes = [rgb2ycbcr(one)[..., 0] for one in (truth, picture)]
    inner = slice(crop, -crop or None)
    planes = [plane[inner, inner] for plane in planes]
    _, similar = structural_similarity(
        *planes,
        data_range=255,
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
        full=True,
    )
    fitting = (slice(REACH, -REACH),) * 2
    if hole is None:
        psnr = _psnr(*planes)
        return psnr, float(similar[fitting].mean())
    return _psnr(*(plane[hole] for plane in planes)), float(similar[fitting][hole[fitting]].mean())


def _psnr(true: NDArray[np.float64], found: NDArray[np.float64]) -> float:
    if (true == found).all():
        return EQUAL
    return float(peak_signal_noise_ratio(true, found, data_range=255))


def quality(psnr: float, ssim: float) -> float:
    return (float(np.clip(ssim, 0, 1)) + float(np.clip((psnr - 10) / 30, 0, 1))) / 2


def final(m: float, floor: float) -> float:
    """The untouched input, of quality `floor`, has 2, the truth 10, the worst possible 0."""
    return 2 + 8 * (m - floor) / (1 - floor) if m >= floor else 2 * m / floor


@pytest.mark.parametrize(
    ("task", "question"),
    [
        ("deblur", "pairwise"),
        ("derain", "ranking"),
        ("desnow", "pairwise"),
        ("super_resolution", "scoring"),
        ("super_resolution", "pairwise"),
        ("inpainting_low_level", "ranking"),
    ],
)
def test_restorations(data: Data, tmp_path: Path, task: str, question: str) -> None:
    def score(row: Row) -> list[float]:
        told = row["metadata"]
        shown = np.asarray(Image.open(io.BytesIO(row["media"][0]["bytes"])).convert("RGB"))
        options = pixels(row)
        truth = clean(data.root, row, options[0].shape)
        factor = told["given"].get("factor", 1)
        untouched = np.kron(shown, np.ones((factor, factor, 1), np.uint8))
        hole = None
        if "grey" in told["given"]:
            hole = (shown == told["given"]["grey"]).all(axis=2)
            assert np.array_equal(shown[~hole], truth[~hole])
            assert hole.mean() == pytest.approx(told["given"]["share"], abs=1e-3)
        crop = factor if factor > 1 else 0
        floor = quality(*measured(untouched, truth, crop, hole))
        found = []
        for option, stored in zip(options, told["metrics"], strict=True):
            psnr, ssim = measured(option, truth, crop, hole)
            assert psnr == pytest.approx(stored["psnr"], abs=0.02), told["sources"]
            assert ssim == pytest.approx(stored["ssim"], abs=5e-4), told["sources"]
            found.append(final(quality(psnr, ssim), floor))
        return found

    rows = made(data, tmp_path, f"task={task}", f"question={question}", "n_items=8")
    assert check(rows, score, 0.01) == 8
