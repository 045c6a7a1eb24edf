"""The source that the settings ask for."""

from pathlib import Path

from gen.errors import UserError
from gen.schema import CocoData, Data, EmbeddedData
from gen.sources import coco_layout
from gen.sources.coco import CocoSource
from gen.sources.download import PhotoCache
from gen.sources.embedded_photos import open_embedded
from gen.sources.records import Source


def open_source(data: Data) -> Source:
    """Open the photos and labels that `data` names.

    Raises:
        UserError: something that the settings name is not there or cannot be used.
    """
    if isinstance(data, EmbeddedData):
        return open_embedded(data.licenses)
    if not isinstance(data, CocoData):
        raise UserError(f"data={data.name} cannot be read yet")
    cache = None
    if data.download:
        cache = PhotoCache(Path(data.cache_dir), data.download_timeout, data.download_retries)
    return CocoSource(coco_layout.find(data), data.licenses, cache)
