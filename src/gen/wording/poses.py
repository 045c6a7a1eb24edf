"""The sentences on the joints of persons."""

from gen.wording.base import Words


class PoseWords(Words):
    """What the pictures and texts of poses say of themselves."""
