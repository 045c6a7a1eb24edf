"""The base of all settings."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Base of all settings: unknown keys are refused, nothing changes after validation."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False, allow_inf_nan=False)
    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset()
