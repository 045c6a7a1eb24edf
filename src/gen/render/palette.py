"""Colours that a person can tell apart and name: twenty-four, and more where classes are many."""

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

# The palette and more, for tables of many classes. Pairwise CIEDE2000 is at least 12, from black at
# least 15; the order takes what lies farthest from all before it.
EXTENDED: tuple[Swatch, ...] = (
    *PALETTE,
    Swatch("mauve", (140, 90, 125)),
    Swatch("charcoal", (60, 65, 66)),
    Swatch("moss", (85, 80, 0)),
    Swatch("gray green", (150, 175, 140)),
    Swatch("tan", (165, 125, 80)),
    Swatch("ocean blue", (0, 115, 155)),
    Swatch("ochre", (200, 155, 0)),
    Swatch("violet", (147, 112, 219)),
    Swatch("ash pink", (200, 172, 169)),
    Swatch("slate blue", (78, 84, 130)),
    Swatch("berry", (160, 0, 92)),
    Swatch("lilac", (172, 134, 168)),
    Swatch("jade", (0, 180, 140)),
    Swatch("dark teal", (0, 77, 78)),
    Swatch("avocado", (144, 177, 50)),
    Swatch("pale cyan", (208, 254, 254)),
    Swatch("pale yellow", (230, 242, 160)),
    Swatch("rust", (205, 90, 10)),
    Swatch("taupe", (153, 117, 112)),
    Swatch("powder blue", (177, 209, 252)),
    Swatch("blue gray", (133, 163, 178)),
    Swatch("cocoa", (107, 66, 70)),
    Swatch("spring green", (12, 220, 115)),
    Swatch("rose", (181, 72, 93)),
    Swatch("sage", (89, 133, 86)),
    Swatch("peach", (255, 177, 154)),
    Swatch("electric purple", (170, 35, 255)),
    Swatch("brick", (160, 35, 5)),
    Swatch("cornflower", (81, 112, 215)),
    Swatch("azure", (0, 191, 255)),
    Swatch("amber", (253, 177, 70)),
    Swatch("slate gray", (89, 101, 110)),
    Swatch("pale lilac", (238, 207, 254)),
    Swatch("umber", (122, 106, 78)),
    Swatch("bronze", (136, 104, 5)),
    Swatch("dusty pink", (200, 120, 135)),
    Swatch("orchid", (221, 133, 215)),
    Swatch("turquoise", (0, 177, 196)),
    Swatch("dark purple", (85, 20, 90)),
    Swatch("stone", (190, 190, 180)),
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
