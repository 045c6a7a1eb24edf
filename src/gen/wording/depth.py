"""The sentences on depth maps."""

from gen.wording.base import Words


class DepthWords(Words):
    """What the pictures of depth maps say of themselves."""
