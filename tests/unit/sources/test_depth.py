"""Photos with measured depth, and the rendered room."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from gen.errors import UserError
from gen.schema import DepthData, EmbeddedData
from gen.sources import depth_scene
from gen.sources.depth import open_depth
from gen.sources.open import open_source

CONF = Path(__file__).parents[3] / "conf"
SHIPPED = Path(depth_scene.__file__).parent / "embedded" / "depth"


def settings(root, **changes):
    record = yaml.safe_load((CONF / "data/depth.yaml").read_text(encoding="utf-8"))
    return DepthData.model_validate({**record, "root": str(root), **changes})


@pytest.fixture
def folder(tmp_path):
    """Two photos of the set nyu, with all values that 16 bits have on the first."""
    (tmp_path / "nyu").mkdir()
    for name in ("00001", "00002"):
        photo = np.full((256, 256, 3), 90, np.uint8)
        cv2.imwrite(str(tmp_path / f"nyu/rgb_{name}.jpg"), photo)
        values = np.arange(65536, dtype=np.uint16).reshape(256, 256)
        cv2.imwrite(str(tmp_path / f"nyu/sync_depth_{name}.png"), values)
    (tmp_path / "calibration.json").write_text(json.dumps({"nyu": {"depth_scale": 1000.0}}))
    return tmp_path


def kinds(source):
    return {problem.kind for problem in source.problems()}


def test_all_16_bits_are_read_and_what_is_invalid_is_none(folder):
    source = open_depth(settings(folder))
    assert [photo.image_id for photo in source.photos()] == ["nyu_00001", "nyu_00002"]
    depth = source.depth("nyu_00001")
    assert depth.metric
    flat = depth.disparity.ravel()
    assert flat[0] == 0 and flat[65535] == 0
    assert np.count_nonzero(depth.valid) == 65534
    metres = np.arange(1, 65535) / 1000.0
    assert np.array_equal(flat[1:-1], (1 / metres).astype(np.float32))
    assert source.truth("nyu_00001").instances == ()
    assert source.photos()[0].license == "unknown"
    assert source.problems() == ()


def test_the_shipped_sets_are_found_with_unique_names_and_their_scales(shared_data):
    source = open_source(settings(shared_data / "depth"))
    ids = [photo.image_id for photo in source.photos()]
    assert ids == [
        "nyu_00000", "nyu_00050", "kitti_0000000005", "7scenes_000000", "7scenes_000300",
        "7scenes_000600",
    ]  # fmt: skip
    for photo in source.photos():
        depth = source.depth(photo.image_id)
        assert depth.disparity.shape == (photo.height, photo.width)
        assert source.pixels(photo.image_id).shape == (photo.height, photo.width, 3)
        low, high = np.quantile(1 / depth.disparity[depth.valid], [0.02, 0.98])
        most = 90 if photo.image_id.startswith("kitti") else 10
        assert 0.3 < low < high < most
    assert source.problems() == ()


def test_fingerprint_tells_values_scales_and_photos_apart_but_not_folders(folder, tmp_path):
    first = open_depth(settings(folder)).fingerprint()
    other = tmp_path / "moved"
    other.mkdir()
    (folder / "nyu").rename(other / "nyu")
    (folder / "calibration.json").rename(other / "calibration.json")
    assert open_depth(settings(other)).fingerprint() == first
    (other / "calibration.json").write_text(json.dumps({"nyu": {"depth_scale": 500.0}}))
    assert open_depth(settings(other)).fingerprint() != first
    sets = settings(other).model_dump()["sets"]
    sets["nyu"]["scale"] = 1000.0
    assert open_depth(settings(other, sets=sets)).fingerprint() == first
    assert open_depth(settings(other, sets=sets, calibration=None)).fingerprint() == first


def test_maps_that_cannot_be_used_are_named_and_the_rest_is_kept(folder):
    nyu = folder / "nyu"
    photo = np.full((20, 20, 3), 90, np.uint8)
    maps = {
        "small": np.full((10, 20), 500, np.uint16),
        "empty": np.zeros((20, 20), np.uint16),
        "white": np.full((20, 20), 65535, np.uint16),
        "flat": np.full((20, 20), 700, np.uint16),
        "color": np.zeros((20, 20, 3), np.uint8),
    }
    for name, values in maps.items():
        cv2.imwrite(str(nyu / f"rgb_{name}.jpg"), photo)
        cv2.imwrite(str(nyu / f"sync_depth_{name}.png"), values)
    cv2.imwrite(str(nyu / "rgb_lonely.jpg"), photo)
    cv2.imwrite(str(nyu / "sync_depth_orphan.png"), maps["flat"])
    cv2.imwrite(str(nyu / "rgb_broken.jpg"), photo)
    (nyu / "sync_depth_broken.png").write_bytes(b"\x89PNG")
    source = open_depth(settings(folder))
    for name in ("empty", "white", "flat", "color"):
        assert source.depth(f"nyu_{name}") is None
    # The size of a photo is that of its map: here the photo does not fit.
    with pytest.raises(Exception, match="annotations say 20 x 10"):
        source.pixels("nyu_small")
    assert source.depth("nyu_00001") is not None
    assert kinds(source) == {
        "empty_depth_map", "flat_depth_map", "corrupt_depth_map", "missing_depth_map",
        "missing_photo", "wrong_size",
    }  # fmt: skip
    assert all(str(folder) not in problem.file for problem in source.problems())


def test_errors_of_the_user(folder, tmp_path):
    with pytest.raises(UserError, match=r"^data\.root: no folder"):
        open_depth(settings(tmp_path / "nowhere"))
    (tmp_path / "bare").mkdir()
    with pytest.raises(UserError, match="no photo with a depth map"):
        open_depth(settings(tmp_path / "bare"))
    with pytest.raises(UserError, match=r"data\.licenses leaves none of 2 photos"):
        open_depth(settings(folder, licenses=["cc0-1.0"]))
    with pytest.raises(UserError, match=r"sets\.nyu\.scale is null"):
        open_depth(settings(folder, calibration=None))
    for text, error in (
        ("{}", r"scale is null, and there is no depth_scale of it in calibration\.json"),
        ("[]", "expected an object"),
        ("{", "not JSON"),
        ('{"nyu": {"depth_scale": 0}}', "expected a number above 0"),
        ('{"nyu": {"depth_scale": "1000"}}', "expected a number above 0"),
    ):
        (folder / "calibration.json").write_text(text)
        with pytest.raises(UserError, match=error):
            open_depth(settings(folder))
    sets = {"nyu": {"photos": "nyu/rgb.jpg", "depth": "nyu/*.png", "scale": 1.0, "invalid": []}}
    with pytest.raises(UserError, match=r"must have one \*"):
        open_depth(settings(folder, sets=sets))


def test_the_shipped_room_is_what_the_renderer_makes():
    rows = range(5, depth_scene.HEIGHT, 53)
    photo, depth = depth_scene.render(rows)
    shipped = cv2.imread(str(SHIPPED / "room.png"))[..., ::-1]
    assert np.array_equal(photo, shipped[list(rows)])
    stored = cv2.imread(str(SHIPPED / "room_depth.png"), cv2.IMREAD_UNCHANGED)
    assert stored.shape == (depth_scene.HEIGHT, depth_scene.WIDTH)
    assert np.array_equal(depth, stored[list(rows)])


def test_embedded_depth_is_metric_and_only_where_there_is_one():
    source = open_source(EmbeddedData(name="embedded", licenses=()))
    found = {photo.image_id: source.depth(photo.image_id) for photo in source.photos()}
    assert [key for key, depth in found.items() if depth is not None] == ["5", "6"]
    for photo in source.photos()[-2:]:
        depth = found[photo.image_id]
        assert depth.metric
        assert depth.disparity.shape == (photo.height, photo.width)
        assert np.isfinite(depth.disparity).all()
    assert found["6"].valid.all()
    # What scikit-image's calibration makes of its least and its greatest disparity.
    stereo = 1 / found["5"].disparity[found["5"].valid]
    assert 0.9 < found["5"].valid.mean() < 0.95
    assert stereo.min() == pytest.approx(994.978 * 0.193001 / (59.90896 + 31.086), rel=1e-5)
    assert stereo.max() == pytest.approx(994.978 * 0.193001 / (7.1913557 + 31.086), rel=1e-5)
    only = open_source(EmbeddedData(name="embedded", licenses=("public-domain",)))
    assert "6" not in [photo.image_id for photo in only.photos()]
    assert only.fingerprint() == source.fingerprint()
