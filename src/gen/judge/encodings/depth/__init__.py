"""The family whose predictions are depth maps."""

from gen.judge.encodings.depth.maps import DEPTH

__all__ = ["DEPTH"]
