"""Colors of classes: one table for all photos, or by lot.

The table, `class_colors.json` beside this module, names the color of each class of COCO panoptic
(133), of ADE20K's scene parsing benchmark (150, by the first synonym) and of the photos that come
with the package. Classes that tend to meet have different colors in it. A class that it lacks has
the color that a hash of its name picks.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from gen import rng
from gen.judge.encodings.masks.colors import Assignment
from gen.render.palette import EXTENDED, PALETTE, Swatch


def standard(classes: Sequence[str]) -> Assignment:
    """The colors of the table for the classes of an item, in their order.

    Where two classes that meet have one color, the first keeps it; the later takes the first color
    of the palette that no class of the item has by right and none has taken. Past the number of
    colors, classes keep their own, and so share them.
    """
    own = {label: table_color(label) for label in classes}
    spare = iter([swatch for swatch in EXTENDED if swatch not in own.values()])
    taken: dict[str | int, Swatch] = {}
    for label, swatch in own.items():
        taken[label] = next(spare, swatch) if swatch in taken.values() else swatch
    return Assignment("label", taken, len(EXTENDED))


def by_lot(classes: Sequence[str], lot: str) -> Assignment:
    """Colors drawn for the classes of an item; equal for an equal `lot`.

    The colors that are farthest apart are used up first.
    """
    random = rng.stream(0, "colors", lot)
    drawn = [
        part[row]
        for part in (PALETTE, EXTENDED[len(PALETTE) :])
        for row in random.permutation(len(part)).tolist()
    ]
    return Assignment(
        "label",
        {label: drawn[place % len(drawn)] for place, label in enumerate(classes)},
        len(EXTENDED),
    )


def table_color(label: str) -> Swatch:
    """The color of a class by right, in every image."""
    listed = _table().get(label)
    if listed is not None:
        return listed
    digest = hashlib.sha256(label.encode()).digest()
    return EXTENDED[int.from_bytes(digest[:8], "little") % len(EXTENDED)]


@cache
def _table() -> Mapping[str, Swatch]:
    swatches = {swatch.name: swatch for swatch in EXTENDED}
    content = files(__package__).joinpath("class_colors.json").read_text(encoding="utf-8")
    return {label: swatches[name] for label, name in json.loads(content).items()}
