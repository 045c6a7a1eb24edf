"""All annotation files of a data root, and the photos that they are about."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from gen.sources.coco_file import AnnotationFile, ReferringFile
from gen.sources.coco_layout import CocoLayout
from gen.sources.coco_records import ImageRecord, numeric_order
from gen.sources.problem_log import ProblemLog


class CocoIndex:
    """The annotation files of a layout, and their photos merged by id.

    `images` holds, in the order of ids, the photos on which some file has an object, joints, a
    caption, an expression or segments. Records on photos that no file lists are reported and left
    out.
    """

    def __init__(self, layout: CocoLayout, log: ProblemLog) -> None:
        """Read all files.

        Raises:
            UserError: one of them cannot be used at all.
        """
        self._layout = layout
        self._log = log
        self.instances = self._read(layout.instances)
        self.keypoints = self._read(layout.keypoints)
        self.captions = self._read(layout.captions)
        self.panoptic = self._read(layout.panoptic)
        self.referring = [ReferringFile(path, layout.label(path), log) for path in layout.referring]
        self._listed: dict[str, tuple[ImageRecord, AnnotationFile]] = {}
        for file in (*self.instances, *self.keypoints, *self.captions, *self.panoptic):
            self._list_images(file)
        self.images = {
            image_id: self._listed[image_id][0]
            for image_id in sorted(self._labelled(), key=numeric_order)
        }

    def folders(self, image_id: str) -> tuple[Path, ...]:
        """The folders that may hold a photo, the likeliest first."""
        return self._layout.folders_for(self._listed[image_id][1].path)

    def digests(self) -> list[str]:
        """The SHA-256 of every file that was read, sorted."""
        files: list[AnnotationFile | ReferringFile] = [*self.instances, *self.keypoints]
        files += [*self.captions, *self.panoptic, *self.referring]
        return sorted(file.digest for file in files)

    def _read(self, paths: Sequence[Path]) -> list[AnnotationFile]:
        return [AnnotationFile(path, self._layout.label(path), self._log) for path in paths]

    def _list_images(self, file: AnnotationFile) -> None:
        """Take in the photos of a file, but for ids by which an earlier file means others."""
        for image_id, record in file.images.items():
            known, _ = self._listed.setdefault(image_id, (record, file))
            if not known.is_same_photo(record):
                reason = "an earlier file means another photo by this id; labels are left out"
                self._log.add("conflicting_image", file.label, f"image {image_id}", reason)
                file.forget(image_id)

    def _labelled(self) -> Iterable[str]:
        labelled: dict[str, None] = {}
        files: list[AnnotationFile | ReferringFile] = [*self.instances, *self.keypoints]
        for file in (*files, *self.captions, *self.panoptic, *self.referring):
            for image_id, count in file.counts().items():
                if image_id in self._listed:
                    labelled[image_id] = None
                else:
                    reason = f"records on an image that no file lists: {count}"
                    self._log.add("unknown_image", file.label, f"image {image_id}", reason)
        return labelled
