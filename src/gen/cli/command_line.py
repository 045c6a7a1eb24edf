"""The command line as far as gen reads it itself: flags, the verb, and overrides fit for Hydra."""

import re
import sys
import textwrap
from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from gen import __version__
from gen.cli import faults, overrides
from gen.cli.groups import PRIMARY, Groups, shipped
from gen.errors import UserError, unknown

VERBS = ("build", "catalog", "convert", "runs")
# Verbs that can tell their result to programs.
_JSON = ("catalog", "runs")

_WIDTH = 100
_MODES = ("help", "hydra_help", "run", "multirun", "cfg", "shell_completion", "info")
# Hydra would write there, or look for everything there, without gen's knowledge.
_KEPT = {"hydra.output_subdir": "null", "hydra.run.dir": ".", "hydra.job.chdir": "false"}
_COMPLETION = re.compile(r"(install|uninstall|query)=(bash|fish|zsh)")


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, parsed: what Hydra is to have, the verb (None makes a run), the groups."""

    args: Namespace
    parser: ArgumentParser
    verb: str | None
    groups: Groups


def parse(arguments: Sequence[str], parser: ArgumentParser) -> Command:
    """Read `arguments` with Hydra's own `parser` and make the overrides fit for Hydra.

    Raises:
        UserError: an unknown flag or verb, or an override that cannot mean anything.
        SystemExit: the version was asked for, and has been printed.
    """
    if "--version" in arguments:
        print(f"gen {__version__}")
        raise SystemExit(0)
    args = _flags(arguments, parser)
    try:
        Path.cwd()
    except FileNotFoundError:
        if not args.help:
            raise UserError("the folder that you are in is gone: cd to another one") from None
    if args.config_dir and not Path(args.config_dir).is_dir():
        raise UserError(f"--config-dir {args.config_dir}: there is no such folder")
    if args.config_path and "://" not in args.config_path:
        # Hydra would look for it beside __main__.py.
        args.config_path = str(Path(args.config_path).absolute())
    own = [Path(args.config_dir).absolute()] if args.config_dir else []
    own += _search_path(args.overrides)
    groups = Groups((shipped(), *own))
    for folder in own:
        groups.check_own(folder)
    verb = None
    if args.shell_completion:
        # Hydra names the command to complete after the file that runs, which here is __main__.py.
        sys.argv[0] = "gen"
    else:
        verb = _verb(args.overrides, groups)
        if verb and args.multirun:
            raise UserError(f"{verb} cannot be swept: leave out -m")
        if args.json and verb not in _JSON:
            raise UserError(f"--json belongs to a verb: {' or '.join(_JSON)}")
        given = args.overrides[1:] if verb else args.overrides
        _check(given, groups)
        if verb == "build":
            _check_build(given)
        args.overrides = overrides.rewrite(given, groups) + ["json=true"] * args.json
    return Command(args, parser, verb, groups)


def help_text(command: Command) -> str:
    """What `--help` says: the template in `hydra/help`, with all groups and their options.

    Hydra can fill it as well, but composes once for each group to do so: slower by a half.
    """
    page = command.groups.read("hydra/help", command.verb or "gen")["template"]
    groups = "\n".join(_laid_out(name, command.groups) for name in command.groups.names())
    return Template(page).substitute(APP_CONFIG_GROUPS=groups).rstrip()


def _flags(arguments: Sequence[str], parser: ArgumentParser) -> Namespace:
    parser.add_argument("--json", action="store_true", help="Of a verb: output for programs")
    parser.exit_on_error = False
    try:
        args, rest = parser.parse_known_intermixed_args(arguments)
    except ArgumentError as error:
        raise UserError(str(error)) from None
    if rest:
        flags = [flag for flag in parser.format_usage().split() if flag.startswith("[-")]
        raise unknown("flag", rest[0].partition("=")[0], [flag.strip("[]") for flag in flags])
    if args.experimental_rerun:
        raise UserError("--experimental-rerun would load a pickle: give the settings instead")
    if args.resolve and not (args.cfg or args.help):
        raise UserError("--resolve belongs to --cfg")
    if args.package and not args.cfg:
        raise UserError("--package belongs to --cfg")
    if args.shell_completion and not any(map(_COMPLETION.fullmatch, args.overrides)):
        raise UserError("--shell-completion needs install=, uninstall= or query= bash, fish or zsh")
    modes = [f"--{mode.replace('_', '-')}" for mode in _MODES if getattr(args, mode)]
    if len(modes) > 1:
        raise UserError(f"{' and '.join(modes)} do not go together")
    return args


def _search_path(given: Sequence[str]) -> list[Path]:
    """The folders that `hydra.searchpath` adds.

    Raises:
        UserError: one is not there.
    """
    found = []
    for override in given:
        key, value = overrides.split(override)
        if key != "hydra.searchpath":
            continue
        for place in (value or "").strip("[]").split(","):
            path = place.strip(" '\"").removeprefix("file://")
            if path and "://" not in path and "${" not in path:
                found.append(Path(path).absolute())
                if not found[-1].is_dir():
                    raise UserError(f"hydra.searchpath: there is no folder {path}")
    return found


def _verb(given: Sequence[str], groups: Groups) -> str | None:
    """The verb that the overrides begin with, if they do."""
    first = given[0] if given else "="
    if "=" in first or not first.isidentifier():
        return None
    if first in VERBS:
        return first
    if first in (*groups.names(), *groups.read("", PRIMARY)):
        raise faults.unreadable(first)
    raise UserError(f"{unknown('verb', first, VERBS)} (a setting is key=value)")


def _check(given: Sequence[str], groups: Groups) -> None:
    names = groups.names()
    seen: dict[str, str] = {}
    for override in given:
        key, value = overrides.split(override)
        if override.startswith("~") and not key.startswith("hydra"):
            raise UserError(f"{override}: a setting cannot be taken away, only changed: {key}=...")
        if override in VERBS:
            raise UserError(f"{override} is a verb and goes first: python -m gen {override} ...")
        if not key or value is None:
            raise faults.unreadable(override)
        if value != _KEPT.get(key, value):
            raise UserError(f"{override}: where a run is written is set with out_root=...")
        if key in names and value.startswith("[") and value.endswith("]"):
            raise UserError(
                f"{override}: a run has one {key}; to run several: -m {key}={value.strip('[]')}"
            )
        if key in seen:
            raise UserError(f"{key} is set twice: {seen[key]} and {override}")
        seen[key] = override


def _check_build(given: Sequence[str]) -> None:
    """See that `given` chooses among the parts of a build only as a build can.

    Raises:
        UserError: one task, encoding or other option is chosen; says how it is done.
    """
    for override in given:
        key, value = overrides.split(override)
        group = key.partition(".")[0]
        if key in overrides.LISTS.values():
            many = next(name for name, one in overrides.LISTS.items() if one == key)
            raise UserError(f"{override}: a build chooses with a list: '{many}=[{value}]'")
        if key == "subset":
            raise UserError(f"{override}: the collection says which subsets: collection=...")
        if group in ("encoding", "task", "subset", "collection") and key != group:
            raise UserError(f"{override}: a build is made as published: {group} cannot be changed")


def _laid_out(group: str, groups: Groups) -> str:
    return textwrap.fill(
        ", ".join(groups.options(group)),
        _WIDTH,
        initial_indent=f"  {group:13}",
        subsequent_indent=" " * 15,
        break_long_words=False,
    )
