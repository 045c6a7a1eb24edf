"""The whole story of a run: name it, find it made, or make and seal it."""

from pathlib import Path

from gen import lock, manifest, rundir, storage
from gen.progress import say
from gen.rundir import RunDir
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
    place = rundir.place(settings, source.fingerprint())
    if settings.dry_run:
        from gen import estimate

        estimate.report(settings, source, place)
        return place.path
    with storage.explained(place.out_root):
        if _faults(place, settings) != []:
            # Only now what draws and packs is needed; a run that is there answers without it.
            from gen.produce import produce

            with lock.exclusive(place.out_root, place.id) as locked:
                # Another process may have made or mended the run while this one waited.
                faults = _faults(place, settings)
                if faults != []:
                    produce(settings, source, place, faults or (), locked)
    return place.path


def _faults(place: RunDir, settings: Settings) -> list[manifest.Fault] | None:
    found = manifest.faults(place.path, settings.verify == "full")
    if found == []:
        say(f"run {place.id} is complete: nothing to make")
    return found
