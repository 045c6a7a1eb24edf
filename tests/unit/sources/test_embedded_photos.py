"""The photos of scikit-image are found, with the ground truth of this package."""

import subprocess
import sys

import pytest

from gen.errors import UserError
from gen.schema import EmbeddedData
from gen.sources import embedded_photos
from gen.sources.open import open_source

EMBEDDED = EmbeddedData(name="embedded", licenses=())


def test_every_photo_has_labels_and_rights() -> None:
    source = open_source(EMBEDDED)
    *photos, rendered = source.photos()
    assert len(photos) == 5
    assert source.truth(rendered.image_id).instances == ()
    for photo in photos:
        assert photo.license != "unknown"
        assert photo.license_url.startswith("https://")
        assert photo.url
        assert photo.author
        assert source.pixels(photo.image_id).shape == (photo.height, photo.width, 3)
        truth = source.truth(photo.image_id)
        assert truth.instances
        assert truth.captions
        assert truth.referring
    assert source.problems() == ()


def test_a_person_has_joints() -> None:
    source = open_source(EMBEDDED)
    people = [
        instance
        for photo in source.photos()
        for instance in source.truth(photo.image_id).instances
        if instance.keypoints is not None
    ]
    assert people
    assert {person.category for person in people} == {"person"}


def test_licences_filter() -> None:
    source = open_source(EmbeddedData(name="embedded", licenses=("cc0-1.0",)))
    assert {photo.license for photo in source.photos()} == {"cc0-1.0"}


def test_opening_does_not_import_scikit_image() -> None:
    code = (
        "import sys; from gen.schema import EmbeddedData; from gen.sources.open import open_source;"
        "open_source(EmbeddedData(name='embedded', licenses=())).fingerprint();"
        "print(sorted({'skimage', 'scipy', 'httpx', 'datasets'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_scikit_image_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_photos.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"^data=embedded needs scikit-image"):
        open_source(EMBEDDED)
