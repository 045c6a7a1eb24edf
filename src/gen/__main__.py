"""The one entry: `python -m gen key=value ...` makes a run, `python -m gen VERB ...` does the rest.

Hydra reads the command line. What it cannot know is done around it: aliases of tasks, names that
are all digits, verbs, and errors of the user on one line with exit status 2.
"""

import io
import os
import sys
import traceback
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
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
from gen.cli.groups import bad_yaml
from gen.cli.output import Output
from gen.errors import UserError

FAULT, STOPPED, PIPE_CLOSED = 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit status.

    0: done; 1: a job of a sweep failed; 2: a fault of the user's; 130: stopped by Ctrl-C; 141: the
    reader of stdout has gone. A fault in gen itself is raised, with its trace.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    output = Output()
    try:
        status = _run(arguments, output)
        output.flush()
    except UserError as error:
        if _wants_trace(arguments):
            traceback.print_exc()
        print(f"gen: {error}", file=sys.stderr)
        return FAULT
    except KeyboardInterrupt:
        print("gen: stopped; the same command goes on from what is whole", file=sys.stderr)
        return STOPPED
    except BrokenPipeError as error:
        output.broke(error)
    if isinstance(output.fault, BrokenPipeError):
        return PIPE_CLOSED
    if output.fault:
        print(f"gen: stdout: {output.fault.strerror}", file=sys.stderr)
        return FAULT
    return status


def _run(arguments: Sequence[str], output: Output) -> int:
    def job(cfg: DictConfig) -> str:
        return _job(cfg, output)

    def verb(cfg: DictConfig) -> None:
        _verb(cfg, output)

    try:
        command = command_line.parse(arguments, get_args_parser())
        if command.args.help:
            output.line(command_line.help_text(command))
            return 0
        with _errors_come_through(), _said_at_once(command.args, output):
            _run_hydra(
                args=command.args,
                args_parser=command.parser,
                task_function=verb if command.verb else job,
                config_path=str(command.groups.folders[0]),
                config_name=command.verb or "config",
            )
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except _Refused as refusal:
        raise refusal.reason from refusal.reason.__cause__
    except YAMLError as error:
        raise bad_yaml(error) from error
    except (HydraException, OmegaConfBaseException) as error:
        raise faults.explain(error) from error
    return 0


def _job(cfg: DictConfig, output: Output) -> str:
    """Make one run; its directory, which is also the last line on stdout."""
    with _refusals():
        from gen.verbs import checked

        settings = checked.settings(_plain(cfg))
        # Only settings that are sound are worth the import of numpy and what else makes a run.
        from gen import app

        directory = str(app.run(settings))
    output.line(directory)
    return directory


def _verb(cfg: DictConfig, output: Output) -> None:
    with _refusals():
        module = import_module(f"gen.verbs.{HydraConfig.get().job.config_name}")
        try:
            module.main(_plain(cfg))
        except OSError as error:
            # One of a file names the file; what is left is stdout's.
            if error.filename is not None:
                raise
            output.broke(error)


def _plain(cfg: DictConfig) -> dict[str, Any]:
    try:
        content: Any = OmegaConf.to_container(cfg, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        raise faults.explain(error) from error
    return {str(key): value for key, value in content.items()}


@contextmanager
def _said_at_once(args: Namespace, output: Output) -> Iterator[None]:
    """Have what Hydra shows come out by `output`, and its complaint of a package as gen's own."""
    if not (args.cfg or args.info or args.hydra_help or args.shell_completion):
        yield
        return
    shown, said = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(shown), redirect_stderr(said):
            yield
    except SystemExit as end:
        if end.code and args.package:
            said.truncate(0)
            raise UserError(f"--package {args.package}: no such part of the settings") from None
        raise
    finally:
        sys.stderr.write(said.getvalue())
        output.line(shown.getvalue().removesuffix("\n"))


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
