"""Where work runs."""

from typing import Literal

from pydantic import Field

from gen.fields import Whole
from gen.schema.model import Model


class LocalExecutor(Model):
    """Worker processes on this machine; null workers means one for each core it may use."""

    name: Literal["local"]
    workers: Whole | None = Field(ge=1, le=1024)
    shard_items: Whole = Field(ge=1, le=100)


Executor = LocalExecutor
