"""Poses as text, and back: plain lists of numbers, or joints by name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from gen.judge.encodings.poses.scene import MISSING, Joint, poses
from gen.judge.encodings.shown import Exhibit, Shown, Size
from gen.judge.encodings.text import TextEncoder, json_lines
from gen.predictions.annotation import PosePrediction
from gen.predictions.skeleton import JOINTS
from gen.schema import TextEncoding
from gen.wording import EncodingWords

Persons = Sequence[Sequence[Joint]]

_VISIBLE = 2


def encode_flat_list(persons: Persons) -> str:
    """A JSON array of persons, each [x0..x16, y0..y16] in pixels of the photo."""
    return json_lines(
        [[*(x for x, _, _ in joints), *(y for _, y, _ in joints)] for joints in persons]
    )


def decode_flat_list(text: str) -> tuple[PosePrediction, ...]:
    """The poses of a text by `encode_flat_list`; each joint that there is has v = 2."""
    found = []
    for numbers in orjson.loads(text):
        xs, ys = numbers[: len(JOINTS)], numbers[len(JOINTS) :]
        found.append(_pose(zip(xs, ys, strict=True)))
    return tuple(found)


def encode_part_keyed_json(persons: Persons) -> str:
    """A JSON array of persons with their number, from 1, and their joints by name."""
    return json_lines(
        [
            {
                "person_id": number,
                "keypoints": [
                    {"name": name, "x": x, "y": y}
                    for name, (x, y, _) in zip(JOINTS, joints, strict=True)
                ],
            }
            for number, joints in enumerate(persons, start=1)
        ]
    )


def decode_part_keyed_json(text: str) -> tuple[PosePrediction, ...]:
    """The poses of a text by `encode_part_keyed_json`; each joint that there is has v = 2."""
    found = []
    for person in orjson.loads(text):
        by_name = {joint["name"]: (joint["x"], joint["y"]) for joint in person["keypoints"]}
        found.append(_pose(by_name[name] for name in JOINTS))
    return tuple(found)


def encode_coco_style(persons: Persons) -> str:
    """A JSON array of persons, each [x, y, v] of all joints in turn, as in COCO's results."""
    return json_lines([[number for joint in joints for number in joint] for joints in persons])


def decode_coco_style(text: str) -> tuple[PosePrediction, ...]:
    """The poses of a text by `encode_coco_style`."""
    found = []
    for numbers in orjson.loads(text):
        joints = zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
        found.append(PosePrediction(tuple(joints)))
    return tuple(found)


def _pose(points: Any) -> PosePrediction:
    return PosePrediction(tuple((x, y, _VISIBLE) if x or y else MISSING for x, y in points))


_WRITERS: Mapping[str, Callable[[Persons], str]] = {
    "flat_list": encode_flat_list,
    "part_keyed_json": encode_part_keyed_json,
    "coco_style": encode_coco_style,
}


def encoder(encoding: TextEncoding, words: EncodingWords) -> TextEncoder:
    """The encoder of one text form of poses."""
    write, texts = _WRITERS[encoding.format], words.poses.text
    form: Any = getattr(texts, encoding.format)
    sentence = form.sentence.format(one=words.poses.noun.one, schema_line=form.schema_line)
    order = texts.order.format(names=", ".join(JOINTS))
    described = f"{sentence} {order} {texts.missing}"

    def shown(exhibit: Exhibit) -> list[Shown]:
        return [Shown(text=write(poses(one))) for one in exhibit.predictions]

    def describe(size: Size) -> str:
        return described

    return TextEncoder(shown, describe)
