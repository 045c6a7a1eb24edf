"""The one entry: `python -m gen key=value ...` makes a run, `python -m gen VERB ...` does the rest.

Hydra reads the command line. What it cannot know is done around it: aliases of tasks, names that
are all digits, verbs, and errors of the user on one line with exit status 2.
"""

import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from hydra._internal.utils import _run_hydra, get_args_parser
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError

from gen.cli import command_line, faults
from gen.errors import UserError

FAULT, STOPPED, PIPE_CLOSED = 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit status.

    0: done; 1: a job of a sweep failed; 2: a fault of the user's; 130: stopped by Ctrl-C. A fault
    in gen itself is raised, with its trace.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except UserError as error:
        if _wants_trace(arguments):
            traceback.print_exc()
        print(f"gen: {error}", file=sys.stderr)
        return FAULT
    except KeyboardInterrupt:
        print("gen: stopped; the same command goes on from what is whole", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        # The reader (head, less) has gone; Python would complain once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return status


def _run(arguments: Sequence[str]) -> int:
    try:
        command = command_line.parse(arguments, get_args_parser())
        if command.args.help:
            print(command_line.help_text(command))
            return 0
        with _errors_come_through():
            _run_hydra(
                args=command.args,
                args_parser=command.parser,
                task_function=_verb if command.verb else _job,
                config_path=str(command.groups.folders[0]),
                config_name=command.verb or "config",
            )
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except _Refused as refusal:
        raise refusal.reason from refusal.reason.__cause__
    except YAMLError as error:
        raise faults.bad_yaml(error) from error
    except (HydraException, OmegaConfBaseException) as error:
        raise faults.explain(error) from error
    return 0


def _job(cfg: DictConfig) -> str:
    """Make one run; its directory, which is also the last line on stdout."""
    with _refusals():
        from gen import schema
        from gen.cli import subsets

        settings = schema.validate(_plain(cfg))
        subsets.check(settings)
        # Only settings that are sound are worth the import of numpy and what else makes a run.
        from gen import app

        directory = str(app.run(settings))
        print(directory, flush=True)
    return directory


def _verb(cfg: DictConfig) -> None:
    with _refusals():
        module = import_module(f"gen.verbs.{HydraConfig.get().job.config_name}")
        status = module.main(_plain(cfg))
    if status:
        sys.exit(status)


def _plain(cfg: DictConfig) -> dict[str, Any]:
    try:
        content: Any = OmegaConf.to_container(cfg, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        raise faults.explain(error) from error
    return {str(key): value for key, value in content.items()}


class _Refused(BaseException):
    """Carries what is no fault of ours past Hydra, which adds a line to every Exception."""

    def __init__(self, reason: UserError | BrokenPipeError) -> None:
        super().__init__(str(reason))
        self.reason = reason


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except (UserError, BrokenPipeError) as reason:
        if HydraConfig.get().mode == RunMode.MULTIRUN:
            raise
        raise _Refused(reason) from reason


@contextmanager
def _errors_come_through() -> Iterator[None]:
    """Keep Hydra from printing an error and leaving: it is to be put into words here."""
    before = os.environ.get("HYDRA_FULL_ERROR")
    os.environ["HYDRA_FULL_ERROR"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["HYDRA_FULL_ERROR"]
        else:
            os.environ["HYDRA_FULL_ERROR"] = before


def _wants_trace(arguments: Sequence[str]) -> bool:
    if os.environ.get("HYDRA_FULL_ERROR") == "1":
        return True
    verbose = [a.partition("=")[2].lower() for a in arguments if a.startswith("hydra.verbose=")]
    return bool(verbose) and verbose[-1] not in ("false", "null")


if __name__ == "__main__":
    sys.exit(main())
