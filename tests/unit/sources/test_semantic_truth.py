"""The class of each pixel from panoptic files, ADE20K's layout and the embedded label maps."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from coco_folder import DEFAULTS, HEIGHT, WIDTH, document, folder, image, opened, write_json
from PIL import Image

from gen.errors import UserError
from gen.schema import Ade20kData, EmbeddedData, FolderData
from gen.sources import label_map
from gen.sources.coco_records import RecordError
from gen.sources.open import open_source
from gen.sources.photos import PhotoError
from gen.sources.records import Semantic, Source

NAMES = "Idx\tRatio\tName\n1 \t0.5\twall\n2\t0.2\tbuilding, edifice\n3\t0.1\tsky \n"


def kinds(source: Source) -> list[str]:
    return [problem.kind for problem in source.problems()]


def classes_at(found: Semantic | None, *spots: tuple[int, int]) -> list[str | None]:
    assert found is not None
    numbers = [int(found.ids[row, column]) for row, column in spots]
    return [found.classes[number - 1] if number else None for number in numbers]


def panoptic_root(tmp_path: Path, ids: Any, segments: Any, images: Any = None) -> Path:
    """A folder whose photo 2 only the panoptic file covers."""
    root = folder(tmp_path / "coco", images or [image(1), image(2)], [])
    rgb = np.stack([ids & 255, ids >> 8 & 255, ids >> 16], axis=-1).astype(np.uint8)
    (tmp_path / "panoptic" / "masks").mkdir(parents=True)
    Image.fromarray(rgb).save(tmp_path / "panoptic" / "masks" / "two.png")
    record = {"image_id": 2, "file_name": "two.png", "segments_info": segments}
    write_json(tmp_path / "panoptic" / "panoptic.json", document([image(2)], [record]))
    return root


def segment_map() -> Any:
    ids = np.zeros((HEIGHT, WIDTH), np.int64)
    ids[:10], ids[10:20], ids[20:30] = 70_000, 300, 7
    return ids


SEGMENTS = [
    {"id": 70_000, "category_id": 1},
    {"id": 300, "category_id": 2, "iscrowd": 1},
    {"id": 7, "category_id": 1},
]


def test_segments_of_a_class_are_one_and_void_is_not_told(tmp_path: Path) -> None:
    source = opened(panoptic_root(tmp_path, segment_map(), SEGMENTS))
    assert [photo.image_id for photo in source.photos()] == ["2"]
    found = source.semantic("2")
    assert found is not None
    assert found.classes == ("cat", "dog")
    assert classes_at(found, (0, 0), (15, 5), (25, 5), (35, 5)) == ["dog", "cat", "dog", None]
    assert kinds(source) == []
    with pytest.raises(KeyError):
        source.semantic("1")


@pytest.mark.parametrize(
    ("segments", "kind", "expected"),
    [
        ([*SEGMENTS[:2], {"id": 7, "category_id": 99}], "unknown_category", ["dog", "cat", None]),
        ([*SEGMENTS[:2], "seven"], "unknown_category", ["dog", "cat", None]),
        (SEGMENTS[:2], "unknown_segment", ["dog", "cat", None]),
    ],
)
def test_a_segment_without_a_class_is_not_told(
    tmp_path: Path, segments: Any, kind: str, expected: Any
) -> None:
    source = opened(panoptic_root(tmp_path, segment_map(), segments))
    assert classes_at(source.semantic("2"), (0, 0), (15, 5), (25, 5)) == expected
    assert kind in kinds(source)


def test_broken_panoptic_pictures_are_reported_and_nothing_else_is_lost(tmp_path: Path) -> None:
    root = panoptic_root(tmp_path, segment_map(), SEGMENTS)
    path = tmp_path / "panoptic" / "masks" / "two.png"
    content = path.read_bytes()
    for spoil, kind in (
        (lambda: path.write_bytes(content[:60]), "corrupt_label_map"),
        (lambda: Image.new("RGB", (5, 5)).save(path), "label_map_of_wrong_size"),
        (path.unlink, "missing_label_map"),
    ):
        spoil()
        source = opened(root)
        assert source.semantic("2") is None
        assert kinds(source) == [kind]
        assert source.pixels("2").shape == (HEIGHT, WIDTH, 3)


def test_panoptic_pictures_are_part_of_the_fingerprint(tmp_path: Path) -> None:
    root = panoptic_root(tmp_path, segment_map(), SEGMENTS)
    before = opened(root).fingerprint()
    Image.new("RGB", (WIDTH, HEIGHT)).save(tmp_path / "panoptic" / "masks" / "two.png")
    assert opened(root).fingerprint() != before


def test_embedded_label_maps() -> None:
    source = open_source(EmbeddedData(name="embedded", licenses=()))
    told = {photo.image_id: source.semantic(photo.image_id) for photo in source.photos()}
    assert [told[key] is not None for key in "12345"] == [True] * 5
    assert classes_at(told["2"], (150, 225)) == ["cat"]
    assert classes_at(told["4"], (10, 10)) == ["sky"]
    assert all("unlabeled" not in found.classes for found in told.values() if found)
    assert source.problems() == ()


def test_two_records_of_one_id_for_different_photos_mislead_nobody(tmp_path: Path) -> None:
    other = image(1, file_name="other.png")
    records = [image(1), other, image(2)]
    labels = [{"id": n, "image_id": n, "caption": "a dog"} for n in (1, 2)]
    root = folder(tmp_path, records, [])
    write_json(root / "annotations" / "captions.json", document(records, labels))
    source = opened(root)
    assert [photo.image_id for photo in source.photos()] == ["2"]
    assert set(kinds(source)) == {"duplicate_image", "unknown_image"}


@pytest.mark.parametrize("mode", ["L", "P", "I;16", "RGB", "1"])
def test_modes_of_label_maps(tmp_path: Path, mode: str) -> None:
    values = np.array([[0, 1], [1, 0]] if mode == "1" else [[0, 1], [2, 150]], np.uint8)
    path = tmp_path / "map.png"
    if mode == "I;16":
        values = values.astype(np.uint16) * 300
        Image.fromarray(values).save(path)
    elif mode == "P":
        picture = Image.fromarray(values, "L").convert("P")
        picture.putdata(values.ravel().tolist())
        picture.putpalette(list(range(255, -1, -1)) * 3)
        picture.save(path)
    elif mode == "RGB":
        Image.fromarray(np.repeat(values[..., None], 3, axis=2)).save(path)
    elif mode == "1":
        Image.fromarray(values.astype(bool)).save(path)
    else:
        Image.fromarray(values).save(path)
    assert label_map.read_values(path, (2, 2)).tolist() == values.tolist()


def test_colours_are_no_label_map(tmp_path: Path) -> None:
    path = tmp_path / "map.png"
    Image.fromarray(np.arange(12, dtype=np.uint8).reshape(2, 2, 3)).save(path)
    with pytest.raises(RecordError, match="expected numbers of classes"):
        label_map.read_values(path, (2, 2))


def test_many_classes_and_values_without_a_name() -> None:
    names = {number: f"class {number}" for number in range(1, 400)}
    values = np.array([[0, 399, 399], [400, 1, 400]], np.int32)
    found, unknown = label_map.semantic(values, names, names.values())
    assert found.ids.dtype == np.uint16
    assert classes_at(found, (0, 0), (0, 2), (1, 0), (1, 1)) == [None, "class 399", None, "class 1"]
    assert unknown == {400: 2}
    found, unknown = label_map.semantic(values, {}, ())
    assert not found.ids.any()
    assert unknown == {1: 1, 399: 2, 400: 2}


def ade(at: Path, **changes: Any) -> Ade20kData:
    values = yaml.safe_load((DEFAULTS.parent / "ade20k.yaml").read_text(encoding="utf-8"))
    return Ade20kData.model_validate(values | {"root": str(at)} | changes)


def ade_folder(root: Path, within: str = "") -> Path:
    for name, value in (("a", 1), ("b", 3)):
        for kind, suffix, picture in (
            ("images", "jpg", Image.new("RGB", (WIDTH, HEIGHT), (90, 20, value))),
            ("annotations", "png", Image.new("L", (WIDTH, HEIGHT), value)),
        ):
            place = root / kind / within
            place.mkdir(parents=True, exist_ok=True)
            picture.save(place / f"{name}.{suffix}")
    (root / "objectInfo150.txt").write_text(NAMES, encoding="utf-8")
    return root


@pytest.mark.parametrize("within", ["", "validation"])
def test_a_sound_ade20k_folder(tmp_path: Path, within: str) -> None:
    source = open_source(ade(ade_folder(tmp_path, within)))
    assert [(one.image_id, one.width, one.height, one.license) for one in source.photos()] == [
        ("a", WIDTH, HEIGHT, "unknown"),
        ("b", WIDTH, HEIGHT, "unknown"),
    ]
    found = source.semantic("b")
    assert found is not None
    assert found.classes == ("building", "sky", "wall")
    assert classes_at(found, (3, 3)) == ["sky"]
    assert source.pixels("a").shape == (HEIGHT, WIDTH, 3)
    assert source.truth("a").instances == ()
    assert source.depth("a") is None
    assert source.problems() == ()


def test_ade20k_names_with_commas(tmp_path: Path) -> None:
    root = ade_folder(tmp_path)
    table = "Idx,Ratio,Stuff,Name\n1,.1,1,wall\n3,.1,1,sky;heaven\n"
    (root / "objectInfo150.txt").write_text(table, encoding="utf-8")
    found = open_source(ade(root)).semantic("b")
    assert found is not None
    assert found.classes == ("sky", "wall")


def test_broken_ade20k_files_are_reported(tmp_path: Path) -> None:
    root = ade_folder(tmp_path)
    Image.new("L", (WIDTH, HEIGHT), 9).save(root / "annotations" / "a.png")
    (root / "images" / "b.jpg").write_bytes(b"nothing")
    Image.new("RGB", (4, 4)).save(root / "images" / "c.jpg")
    Image.new("RGB", (4, 4)).save(root / "images" / "d d.jpg")
    Image.new("L", (4, 4)).save(root / "annotations" / "e.png")
    Image.new("RGB", (4, 4)).save(root / "images" / "f.jpg")
    (root / "annotations" / "f.png").write_bytes(b"nothing")
    source = open_source(ade(root))
    assert [photo.image_id for photo in source.photos()] == ["a", "b"]
    assert classes_at(source.semantic("a"), (0, 0)) == [None]
    assert {(one.kind, one.record) for one in source.problems()} == {
        ("unknown_category", "a"),
        ("corrupt_label_map", "f"),
        ("missing_photo", "e"),
        ("missing_label_map", "c"),
        ("bad_image", "d d.jpg"),
    }
    with pytest.raises(PhotoError):
        source.pixels("b")
    assert "corrupt_photo" in kinds(source)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"root": "nowhere"}, "data.root: no folder 'nowhere'"),
        ({"labels": "maps"}, "data.labels: no folder 'maps' in "),
        ({"names": "names.txt"}, "data.names: names.txt: No such file"),
        ({"licenses": ["cc-by-2.0"]}, "data.licenses leaves none of 2 photos"),
        ({"licenses": ["cc-by-9"]}, "no licence is named 'cc-by-9'"),
        ({"images": "annotations", "labels": "images"}, "no photo in annotations with a label map"),
    ],
)
def test_what_the_user_can_mend(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    ade_folder(tmp_path)
    with pytest.raises(UserError) as caught:
        open_source(ade(tmp_path, **changes))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "table", ["", "wall\nsky\n", "Idx\tName\nx\ty\n", "Idx\tName\n1\ta\n1\tb\n"]
)
def test_names_that_are_no_table(tmp_path: Path, table: str) -> None:
    root = ade_folder(tmp_path)
    (root / "objectInfo150.txt").write_text(table, encoding="utf-8")
    with pytest.raises(UserError, match=r"^data\.names: objectInfo150\.txt: "):
        open_source(ade(root))


def test_ade20k_fingerprint_is_of_content(tmp_path: Path) -> None:
    first, second = ade_folder(tmp_path / "x"), ade_folder(tmp_path / "y")
    (second / "annotations").rename(second / "maps")
    before = open_source(ade(first)).fingerprint()
    assert open_source(ade(second, labels="maps")).fingerprint() == before
    Image.new("L", (WIDTH, HEIGHT), 2).save(first / "annotations" / "a.png")
    assert open_source(ade(first)).fingerprint() != before


def parts(root: Path) -> FolderData:
    coco = yaml.safe_load(DEFAULTS.read_text(encoding="utf-8")) | {"root": str(root / "coco")}
    ade20k = ade(root / "ade20k").model_dump()
    values = {"name": "folder", "root": str(root), "coco": coco, "ade20k": ade20k, "depth": None}
    return FolderData.model_validate(values)


def test_parts_answer_for_their_photos(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    panoptic_root(tmp_path, segment_map(), SEGMENTS)
    alone = open_source(parts(tmp_path))
    assert [photo.image_id for photo in alone.photos()] == ["2"]
    assert capsys.readouterr().err.count("left out") == 1
    ade_folder(tmp_path / "ade20k")
    source = open_source(parts(tmp_path))
    assert capsys.readouterr().err == ""
    assert [photo.image_id for photo in source.photos()] == ["2", "a", "b"]
    assert classes_at(source.semantic("2"), (0, 0)) == ["dog"]
    assert classes_at(source.semantic("b"), (0, 0)) == ["sky"]
    assert source.truth("a").photo.image_id == "a"
    assert source.pixels("a").shape == source.pixels("2").shape == (HEIGHT, WIDTH, 3)
    assert source.fingerprint() != alone.fingerprint()
    with pytest.raises(KeyError):
        source.semantic("zebra")


def test_parts_with_one_photo_id_and_no_part(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no part is there; looked for coco"):
        open_source(parts(tmp_path))
    panoptic_root(tmp_path, segment_map(), SEGMENTS)
    root = ade_folder(tmp_path / "ade20k")
    for kind, suffix in (("images", "jpg"), ("annotations", "png")):
        (root / kind / f"a.{suffix}").rename(root / kind / f"2.{suffix}")
    with pytest.raises(UserError, match=r"data=coco and data=ade20k both have a photo '2'"):
        open_source(parts(tmp_path))


def test_the_real_panoptic_files(shared_data: Path) -> None:
    source = opened(shared_data / "coco")
    told = [source.semantic(photo.image_id) for photo in source.photos()]
    assert sum(found is not None for found in told) == 20
    assert all((found.ids != 0).mean() > 0.5 for found in told if found)
    assert [one for one in source.problems() if "label_map" in one.kind] == []
