"""The source that the settings ask for."""

from functools import partial
from pathlib import Path

from gen.errors import UserError
from gen.schema import Ade20kData, CocoData, Data, DepthData, EmbeddedData, FolderData, IndexData
from gen.sources import coco_layout, folder
from gen.sources.ade20k import Ade20kSource
from gen.sources.coco import CocoSource
from gen.sources.download import PhotoCache
from gen.sources.embedded_photos import open_embedded
from gen.sources.index import IndexSource
from gen.sources.records import Source


def open_source(data: Data) -> Source:
    """Open the photos and labels that `data` names.

    Raises:
        UserError: something that the settings name is not there or cannot be used.
    """
    if isinstance(data, EmbeddedData):
        return open_embedded(data.licenses)
    if isinstance(data, FolderData):
        return _open_folder(data)
    if isinstance(data, Ade20kData):
        return Ade20kSource(data)
    if isinstance(data, DepthData):
        from gen.sources.depth import open_depth

        return open_depth(data)
    if isinstance(data, IndexData):
        return IndexSource(data)
    if isinstance(data, CocoData):
        return _open_coco(data)
    raise UserError(f"data={data.name} cannot be read yet")


def _open_coco(data: CocoData) -> Source:
    cache = None
    if data.download:
        cache = PhotoCache(Path(data.cache_dir), data.download_timeout, data.download_retries)
    return CocoSource(coco_layout.find(data), data.licenses, cache)


def _open_folder(data: FolderData) -> Source:
    parts = [part for part in (data.coco, data.ade20k, data.depth) if part is not None]
    return folder.join(
        data.root, {part.name: (part.root, partial(open_source, part)) for part in parts}
    )
