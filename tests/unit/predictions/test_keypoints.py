"""OKS against pycocotools, the score, and poses made wrong on purpose."""

import json
from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from gen import masks
from gen.predictions.annotation import PosePrediction
from gen.predictions.metrics.keypoints import (
    SIGMAS,
    TruePerson,
    object_keypoint_similarity,
    pose_score,
    true_persons,
)
from gen.predictions.perturb.keypoints import PERTURBATIONS, Person
from gen.predictions.skeleton import JOINTS, LIMBS, LINKS, PAIRS
from gen.predictions.synthetic.keypoints import perturbed
from gen.sources.records import Instance, Photo, Truth

MISSING = (0.0, 0.0, 0)
FAR = -1e6


@pytest.fixture(scope="session")
def keypoint_record(shared_data):
    (path,) = (shared_data / "coco/annotations").glob("*keypoints*.json")
    return json.loads(path.read_text())


@pytest.fixture(scope="session")
def real(keypoint_record, tmp_path_factory):
    """The photos of the data pack that have persons, labelled or not."""
    truths = []
    for image in keypoint_record["images"]:
        frame = image["height"], image["width"]
        found = []
        for entry in keypoint_record["annotations"]:
            if entry["image_id"] == image["id"]:
                joints = np.array(entry["keypoints"], np.float64).reshape(17, 3)
                rle = masks.from_coco(entry["segmentation"], *frame)
                crowd = bool(entry["iscrowd"])
                joints = joints if joints[:, 2].any() else None
                found.append(Instance(str(entry["id"]), "person", rle, crowd, joints))
        name = str(image["id"])
        path = tmp_path_factory.getbasetemp() / f"{name}.jpg"
        photo = Photo(name, path, frame[1], frame[0], "cc0-1.0", "", "", "")
        truths.append(Truth(photo, tuple(found)))
    return truths


@pytest.fixture(scope="session")
def errors(settings):
    return settings.model_copy(update={"error_types": tuple(PERTURBATIONS)})


def pose(joints):
    return PosePrediction(
        tuple((float(x), float(y), int(v)) if v else MISSING for x, y, v in joints)
    )


def drawn(rng, middle, size=100.0, hidden=()):
    """A person with all joints spread over a square."""
    joints = np.empty((17, 3))
    joints[:, :2] = np.asarray(middle) + rng.uniform(-size / 2, size / 2, (17, 2))
    joints[:, 2] = 2
    joints[list(hidden), 2] = 1
    return joints


def person(joints, size=100.0, crowd=False):
    low, high = joints[:, :2].min(axis=0), joints[:, :2].max(axis=0)
    return TruePerson(joints, size**2 / 2, (*low, *(high - low)), crowd)


def test_oks_is_that_of_pycocotools_on_real_persons(real):
    rng = np.random.default_rng(3)
    images, records, results, ours = [], [], [], {}
    for number, truth in enumerate(real, start=1):
        persons = true_persons(truth.instances)
        predicted = []
        for one in persons:
            joints = one.joints.copy()
            if not joints.any():
                joints[:] = (one.box[0], one.box[1], 1)
            joints[:, :2] += rng.normal(0, 0.1 * one.area**0.5, (17, 2))
            joints[:, :2] = joints[:, :2].round(1)
            joints[rng.random(17) < 0.2] = 0.0
            predicted.append(pose(joints))
        images.append({"id": number})
        for one in persons:
            records.append(
                {
                    "id": len(records) + 1,
                    "image_id": number,
                    "category_id": 1,
                    "iscrowd": int(one.crowd),
                    "area": one.area,
                    "bbox": list(one.box),
                    "keypoints": one.joints.ravel().tolist(),
                    "num_keypoints": int((one.joints[:, 2] > 0).sum()),
                }
            )
        for rank, one in enumerate(predicted):
            flat = [n for x, y, v in one.joints for n in ((x, y, v) if v else (FAR, FAR, 0))]
            found = {
                "image_id": number,
                "category_id": 1,
                "keypoints": flat,
                "score": 1 - rank / 99,
            }
            results.append(found)
        ours[number] = object_keypoint_similarity(predicted, persons)
    theirs = COCO()
    theirs.dataset = {"images": images, "annotations": records, "categories": [{"id": 1}]}
    theirs.createIndex()
    found = theirs.loadRes(results)
    judge = COCOeval(theirs, found, "keypoints")
    judge.params.maxDets = [500]
    judge._prepare()
    checked = 0
    for number, expected in ours.items():
        if expected.size:
            np.testing.assert_allclose(judge.computeOks(number, 1), expected, atol=1e-6)
            checked += expected.size
    assert checked > 500


def test_sigmas_are_those_of_coco():
    np.testing.assert_allclose(SIGMAS, COCOeval(iouType="keypoints").params.kpt_oks_sigmas)


def test_skeleton_is_that_of_coco(keypoint_record):
    (category,) = keypoint_record["categories"]
    assert tuple(category["keypoints"]) == JOINTS
    assert [[a + 1, b + 1] for a, b in LINKS] == category["skeleton"]
    assert len(LINKS) == 19
    for left, right in PAIRS:
        assert JOINTS[left].replace("left", "right") == JOINTS[right]
    assert len({joint for limb in LIMBS for joint in limb}) == 13


def test_score_by_hand():
    rng = np.random.default_rng(1)
    a, b = drawn(rng, (100, 100)), drawn(rng, (900, 900))
    truth = [person(a), person(b)]
    assert pose_score([pose(b), pose(a)], truth)[0] == pytest.approx(10)
    assert pose_score([pose(a)], truth)[0] == pytest.approx(5)
    assert pose_score([pose(a)] * 4, [person(a)])[0] == pytest.approx(2.5)
    half = a.copy()
    half[8:] = 0
    score, metrics = pose_score([pose(half)], [person(a)])
    assert score == pytest.approx(10 * 8 / 17)
    assert metrics == {
        "sum_oks": pytest.approx(8 / 17),
        "matched": 0.0,
        "predicted": 1.0,
        "true": 1.0,
    }
    assert pose_score([], [])[0] == 10
    assert pose_score([], truth)[0] == 0
    assert pose_score([pose(a)], [])[0] == 0


def test_a_joint_at_distance_t_tolerances_counts_by_the_formula():
    joints = np.zeros((17, 3))
    joints[0] = (50, 50, 2)
    one = TruePerson(joints, 2500.0, (0, 0, 50, 50))
    shifted = joints.copy()
    shifted[0, 0] += 2 * SIGMAS[0] * 50
    assert object_keypoint_similarity([pose(shifted)], [one])[0, 0] == pytest.approx(np.exp(-0.5))


def test_a_missing_joint_by_the_corner_of_the_photo_counts_nothing():
    joints = np.full((17, 3), 2.0)
    near = TruePerson(joints, 1e6, (0, 0, 1000, 1000))
    assert object_keypoint_similarity([PosePrediction((MISSING,) * 17)], [near])[0, 0] == 0


def test_poses_of_ignored_persons_are_left_out():
    rng = np.random.default_rng(2)
    a, b = drawn(rng, (100, 100)), drawn(rng, (900, 900))
    empty = TruePerson(np.zeros((17, 3)), 5000.0, person(b).box)
    crowd = TruePerson(np.zeros((17, 3)), 5000.0, person(b).box, crowd=True)
    for count, ignored, predicted in ((1, empty, 1), (2, empty, 2), (3, crowd, 1)):
        score, metrics = pose_score([pose(a), *[pose(b)] * count], [person(a), ignored])
        assert metrics["predicted"] == predicted
        assert metrics["true"] == 1
        assert score == pytest.approx(10 / predicted)
    # A pose of a labelled person counts, wherever it lies.
    over = TruePerson(np.zeros((17, 3)), 1e6, (-500, -500, 2000, 2000), crowd=True)
    assert pose_score([pose(a)], [person(a), over])[0] == pytest.approx(10)


def test_500_persons_are_scored_in_a_moment():
    rng = np.random.default_rng(4)
    joints = [drawn(rng, rng.uniform(0, 4000, 2), 60) for _ in range(500)]
    score, metrics = pose_score([pose(one) for one in joints], [person(one, 60) for one in joints])
    assert score == pytest.approx(10)
    assert metrics["matched"] == 500


def scores_of(truths, settings):
    scores = defaultdict(list)
    for truth in truths:
        for made in perturbed(truth, "keypoint", settings, 42):
            scores[made.error_type, made.severity].append(made.final_score)
    return {
        kind: [float(np.mean(scores[kind, severity])) for severity in range(6)]
        for kind in settings.error_types
    }


def test_mean_score_falls_with_severity_on_real_persons(real, errors):
    persons = sum(not one.ignored for truth in real for one in true_persons(truth.instances))
    assert persons >= 50
    for kind, means in scores_of(real, errors).items():
        assert all(a - b > 0.1 for a, b in pairwise(means)), (kind, means)
        assert means[0] > 9.6


def crowd_of(count, frame=(480, 640), seed=0, hidden=()):
    rng = np.random.default_rng(seed)
    height, width = frame
    found = []
    for number in range(count):
        joints = drawn(rng, rng.uniform(0, (width, height)), min(frame) / 4, hidden)
        joints[:, :2] = joints[:, :2].clip(0, (width - 1, height - 1)).round()
        mask = np.zeros(frame, np.uint8)
        x, y = joints[0, :2].astype(int)
        mask[max(0, y - 20) : y + 20, max(0, x - 20) : x + 20] = 1
        found.append(Instance(str(number), "person", masks.encode(mask), False, joints))
    return found


def truth_of(instances, frame=(480, 640), name="drawn"):
    photo = Photo(name, None, frame[1], frame[0], "cc0-1.0", "", "", "")
    return Truth(photo, tuple(instances))


def test_each_severity_of_a_photo_is_worse_or_as_good_and_each_kind_has_all(errors):
    made = list(perturbed(truth_of(crowd_of(6)), "keypoint", errors, 1))
    for kind in PERTURBATIONS:
        group = [one for one in made if one.error_type == kind]
        assert [one.severity for one in group] == [0, 1, 2, 3, 4, 5]
        values = [one.final_score for one in group]
        assert values == sorted(values, reverse=True)
        assert len({one.prediction for one in group}) == 6
    assert len({one.annotation_id for one in made}) == len(made)
    assert {one.class_of_interest for one in made} == {None}


def test_every_joint_is_redrawn_alike_and_decimals_tell_nothing(errors):
    truth = truth_of(crowd_of(40))
    made = list(perturbed(truth, "keypoint", errors, 1))
    perfect = {one.prediction for one in made if one.severity == 0}
    assert len(perfect) == 1
    for one in made:
        flat = np.array([joint for found in one.prediction for joint in found.joints])
        values = flat[flat[:, 2] > 0, :2]
        assert np.array_equal(values.round(1), values)
        tenths = np.bincount((values.ravel() * 10).round().astype(int) % 10, minlength=10)
        inside = tenths[1:]  # the border has more whole numbers
        assert inside.min() > 0.6 * inside.mean(), (one.error_type, one.severity)


def test_joints_stay_in_the_photo_and_keep_their_visibility(errors):
    frame = (32, 32)
    truth = truth_of(crowd_of(5, frame, hidden=(3, 9)), frame)
    for made in perturbed(truth, "keypoint", errors, 1):
        for one in made.prediction:
            for number, (x, y, v) in enumerate(one.joints):
                assert 0 <= x <= 31 and 0 <= y <= 31
                assert (v == 0) == (x == y == 0)
                if v and made.error_type in ("jitter", "missed"):
                    assert v == (1 if number in (3, 9) else 2)


def test_persons_without_joints_and_crowds_are_never_predicted(errors):
    persons = crowd_of(3)
    lost = [
        Instance("a", "person", persons[0].rle, False, None),
        Instance("b", "person", persons[1].rle, True, None),
        Instance("c", "dog", persons[1].rle, False, None),
    ]
    plain = list(perturbed(truth_of(persons), "keypoint", errors, 1))
    more = list(perturbed(truth_of(persons + lost), "keypoint", errors, 1))
    assert [one.prediction for one in plain] == [one.prediction for one in more]
    assert [one.final_score for one in plain] == [one.final_score for one in more]
    assert list(perturbed(truth_of(lost), "keypoint", errors, 1)) == []
    assert list(perturbed(truth_of([]), "keypoint", errors, 1)) == []


def test_swaps_need_a_neighbour(errors):
    near, far = crowd_of(2), crowd_of(2)
    far[1].keypoints[:, 0] = far[0].keypoints[:, 0] + 400
    for one in (near[0], near[1]):
        one.keypoints[:, :2] = one.keypoints[:, :2] % 50
    for persons, severities in ((near, 6), (far, 1), (near[:1], 1)):
        made = perturbed(truth_of(persons, (600, 1200)), "keypoint", errors, 1)
        assert len([one for one in made if one.error_type == "swap"]) == severities


def test_a_full_inversion_exchanges_all_sides_and_nothing_else():
    rng = np.random.default_rng(0)
    one = Person(drawn(rng, (100, 100)), 5000.0)
    (turned,) = PERTURBATIONS["inversion"]([one], 5, np.random.default_rng(1), (200, 200))
    order = [0, *(joint for left, right in PAIRS for joint in (right, left))]
    assert np.array_equal(turned.joints, one.joints[order])


def test_a_swap_leaves_the_joints_on_the_photo_the_same():
    rng = np.random.default_rng(0)
    two = [Person(drawn(rng, (x, 100)), 5000.0) for x in (100, 160)]
    changed = PERTURBATIONS["swap"](two, 5, np.random.default_rng(1), (200, 300))
    for joint in range(17):
        before, after = (sorted(p.joints[joint].tolist() for p in few) for few in (two, changed))
        assert before == after
    moved = sum(not np.array_equal(two[0].joints[j], changed[0].joints[j]) for j in range(17))
    assert moved == 8


def test_a_single_joint_can_only_be_missed_or_stray(errors):
    (alone,) = crowd_of(1)
    alone.keypoints[1:] = 0
    made = list(perturbed(truth_of([alone]), "keypoint", errors, 1))
    assert [one.severity for one in made if one.error_type == "inversion"] == [0]
    missed = [one for one in made if one.error_type == "missed"]
    assert [len(one.prediction) for one in missed] == [1, 0]


def test_duplicates_are_second_poses_of_persons_that_are_there(errors):
    for count in (1, 5, 12):
        made = list(perturbed(truth_of(crowd_of(count)), "keypoint", errors, 1))
        group = [one.prediction for one in made if one.error_type == "duplicate"]
        truth, *wrong = group
        assert [len(one) - count for one in wrong] == sorted({len(one) - count for one in wrong})
        for prediction in wrong:
            assert set(truth) <= set(prediction)
            for extra in set(prediction) - set(truth):
                own = np.array(extra.joints)
                there = own[:, 2] > 0
                assert there.any()
                apart = [
                    np.hypot(*(np.array(one.joints) - own)[there, :2].T).mean() for one in truth
                ]
                assert 0 < min(apart) < 60


def test_equal_arguments_give_equal_poses_and_other_kinds_do_not_matter(errors):
    truth = truth_of(crowd_of(5))
    first, again = (list(perturbed(truth, "keypoint", errors, 1)) for _ in range(2))
    assert first == again
    alone = errors.model_copy(update={"error_types": ("missed",)})
    only = list(perturbed(truth, "keypoint", alone, 1))
    assert only == [one for one in first if one.error_type == "missed"]
    other = list(perturbed(truth, "keypoint", errors, 2))
    assert all(a.prediction != b.prediction for a, b in zip(first, other, strict=False))
