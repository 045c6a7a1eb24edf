"""The legend of one option: what the colors and the indices in it mean."""

from collections.abc import Iterable, Sequence

from gen.item import free_text
from gen.judge.encodings.masks.colors import Assignment
from gen.judge.encodings.masks.scene import Mark, Scene
from gen.render import palette
from gen.wording import EncodingWords, Noun


def of_classes(scene: Scene, colors: Assignment, words: EncodingWords, noun: Noun) -> str:
    """Each class that the option shows, with its color, in the order of the assignment."""
    shown = {mark.label for mark in scene.visible}
    entries = [
        words.legend.class_color.format(
            label=free_text(str(label)), color=swatch.name, code=palette.hex_code(swatch.rgb)
        )
        for label, swatch in colors.swatches.items()
        if label in shown
    ]
    return _framed(entries, colors, words, noun)


def of_indices(
    marks: Iterable[Mark], colors: Assignment | None, words: EncodingWords, noun: Noun
) -> str:
    """The class of each mark's index; with `colors`, its color too."""
    entries = []
    for mark in marks:
        label = free_text(mark.label)
        if colors is None:
            entries.append(words.legend.index_class.format(index=mark.index, label=label))
        else:
            swatch = colors.swatch(mark)
            entries.append(
                words.legend.index_class_color.format(
                    index=mark.index,
                    label=label,
                    color=swatch.name,
                    code=palette.hex_code(swatch.rgb),
                )
            )
    return _framed(entries, colors, words, noun)


def _framed(
    entries: Sequence[str], colors: Assignment | None, words: EncodingWords, noun: Noun
) -> str:
    lines = list(entries) or [words.legend.empty.format(many=noun.many)]
    if entries and colors is not None and colors.repeats:
        lines.append(words.legend.repeats.format(count=colors.available))
    return words.legend.frame.format(entries=words.legend.separator.join(lines))
