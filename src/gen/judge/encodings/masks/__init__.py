"""Families whose predictions are masks."""

from gen.judge.encodings.masks.instances import INSTANCES
from gen.judge.encodings.masks.regions import REFERRING, SEMANTIC

__all__ = ["INSTANCES", "REFERRING", "SEMANTIC"]
