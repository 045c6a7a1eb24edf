"""The colour photos of scikit-image's wheel, with ground truth of this package."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

from gen.errors import UserError
from gen.sources.coco_layout import CocoLayout
from gen.sources.embedded_depth import EmbeddedSource

_TRUTH = Path(__file__).parent / "embedded"


def photo_folder() -> Path:
    """The folder of photos in the installed scikit-image, found without importing it.

    Raises:
        UserError: scikit-image is not installed.
    """
    spec = importlib.util.find_spec("skimage")
    if spec is None or not spec.submodule_search_locations:
        raise UserError("data=embedded needs scikit-image, whose photos it uses: not installed")
    return Path(spec.submodule_search_locations[0]) / "data"


def open_embedded(wanted_licences: Sequence[str]) -> EmbeddedSource:
    """The source of embedded photos; the licences are as for `CocoSource`.

    Raises:
        UserError: scikit-image or its photos are not there, or a licence is unknown.
    """
    folder = photo_folder()
    layout = CocoLayout(
        root=_TRUTH,
        images=(folder,),
        instances=(_TRUTH / "instances.json",),
        keypoints=(_TRUTH / "keypoints.json",),
        captions=(_TRUTH / "captions.json",),
        referring=(_TRUTH / "referring.json",),
        label_maps=_TRUTH / "semantic.json",
    )
    return EmbeddedSource(layout, wanted_licences, folder)
