"""The family whose predictions are boxes."""

from gen.judge.encodings.boxes.detections import BOXES

__all__ = ["BOXES"]
