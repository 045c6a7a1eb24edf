"""Poses of persons, made from the truth."""

from collections.abc import Iterator, Sequence

import numpy as np

from gen import rng
from gen.predictions.annotation import Annotation, PosePrediction, Prediction
from gen.predictions.metrics.keypoints import TruePerson, pose_score, true_persons
from gen.predictions.perturb import SEVERITIES
from gen.predictions.perturb.keypoints import PERTURBATIONS, Frame, Person
from gen.schema import SyntheticPredictions, Task
from gen.sources.records import Source, Truth

_SOURCE = "synthetic"
# Labelled joints are whole numbers: shifts up to half a pixel make all decimals equally frequent.
_REDRAWN = 0.5


def annotations(
    source: Source, image_id: str, task: Task, settings: SyntheticPredictions, seed: int
) -> Iterator[Annotation]:
    """`perturbed` poses of one photo of a source."""
    return perturbed(source.truth(image_id), task.name, settings, seed)


def perturbed(
    truth: Truth, task: str, settings: SyntheticPredictions, seed: int
) -> Iterator[Annotation]:
    """All predictions for a photo: each kind of error, severity 0 to 5, on all its persons.

    Persons without labelled joints and crowds are never predicted, and not scored. A photo without
    other persons, or on which the largest of them has less than `min_area` pixels, has none.
    Severity 0 is the truth, redrawn by parts of a pixel like all predictions. Where an error finds
    nothing more to do (no two persons to swap joints between), its prediction would equal another
    one of the group and is left out.

    Equal arguments give equal predictions: each kind of error has a random stream of its own.
    """
    photo, known = truth.photo, true_persons(truth.instances)
    frame = photo.height, photo.width
    persons = _redrawn([one for one in known if not one.ignored], frame, seed, photo.image_id)
    if max((person.area for person in persons), default=-1.0) < settings.min_area:
        return
    for error_type in settings.error_types:
        seen: list[Prediction] = []
        for severity in (0, *SEVERITIES):
            wrong = persons
            if severity:
                # One stream for all severities: with other victims, the worse could score higher.
                random = rng.stream(seed, "perturb", photo.image_id, error_type)
                wrong = PERTURBATIONS[error_type](persons, severity, random, frame)
            predicted = tuple(sorted((_report(one) for one in wrong), key=_place))
            if predicted in seen:
                continue
            seen.append(predicted)
            score, metrics = pose_score(predicted, known)
            yield Annotation(
                rng.opaque_id(seed, task, photo.image_id, error_type, severity),
                photo.image_id,
                task,
                None,
                error_type,
                severity,
                None,
                _SOURCE,
                predicted,
                round(score, 6),
                {name: round(value, 6) for name, value in metrics.items()},
            )


def _redrawn(persons: Sequence[TruePerson], frame: Frame, seed: int, image_id: str) -> list[Person]:
    """The persons with all joints shifted by parts of a pixel, and inside the photo.

    Whole numbers would tell the truth from its copies with errors.
    """
    height, width = frame
    result = []
    random = rng.stream(seed, "settle", image_id)
    for person in persons:
        joints = person.joints.copy()
        joints[:, :2] += random.uniform(-_REDRAWN, _REDRAWN, (len(joints), 2))
        joints[:, :2] = joints[:, :2].clip(0.0, [width - 1, height - 1])
        joints[joints[:, 2] == 0] = 0.0
        result.append(Person(joints, person.area))
    return result


def _report(person: Person) -> PosePrediction:
    """A person's joints as they are stored, with one decimal."""
    return PosePrediction(tuple(_joint(*row) for row in person.joints.tolist()))


def _joint(x: float, y: float, v: float) -> tuple[float, float, int]:
    x, y = round(x, 1), round(y, 1)
    # The corner of the photo stands for a joint that is missing.
    return (0.1 if v and x == y == 0.0 else x), y, int(v)


def _place(pose: PosePrediction) -> tuple[float, float]:
    """Top and left of the joints: poses are reported from the top of the photo down."""
    there = np.array([joint[:2] for joint in pose.joints if joint[2]])
    left, top = there.min(axis=0).tolist()
    return top, left
