"""The shipped encodings: their stems and words agree, and wording keeps its gaps."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from encoding_cases import CONF, PIXEL_STEMS, STEMS, Shipped
from pydantic import ValidationError

from gen.judge.encodings.masks import appearance
from gen.schema import ComboEncoding, GridEncoding, MaskEncoding, TextEncoding
from gen.wording import Wording

# Letter and digit at each position of a stem, as the knob and value that it stands for.
LETTERS: dict[str, tuple[str, dict[str, Any]]] = {
    "m": ("canvas", {"0": "overlay", "1": "separate"}),
    "o": ("opacity", {"0": 0.5, "1": 1.0}),
    "l": ("labels", {"0": False, "1": True}),
    "c": ("color_by", {"0": "class", "1": "instance"}),
    "b": ("boxes", {"0": "none", "1": "dashed"}),
}


def test_all_rows_of_the_task_are_there(shipped: Shipped) -> None:
    assert set(shipped.task.encodings) == set(STEMS)


@pytest.mark.parametrize("stem", STEMS)
def test_each_file_carries_its_own_name(stem: str, shipped: Shipped) -> None:
    assert shipped.encodings[stem].name == stem


@pytest.mark.parametrize("stem", PIXEL_STEMS)
def test_letters_of_a_stem_and_its_words_agree(stem: str, shipped: Shipped) -> None:
    encoding = shipped.encodings[stem]
    kind, size, *parts = stem.split("_")
    assert kind == "pixel"
    assert isinstance(encoding, GridEncoding if size == "ss0" else MaskEncoding)
    if size == "ss0":
        assert encoding.grid == 16
    else:
        assert [part[0] for part in parts] == list("molcb")
    words = yaml.safe_load((CONF / "encoding" / f"{stem}.yaml").read_text(encoding="utf-8"))
    for letter, digit in parts:
        knob, values = LETTERS[letter]
        assert words[knob] == values[digit], knob
    # On black there is nothing to blend with, whatever the file says.
    assert encoding.opacity == (words["opacity"] if encoding.canvas == "overlay" else None)


def test_text_and_combo_rows(shipped: Shipped) -> None:
    for stem, form, grid in [
        ("text_polygon", "polygon", None),
        ("text_rle", "rle", None),
        ("text_matrix", "matrix", 32),
        ("text_ss0", "grid", 16),
    ]:
        encoding = shipped.encodings[stem]
        assert isinstance(encoding, TextEncoding)
        assert (encoding.format, encoding.grid) == (form, grid)
    combo = shipped.encodings["1742"]
    assert isinstance(combo, ComboEncoding)
    assert combo.text == shipped.encodings["text_polygon"]
    assert combo.picture == shipped.encodings["pixel_ss1_m0_o0_l1_c1_b1"]


def test_grids_that_the_plan_looks_at_are_those_of_the_rows(shipped: Shipped) -> None:
    looked_at = {
        stem: longer for stems, longer in appearance.GRIDS.items() for stem in stems.split()
    }
    shown = {
        stem: encoding.grid
        for stem, encoding in shipped.encodings.items()
        if isinstance(encoding, GridEncoding | TextEncoding) and encoding.grid
    }
    assert looked_at == shown


@pytest.fixture
def sentences() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((CONF / "wording" / "standard.yaml").read_text())
    return content


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("Drawn over the photo.", "the gaps must be {many}, not none"),
        ("The {many} over {photo}.", "the gaps must be {many}, not {many}, {photo}"),
        ("The {many.__class__}.", "the gaps must be {many}, not {many.__class__}"),
        ("The {many.", "not a template"),
        ("The {}.", "the gaps must be {many}, not {}"),
    ],
)
def test_a_sentence_keeps_its_gaps(sentences: dict[str, Any], sentence: str, fault: str) -> None:
    Wording.model_validate(sentences)
    sentences["encoding"]["canvas"]["overlay"] = sentence
    with pytest.raises(ValidationError) as error:
        Wording.model_validate(sentences)
    assert fault in str(error.value)
    assert "encoding.canvas.overlay" in str(error.value)


def every(sentences: Any) -> Iterator[str]:
    if isinstance(sentences, str):
        yield sentences
    else:
        for one in sentences.values():
            yield from every(one)


def test_each_sentence_can_stand_by_itself(sentences: dict[str, Any]) -> None:
    # Which layers there are depends on the knobs, so none may refer to what another one has said.
    said = list(every(sentences["encoding"]))
    assert len(said) > 30
    assert [one for one in said if re.search(r"\b(same|that|such a) color", one)] == []


def test_unknown_and_missing_sentences_are_refused(sentences: dict[str, Any]) -> None:
    masks = sentences["encoding"]["masks"]["instances"]
    masks["kombo"] = masks.pop("combo")
    with pytest.raises(ValidationError) as error:
        Wording.model_validate(sentences)
    assert {fault["loc"] for fault in error.value.errors()} == {
        ("encoding", "masks", "instances", "combo"),
        ("encoding", "masks", "instances", "kombo"),
    }
