"""Whole prompts on masks, typed by hand: a row of each kind, and what is not there left out."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from gen import masks
from gen.judge import encodings
from gen.judge.encodings import Exhibit
from gen.judge.questions.assemble import prompt
from gen.predictions.annotation import MaskPrediction, Prediction
from gen.schema import Settings

Compose = Callable[..., Settings]
Prompt = Callable[..., str]
HW = (32, 48)


def mask(label: str, x0: int, y0: int, x1: int, y1: int) -> MaskPrediction:
    pixels = np.zeros(HW, np.uint8)
    pixels[y0:y1, x0:x1] = 1
    return MaskPrediction(label, masks.encode(pixels))


SEMANTIC = (
    (mask("cow", 0, 16, 24, 32), mask("sky", 0, 0, 48, 16)),
    (mask("ox", 0, 16, 24, 32), mask("sky", 0, 0, 48, 16)),
)
REFERRING = ((mask("the cow", 0, 16, 24, 32),), (mask("the cow", 0, 0, 0, 0),))


@pytest.fixture
def prompt_of(settings: Compose) -> Prompt:
    def made(
        task: str,
        stem: str,
        options: Sequence[Prediction],
        *,
        question: str = "pairwise",
        original: bool = True,
        expression: str | None = None,
        classes: tuple[str, ...] = (),
    ) -> str:
        chosen = settings(f"task={task}", f"question={question}", f"encoding='{stem}'")
        encoder = encodings.build(chosen.task, chosen.encoding, chosen.wording)
        photo = np.full((*HW, 3), 90, np.uint8)
        return prompt(
            task=chosen.task,
            question=chosen.question,
            given_image=chosen.wording.given_image,
            encoded=encoder.encode(Exhibit(HW, options, classes, photo)),
            classes=classes,
            expression=expression,
            wording=0,
            original=original,
        )

    return made


SEMANTIC_INTRO = (
    "<image>\n"
    "\n"
    "You are a judge to decide the quality of answers to a semantic segmentation task"
    " based on my given image.\n"
    "The class(es) of interest is cow, sky.\n"
    "\n"
)
ASK = "Which prediction is better? Please answer with A or B."


def test_classes_as_a_picture(prompt_of: Prompt) -> None:
    made = prompt_of("semantic_seg", "pixel_ss1_m0_o0_l1_c0", SEMANTIC, classes=("cow", "sky"))
    assert made == (
        f"{SEMANTIC_INTRO}"
        "Format of predictions: The predicted classes are drawn over the original image. The pixels"
        " of each class are filled with its color at opacity 0.5 (half transparent). A label on a"
        " plate in the color of the class names it on its largest part and, where there is room, on"
        " other large parts. The color tells the class, as listed in the legend; pixels without a"
        " color have no class.\n"
        "\n"
        "Options:\n"
        "\n"
        "A. <image> Legend: cow: purple (#7D23AF); sky: sky blue (#46A0FF)\n"
        "\n"
        "B. <image> Legend: sky: sky blue (#46A0FF); ox: ocean blue (#00739B)\n"
        "\n"
        f"{ASK}"
    )


def test_classes_as_polygons(prompt_of: Prompt) -> None:
    made = prompt_of("semantic_seg", "text_polygon", SEMANTIC, classes=("cow", "sky"))
    assert made == (
        f"{SEMANTIC_INTRO}"
        "Format of predictions: A JSON array with one object per line, one for each predicted"
        ' class: {"label":…,"polygon":[[x,y],…]}. Points are [x, y] in pixels of the original'
        " image, x to the right and y down from its top left corner, and follow the outline of the"
        ' pixels of the class. Where these have holes or separate parts, "polygon" is a list of'
        " such rings, [[[x,y],…],[[x,y],…],…], and a point belongs to the class if it lies inside"
        " an odd number of them.\n"
        "\n"
        "Options:\n"
        "\n"
        "A.\n"
        '[{"label":"cow","polygon":[[0,16],[0,32],[24,32],[24,16]]},\n'
        '{"label":"sky","polygon":[[0,0],[0,16],[48,16],[48,0]]}]\n'
        "\n"
        "B.\n"
        '[{"label":"ox","polygon":[[0,16],[0,32],[24,32],[24,16]]},\n'
        '{"label":"sky","polygon":[[0,0],[0,16],[48,16],[48,0]]}]\n'
        "\n"
        f"{ASK}"
    )


REFERRING_INTRO = (
    "You are a judge to decide the quality of answers to a referring segmentation task"
    " based on my given image.\n"
)
OUTLINED = (
    "Format of predictions: The predicted regions are drawn over the original image. A line in the"
    " color of the region runs along its edge; around larger regions it lies between two thin lines"
    " in black or white. The color is magenta (#F01EE6). The region is what the prompt refers to,"
    " according to the prediction.\n"
    "\n"
    "Options:\n"
    "\n"
    "A. <image>\n"
    "\n"
    "B. <image>\n"
    "\n"
    f"{ASK}"
)


def test_regions_as_a_picture(prompt_of: Prompt) -> None:
    made = prompt_of("referring_seg", "pixel_ss1_m0_o0_m1", REFERRING, expression="the cow")
    assert made == f"<image>\n\n{REFERRING_INTRO}The prompt is 'the cow'.\n\n{OUTLINED}"


def test_regions_without_an_expression(prompt_of: Prompt) -> None:
    for expression in (None, "", " \n"):
        made = prompt_of("referring_seg", "pixel_ss1_m0_o0_m1", REFERRING, expression=expression)
        assert made == (
            f"<image>\n\n{REFERRING_INTRO}"
            f"The prompt is the referring expression shown in the options below.\n\n{OUTLINED}"
        )


def test_regions_as_a_combo(prompt_of: Prompt) -> None:
    said = (
        "Format of prediction: The prediction is given twice, as text and as an image; both show"
        " the same region. Text: A JSON array with one object, for the region that the prompt"
        ' refers to according to the prediction: {"label":…,"polygon":[[x,y],…]}. "label" is the'
        " prompt. Points are [x, y] in pixels of the original image, x to the right and y down from"
        " its top left corner, and follow the outline of the region. Where the region has holes or"
        ' separate parts, "polygon" is a list of such rings, [[[x,y],…],[[x,y],…],…], and a point'
        " belongs to the region if it lies inside an odd number of them. Image: The predicted"
        " regions are drawn over the original image. Each prediction is one region, filled with its"
        " color at opacity 0.5 (half transparent). A line in the color of the region runs along its"
        " edge; around larger regions it lies between two thin lines in black or white. The color"
        " is magenta (#F01EE6). The"
        " region is what the prompt refers to, according to the prediction.\n"
    )
    made = prompt_of("referring_seg", "7080", REFERRING, expression="the cow")
    assert made == (
        f"<image>\n\n{REFERRING_INTRO}The prompt is 'the cow'.\n\n"
        "Options:\n"
        "\n"
        f"A. {said}"
        '[{"label":"the cow","polygon":[[0,16],[0,32],[24,32],[24,16]]}]\n'
        "<image>\n"
        "\n"
        f"B. {said}"
        '[{"label":"the cow","polygon":[]}]\n'
        "<image>\n"
        "\n"
        f"{ASK}"
    )


def test_one_text_without_an_original(prompt_of: Prompt) -> None:
    made = prompt_of(
        "referring_seg",
        "text_ss0",
        REFERRING[:1],
        question="scoring",
        original=False,
        expression="the cow",
    )
    zeros, ones = " ".join("0" * 16), " ".join("1" * 8 + "0" * 8)
    rows = "\n".join([zeros] * 5 + [zeros] + [ones] * 5)
    assert made == (
        "You are a judge to decide the quality of answers to a referring segmentation task.\n"
        "The prompt is 'the cow'.\n"
        "\n"
        "Format of prediction: A grid of 11 lines with 16 whole numbers each, separated by spaces."
        " The original image is divided into a grid of that size, from top to bottom and from left"
        " to right; a number is 1 if the region that the prompt refers to, according to the"
        " prediction, covers more than half of its cell, and 0 if not. The legend gives the prompt"
        " for the index 1.\n"
        "\n"
        "Prediction (text):\n"
        f"{rows}\n"
        "Legend: 1: the cow\n"
        "\n"
        "Score the quality of the prediction from 0 to 10.\n"
        "0 = random guessing / worst, 10 = best possible.\n"
        "Please answer with a single score from 0 to 10 only."
    )


def test_classes_without_an_original(prompt_of: Prompt) -> None:
    made = prompt_of(
        "semantic_seg", "pixel_ss1_m1_o0_l1_c0", SEMANTIC, original=False, classes=("cow", "sky")
    )
    assert made.startswith(
        "You are a judge to decide the quality of answers to a semantic segmentation task.\n"
        "The class(es) of interest is cow, sky.\n\nFormat of predictions: "
    )
    assert made.count("<image>") == 2
    assert "First image: original" not in made


@pytest.mark.parametrize("expression", ['it\'s <image> "x"', "two\nlines", "قطة \u202eabc {gap}"])
def test_no_expression_adds_a_placeholder_or_a_line(prompt_of: Prompt, expression: str) -> None:
    plain = prompt_of("referring_seg", "pixel_ss1_m0_o0_m1", REFERRING, expression="x")
    made = prompt_of("referring_seg", "pixel_ss1_m0_o0_m1", REFERRING, expression=expression)
    assert made.count("<image>") == plain.count("<image>") == 3
    assert made.count("\n") == plain.count("\n")
