"""Which predictions must not be compared, whatever their scores."""

from gen.predictions.annotation import Annotation, PicturePrediction


def unfit(one: Annotation, other: Annotation) -> str | None:
    """Why two predictions must not meet in a question, in a few fixed words; None if they may.

    Pictures of different sizes tell themselves apart by that alone; and where PSNR and SSIM do not
    agree on the better picture, people do not either.
    """
    sizes = {
        part.size
        for annotation in (one, other)
        for part in annotation.prediction
        if isinstance(part, PicturePrediction)
    }
    if len(sizes) > 1:
        return "sizes differ"
    if "psnr" in one.metrics and "psnr" in other.metrics:
        psnr, ssim = (
            one.metrics[name] - other.metrics.get(name, one.metrics[name])
            for name in ("psnr", "ssim")
            if name in one.metrics
        )
        if psnr * ssim < 0:
            return "PSNR and SSIM disagree"
    return None
