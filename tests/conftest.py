"""Fixtures that more than one folder of tests uses."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real COCO photos: GEN_SHARED_DATA, else shared/data beside the checkout.

    Tests that need it are skipped where it is absent; a folder that was named, or that is there but
    cannot be read, is a failure.
    """
    named = os.environ.get("GEN_SHARED_DATA")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data"
    if not folder.exists() and not named:
        pytest.skip("no real photos: there is no ../shared/data, and GEN_SHARED_DATA is not set")
    if not (folder / "coco" / "annotations").is_dir():
        pytest.fail(f"{folder} holds no coco/annotations that can be read")
    return folder
