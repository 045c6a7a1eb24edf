"""The sentences on boxes."""

from gen.wording.base import Words


class BoxWords(Words):
    """What the pictures and texts of boxes say of themselves."""
