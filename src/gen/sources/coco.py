"""Photos and labels from files in COCO's layouts."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from gen.errors import UserError
from gen.sources import coco_records, licences
from gen.sources.coco_file import Record
from gen.sources.coco_index import CocoIndex
from gen.sources.coco_layout import CocoLayout
from gen.sources.coco_records import RecordError, numeric_order
from gen.sources.download import PhotoCache
from gen.sources.embedded_label_maps import LabelMaps
from gen.sources.panoptic import Panoptic
from gen.sources.photo_files import PhotoFiles
from gen.sources.problem_log import ProblemLog
from gen.sources.records import Depth, Instance, Photo, Problem, Referring, Semantic, Truth


class CocoSource:
    """A `Source` over COCO files.

    Opening looks through every annotation file of the layout (`AnnotationFile` says what that
    costs); labels, masks and pixels are made when asked for. Photos without a label are left out.
    """

    def __init__(
        self, layout: CocoLayout, wanted_licences: Sequence[str], cache: PhotoCache | None = None
    ) -> None:
        """Read the annotation files and look for the photos.

        `wanted_licences` are as in `licences.codes`; none means all. `cache` fetches photos that
        are not on disk; without it they are left out and reported.

        Raises:
            UserError: a file cannot be used, a licence is unknown, or no photo is left.
        """
        self._log = ProblemLog()
        self._index = CocoIndex(layout, self._log)
        self._panoptic = Panoptic(self._index.panoptic, layout.panoptic_masks, self._log)
        self._label_maps = LabelMaps(layout.label_maps, self._log) if layout.label_maps else None
        self._files = PhotoFiles(self._index, cache, self._log)
        if not self._files.paths:
            folders = ", ".join(layout.label(folder) for folder in layout.images)
            raise UserError(
                f"none of the {len(self._index.images)} labelled photos is there; looked in "
                f"{folders} (data.images); data.download=true fetches photos by their coco_url"
            )
        photos = [self._photo(image_id) for image_id in self._files.paths]
        if wanted_licences:
            wanted = licences.codes(wanted_licences, [photo.license for photo in photos])
            photos = [photo for photo in photos if photo.license in wanted]
        if not photos:
            raise UserError(
                f"data.licenses leaves none of {len(self._files.paths)} photos: none is under "
                + " or ".join(wanted_licences)
            )
        self._photos = {photo.image_id: photo for photo in photos}

    def photos(self) -> Sequence[Photo]:
        """All photos that can be used, in the order of their ids."""
        return tuple(self._photos.values())

    def categories(self) -> Mapping[str, str]:
        """The classes of objects, and the supercategory of each, sorted by name."""
        found: dict[str, str] = {}
        for file in (*self._index.instances, *self._index.keypoints):
            found = {**file.supercategories, **found}
        for file in self._index.panoptic:
            things = {name: file.supercategories[name] for name in file.things}
            found = {**things, **found}
        return dict(sorted(found.items()))

    def category_numbers(self) -> Mapping[int, str]:
        """The names of the classes of `categories` by the numbers that the files give them."""
        found: dict[int, str] = {}
        for file in (*self._index.instances, *self._index.keypoints):
            found = {**file.categories, **found}
        for file in self._index.panoptic:
            things = {no: name for no, name in file.categories.items() if name in file.things}
            found = {**things, **found}
        return found

    def annotated(self, image_id: str) -> frozenset[str]:
        """The classes whose objects are labelled on one photo, whether or not there is any."""
        return self._listed_classes(image_id) | self._panoptic.things(image_id)

    def truth(self, image_id: str) -> Truth:
        """The labels on one photo, each kind in the order of the ids of its records.

        Raises:
            KeyError: none of `photos` has this id.
        """
        photo = self._photos[image_id]
        instances = self._instances(photo)
        return Truth(
            photo,
            tuple(instances[key] for key in sorted(instances, key=numeric_order)),
            tuple(self._captions(photo)),
            tuple(self._referring(photo, instances)),
        )

    def semantic(self, image_id: str) -> Semantic | None:
        """The class of each pixel of one photo, if a file tells it.

        Raises:
            KeyError: none of `photos` has this id.
        """
        photo = self._photos[image_id]
        size = photo.height, photo.width
        if self._label_maps:
            return self._label_maps.semantic(image_id, size)
        return self._panoptic.semantic(image_id, size)

    def depth(self, image_id: str) -> Depth | None:
        """None: COCO has no depth."""
        return None

    def pixels(self, image_id: str) -> NDArray[np.uint8]:
        """The photo as RGB, uint8 (height, width, 3), read-only; fetched if that was asked for.

        Raises:
            PhotoError: the photo cannot be used. It is among the `problems` from then on.
            UserError: the photo has to be fetched, and cannot be for now.
        """
        return self._files.read(image_id)

    def fingerprint(self) -> str:
        """A SHA-256 over what annotation files and photos hold, not where they lie.

        The choice of licences has no part in it.
        """
        return self._fingerprint

    def problems(self) -> Sequence[Problem]:
        """What was found broken so far; labels and pixels are looked at when asked for."""
        return self._log.told()

    @cached_property
    def _fingerprint(self) -> str:
        maps = [*self._panoptic.prints(), *(self._label_maps.prints() if self._label_maps else ())]
        text = json.dumps([self._index.digests(), self._files.prints(), maps])
        return hashlib.sha256(text.encode()).hexdigest()

    def _photo(self, image_id: str) -> Photo:
        record = self._index.images[image_id]
        return Photo(
            image_id=image_id,
            path=self._files.paths[image_id],
            width=record.width,
            height=record.height,
            license=record.licence.code,
            license_url=record.licence.url,
            url=record.url,
            author=record.author,
        )

    def _report(self, file: str, record: str, kind: str, reason: str) -> None:
        self._log.add(kind, file, record, reason)

    def _instances(self, photo: Photo) -> dict[str, Instance]:
        """The objects by id: those of instance files, joined by id with those of keypoint files.

        Classes that no such file labels on the photo are taken from its panoptic segments.
        """
        found: dict[str, Instance] = {}
        size = photo.height, photo.width
        for file in (*self._index.instances, *self._index.keypoints):
            for record_id, record in file.by_id(photo.image_id).items():
                report = partial(self._report, file.label, f"annotation {record_id}")
                try:
                    if record_id not in found:
                        found[record_id] = coco_records.instance(
                            record, record_id, file.categories, size, report
                        )
                    if "keypoints" in record:
                        joints = coco_records.keypoints(record, size, report)
                        found[record_id] = replace(found[record_id], keypoints=joints)
                except RecordError as error:
                    report(error.kind, str(error))
        told = self._listed_classes(photo.image_id)
        for thing in self._panoptic.objects(photo.image_id, size, told):
            found[thing.instance_id] = thing
        return found

    def _listed_classes(self, image_id: str) -> frozenset[str]:
        files = (*self._index.instances, *self._index.keypoints)
        return frozenset(
            name for file in files if image_id in file.images for name in file.categories.values()
        )

    def _captions(self, photo: Photo) -> Iterator[str]:
        for file in self._index.captions:
            for record_id, record in file.by_id(photo.image_id).items():
                try:
                    yield coco_records.caption(record)
                except RecordError as error:
                    self._log.add(error.kind, file.label, f"annotation {record_id}", str(error))

    def _referring(self, photo: Photo, instances: dict[str, Instance]) -> Iterator[Referring]:
        for file in self._index.referring:
            for ref_id, record in file.by_id(photo.image_id).items():
                try:
                    yield self._reference(ref_id, record, photo, instances)
                except RecordError as error:
                    self._log.add(error.kind, file.label, f"reference {ref_id}", str(error))

    def _reference(
        self, ref_id: str, record: Record, photo: Photo, instances: dict[str, Instance]
    ) -> Referring:
        texts = coco_records.expressions(record)
        target = instances.get(coco_records.identifier(record.get("ann_id")) or "")
        if target:
            return Referring(ref_id, target.rle, target.category, texts)
        segment_id = record.get("segment_id")
        segment = self._panoptic.segment(photo.image_id, segment_id, (photo.height, photo.width))
        if segment is None:
            raise RecordError(
                "unresolved_reference",
                f"no usable annotation {record.get('ann_id')} or segment {segment_id}",
            )
        return Referring(ref_id, *segment, texts)
