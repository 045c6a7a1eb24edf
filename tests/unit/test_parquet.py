"""Shards as `datasets` reads them, and hashes that mean the same picture and words."""

import gc
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml
from blake3 import blake3
from PIL import Image

from gen.export import card, parquet
from gen.export.row_hash import row_hash
from gen.item import JudgeItem, Media
from gen.render.png import decode_png, pixels_hash


def picture(number: int, size: int = 24) -> np.ndarray:
    return np.random.default_rng(number).integers(0, 256, (size, size, 3), dtype=np.uint8)


def png(rgb: np.ndarray, level: int = 1) -> bytes:
    code = cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR)
    return cv2.imencode(".png", code, [cv2.IMWRITE_PNG_COMPRESSION, level])[1].tobytes()


def media(name: str, file: bytes) -> Media:
    return Media(name, file, pixels_hash(decode_png(file)))


def item(number: int, size: int = 24, options: int = 2) -> JudgeItem:
    name = f"{number:016x}"
    pictures = [media("original_7.png", png(picture(7, size)))]
    pictures += [
        media(f"{name}_{x}.png", png(picture(number * 9 + i, size)))
        for i, x in zip(range(options), "ab", strict=False)
    ]
    return JudgeItem(
        id=name,
        task="instance_segmentation",
        encoding="stem",
        question_type="pairwise",
        subset="none",
        prompt="look: " + "<image>\n" * len(pictures),
        media=tuple(pictures),
        answer="A",
        choices=("A", "B"),
        metadata={"z": [1, 0.5, None], "a": {"é": "ü"}},
    )


def test_datasets_gives_the_row_with_typed_pictures(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    folder = tmp_path / "run" / "instance_seg"
    folder.mkdir(parents=True)
    results = [
        parquet.write_shard(folder / f"test-{n:05d}-of-00002.parquet", map(item, part))
        for n, part in enumerate((range(30), range(30, 33)))
    ]
    split = card.Split(
        "test",
        33,
        sum(one.footer.num_bytes for one in results),
        sum(one.size for one in results),
    )
    (tmp_path / "run" / "README.md").write_text(card.render("0" * 12, "instance_seg", {}, split))
    for streaming in (False, True):
        rows = datasets.load_dataset(
            str(tmp_path / "run"),
            "instance_seg",
            split="test",
            streaming=streaming,
            cache_dir=str(tmp_path / "cache"),
        )
        assert list(rows.features) == list(parquet.COLUMNS)
        assert rows.features["media"] == datasets.List(datasets.Image())
        found = list(rows)
        assert [row["id"] for row in found] == [f"{n:016x}" for n in range(33)]
        assert found[31]["choices"] == ["A", "B"]
        assert json.loads(found[31]["metadata"]) == item(31).metadata
        shown = [np.asarray(one) for one in found[31]["media"]]
        assert all((a == b).all() for a, b in zip(shown, map(picture, (7, 279, 280)), strict=True))


def test_the_card_states_what_datasets_counts_itself(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    path = tmp_path / "x.parquet"
    result = parquet.write_shard(path, map(item, range(60)))
    rows = datasets.load_dataset(
        "parquet", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache")
    )
    split = card.Split("test", 60, result.footer.num_bytes, result.size)
    info = card.front_matter("instance_seg", split)["dataset_info"]
    assert info["splits"][0]["num_bytes"] == rows.info.splits["train"].num_bytes
    assert info["dataset_size"] == rows.info.dataset_size
    assert info["download_size"] == path.stat().st_size
    read_back = datasets.Features._from_yaml_list(yaml.safe_load(yaml.safe_dump(info["features"])))
    assert read_back == rows.features


def test_row_groups_are_small_and_pictures_are_not_compressed_again(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    parquet.write_shard(path, map(item, range(60)))
    known = pq.read_metadata(path)
    groups = [known.row_group(index) for index in range(known.num_row_groups)]
    assert [group.num_rows for group in groups] == [25, 25, 10]
    columns = {groups[0].column(i).path_in_schema: groups[0].column(i) for i in range(11)}
    media = columns["media.list.element.bytes"]
    assert media.compression == "UNCOMPRESSED"
    assert not media.has_dictionary_page
    assert columns["prompt"].compression == "ZSTD"


def test_large_pictures_cut_row_groups_by_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "GROUP_BYTES", 3 * 3 * 64 * 64 * 3)
    path = tmp_path / "x.parquet"
    parquet.write_shard(path, (item(n, 64) for n in range(7)))
    known = pq.read_metadata(path)
    assert [known.row_group(i).num_rows for i in range(known.num_row_groups)] == [3, 3, 1]


def test_equal_items_give_equal_bytes_and_the_file_hash_is_told(tmp_path: Path) -> None:
    first = parquet.write_shard(tmp_path / "a", map(item, range(30)))
    second = parquet.write_shard(tmp_path / "b", map(item, range(30)))
    assert first == second
    content = (tmp_path / "a").read_bytes()
    assert content == (tmp_path / "b").read_bytes()
    assert first.blake3 == blake3(content).hexdigest()
    assert first.size == len(content)


def test_the_footer_tells_of_every_row_and_items_come_back(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    result = parquet.write_shard(path, map(item, range(30)))
    assert parquet.footer(path) == result.footer
    assert result.footer.row_hashes == tuple(row_hash(item(n)) for n in range(30))
    assert result.footer.pictures == 90
    assert list(parquet.read_items(path)) == [item(n) for n in range(30)]


def test_no_items_are_a_shard_of_no_rows(tmp_path: Path) -> None:
    parquet.write_shard(tmp_path / "x", [])
    assert parquet.footer(tmp_path / "x").rows == 0
    assert pq.read_table(tmp_path / "x").schema.equals(parquet.schema())


@pytest.mark.parametrize("damage", ["cut", "empty", "foreign", "text"])
def test_what_is_no_whole_shard_is_refused(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "x"
    parquet.write_shard(path, [item(1)])
    content = path.read_bytes()
    if damage == "foreign":
        pq.write_table(pq.read_table(path).replace_schema_metadata(None), path)
    else:
        path.write_bytes({"cut": content[:-100], "empty": b"", "text": b"hello" * 99}[damage])
    with pytest.raises(ValueError, match="x is no whole shard"):
        parquet.footer(path)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_failure_leaves_nothing_behind(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    wrong = replace(item(1), prompt="no placeholder")
    with pytest.raises(ValueError, match="0 placeholders for 3 pictures"):
        parquet.write_shard(tmp_path / "x", [item(0), wrong])
    gc.collect()
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr().err == ""


def test_the_hash_is_of_pixels_not_of_png_bytes() -> None:
    file = io.BytesIO()
    Image.fromarray(picture(9)).save(file, "PNG", compress_level=9)
    one = item(1)
    same = media(one.media[1].name, file.getvalue())
    assert same.png != one.media[1].png
    assert row_hash(replace(one, media=(one.media[0], same, one.media[2]))) == row_hash(one)


def test_a_picture_that_does_not_decode_is_found_on_reading(tmp_path: Path) -> None:
    broken = replace(item(1), media=(*item(1).media[:2], Media("b.png", b"no png", "")))
    parquet.write_shard(tmp_path / "x", [item(0), broken])
    with pytest.raises(ValueError, match="not a readable PNG"):
        list(parquet.read_items(tmp_path / "x"))


def test_the_hash_sees_every_field_and_pixel() -> None:
    one = item(1)
    rgb = picture(9)
    rgb[5, 5, 2] ^= 1
    turned = picture(9).reshape(12, 48, 3)
    others = [
        replace(one, id="x"),
        replace(one, task="x"),
        replace(one, encoding="x"),
        replace(one, question_type="ranking"),
        replace(one, subset="x"),
        replace(one, prompt="x" + one.prompt),
        replace(one, answer="B"),
        replace(one, choices=("A",)),
        replace(one, metadata={}),
        replace(one, media=(one.media[0], one.media[2], one.media[1])),
        replace(one, media=(one.media[0], media(one.media[1].name, png(rgb)), one.media[2])),
        replace(one, media=(one.media[0], media(one.media[1].name, png(turned)), one.media[2])),
        replace(one, media=(one.media[0], media("other.png", one.media[1].png), one.media[2])),
    ]
    hashes = {row_hash(other) for other in [one, *others]}
    assert len(hashes) == len(others) + 1
    reordered = replace(one, metadata=dict(reversed(one.metadata.items())))
    assert row_hash(reordered) == row_hash(one)


FULL_DISK = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_parquet import item
from gen.export import parquet
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    parquet.write_shard(Path(sys.argv[1]) / "x", (item(n, 64) for n in range(60)))
except OSError as error:
    print(error.errno)
"""


def test_a_full_disk_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path), here],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "27\n", "")
    assert list(tmp_path.iterdir()) == []
