"""Plans of a collection: made once for each subset, task and question type, shared by encodings."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gen.collection import links
from gen.collection.parts import Part, PlanKey
from gen.collection.place import PLANS, BuildDir
from gen.errors import UserError
from gen.judge import plan, plan_file
from gen.rundir import ledger, lock, manifest, run_log
from gen.rundir.place import PLAN
from gen.schema import Settings
from gen.sources.open import open_source


@dataclass(frozen=True, slots=True)
class PlanWork:
    """A plan that is to be made; the settings are those of any part that shares it."""

    key: PlanKey
    settings: Settings

    def __str__(self) -> str:
        return f"the plan of {self.key}"


def maker(place: BuildDir) -> Callable[[PlanWork], str | None]:
    """The function that writes a plan into the build's folder.

    It gives None, or the reason why the data has not a single item, on one line.
    """

    def make(work: PlanWork) -> str | None:
        source = open_source(work.settings.data)
        try:
            plan.write(work.settings, source, place.plan(work.key))
        except UserError as error:
            return str(error)
        return None

    return make


def todo(place: BuildDir, shared: dict[PlanKey, list[Part]]) -> list[PlanWork]:
    """The plans that are not in the build's folder yet.

    One that a part has from a run of its own is taken from there, if nothing has changed since.
    """
    found = []
    for key, parts in shared.items():
        path = place.plan(key)
        if path.is_file():
            with suppress(ValueError):
                plan_file.header(path)
                continue
        ready = next((part for part in parts if _has_plan(part)), None)
        if ready is None:
            found.append(PlanWork(key, parts[0].settings))
        else:
            _link(ready.run.path / PLAN, path)
    return found


def adopt(place: BuildDir, part: Part) -> None:
    """Give a part that is not begun the plan that its siblings share.

    Raises:
        UserError: something that no run writes is in the part's folder.
        OSError: the folder cannot be written.
    """
    with lock.exclusive(part.run.out_root, part.run.id) as locked:
        shared = place.plan(part.plan_key)
        if (part.run.path / PLAN).is_file() or not plan_file.has_its_pictures(shared):
            return
        ledger.begin(part.run, part.settings, locked)
        _link(shared, part.run.path / PLAN)
        ledger.note_plan(part.run, manifest.file_hash(part.run.path / PLAN))


def drop_pictures(place: BuildDir) -> None:
    """Remove the pictures of all plans: every part has them in its shards."""
    for archive in (place.path / PLANS).glob("*_pictures.zip"):
        archive.unlink()


def headers(place: BuildDir, keys: Sequence[PlanKey]) -> dict[PlanKey, plan_file.Header]:
    """The header of each plan that is there."""
    return {key: plan_file.header(place.plan(key)) for key in keys if place.plan(key).is_file()}


def _link(plan: Path, target: Path) -> None:
    """Give a plan and its pictures a second name."""
    pictures = plan_file.pictures_beside(plan)
    if pictures.is_file():
        links.place(pictures, plan_file.pictures_beside(target))
    links.place(plan, target)


def _has_plan(part: Part) -> bool:
    path = part.run.path / PLAN
    log = run_log.read(part.run.path)
    return (
        log.get("versions") == manifest.versions()
        and path.is_file()
        and plan_file.has_its_pictures(path)
        and manifest.file_hash(path) == log.get("plan")
    )
