"""What is written to stdout and stderr: whatever they are, results are made and nothing is lost."""

import io
import os
import sys
from pathlib import Path


class Output:
    """stdout as a program leaves it: open, and able to take any character.

    `fault` is the first error that writing a line met. What comes after it is dropped, so that work
    goes on where only the reader (head, a full disk) has gone.
    """

    def __init__(self) -> None:
        self.fault: OSError | None = None
        if sys.stdout is None or sys.stderr is None:
            _open_standard_descriptors()
        sys.stdout = sys.stdout or _nowhere()
        sys.stderr = sys.stderr or _nowhere()
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")

    def line(self, text: str) -> None:
        """Print `text`, if there is any, at once."""
        if not text:
            return
        try:
            print(text, flush=True)
        except OSError as error:
            self.broke(error)

    def flush(self) -> None:
        """Write what is still to be written."""
        try:
            sys.stdout.flush()
        except OSError as error:
            self.broke(error)

    def broke(self, error: OSError) -> None:
        """Note that stdout cannot be written, and let nothing try it again."""
        self.fault = self.fault or error
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _open_standard_descriptors() -> None:
    """Take the free ones of 0, 1 and 2, so that no file of a run gets the number of stdout."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _nowhere() -> io.TextIOWrapper:
    return Path(os.devnull).open("w", encoding="utf-8")
