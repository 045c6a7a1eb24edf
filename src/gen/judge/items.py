"""Items from a plan: predictions drawn or written by an encoding, the prompt, the answer."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from gen.answers import LETTERS, answer_of
from gen.item import JudgeItem, Media, to_parts
from gen.judge import encodings
from gen.judge.encodings import Encoded, Exhibit, Shown
from gen.judge.plan_file import PlannedItem
from gen.judge.questions.assemble import prompt
from gen.predictions.annotation import PicturePrediction
from gen.predictions.picture_store import PictureStore
from gen.render.png import encode_png, of_one_size, pixels_hash
from gen.rng import opaque_id
from gen.schema import Settings
from gen.sources.records import Photo, Source

# Items go round over the photos, so the same pictures are asked for again and again: a worker keeps
# about a hundred photos of 640 x 480 as pixels and as PNG.
PIXEL_BYTES_KEPT = 96 * 2**20
PNG_BYTES_KEPT = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Rejection:
    """A planned item that must not be shown, and a few fixed words that say why."""

    rank: int
    reason: str


class Maker:
    """Makes the items of one run. It keeps a few photos, so one maker for each worker is best."""

    def __init__(
        self, settings: Settings, source: Source, pictures: PictureStore | None = None
    ) -> None:
        """`pictures` are those that the plan speaks of (see `plan_file.open_pictures`)."""
        self._settings = settings
        self._pictures = pictures
        self._encoder = encodings.build(settings.task, settings.encoding, settings.wording)
        self._photos = {photo.image_id: photo for photo in source.photos()}
        self._pixels = cached(LRUCache(PIXEL_BYTES_KEPT, lambda pixels: pixels.nbytes))(
            source.pixels
        )
        self._original = cached(LRUCache(PNG_BYTES_KEPT, lambda media: len(media.png)))(
            self._encode_original
        )

    def make(self, planned: Iterable[PlannedItem]) -> Iterator[JudgeItem | Rejection]:
        """One item, or the reason why there is none, for each planned item, in order.

        Raises:
            PhotoError: a photo that the plan has found to be fine cannot be read any more.
        """
        for plan in planned:
            yield self._make(plan)

    def _make(self, plan: PlannedItem) -> JudgeItem | Rejection:
        settings, given = self._settings, plan.annotations[0].given
        photo = self._photos.get(given.photo_id or "" if given else plan.image_id)
        if photo is None and self._encoder.needs_photo:
            return Rejection(plan.rank, "no original image to draw on")
        encoded = self._encoder.encode(
            Exhibit(
                (photo.height, photo.width) if photo else _told_size(plan),
                [one.prediction for one in plan.annotations],
                plan.classes,
                self._pixels(plan.image_id) if self._encoder.needs_photo else None,
                f"{plan.group} {plan.rank}",
            )
        )
        item_id = self._id(plan)
        pictures = option_media(item_id, encoded, self._pictures)
        original = self._original_of(plan)
        # Plans avoid this for the shipped encodings; knobs of a user's own can bring it about.
        if alike(pictures, encoded.options):
            return Rejection(plan.rank, "options look the same")
        scores = [one.final_score for one in plan.annotations]
        item = JudgeItem(
            id=item_id,
            task=settings.task.row_name,
            encoding=settings.encoding.name,
            question_type=settings.question.name,
            subset=settings.subset.name,
            prompt=self._prompt(plan, encoded, original=bool(original)),
            media=(*original, *pictures),
            answer=answer_of(settings.question.name, scores),
            choices=tuple(LETTERS[: len(scores)]) if len(scores) > 1 else (),
            metadata=metadata(plan, settings, photo),
        )
        to_parts(item)  # raises unless placeholders and pictures agree
        return item

    def _prompt(self, plan: PlannedItem, encoded: Encoded, *, original: bool) -> str:
        return prompt(
            task=self._settings.task,
            question=self._settings.question,
            given_image=self._settings.wording.given_image,
            encoded=encoded,
            classes=plan.classes,
            expression=plan.prompt,
            wording=plan.wording,
            original=original,
        )

    def _original_of(self, plan: PlannedItem) -> list[Media]:
        """The picture that is shown first, if there is one."""
        given = plan.annotations[0].given
        if given is None:
            return [self._original(plan.image_id)] if plan.image_id in self._photos else []
        if given.picture is None:
            return []
        return [_stored(f"original_{plan.image_id}.png", given.picture, self._pictures)]

    def _encode_original(self, image_id: str) -> Media:
        return picture(f"original_{image_id}.png", self._pixels(image_id))

    def _id(self, plan: PlannedItem) -> str:
        """A name that is equal for equal options in equal order under the same encoding."""
        settings = self._settings
        return opaque_id(
            settings.task.row_name,
            settings.encoding.name,
            settings.question.name,
            settings.data.name,
            *(one.annotation_id for one in plan.annotations),
        )


def make_items(
    settings: Settings,
    source: Source,
    planned: Iterable[PlannedItem],
    pictures: PictureStore | None = None,
) -> Iterator[JudgeItem | Rejection]:
    """The items of a run for `planned`, in order (see `Maker.make`)."""
    return Maker(settings, source, pictures).make(planned)


def picture(name: str, pixels: NDArray[np.uint8]) -> Media:
    """RGB uint8 (height, width, 3) as a picture of an item."""
    return Media(name, encode_png(pixels), pixels_hash(pixels))


def option_media(
    item_id: str, encoded: Encoded, pictures: PictureStore | None = None
) -> list[Media]:
    """The pictures of the options, if any, named after the item and the letter alone.

    `pictures` has those that are stored. The files are of one size: how well a picture packs goes
    with how much is drawn on it.
    """
    shown = []
    for letter, one in zip(LETTERS, encoded.options, strict=False):
        name = f"{item_id}_{letter.lower()}.png"
        if one.picture is not None:
            shown.append(picture(name, one.picture))
        elif one.stored is not None:
            shown.append(_stored(name, one.stored, pictures))
    padded = of_one_size([one.png for one in shown])
    return [replace(one, png=png) for one, png in zip(shown, padded, strict=True)]


def alike(pictures: Sequence[Media], options: Sequence[Shown]) -> bool:
    """Whether two options are the same to the last pixel and letter."""
    seen = [one.pixels_hash for one in pictures] or [""] * len(options)
    shown = [(pixels, one.text, one.legend) for pixels, one in zip(seen, options, strict=True)]
    return any(one == other for one, other in combinations(shown, 2))


def _told_size(plan: PlannedItem) -> tuple[int, int]:
    """The size of a photo that is not there: the greatest that its predictions tell."""
    return max((one.size for one in plan.annotations if one.size), default=(1, 1))


def metadata(plan: PlannedItem, settings: Settings, photo: Photo | None) -> dict[str, Any]:
    """What is known of an item beyond its row: plain JSON data, lists in option order.

    `photo` is that which is shown, or which the pictures are made from; None where there is none.
    """
    options = plan.annotations
    scores = [one.final_score for one in options]
    error_types = list(dict.fromkeys(one.error_type for one in options))
    by_score = sorted(scores)
    return {
        "image_id": plan.image_id,
        "class_of_interest": list(plan.classes) or None,
        "prompt": plan.prompt,
        "error_type": error_types[0] if len(error_types) == 1 else None,
        "error_types": [one.error_type for one in options],
        "severities": [one.severity for one in options],
        "sources": [one.source for one in options],
        "annotation_ids": [one.annotation_id for one in options],
        "final_scores": scores,
        # The least difference between two options: the whole gap, for a pair.
        "gap": min((high - low for low, high in pairwise(by_score)), default=None),
        "metrics": [dict(one.metrics) for one in options],
        "given": options[0].given and dict(options[0].given.details),
        "rank": plan.rank,
        "group": plan.group,
        "pair_id": plan.pair_id,
        "order": plan.order,
        "wording": plan.wording,
        "subsets": [] if settings.subset.name == "none" else [settings.subset.name],
        "photo": photo
        and {
            "photo_id": photo.image_id,
            "license": photo.license,
            "license_url": photo.license_url,
            "url": photo.url,
            "author": photo.author,
        },
    }


def _stored(name: str, stored: PicturePrediction, pictures: PictureStore | None) -> Media:
    if pictures is None:
        raise ValueError(f"picture {stored.digest} is in no archive")
    return Media(name, pictures.png(stored), stored.digest)
