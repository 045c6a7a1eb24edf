"""Things in words: names, articles, plurals, numbers."""

from collections.abc import Sequence

from gen.predictions.scenes.description import Thing

_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_SIBILANTS = ("s", "x", "z", "ch", "sh")


def phrase(
    shape: str | None = None,
    color: str | None = None,
    texture: str | None = None,
    size: str | None = None,
) -> str:
    """What is known of a thing, in English order: "large red striped ball".

    A texture "plain" goes without saying; a thing of unknown shape is an "object".
    """
    known = (size, color, None if texture == "plain" else texture, shape or "object")
    return " ".join(word for word in known if word)


def name(thing: Thing, *, size: bool = True) -> str:
    """All that tells `thing` from others, with or without its size: "large red striped ball"."""
    return phrase(thing.shape, thing.color, thing.texture, thing.size if size else None)


def number(count: int) -> str:
    """A count in words up to twelve, then in digits; 0 is "no"."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def plural(noun: str) -> str:
    """The plural of a phrase whose last word is a regular noun."""
    return noun + ("es" if noun.endswith(_SIBILANTS) else "s")


def with_article(noun: str) -> str:
    """`noun` with "a" or "an"."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def counted(count: int, noun: str) -> str:
    """ "a red ball" or "three red balls"."""
    return with_article(noun) if count == 1 else f"{number(count)} {plural(noun)}"


def joined(parts: Sequence[str]) -> str:
    """ "one", "one and two", "one, two and three"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def listing(things: Sequence[Thing], *, size: bool = True) -> str:
    """All `things`, equal ones counted, in order of first mention.

    "a large red ball, two small blue cubes and an orange cone".
    """
    counts: dict[str, int] = {}
    for thing in things:
        noun = name(thing, size=size)
        counts[noun] = counts.get(noun, 0) + 1
    return joined([counted(count, noun) for noun, count in counts.items()])
