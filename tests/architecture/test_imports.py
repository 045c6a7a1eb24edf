"""The rooms of the package and the one direction of imports between them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import gen

PACKAGE = Path(gen.__file__).parent

# A room may import rooms of lower floors and of its own; `judge` never looks at `cwi` or back.
FLOORS: list[set[str]] = [
    {"errors", "fields", "invalid", "masks", "rng", "item", "answers", "schema", "wording"}
    | {"atomic", "progress"},
    {"render", "scoring", "sources", "cli"},
    {"predictions", "solvers"},
    {"judge", "cwi"},
    {"export", "report", "gallery", "release"},
    {"executors"},
    {"rundir"},
    {"app"},
    {"collection"},
    {"verbs"},
    {"__main__"},
]
MAY_IMPORT_HYDRA = {"__main__", "app", "schema", "rundir", "verbs"}
FORBIDDEN_NAMES = {"utils", "util", "helpers", "common", "misc", "manager"}
LATE = {"datasets", "skimage", "scipy", "matplotlib", "httpx", "rich"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(node: ast.AST, path: Path) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        if node.level:
            raise SyntaxError(f"{path}:{node.lineno}: relative import")
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def floor(name: str) -> int | None:
    return next((level for level, rooms in enumerate(FLOORS) if name in rooms), None)


def test_every_room_has_a_floor() -> None:
    rooms = {room(path) for path in modules()} - {"__init__"}
    assert {name for name in rooms if floor(name) is None} == set()


def test_imports_go_down() -> None:
    wrong = []
    for path in modules():
        here = room(path)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for name in imported(node, path):
                parts = name.split(".")
                if parts[0] != "gen" or len(parts) < 2 or parts[1].startswith("__version"):
                    continue
                there = floor(parts[1])
                own = floor(here)
                if there is None or own is None:
                    continue
                up = there > own or (there == own and own >= 1 and parts[1] != here)
                if up:
                    wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert wrong == []


def test_what_reads_pictures_knows_nothing_of_how_they_are_drawn() -> None:
    scenes = PACKAGE / "predictions" / "scenes"
    drawing = {
        f"gen.predictions.scenes.{name}"
        for name in ("layout", "shapes", "textures", "shadows", "lighting", "rendering", "drawing")
    } | {"gen.predictions.scenes.backdrops", "gen.predictions.scenes.breaking"}
    wrong = [
        f"{name}.py imports {seen}"
        for name in ("reading", "outlines", "patterns", "damage", "checks")
        for node in ast.walk(ast.parse((scenes / f"{name}.py").read_text(encoding="utf-8")))
        for seen in imported(node, scenes / f"{name}.py")
        if any(seen == one or seen.startswith(f"{one}.") for one in drawing)
    ]
    assert wrong == []


def test_only_the_entry_knows_hydra() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in modules()
        if room(path) not in MAY_IMPORT_HYDRA
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in imported(node, path)
        if name.split(".")[0] in {"hydra", "omegaconf"}
    ]
    assert wrong == []


def test_heavy_packages_are_imported_late() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in modules()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for name in imported(node, path)
        if name.split(".")[0] in LATE
    ]
    assert wrong == []


def test_no_drawers() -> None:
    names = {part for path in modules() for part in path.relative_to(PACKAGE).with_suffix("").parts}
    assert names & FORBIDDEN_NAMES == set()


def test_modules_are_small() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for path in modules()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}


def test_no_evaluation_or_unpickling() -> None:
    names = {"eval", "exec", "compile"}
    wrong = []
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in names
            ):
                wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno} calls {node.func.id}")
            if any(
                name.split(".")[0] in {"pickle", "dill", "marshal"} for name in imported(node, path)
            ):
                wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno} imports a pickler")
    assert wrong == []
