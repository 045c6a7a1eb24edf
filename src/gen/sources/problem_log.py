"""The record of what was found broken in the data."""

from gen.sources.records import Problem


class ProblemLog:
    """Problems as they are found; told in a fixed order and once each."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str, str], Problem] = {}

    def add(self, kind: str, file: str, record: str, reason: str) -> None:
        """Note a record that was skipped or mended; the fields are those of `Problem`."""
        self._found[file, record, kind, reason] = Problem(kind, file, record, reason)

    def told(self) -> tuple[Problem, ...]:
        """All problems so far, sorted by file, record, kind and reason."""
        return tuple(self._found[key] for key in sorted(self._found))
