"""The whole story of a run: name it, find it made, or make and seal it."""

from pathlib import Path

from gen.progress import say
from gen.rundir import lock, place, storage, verify
from gen.rundir.place import RunDir
from gen.schema import Settings
from gen.sources.open import open_source


def run(settings: Settings) -> Path:
    """Make the data set that `settings` describe, or find it made; the folder that holds it.

    A run that is complete is returned at once; one that was interrupted goes on where it was; one
    with damaged files has those made again. With `dry_run`, says what would be made and writes
    nothing.

    Raises:
        UserError: the settings do not go with the data, or the folder cannot be written.
    """
    source = open_source(settings.data)
    found = place.locate(settings, source.fingerprint())
    if settings.dry_run:
        from gen.rundir import estimate

        estimate.report(settings, source, found)
        return found.path
    with storage.explained(found.out_root):
        if _faults(found, settings) != []:
            # Only now what draws and packs is needed; a run that is there answers without it.
            from gen.rundir.produce import produce

            with lock.exclusive(found.out_root, found.id) as locked:
                # Another process may have made or mended the run while this one waited.
                faults = _faults(found, settings)
                if faults != []:
                    produce(settings, source, found, faults or (), locked)
    return found.path


def _faults(found: RunDir, settings: Settings) -> list[verify.Fault] | None:
    faults = verify.faults(found, settings.verify == "full")
    if faults == []:
        say(f"run {found.id} is complete: nothing to make")
    return faults
