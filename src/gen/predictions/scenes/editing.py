"""Instruction-based editing: of what is on a photo, or of a drawn scene."""

from gen.predictions.scenes import drawn_edits, photo_edits
from gen.predictions.scenes.case import Case, Stage

# Of cases about photos, those in which a thing is added though something could be edited.
_ADDITIONS = 0.2


def case(stage: Stage) -> Case | None:
    """An instruction and the picture that it is about: the stage's photo, or a drawn scene.

    An instruction about a photo edits things on it, else a part of it, else adds a drawn thing.
    None where no instruction was found that is clear and whose effect is seen.
    """
    if not stage.on_photo:
        return drawn_edits.case(stage)
    ways = [photo_edits.case, drawn_edits.addition_to_photo]
    if stage.stream("editing").random() < _ADDITIONS:
        ways.reverse()
    for way in ways:
        made = way(stage)
        if made is not None:
            return made
    return None
