"""Which predictions must not meet."""

import pytest

from gen.predictions.annotation import Annotation, PicturePrediction
from gen.predictions.metrics.agreement import unfit


def restored(psnr: float, ssim: float, size: tuple[int, int] = (48, 64)) -> Annotation:
    picture = PicturePrediction(f"{psnr}", size, 1000)
    metrics = {"psnr": psnr, "ssim": ssim}
    return Annotation("a", "1", "deblur", None, None, None, None, "m", (picture,), 5.0, metrics)


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ((30.0, 0.9), (25.0, 0.8), None),
        ((25.0, 0.8), (30.0, 0.9), None),
        ((30.0, 0.8), (25.0, 0.9), "PSNR and SSIM disagree"),
        ((25.0, 0.9), (30.0, 0.8), "PSNR and SSIM disagree"),
        ((25.0, 0.9), (30.0, 0.9), None),
    ],
)
def test_both_metrics_must_name_the_same_winner(
    one: tuple[float, float], other: tuple[float, float], reason: str | None
) -> None:
    assert unfit(restored(*one), restored(*other)) == reason


def test_pictures_of_different_sizes_do_not_meet() -> None:
    assert unfit(restored(30.0, 0.9), restored(25.0, 0.8, (64, 48))) == "sizes differ"


def test_predictions_that_are_no_pictures_may_meet() -> None:
    one = Annotation("a", "1", "depth", None, None, None, None, "m", (), 5.0, {"ratio": 1.0})
    assert unfit(one, one) is None
