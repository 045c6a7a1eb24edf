"""Families whose predictions are masks."""

from gen.judge.encodings.masks.instances import INSTANCES

__all__ = ["INSTANCES"]
