"""What a text-to-image prompt says, against the stored checks; and checks, read from pixels anew.

Things are told apart by color alone here, which is enough where each shape of a prompt has a color
of its own and the error is not one of color.
"""

import io
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray
from PIL import Image

pytestmark = pytest.mark.slow
Row = dict[str, Any]

NUMBERS = {"a": 1, "an": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
SHAPES = ("ball", "cube", "cylinder", "cone", "ring")
# Angle of the hue in CIELAB, in degrees.
HUES = {
    "cyan": -165,
    "blue": -75,
    "purple": -45,
    "pink": -5,
    "red": 35,
    "orange": 60,
    "yellow": 95,
    "green": 145,
}
NAMED = re.compile(
    rf"(?P<number>{'|'.join(NUMBERS)}) (?P<size>small |large )?(?P<color>{'|'.join(HUES)}) "
    rf"(?P<texture>striped |spotted )?(?P<shape>{'|'.join(SHAPES)})s?"
)
SIDES = {
    "to the left of": "left of",
    "to the right of": "right of",
    "behind": "behind",
    "in front of": "in front of",
}
SPANS = {
    "left half": (0, 1 / 2),
    "right half": (1 / 2, 1),
    "left third": (0, 1 / 3),
    "middle third": (1 / 3, 2 / 3),
    "right third": (2 / 3, 1),
}
CHROMA, LEAST_AREA = 22.0, 200
KINDS = ("wrong_relation", "wrong_place", "missing_object", "wrong_count", "extra_object")


class Blob(NamedTuple):
    """A thing as it is found: where it is, as shares of the picture."""

    color: str
    x: float
    bottom: float


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    kinds = f"predictions.error_types=[{','.join(KINDS)}]"
    command = [sys.executable, "-m", "gen", "task=t2i", "n_items=60", kinds, "executor.workers=1"]
    command += [f"out_root={tmp_path_factory.mktemp('t2i')}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = Path(done.stdout.strip().splitlines()[-1]).glob("t2i/*.parquet")
    found = pq.read_table(path).to_pylist()
    return [row | {"metadata": json.loads(row["metadata"])} for row in found]


def words(name: str) -> list[str]:
    return [shape for shape in SHAPES if re.search(rf"\b{shape}s?\b", name)]


def said(prompt: str) -> Counter[str]:
    """What a prompt asks for, each claim as one line of text."""
    listing, *sentences = re.split(r"\. |\.$", prompt.strip())
    claims: Counter[str] = Counter()
    assert listing.endswith(" on a table")
    parts = re.split(r", | and ", listing.removesuffix(" on a table"))
    total = 0
    for part in parts:
        found = NAMED.fullmatch(part[0].lower() + part[1:])
        assert found, part
        number, color, shape = NUMBERS[found["number"]], found["color"], found["shape"]
        total += number
        claims[f"{color} {shape} = {number}"] += 1
        if found["texture"]:
            claims[f"{found['texture'].strip()} {color} {shape} = {number}"] += 1
        if found["size"]:
            claims[f"{color} {shape} is {found['size'].strip()}"] += 1
    for sentence in filter(None, sentences):
        if sentence == "There is nothing else on the table":
            claims[f"all = {total}"] += 1
            continue
        told = re.fullmatch(r"The (.+?) (?:is|are) (.+)", sentence)
        assert told, sentence
        zone = re.fullmatch(r"in the (.+) of the picture", told[2])
        for subject in re.split(r" and the |, the ", told[1]):
            if zone:
                claims[f"{subject} in {zone[1]}"] += 1
                continue
            for phrase in re.split(r", | and (?=to |behind |in front )", told[2]):
                side = next(side for side in SIDES if phrase.startswith(side))
                other = phrase.removeprefix(side).strip().removeprefix("the ")
                claims[f"{subject} {SIDES[side]} {other}"] += 1
    return claims


def stored(checks: dict[str, dict[str, Any]], groups: dict[str, str]) -> Counter[str]:
    """The stored checks in the same lines; `groups` gives the color of each shape."""

    def named(look: dict[str, str]) -> str:
        return " ".join(look[key] for key in ("color", "shape") if key in look)

    claims: Counter[str] = Counter()
    for check in checks.values():
        look = check.get("look", {})
        kind = check["kind"]
        full = {"color": groups.get(look.get("shape", ""), ""), **look}
        if kind == "count" and "texture" in look:
            claims[f"{look['texture']} {named(full)} = {check['number']}"] += 1
        elif kind == "count" and "color" in look:
            claims[f"{named(look)} = {check['number']}"] += 1
        elif kind == "size":
            claims[f"{named(full)} is {check['size']}"] += 1
        elif kind == "nothing_else":
            claims[f"all = {check['number']}"] += 1
        elif kind == "zone":
            claims[f"{named(look)} in {check['zone']}"] += 1
        elif kind == "relation":
            claims[f"{named(look)} {check['side']} {named(check['other'])}"] += 1
        else:
            assert kind == "count" and "shape" in look, check
    return claims


def blobs(png: bytes) -> list[Blob]:
    """Colored things on a ground of little color."""
    picture = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), np.float32) / 255.0
    lab: NDArray[np.float32] = cv2.cvtColor(picture, cv2.COLOR_RGB2LAB)
    mask = (np.hypot(lab[..., 1], lab[..., 2]) > CHROMA).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    found = []
    height, width = mask.shape
    for label in range(1, count):
        x, y, w, h, area = stats[label]
        if area < LEAST_AREA:
            continue
        a, b = np.median(lab[labels == label][:, 1:], axis=0)
        hue = np.degrees(np.arctan2(b, a))
        color = min(HUES, key=lambda name: abs((hue - HUES[name] + 180) % 360 - 180))
        found.append(Blob(color, (x + w / 2) / width, (y + h) / height))
    return found


def simple(row: Row) -> dict[str, str]:
    """The color of each shape of a prompt in which both go with each other one to one."""
    pairs = [
        NAMED.search(part.lower()) for part in re.split(r", | and ", row["metadata"]["prompt"])
    ]
    groups = [(one["shape"], one["color"]) for one in pairs if one]
    shapes, colors = zip(*groups, strict=True)
    unique = len(set(shapes)) == len(set(colors)) == len(groups)
    return dict(groups) if unique else {}


def verdict(check: dict[str, Any], seen: list[Blob], groups: dict[str, str]) -> bool | None:
    """Whether a check is met, or None where color cannot tell."""
    kind, look = check["kind"], check.get("look", {})
    color = groups[look["shape"]] if "shape" in look else ""
    if kind == "nothing_else":
        return len(seen) == check["number"]
    if kind == "count" and set(look) == {"shape", "color"}:
        return sum(blob.color == look["color"] for blob in seen) == check["number"]
    those = [blob for blob in seen if blob.color == color]
    if kind == "zone":
        low, high = SPANS[check["zone"]]
        return any(low <= blob.x <= high for blob in those)
    if kind == "relation":
        others = [blob for blob in seen if blob.color == groups[check["other"]["shape"]]]
        axis, sign = {
            "left of": (1, -1),
            "right of": (1, 1),
            "behind": (2, -1),
            "in front of": (2, 1),
        }[check["side"]]
        return any(sign * (one[axis] - two[axis]) > 0 for one in those for two in others)
    return None


def test_prompts_say_what_the_checks_ask(rows: list[Row]) -> None:
    compared = 0
    for row in rows:
        told = row["metadata"]
        if groups := simple(row):
            assert said(told["prompt"]) == stored(told["given"]["checks"], groups), told["prompt"]
            compared += 1
    assert compared >= len(rows) / 4


def test_verdicts_are_found_again_in_the_pictures(rows: list[Row]) -> None:
    agree = asked = 0
    for row in rows:
        told, groups = row["metadata"], simple(row)
        if not groups:
            continue
        spread = zip(row["media"], told["metrics"], told["error_types"], strict=True)
        for media, metrics, kind in spread:
            seen = blobs(media["bytes"])
            for name, check in told["given"]["checks"].items():
                # An extra thing may have the color of one that is asked for, in another shape.
                if kind == "extra_object" and check["kind"] != "nothing_else":
                    continue
                found = verdict(check, seen, groups)
                if found is not None:
                    agree += found == bool(metrics[f"check_{name}"])
                    asked += 1
    assert asked > 500
    assert agree / asked >= 0.98, (agree, asked)


def test_scores_and_answers_follow_from_the_verdicts(rows: list[Row]) -> None:
    for row in rows:
        told = row["metadata"]
        for metrics, score in zip(told["metrics"], told["final_scores"], strict=True):
            met = [value for name, value in metrics.items() if name.startswith("check_")]
            assert set(met) <= {0.0, 1.0}
            share = sum(met) / len(met) - metrics["damage"]
            assert score == pytest.approx(10 * max(0.0, share), abs=1e-4)
        first, second = told["final_scores"]
        assert row["answer"] == ("A" if first > second else "B")
        assert len(row["media"]) == 2 and "<image>\n\nYou are" not in row["prompt"]
