"""What is wrong with the pictures that restoration tasks start from, and how much of it."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from gen.fields import Real, Whole
from gen.schema.model import Model


def _ascending(span: tuple[float, float]) -> tuple[float, float]:
    low, high = span
    if low > high:
        raise ValueError(f"the first of [{low:g}, {high:g}] is above the second")
    return span


Span = Annotated[tuple[Real, Real], AfterValidator(_ascending)]
"""The least and the greatest value that may be drawn."""


def within(least: float, greatest: float) -> AfterValidator:
    """Both ends of a span must lie between these two."""

    def check(span: tuple[float, float]) -> tuple[float, float]:
        if not least <= span[0] <= span[1] <= greatest:
            raise ValueError(f"must lie within [{least:g}, {greatest:g}]")
        return span

    return AfterValidator(check)


ParticleSpan = Annotated[Span, within(0.0, 200.0)]
ShareSpan = Annotated[Span, within(0.0, 1.0)]
AngleSpan = Annotated[Span, within(-80.0, 80.0)]
HoleSpan = Annotated[Span, within(0.0, 0.5)]
HazeSpan = Annotated[Span, within(0.0, 5.0)]


class _Degradation(Model):
    """`variants` of each photo are degraded, each in its own way.

    A photo whose longer side has more than `longest` pixels is reduced to that before.
    """

    variants: Whole = Field(ge=1, le=100)
    longest: Whole = Field(ge=64, le=4096)


class Blur(_Degradation):
    """Motion of the camera or a lens out of focus, then noise of the sensor.

    `motion` is the length of the path and `defocus` the diameter of the disc in pixels; `noise` is
    the standard deviation of white's noise in linear light, of 1.
    """

    kind: Literal["blur"]
    motion: Annotated[Span, within(1.0, 200.0)]
    defocus: Annotated[Span, within(1.0, 100.0)]
    noise: Annotated[Span, within(0.0, 0.5)]


class Rain(_Degradation):
    """Streaks of rain before a haze that grows with distance.

    `density` is the number of streaks at middle distance on 10 000 pixels; `length` and `width` are
    those of near streaks, of the longer side; `angle` is that of the wind in degrees from the
    vertical; `opacity` is the share that a streak covers of what is behind; `haze` is the optical
    thickness up to the farthest.
    """

    kind: Literal["rain"]
    density: ParticleSpan
    length: ShareSpan
    width: ShareSpan
    angle: AngleSpan
    opacity: ShareSpan
    haze: HazeSpan


class Snow(_Degradation):
    """Flakes of several sizes, near ones large, fast and out of focus.

    `density` is the number of flakes at middle distance on 10 000 pixels; `size` is the diameter of
    the nearest flakes that are in focus, of the longer side; `speed` is the way that a flake falls
    during the exposure, of its diameter; `angle` is that of the wind in degrees from the vertical;
    `opacity` is the share that a flake covers of what is behind; `haze` is the optical thickness up
    to the farthest.
    """

    kind: Literal["snow"]
    density: ParticleSpan
    size: Annotated[Span, within(0.0, 0.2)]
    speed: Annotated[Span, within(0.0, 10.0)]
    angle: AngleSpan
    opacity: ShareSpan
    haze: HazeSpan


class Downsampling(_Degradation):
    """Fewer pixels: a whole `factor` fewer on each side, by the mean of each area or bicubic."""

    kind: Literal["downsampling"]
    factors: tuple[Annotated[Whole, Field(ge=2, le=8)], ...] = Field(min_length=1)
    filters: tuple[Literal["area", "bicubic"], ...] = Field(min_length=1)


class Holes(_Degradation):
    """Parts that are missing, of one of these kinds on each photo.

    Each kind has the share of the photo that is cut out; one of at most 0 is never chosen. `piece`
    is the share of a single blob, rectangle or object; `width` that of strokes, of the longer side:
    scratches are a quarter to half as wide.
    """

    kind: Literal["holes"]
    scratches: HoleSpan
    strokes: HoleSpan
    blobs: HoleSpan
    rectangles: HoleSpan
    objects: HoleSpan
    piece: Annotated[Span, within(0.0002, 0.5)]
    width: ShareSpan

    @model_validator(mode="after")
    def _some(self) -> Self:
        kinds = (self.scratches, self.strokes, self.blobs, self.rectangles, self.objects)
        if not any(span[1] > 0 for span in kinds):
            raise ValueError("no kind of hole has a share above 0")
        return self


Degradation = Annotated[Blur | Rain | Snow | Downsampling | Holes, Field(discriminator="kind")]


class Staging(Model):
    """What generation tasks are asked on: drawn scenes, and photos of the source.

    `longest` is the longer side of a picture in pixels; a greater photo is reduced to it. There are
    `scenes` drawn ones, and `variants` of each photo: drawn ones are never more than half of those
    on photos, unless there are no variants.
    """

    kind: Literal["t2i", "editing", "controllable", "inpainting"]
    longest: Whole = Field(ge=128, le=2048)
    scenes: Whole = Field(ge=0, le=1_000_000)
    variants: Whole = Field(ge=0, le=100)
