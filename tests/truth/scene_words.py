"""What prompts of scenes ask for, parsed anew from their words."""

import re
from typing import Any, NamedTuple

NUMBERS = {"a": 1, "an": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
SHAPES = ("ball", "cube", "cylinder", "cone", "ring")
COLORS = ("red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink")
NAMED = re.compile(
    rf"(?P<number>{'|'.join(NUMBERS)}|the) (?P<size>small |large )?(?P<color>{'|'.join(COLORS)}) "
    rf"(?P<texture>striped |spotted )?(?P<shape>{'|'.join(SHAPES)})(?P<plural>s?)"
)
SIDES = {
    "to the left of": "left of",
    "to the right of": "right of",
    "behind": "behind",
    "in front of": "in front of",
}
# Where things are put, and the zone that this is.
PLACES = {
    "on the left of the picture": "left third",
    "in the middle of the picture": "middle third",
    "on the right of the picture": "right third",
    "in the left third of the photo": "left third",
    "in the middle third of the photo": "middle third",
    "in the right third of the photo": "right third",
    "to the left side of the picture": "left third",
    "to the middle of the picture": "middle third",
    "to the right side of the picture": "right third",
}


class Asked(NamedTuple):
    """So many things of one look."""

    number: int
    size: str
    color: str
    texture: str
    shape: str

    def fits(self, look: dict[str, str]) -> bool:
        return all(getattr(self, key) == look[key] for key in look)


def asked(words: str) -> Asked:
    """A phrase such as "two small red striped balls"."""
    found = NAMED.fullmatch(words[0].lower() + words[1:])
    assert found, words
    number = NUMBERS.get(found["number"], 1)
    assert bool(found["plural"]) == (number > 1), words
    vowel = re.match(r"an? [aeiou]", found[0])
    assert found["number"] not in ("a", "an") or (found["number"] == "an") == bool(vowel), words
    size, texture = ((found[key] or "").strip() for key in ("size", "texture"))
    return Asked(number, size, found["color"], texture or "plain", found["shape"])


def listed(words: str) -> list[Asked]:
    return [asked(part) for part in re.split(r", | and ", words)]


def claims(prompt: str) -> tuple[list[Asked], set[tuple[str, ...]], bool]:
    """The things of a prompt, how they stand or where, and whether there is to be nothing else."""
    listing, *sentences = re.split(r"\. |\.$", prompt)
    found: set[tuple[str, ...]] = set()
    alone = False
    for sentence in filter(None, sentences):
        if sentence == "There is nothing else on the table":
            alone = True
            continue
        told = re.fullmatch(r"The (.+?) (is|are) (.+)", sentence)
        assert told, sentence
        subjects = re.split(r" and the |, the ", told[1])
        assert (told[2] == "are") == (len(subjects) > 1), sentence
        zone = re.fullmatch(r"in the (.+) of the picture", told[3])
        if zone:
            found |= {(subject, zone[1]) for subject in subjects}
            continue
        (subject,) = subjects
        for phrase in re.split(r", | and (?=to |behind |in front )", told[3]):
            side = next(side for side in SIDES if phrase.startswith(f"{side} the "))
            found.add((subject, SIDES[side], phrase.removeprefix(f"{side} the ")))
    table = re.fullmatch(r"(.+) on a table(, each where the .+ shows it)?", listing)
    return listed(table[1] if table else listing), found, alone


def name(look: dict[str, str]) -> str:
    return " ".join(look[key] for key in ("color", "texture", "shape") if key in look)


def agree(things: list[Asked], checks: dict[str, dict[str, Any]]) -> set[tuple[str, ...]]:
    """Hold checks against what is asked for, both ways; what they say of places is given back."""
    places: set[tuple[str, ...]] = set()
    told: set[tuple[Asked, str]] = set()
    for check in checks.values():
        kind, look = check["kind"], check.get("look", {})
        those = [one for one in things if one.fits(look)]
        if kind == "nothing_else":
            assert check["number"] == sum(one.number for one in things), check
        elif kind == "count":
            assert check["number"] == sum(one.number for one in those), check
        elif kind == "size":
            assert those and all(one.size == check["size"] for one in those), check
            told |= {(one, "size") for one in those}
        elif kind == "box":
            assert those, check
        elif kind == "zone":
            assert sum(one.number for one in those) == 1, check
            places.add((name(look), check["zone"]))
        else:
            assert kind == "relation", check
            others = [one for one in things if one.fits(check["other"])]
            assert sum(one.number for one in those) == sum(one.number for one in others) == 1
            places.add((name(look), check["side"], name(check["other"])))
        told |= {(one, key) for one in those for key in look if kind in ("count", "box")}
    for one in things:
        said = [
            "shape",
            "color",
            *["texture"] * (one.texture != "plain"),
            *["size"] * bool(one.size),
        ]
        assert [key for key in said if (one, key) not in told] == [], one
    return places
