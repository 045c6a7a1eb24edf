"""The family whose predictions are the joints of persons."""

from gen.judge.encodings.poses.persons import KEYPOINTS

__all__ = ["KEYPOINTS"]
