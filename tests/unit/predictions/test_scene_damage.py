"""How much of a picture is spoilt."""

import cv2
import numpy as np
import pytest

from gen.predictions.scenes.backdrops import from_photo, studio
from gen.predictions.scenes.damage import damage
from gen.predictions.scenes.drawing import draw, silhouette
from gen.predictions.scenes.layout import arrange, random_kind
from gen.predictions.scenes.spoil import SPOILINGS, spoil

SIZE = (192, 256)
EXPECTED = (0.0, 0.08, 0.18, 0.3, 0.42, 0.55)


def photo(seed, size=SIZE):
    """Something with edges and texture at several scales, in the colours of a landscape."""
    random = np.random.default_rng(seed)
    field = sum(
        cv2.resize(random.standard_normal((cells, cells, 3)), size[::-1]) * 90 / cells**0.5
        for cells in (3, 8, 30)
    )
    field = np.where(field[..., :1] > 20, field + 60, field)
    return np.clip(110 + field, 0, 255).astype(np.uint8)


def scene(seed, size=SIZE):
    """A drawn scene, and where none of its things is."""
    random = np.random.default_rng(seed)
    things = arrange(random, [random_kind(random) for _ in range(4)], size)
    backdrop = from_photo(photo(seed, size), random) if seed % 2 else studio(size, random)
    covered = np.any([silhouette(thing, size) for thing in things], axis=0)
    around = cv2.dilate(covered.astype(np.uint8), np.ones((11, 11), np.uint8)) == 0
    return draw(things, backdrop), around


def disc(size=SIZE):
    mask = np.zeros(size, np.uint8)
    cv2.circle(mask, (size[1] // 2, size[0] // 2), size[0] // 4, 1, -1)
    return mask > 0


def spoilt(picture, kind, severity, region, seed):
    if severity == 0:
        return picture
    return spoil(picture, kind, severity, np.random.default_rng(seed), region)


@pytest.mark.parametrize("kind", SPOILINGS)
def test_damage_of_drawings_grows_as_they_are_spoilt(kind):
    found = []
    for seed in range(6):
        picture, around = scene(seed)
        region = {"blur": None, "artefact": around, "seam": disc()}[kind]
        rim = disc() if kind == "seam" else None
        found.append([damage(spoilt(picture, kind, k, region, seed), None, rim) for k in range(6)])
    assert np.max(found, axis=0)[0] <= 0.02
    means = np.mean(found, axis=0)
    assert np.all(np.diff(means) > 0.03)
    assert np.all(np.abs(means - EXPECTED) < 0.09)


@pytest.mark.parametrize("kind", SPOILINGS)
def test_damage_of_photos_grows_as_they_are_spoilt(kind):
    found = []
    for seed in range(4):
        picture = photo(seed)
        rim = disc() if kind == "seam" else None
        found.append([damage(spoilt(picture, kind, k, rim, seed), picture, rim) for k in range(6)])
    means = np.mean(found, axis=0)
    assert means[0] == 0
    assert np.all(np.diff(means) > 0.02)
    assert 0.2 < means[5] < 0.9


def test_what_is_spoilt_in_a_part_is_looked_for_there():
    picture, region = photo(7), disc()
    blurred = spoilt(picture, "blur", 4, region, 7)
    assert damage(blurred, picture) < 0.02
    assert damage(blurred, picture, within=region) > 0.2
    assert damage(blurred, picture, within=~region) == 0


def test_the_picture_may_be_near_to_any_original():
    sharp = photo(8)
    soft = cv2.GaussianBlur(sharp, (0, 0), 3)
    assert damage(soft, sharp) > 0.3
    assert damage(soft, [sharp, soft]) == 0
    assert damage(sharp, [sharp, soft]) == 0


def test_a_change_of_content_is_no_damage():
    picture = photo(9)
    changed = picture.copy()
    cv2.circle(changed, (70, 80), 30, (200, 30, 30), -1, cv2.LINE_AA)
    assert damage(changed, picture) < 0.02


def test_a_seam_is_a_line_and_no_step():
    picture = np.full((*SIZE, 3), 120, np.uint8)
    picture[disc()] = 160
    assert damage(picture, region=disc()) < 0.1
    ring = cv2.dilate(disc().astype(np.uint8), np.ones((3, 3))) - cv2.erode(
        disc().astype(np.uint8), np.ones((3, 3))
    )
    picture[ring > 0] = 40
    assert damage(picture, region=disc()) > 0.4


def test_a_picture_of_nothing_is_not_spoilt():
    flat = np.full((*SIZE, 3), 90, np.uint8)
    everywhere = np.ones(SIZE, bool)
    assert damage(flat) == damage(flat, flat) == damage(flat, region=everywhere) == 0
    assert damage(flat, flat, ~everywhere, ~everywhere) == 0


def test_pictures_of_other_sizes_are_refused():
    flat = np.zeros((*SIZE, 3), np.uint8)
    for wrong in ({"original": flat[1:]}, {"region": disc()[1:]}, {"within": disc()[1:]}):
        with pytest.raises(ValueError, match="sizes"):
            damage(flat, **wrong)
