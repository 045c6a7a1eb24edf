"""The whole story of a build: name it, find it made, or make its parts, gather and seal them."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from gen import app, atomic, progress
from gen.collection import counts, gather, place, plans, seal, verify
from gen.collection.parts import Part, PlanKey, by_plan
from gen.collection.place import BuildDir
from gen.errors import UserError
from gen.executors import local
from gen.progress import say
from gen.rundir import lock, manifest, run_log, storage
from gen.rundir.place import MANIFEST, MEDIA
from gen.rundir.verify import Fault
from gen.schema import BuildSettings, LocalExecutor, Settings

Told = Callable[[counts.Counts], None]


def build(settings: BuildSettings, parts: Sequence[Part], tell: Told) -> Path:
    """Make the data set of a collection, or find it made; the folder that holds it.

    `tell` is called with the counts of what was made. Parts are ordinary runs under the same
    `out_root`, found again if they are there. A build that is complete is returned at once; one
    that was interrupted goes on where it was.

    Raises:
        UserError: the data gives no item to any part, or the folder cannot be written.
    """
    found = place.locate(settings, parts)
    full = settings.verify == "full"
    with storage.explained(found.out_root):
        if _faults(found, full) != []:
            with lock.exclusive(found.out_root, found.id):
                faults = _faults(found, full)
                if faults != []:
                    for fault in faults or ():
                        (found.path / fault.owner).unlink(missing_ok=True)
                    tell(_make(found, parts))
    return found.path


def _faults(found: BuildDir, full: bool) -> list[Fault] | None:
    faults = verify.faults(found, full)
    if faults == []:
        say(f"build {found.id} is complete: nothing to make")
    for fault in (faults or ())[:10]:
        say(f"{found.path / fault.path} is damaged ({fault.reason}): making it again")
    return faults


def _make(found: BuildDir, parts: Sequence[Part]) -> counts.Counts:
    executor = parts[0].settings.executor
    _begin(found, parts)
    shared = by_plan(parts)
    nothing = _plan(found, shared, executor)
    headers = plans.headers(found, list(shared))
    lacking = counts.shortfalls(headers, nothing, shared)
    for one in lacking:
        say(f"shortfall: {one}")
    if not headers:
        reasons = "; ".join(dict.fromkeys(nothing.values()))
        raise UserError(f"no part of the collection has an item: {reasons}")
    made = [part for part in parts if part.plan_key in headers]
    _run(found, made, executor)
    work = gather.arrange(made)
    hashes = _gather(found, work, executor)
    told = counts.total(work, parts, headers, lacking)
    seal.seal(found, made, work, told, hashes)
    plans.drop_pictures(found)
    return told


def _begin(found: BuildDir, parts: Sequence[Part]) -> None:
    now = manifest.versions()
    (found.path / MANIFEST).unlink(missing_ok=True)
    if run_log.read(found.path).get("versions") != now:
        # What other versions began is not gone on with, as in runs.
        for path in list(found.own_files()):
            path.unlink(missing_ok=True)
    (found.path / place.PLANS).mkdir(parents=True, exist_ok=True)
    if parts[0].settings.media == "files":
        (found.path / MEDIA).mkdir(exist_ok=True)
    for folder in found.path.iterdir():
        if folder.is_dir():
            atomic.remove_temporaries(folder)
    run_log.write(found.path, {"versions": now})
    seal.write_config(found)


def _plan(
    found: BuildDir, shared: dict[PlanKey, list[Part]], executor: LocalExecutor
) -> dict[PlanKey, str]:
    """Make the plans that are missing; why those have no item that the data gives none for."""
    todo = plans.todo(found, shared)
    nothing: dict[PlanKey, str] = {}
    with progress.items(
        f"build {found.id}: plans", len(shared), len(shared) - len(todo)
    ) as advance:

        def on_done(work: plans.PlanWork, reason: str | None) -> None:
            advance(1)
            if reason is not None:
                nothing[work.key] = reason

        if todo:
            local.run(partial(plans.maker, found), todo, executor, on_done)
    return nothing


def _run(found: BuildDir, parts: Sequence[Part], executor: LocalExecutor) -> None:
    """Make the parts; one that is complete is looked over and left as it is."""
    with progress.items(f"build {found.id}", len(parts), 0, "parts") as advance:
        local.run(partial(part_maker, found), parts, executor, lambda *_: advance(1))


def part_maker(found: BuildDir) -> Callable[[Part], None]:
    """The function that makes a part, in one process, and says nothing of it."""

    def make(part: Part) -> None:
        plans.adopt(found, part)
        with progress.muted():
            app.run(_alone(part.settings))

    return make


def _alone(settings: Settings) -> Settings:
    one = settings.executor.model_copy(update={"workers": 1})
    return settings.model_copy(update={"executor": one})


def _gather(
    found: BuildDir, work: Sequence[gather.Gathering], executor: LocalExecutor
) -> dict[str, str]:
    """Bring all shards into the build's folder; the hashes of those written anew, by name."""
    for task in dict.fromkeys(one.piece.task for one in work):
        (found.path / task).mkdir(exist_ok=True)
    expected = {one.target for one in work}
    for name in found.shard_names():
        if name not in expected:
            (found.path / name).unlink()
    todo = [one for one in work if not gather.is_there(found, one)]
    hashes: dict[str, str] = {}
    ready = len(work) - len(todo)
    with progress.items(f"build {found.id}", len(work), ready, "shards") as advance:

        def on_done(one: gather.Gathering, digest: str | None) -> None:
            advance(1)
            if digest is not None:
                hashes[one.target] = digest

        if todo:
            local.run(partial(gather.maker, found), todo, executor, on_done)
    return hashes
