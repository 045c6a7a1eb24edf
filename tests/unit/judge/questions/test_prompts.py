"""Prompts against texts typed by hand from the description of the data set."""

from collections.abc import Callable

import numpy as np
import pytest

from gen.judge.encodings import Encoded, Shown
from gen.judge.questions.assemble import prompt
from gen.schema import Settings

PICTURE = np.zeros((4, 4, 3), np.uint8)
Compose = Callable[..., Settings]
Prompt = Callable[..., str]


@pytest.fixture
def prompt_of(settings: Compose) -> Prompt:
    def made(
        question: str,
        encoded: Encoded,
        wording: int = 0,
        original: bool = True,
        context: str = "The class(es) of interest is {classes}.",
        expression: str | None = None,
        classes: tuple[str, ...] = ("cat", "dog"),
    ) -> str:
        chosen = settings(f"question={question}")
        return prompt(
            task=chosen.task.model_copy(update={"context": context}),
            question=chosen.question,
            given_image=chosen.wording.given_image,
            encoded=encoded,
            classes=classes,
            expression=expression,
            wording=wording,
            original=original,
        )

    return made


def pixel(count: int) -> Encoded:
    return Encoded("Masks.", tuple(Shown(PICTURE, legend=f"Legend: {i}") for i in range(count)))


def text(count: int) -> Encoded:
    return Encoded(
        "Rows.", tuple(Shown(text=f"[\n{i}\n]", legend=f"Key: {i}") for i in range(count))
    )


def combo(count: int) -> Encoded:
    shown = (Shown(PICTURE, f"[{i}]", f"Legend: {i}", "Both.") for i in range(count))
    return Encoded(None, tuple(shown))


def natural(count: int) -> Encoded:
    return Encoded(None, tuple(Shown(PICTURE) for _ in range(count)))


INTRO = (
    "<image>\n"
    "\n"
    "You are a judge to decide the quality of answers to an instance segmentation task"
    " based on my given image.\n"
    "The class(es) of interest is cat, dog.\n"
    "\n"
)


def test_pair_of_pictures(prompt_of: Prompt) -> None:
    assert prompt_of("pairwise", pixel(2)) == INTRO + (
        "Format of predictions: Masks.\n"
        "\n"
        "Options:\n"
        "\n"
        "A. <image> Legend: 0\n"
        "\n"
        "B. <image> Legend: 1\n"
        "\n"
        "Which prediction is better? Please answer with A or B."
    )


def test_pair_of_texts(prompt_of: Prompt) -> None:
    assert prompt_of("pairwise", text(2)) == INTRO + (
        "Format of predictions: Rows.\n"
        "\n"
        "Options:\n"
        "\n"
        "A.\n[\n0\n]\nKey: 0\n"
        "\n"
        "B.\n[\n1\n]\nKey: 1\n"
        "\n"
        "Which prediction is better? Please answer with A or B."
    )


def test_the_layout_does_not_tell_how_many_lines_a_text_has(prompt_of: Prompt) -> None:
    mixed = Encoded("Rows.", (Shown(text="[1]", legend="Key: 1"), Shown(text="[2,\n3]")))
    assert "\n\nA.\n[1]\nKey: 1\n\nB.\n[2,\n3]\n\n" in prompt_of("pairwise", mixed)
    both = tuple(Shown(PICTURE, text, None, "Both.") for text in ("[]", "[2,\n3]"))
    made = prompt_of("pairwise", Encoded(None, both))
    assert "\n\nA. Format of prediction: Both.\n[]\n<image>\n\n" in made
    assert "\n\nB. Format of prediction: Both.\n[2,\n3]\n<image>\n\n" in made
    for text in ("[1]", "[2,\n3]"):
        made = prompt_of("scoring", Encoded("Rows.", (Shown(text=text),)))
        assert f"\n\nPrediction (text):\n{text}\n\n" in made


def test_pair_of_combos_says_the_format_in_each_option(prompt_of: Prompt) -> None:
    assert prompt_of("pairwise", combo(2)) == INTRO + (
        "Options:\n"
        "\n"
        "A. Format of prediction: Both.\n"
        "[0]\n"
        "<image> Legend: 0\n"
        "\n"
        "B. Format of prediction: Both.\n"
        "[1]\n"
        "<image> Legend: 1\n"
        "\n"
        "Which prediction is better? Please answer with A or B."
    )


@pytest.mark.parametrize(
    ("count", "letters", "example"), [(5, "ABCDE", "BCAED"), (4, "ABCD", "BCAD"), (3, "ABC", "BCA")]
)
def test_ranking(prompt_of: Prompt, count: int, letters: str, example: str) -> None:
    options = "".join(f"{letter}. <image> Legend: {i}\n\n" for i, letter in enumerate(letters))
    assert prompt_of("ranking", pixel(count)) == (
        f"{INTRO}Format of predictions: Masks.\n\nOptions:\n\n{options}"
        "Rank the predictions from best to worst. Respond with the ranking as a single string of "
        f"letters only (best first, worst last). For example, {example}."
    )


SCORE = (
    "Score the quality of the prediction from 0 to 10.\n"
    "0 = random guessing / worst, 10 = best possible.\n"
    "Please answer with a single score from 0 to 10 only."
)


def test_scoring_of_a_picture(prompt_of: Prompt) -> None:
    assert (
        prompt_of("scoring", pixel(1))
        == INTRO
        + (
            "Format of prediction: Masks.\n"
            "\n"
            "First image: original. Second image: encoded prediction. <image> Legend: 0\n"
            "\n"
        )
        + SCORE
    )


def test_scoring_of_a_text(prompt_of: Prompt) -> None:
    assert (
        prompt_of("scoring", text(1))
        == INTRO
        + ("Format of prediction: Rows.\n\nPrediction (text):\n[\n0\n]\nKey: 0\n\n")
        + SCORE
    )


def test_scoring_of_a_combo(prompt_of: Prompt) -> None:
    assert (
        prompt_of("scoring", combo(1))
        == INTRO
        + (
            "Format of prediction: Both.\n"
            "\n"
            "Prediction (text):\n[0]\n"
            "First image: original. Second image: encoded prediction. <image> Legend: 0\n"
            "\n"
        )
        + SCORE
    )


def test_natural_pictures_without_a_source_picture(prompt_of: Prompt) -> None:
    context = "The prompt is '{expression}'."
    made = prompt_of("pairwise", natural(2), original=False, context=context, expression="a cat")
    assert made == (
        "You are a judge to decide the quality of answers to an instance segmentation task.\n"
        "The prompt is 'a cat'.\n"
        "\n"
        "Options:\n"
        "\n"
        "A. <image>\n"
        "\n"
        "B. <image>\n"
        "\n"
        "Which prediction is better? Please answer with A or B."
    )


def test_scoring_without_a_source_picture_speaks_of_one_picture(prompt_of: Prompt) -> None:
    made = prompt_of("scoring", natural(1), original=False, context="")
    assert (
        made
        == (
            "You are a judge to decide the quality of answers to an instance segmentation task.\n"
            "\n"
            "Image: encoded prediction. <image>\n"
            "\n"
        )
        + SCORE
    )


@pytest.mark.parametrize(
    ("wording", "sentence"),
    list(
        enumerate(
            [
                "Which prediction is better?",
                "Which option is a better execution of the vision task?",
                "Which option would you prefer as answer to the vision task?",
                "Which of the two is the better result?",
                "Which option better fulfills the task?",
            ]
        )
    ),
)
def test_five_paraphrases(prompt_of: Prompt, wording: int, sentence: str) -> None:
    made = prompt_of("pairwise", pixel(2), wording=wording)
    assert made.endswith(f"\n\n{sentence} Please answer with A or B.")


def test_names_from_outside_cannot_add_placeholders_blanks_or_lines(prompt_of: Prompt) -> None:
    made = prompt_of("pairwise", pixel(2), classes=("<image>", "a {b}\nc"))
    assert made.count("<image>") == 3
    assert "\nThe class(es) of interest is [image], a {b} c.\n" in made
