"""Twenty-four colours that a person can tell apart and name."""

from dataclasses import dataclass

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Swatch:
    """A named RGB colour; values 0 to 255."""

    name: str
    rgb: Colour


# Pairwise CIEDE2000 is at least 15, from black at least 28. The order takes what lies farthest
# from all before it, vivid colours first: those are rare in photos.
PALETTE: tuple[Swatch, ...] = (
    Swatch("red", (230, 25, 35)),
    Swatch("lime", (130, 240, 30)),
    Swatch("sky blue", (70, 160, 255)),
    Swatch("purple", (125, 35, 175)),
    Swatch("pink", (255, 165, 200)),
    Swatch("teal", (0, 128, 128)),
    Swatch("orange", (255, 130, 0)),
    Swatch("cyan", (0, 225, 240)),
    Swatch("magenta", (240, 30, 230)),
    Swatch("yellow", (255, 230, 0)),
    Swatch("green", (20, 160, 50)),
    Swatch("white", (255, 255, 255)),
    Swatch("lavender", (195, 170, 255)),
    Swatch("mint", (160, 255, 200)),
    Swatch("hot pink", (255, 40, 130)),
    Swatch("salmon", (255, 120, 105)),
    Swatch("blue", (30, 70, 235)),
    Swatch("dark green", (0, 85, 30)),
    Swatch("maroon", (125, 0, 30)),
    Swatch("brown", (135, 75, 25)),
    Swatch("gray", (128, 128, 128)),
    Swatch("olive", (128, 128, 0)),
    Swatch("beige", (235, 205, 150)),
    Swatch("navy", (20, 25, 120)),
)


def swatch(index: int) -> Swatch:
    """The colour of object number `index` (from 0); past the last the palette repeats.

    Raises:
        ValueError: a negative index.
    """
    if index < 0:
        raise ValueError(f"a palette index is 0 or more, not {index}")
    return PALETTE[index % len(PALETTE)]


def hex_code(rgb: Colour) -> str:
    """`#RRGGBB`, upper case."""
    return "#{:02X}{:02X}{:02X}".format(*rgb)


def text_colour(rgb: Colour) -> Colour:
    """Black or white, whichever has the higher contrast on `rgb`.

    Contrast ratio (L1 + 0.05) / (L2 + 0.05) of WCAG 2.2; the two are equal at
    L = sqrt(1.05 * 0.05) - 0.05.
    """
    return (0, 0, 0) if relative_luminance(rgb) > (1.05 * 0.05) ** 0.5 - 0.05 else (255, 255, 255)


def relative_luminance(rgb: Colour) -> float:
    """Relative luminance of an sRGB colour, 0 (black) to 1 (white), as WCAG 2.2 defines it."""
    red, green, blue = (
        v / 255 / 12.92 if v / 255 <= 0.04045 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in rgb
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
