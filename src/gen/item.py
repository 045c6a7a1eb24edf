"""The row of a judge question, and its parts in reading order."""

from dataclasses import dataclass, field
from typing import Any, Literal

PLACEHOLDER = "<image>"
FORBIDDEN_IN_FREE_TEXT = ("<image>", "<video>", "<audio>")


@dataclass(frozen=True, slots=True)
class Media:
    """One picture of an item: encoded PNG bytes and the name it is stored under.

    `pixels_hash` is `gen.render.png.pixels_hash` of what `png` shows.
    """

    name: str
    png: bytes
    pixels_hash: str


@dataclass(frozen=True, slots=True)
class JudgeItem:
    """One judge question, ready to be packed.

    `media` stand in the order of the placeholders in `prompt`. `answer` is a letter (pairwise), the
    letters from best to worst (ranking) or a number with one decimal (scoring); `choices` lists the
    option letters, and is empty for scoring. `metadata` is plain JSON data.
    """

    id: str
    task: str
    encoding: str
    question_type: Literal["pairwise", "ranking", "scoring"]
    subset: str
    prompt: str
    media: tuple[Media, ...]
    answer: str
    choices: tuple[str, ...]
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextPart:
    """A run of prompt text between two pictures."""

    text: str


@dataclass(frozen=True, slots=True)
class ImagePart:
    """A picture in the place of its placeholder."""

    media: Media


def to_parts(item: JudgeItem) -> list[TextPart | ImagePart]:
    """Cut an item's prompt at its placeholders into text and pictures, in reading order.

    Raises:
        ValueError: the prompt has not exactly as many placeholders as the item has media.
    """
    texts = item.prompt.split(PLACEHOLDER)
    if len(texts) - 1 != len(item.media):
        raise ValueError(
            f"item {item.id}: {len(texts) - 1} placeholders for {len(item.media)} pictures"
        )
    parts: list[TextPart | ImagePart] = []
    for index, text in enumerate(texts):
        if text:
            parts.append(TextPart(text))
        if index < len(item.media):
            parts.append(ImagePart(item.media[index]))
    return parts


def free_text(text: str) -> str:
    """`text` made safe to stand in a prompt: on one line, and no word of it a placeholder.

    Class names, expressions and instructions come from outside. White space and control characters
    become single spaces; the angle brackets of a placeholder become square ones.
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    for word in FORBIDDEN_IN_FREE_TEXT:
        line = line.replace(word, f"[{word[1:-1]}]")
    return line
