"""Images that are made of photos, and their sizes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gen.predictions.synthetic import view
from gen.sources.records import Photo

PHOTO = Photo("7", Path("7.png"), 640, 480, "cc0-1.0", "", "", "")


class Photos:
    """A source that tells of photos and has no pixels."""

    def __init__(self, *sizes: tuple[int, int]) -> None:
        self._photos = [
            replace(PHOTO, image_id=str(number), height=height, width=width)
            for number, (height, width) in enumerate(sizes)
        ]

    def photos(self) -> list[Photo]:
        return self._photos


@pytest.mark.parametrize(
    ("size", "longest", "expected"),
    [
        ((480, 640), 512, (384, 512)),
        ((640, 427), 512, (512, 342)),
        ((300, 451), 512, (300, 451)),
        ((1, 4000), 512, (1, 512)),
    ],
)
def test_the_longer_side_is_cut_down(
    size: tuple[int, int], longest: int, expected: tuple[int, int]
) -> None:
    assert view.reduced_size(size, longest) == expected


def test_each_photo_that_is_large_enough_has_a_view_of_its_own_name() -> None:
    found = view.of_photos(Photos((480, 640), (47, 640), (48, 48), (60, 900)), 2, 512)  # type: ignore[arg-type]
    assert {name: one.size for name, one in found.items()} == {"0-2": (384, 512), "2-2": (48, 48)}
    assert found["2-2"].photo_id == "2" and found["2-2"].variant == 2


def test_scenes_are_numbered() -> None:
    assert list(view.drawn(9, 11, (384, 512))) == ["scene-0009", "scene-0010"]
    assert not view.drawn(3, 3, (384, 512))


def test_a_reduced_photo_is_the_mean_of_areas() -> None:
    photo = np.random.default_rng(0).integers(0, 256, (64, 96, 3), np.uint8)
    blocks = photo.reshape(32, 2, 48, 2, 3).mean(axis=(1, 3))
    assert np.abs(view.reduced(photo, (32, 48)) - blocks).max() <= 0.5
    assert view.reduced(photo, (64, 96)) is photo


@pytest.mark.parametrize("size", [(30, 40), (400, 300), (384, 512)])
def test_a_backdrop_covers_the_whole_picture(size: tuple[int, int]) -> None:
    photo = np.zeros((120, 200, 3), np.uint8)
    photo[55:65, 95:105] = 255
    found = view.covering(photo, size)
    assert found.shape == (*size, 3)
    assert found[size[0] // 2, size[1] // 2].min() > 200
