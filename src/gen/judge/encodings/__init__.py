"""How predictions are shown to a judge: as pictures, as text, or as both."""

from collections.abc import Mapping
from typing import Any

from gen.judge.encodings import boxes, depth, masks, natural, poses
from gen.judge.encodings.combo import ComboEncoder
from gen.judge.encodings.shown import (
    Encoded,
    Encoder,
    Exhibit,
    Family,
    Picture,
    Shown,
    Size,
)
from gen.predictions.annotation import Prediction
from gen.schema import ComboEncoding, Encoding, PictureEncoding, Task, TextEncoding
from gen.wording import EncodingWords, Wording

__all__ = ["Encoded", "Encoder", "Exhibit", "Picture", "Shown", "appearances", "build", "weight"]

_FAMILIES: Mapping[str, Family] = {
    "boxes": boxes.BOXES,
    "instances": masks.INSTANCES,
    "semantic": masks.SEMANTIC,
    "referring": masks.REFERRING,
    "depth": depth.DEPTH,
    "keypoints": poses.KEYPOINTS,
    "restoration": natural.PICTURES,
    "scenes": natural.PICTURES,
}


def build(task: Task, encoding: Encoding, wording: Wording | Mapping[str, Any]) -> Encoder:
    """The encoder for one (task, encoding) row in the words of `wording`."""
    words = Wording.model_validate(wording).encoding
    family = _FAMILIES[task.family]
    if isinstance(encoding, ComboEncoding):
        text, picture = (_single(family, part, words) for part in (encoding.text, encoding.picture))
        return ComboEncoder(text, picture, family.combo(words))
    return _single(family, encoding, words)


def appearances(task: Task, prediction: Prediction, size: Size) -> Mapping[str, str]:
    """A digest of what a judge sees, for each group of encodings (see `Family`)."""
    return _FAMILIES[task.family].appearances(prediction, size)


def weight(task: Task, prediction: Prediction, size: Size) -> float:
    """How much there is to see in a prediction (see `Family`)."""
    return _FAMILIES[task.family].weight(prediction, size)


def _single(
    family: Family, encoding: PictureEncoding | TextEncoding, words: EncodingWords
) -> Encoder:
    if not isinstance(encoding, TextEncoding):
        return family.picture(encoding, words)
    if family.text is None:
        raise ValueError(f"there is no text form {encoding.format} of these predictions")
    return family.text(encoding, words)
