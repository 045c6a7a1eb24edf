"""Poses as pictures and text: what is drawn, what is written, and what looks alike."""

import math
from fnmatch import fnmatchcase
from itertools import combinations

import numpy as np
import orjson
import pytest
from encoding_cases import CONF
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from gen.judge import encodings
from gen.judge.encodings import Exhibit
from gen.judge.encodings.poses import text
from gen.judge.encodings.poses.layers import GREEN, PART_SWATCHES
from gen.judge.encodings.poses.scene import poses, scenes
from gen.masks import Rle
from gen.predictions.annotation import MaskPrediction, PosePrediction
from gen.predictions.skeleton import JOINTS, LINKS, RIGHT
from gen.render import palette
from gen.schema import validate

STEMS = (
    "pixel_s0_c1_m0",
    "pixel_s1_c0_m0",
    "pixel_s1_c1_m0",
    "pixel_s1_c2_m0",
    "pixel_s1_c1_m1",
    "text_flat_list",
    "text_part_keyed_json",
    "text_coco_style",
)
PICTURES = STEMS[:5]
NOTE = "x=0.0, y=0.0 means the keypoint was not detected or is not visible."
FORMS = {
    "text_flat_list": (text.encode_flat_list, text.decode_flat_list),
    "text_part_keyed_json": (text.encode_part_keyed_json, text.decode_part_keyed_json),
    "text_coco_style": (text.encode_coco_style, text.decode_coco_style),
}
HW = (480, 640)
MISSING = (0.0, 0.0, 0)


@pytest.fixture(scope="module")
def shipped():
    found = {}
    with initialize_config_dir(str(CONF), version_base="1.3"):
        for stem in STEMS:
            config = compose("config", overrides=["task=keypoint", f"encoding={stem}"])
            found[stem] = validate(OmegaConf.to_container(config, resolve=True))
    return found


def encoder(shipped, stem, **knobs):
    settings = shipped[stem]
    encoding = settings.encoding.model_validate(settings.encoding.model_dump() | knobs)
    return encodings.build(settings.task, encoding, settings.wording)


def show(shipped, stem, predictions, hw=HW, **knobs):
    photo = np.full((*hw, 3), 90, np.uint8)
    return encoder(shipped, stem, **knobs).encode(Exhibit(hw, predictions, (), photo))


def people(count, hw=HW, seed=0, missing=0.2):
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        middle = rng.uniform(0, (hw[1], hw[0]))
        spots = (middle + rng.normal(0, min(hw) / 8, (17, 2))).clip(0.1, (hw[1] - 1, hw[0] - 1))
        seen = rng.integers(1, 3, 17)
        gone = rng.random(17) < missing
        found.append(
            PosePrediction(
                tuple(
                    MISSING if lost else (round(float(x), 1), round(float(y), 1), int(v))
                    for (x, y), v, lost in zip(spots, seen, gone, strict=True)
                )
            )
        )
    return tuple(found)


def person(**joints):
    """A person with the named joints only."""
    return PosePrediction(
        tuple((*map(float, joints[name]), 2) if name in joints else MISSING for name in JOINTS)
    )


def test_the_task_has_its_eight_rows_and_this_default(shipped):
    task = shipped[STEMS[0]].task
    assert tuple(task.encodings) == STEMS
    assert all(row.is_final and row.is_base_ablation for row in task.encodings.values())
    with initialize_config_dir(str(CONF), version_base="1.3"):
        assert compose("config", overrides=["task=keypoint"]).encoding.name == "pixel_s1_c1_m0"


@pytest.mark.parametrize("stem", FORMS)
def test_text_has_its_numbers_and_comes_back_bit_for_bit(stem, shipped):
    encode, decode = FORMS[stem]
    prediction = people(7)
    shown = show(shipped, stem, [prediction, ()])
    assert shown.options[1].text == "[]"
    written = shown.options[0].text
    assert written == encode(poses(prediction))
    assert len(written.splitlines()) == 7
    back = decode(written)
    if stem == "text_coco_style":
        assert back == prediction
    else:
        assert [[j[:2] for j in one.joints] for one in back] == [
            [j[:2] for j in one.joints] for one in prediction
        ]
        assert {j[2] for one in back for j in one.joints} == {0, 2}
    assert encode(poses(back)) == written
    assert NOTE in shown.format
    assert ", ".join(JOINTS) in shown.format


def test_lists_have_34_and_51_numbers_in_order_and_one_decimal(shipped):
    prediction = people(3)
    (flat,) = show(shipped, "text_flat_list", [prediction]).options
    (coco,) = show(shipped, "text_coco_style", [prediction]).options
    for one, numbers, triples in zip(
        prediction, orjson.loads(flat.text), orjson.loads(coco.text), strict=True
    ):
        assert len(numbers) == 34 and len(triples) == 51
        assert numbers == [j[0] for j in one.joints] + [j[1] for j in one.joints]
        assert triples == [n for j in one.joints for n in j]
    words = flat.text.replace("[", "").replace("]", "").split(",")
    assert all(len(word.strip().partition(".")[2]) == 1 for word in words)


def test_joints_by_name_have_the_keys_of_the_schema(shipped):
    (option,) = show(shipped, "text_part_keyed_json", [people(2)]).options
    lines = orjson.loads(option.text)
    assert [list(line) for line in lines] == [["person_id", "keypoints"]] * 2
    assert [line["person_id"] for line in lines] == [1, 2]
    assert all(list(joint) == ["name", "x", "y"] for joint in lines[0]["keypoints"])
    assert [joint["name"] for joint in lines[0]["keypoints"]] == list(JOINTS)


@pytest.mark.parametrize("stem", PICTURES)
def test_missing_joints_and_their_links_are_never_drawn(stem, shipped):
    apart = person(left_shoulder=(300, 200), left_wrist=(400, 300))
    (option,) = show(shipped, stem, [(apart,)]).options
    (ground,) = show(shipped, stem, [()]).options
    changed = (option.picture != ground.picture).any(axis=2)
    assert not changed[:50, :50].any()
    rows, columns = np.nonzero(changed)
    near = [np.hypot(columns - x, rows - y) <= 8 for x, y in ((300, 200), (400, 300))]
    assert (near[0] | near[1]).all() and all(one.any() for one in near)


def test_all_19_links_are_drawn_between_their_joints(shipped):
    for a, b in combinations(range(17), 2):
        two = person(**{JOINTS[a]: (200, 200), JOINTS[b]: (300, 200)})
        (option,) = show(shipped, "pixel_s1_c0_m0", [(two,)]).options
        linked = (a, b) in LINKS or (b, a) in LINKS
        assert (option.picture[200, 250] == GREEN).all() == linked
        (points,) = show(shipped, "pixel_s0_c1_m0", [(two,)]).options
        assert (points.picture[200, 250] == 90).all()


def test_parts_have_17_colours_named_in_each_legend(shipped):
    assert len({swatch.rgb for swatch in PART_SWATCHES}) == 17
    spots = {name: (30 + 34 * number, 100) for number, name in enumerate(JOINTS)}
    shown = show(shipped, "pixel_s1_c2_m0", [(person(**spots),), ()])
    drawn, empty = shown.options
    assert drawn.legend == empty.legend
    for name, swatch in zip(JOINTS, PART_SWATCHES, strict=True):
        assert f"{name}: {swatch.name} ({palette.hex_code(swatch.rgb)})" in drawn.legend
        x, y = spots[name]
        assert tuple(drawn.picture[y, x]) == swatch.rgb
    arm = person(left_elbow=(200, 200), left_wrist=(300, 200))
    (option,) = show(shipped, "pixel_s1_c2_m0", [(arm,)]).options
    assert tuple(option.picture[200, 250]) == PART_SWATCHES[JOINTS.index("left_wrist")].rgb


def test_persons_have_a_color_each_and_no_legend(shipped):
    two = (person(nose=(100, 100)), person(nose=(300, 300)))
    for stem in ("pixel_s0_c1_m0", "pixel_s1_c1_m0", "pixel_s1_c1_m1"):
        shown = show(shipped, stem, [two])
        (option,) = shown.options
        assert option.legend is None
        assert tuple(option.picture[100, 100]) == palette.swatch(0).rgb
        assert tuple(option.picture[300, 300]) == palette.swatch(1).rgb
        assert "of the same person share a color" in shown.format
        assert "mostly agree on the color of that person" in shown.format
    single = show(shipped, "pixel_s1_c0_m0", [two])
    sentence = "All keypoints and links use a single color (green). No color legend."
    assert sentence in single.format and single.options[0].legend is None


def test_a_person_has_one_color_in_all_options(shipped):
    here, there = person(nose=(100, 100)), person(nose=(300, 300))
    moved = person(nose=(302, 301))
    for options in ([(here, there), (moved,)], [(moved,), (here, there)]):
        shown = show(shipped, "pixel_s0_c1_m0", options).options
        colors = [tuple(option.picture[301, 301]) for option in shown]
        assert colors[0] == colors[1] == palette.swatch(1).rgb


def test_the_right_side_has_a_dot_where_colours_do_not_tell_it(shipped):
    for joint, name in enumerate(JOINTS):
        one = (person(**{name: (100, 100), "nose" if joint else "left_eye": (200, 200)}),)
        for stem in ("pixel_s0_c1_m0", "pixel_s1_c0_m0", "pixel_s1_c1_m1"):
            (option,) = show(shipped, stem, [one]).options
            color = GREEN if stem == "pixel_s1_c0_m0" else palette.swatch(0).rgb
            dotted = tuple(option.picture[100, 100]) == palette.text_colour(color)
            assert dotted == (joint in RIGHT)
    assert "dot in the middle" not in show(shipped, "pixel_s1_c2_m0", [()]).format


@pytest.mark.parametrize("hw", [(32, 32), (3000, 4000), (480, 640)])
def test_any_size_and_joints_at_the_border_show(hw, shipped):
    height, width = hw
    corners = person(
        nose=(width - 1, height - 1), left_ear=(width - 0.3, 1), left_hip=(0.1, height - 0.2)
    )
    for stem in PICTURES:
        (option,) = show(shipped, stem, [(corners,)], hw).options
        assert option.picture.shape == (*hw, 3)
        for y, x in ((height - 1, width - 1), (1, width - 1), (height - 1, 0)):
            assert (option.picture[y, x] != 90).any() and option.picture[y, x].any()


def test_joints_grow_with_the_photo_and_shrink_on_small_persons():
    def radius(extent, hw):
        (scene,) = scenes([(person(nose=(1, 1), left_hip=(1 + extent, 1)),)], hw)
        return scene.figures[0].radius

    assert radius(1500, (3000, 4000)) > 2 * radius(300, HW) > radius(300, HW)
    assert radius(300, HW) > radius(100, HW) > radius(30, HW) >= 2


def test_500_persons(shipped):
    crowd = people(500)
    for stem in STEMS:
        (option,) = show(shipped, stem, [crowd]).options
        assert option.picture is not None or len(option.text.splitlines()) == 500


def test_other_predictions_and_broken_poses_are_refused(shipped):
    with pytest.raises(TypeError, match="poses"):
        show(shipped, STEMS[0], [(MaskPrediction("cat", Rle((1, 1), "1")),)])
    with pytest.raises(ValueError, match="17 joints"):
        poses((PosePrediction(((1.0, 1.0, 2),) * 16),))
    with pytest.raises(ValueError, match="finite"):
        poses((PosePrediction(((math.nan, 1.0, 2),) * 17),))


def test_a_joint_at_the_corner_means_missing_everywhere(shipped):
    odd = PosePrediction(((0.0, 0.0, 2), (5.0, 5.0, 0), *[MISSING] * 14, (50.0, 50.0, 2)))
    plain = PosePrediction((*[MISSING] * 16, (50.0, 50.0, 2)))
    for stem in STEMS:
        a, b = show(shipped, stem, [(odd,), (plain,)]).options
        assert a.text == b.text
        assert np.array_equal(a.picture, b.picture)


BASE = people(3, seed=5)


def changed(joint, *, dx=0.0, v=None, swap=None):
    joints = list(BASE[0].joints)
    if swap is not None:
        joints[joint], joints[swap] = joints[swap], joints[joint]
    else:
        x, y, seen = joints[joint]
        joints[joint] = (round(x + dx, 1), y, seen if v is None else v)
    return (PosePrediction(tuple(joints)), *BASE[1:])


THERE = [number for number, joint in enumerate(BASE[0].joints) if joint[2]]
FIRST = next(j for j in THERE if 0.2 < BASE[0].joints[j][0] % 1 < 0.4)
LEFT = next(j for j in range(5, 17, 2) if j in THERE and j + 1 in THERE)
PAIRS = {
    "equal": (BASE, BASE),
    "a tenth of a pixel": (BASE, changed(FIRST, dx=0.1)),
    "two pixels": (BASE, changed(FIRST, dx=2.0)),
    "hidden": (BASE, changed(FIRST, v=3 - BASE[0].joints[FIRST][2])),
    "inverted": (BASE, changed(LEFT, swap=LEFT + 1)),
    "a person less": (BASE, BASE[1:]),
    "nobody": (BASE, ()),
    "an exact copy more": (BASE, (BASE[0], *BASE)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_equal_digests_mean_equal_options(name, shipped):
    pair = PAIRS[name]
    a, b = (encodings.appearances(shipped[STEMS[0]].task, one, HW) for one in pair)
    for stem in STEMS:
        (view,) = [key for key in a if any(fnmatchcase(stem, one) for one in key.split())]
        first, second = show(shipped, stem, pair).options
        same = first.text == second.text and np.array_equal(first.picture, second.picture)
        if same:
            assert a[view] == b[view], f"{stem} shows both alike"
        elif name != "an exact copy more":
            assert a[view] != b[view], f"{stem} shows a difference"


def test_only_coco_style_tells_hidden_joints_and_no_text_or_digest_the_order_of_persons(shipped):
    task = shipped[STEMS[0]].task
    plain, hidden = (encodings.appearances(task, one, HW) for one in PAIRS["hidden"])
    assert [key for key in plain if plain[key] != hidden[key]] == ["text_coco_style"]
    assert encodings.appearances(task, BASE[::-1], HW) == plain


def test_weight_is_the_length_of_the_most_exact_text(shipped):
    task = shipped[STEMS[0]].task
    (option,) = show(shipped, "text_coco_style", [BASE]).options
    assert encodings.weight(task, BASE, HW) == len(option.text)
