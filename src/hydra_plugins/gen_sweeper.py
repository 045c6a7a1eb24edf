"""The sweeper of `python -m gen -m ...`: only jobs that fit, and none hides another's failure."""

import itertools
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hydra._internal.core_plugins.basic_launcher import BasicLauncher
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper, BasicSweeperConf
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import (
    ChoiceSweep,
    Glob,
    IntervalSweep,
    Override,
    QuotedString,
    Sweep,
)
from hydra.core.utils import JobReturn, JobStatus
from hydra.errors import HydraException
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from gen.cli.faults import explain
from gen.cli.groups import Groups
from gen.cli.overrides import quote, rewrite
from gen.errors import UserError


@dataclass
class GenSweeperConf(BasicSweeperConf):
    _target_: str = "hydra_plugins.gen_sweeper.GenSweeper"
    # With Hydra's null, no mapping could be given on the command line.
    params: dict[str, str] | None = field(default_factory=dict)


ConfigStore.instance().store(group="hydra/sweeper", name="gen", node=GenSweeperConf, provider="gen")


@dataclass(frozen=True)
class Report:
    """What became of one job: a state, and its directory or the reason why it has none."""

    state: str
    detail: str


class GenSweeper(BasicSweeper):
    """The Cartesian product of the swept values, less what does not go together."""

    def setup(
        self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig
    ) -> None:
        """Prepare the launcher. Jobs of this process need no directory for the launcher's files."""
        super().setup(hydra_context=hydra_context, task_function=task_function, config=config)
        if isinstance(self.launcher, BasicLauncher):
            config.hydra.sweep.dir = "."
            config.hydra.overrides.hydra.append("hydra.sweep.dir=.")

    def sweep(self, arguments: list[str]) -> list[Sequence[JobReturn]]:
        """Run all jobs that fit and say what became of each.

        Raises:
            UserError: no job is left to run; says why.
            SystemExit: with status 1, at least one job failed.
        """
        from gen.cli.pairs import fitting

        jobs, groups = self._jobs(arguments)
        # Hydra takes 0 for no limit at all and then stumbles over it.
        if self.max_batch_size is not None and self.max_batch_size < 1:
            raise UserError(
                f"hydra.sweeper.max_batch_size: a number of jobs from 1 on, or null for no limit "
                f"(got {self.max_batch_size})"
            )
        jobs = fitting(jobs, groups, self._config.hydra.runtime.choices)
        faults = [self._fault(job) for job in jobs]
        good = [job for job, fault in zip(jobs, faults, strict=True) if fault is None]
        if not good:
            raise UserError("; ".join(dict.fromkeys(fault for fault in faults if fault)))
        if self.launcher is None:
            raise RuntimeError("sweep() before setup()")
        started = time.time()
        returns: list[Sequence[JobReturn]] = []
        for batch in self.split_overrides_to_chunks(good, self.max_batch_size):
            done = sum(map(len, returns))
            returns.append(self.launcher.launch(batch, initial_job_idx=done))
        results = itertools.chain.from_iterable(returns)
        reports = [
            _report(next(results), started) if fault is None else Report("failed", fault)
            for fault in faults
        ]
        _show(jobs, reports)
        if any(report.state == "failed" for report in reports):
            sys.exit(1)
        return returns

    @property
    def _config(self) -> DictConfig:
        if self.config is None:
            raise RuntimeError("sweep() before setup()")
        return self.config

    def _jobs(self, arguments: Sequence[str]) -> tuple[list[list[str]], Groups]:
        """The overrides of every job, and the config groups on Hydra's search path."""
        groups = Groups.on_search_path(self._config.hydra.runtime.config_sources)
        lines = rewrite([*self._parse_config(), *arguments], groups)
        parser = OverridesParser.create()
        overrides = parser.parse_overrides(
            [_enumerated(override, groups) for override in parser.parse_overrides(lines)]
        )
        jobs = self.split_arguments(overrides, None)[0]
        # Equal jobs are one: the second would only find what the first has made.
        return [list(job) for job in dict.fromkeys(map(tuple, jobs))], groups

    def _fault(self, job: Sequence[str]) -> str | None:
        """What is wrong with the settings of a job, or None where they are sound."""
        from gen import schema
        from gen.cli import subsets

        if self.hydra_context is None:
            raise RuntimeError("sweep() before setup()")
        try:
            cfg = self.hydra_context.config_loader.load_sweep_config(self._config, list(job))
            own = OmegaConf.masked_copy(cfg, [str(key) for key in cfg if key != "hydra"])
            content: Any = OmegaConf.to_container(own, resolve=True, throw_on_missing=True)
            subsets.check(schema.validate(content))
        except UserError as error:
            return str(error)
        except (HydraException, OmegaConfBaseException) as error:
            return str(explain(error))
        return None


def _enumerated(override: Override, groups: Groups) -> str:
    """`override` as text, with what is swept over in a config group written out as names.

    Hydra's own glob sees no option in a subfolder, and its `choice` drops the quotes of digits.

    Raises:
        UserError: a sweep that has no values, or values that are no names.
    """
    if not override.is_sweep_override():
        return str(override.input_line)
    key, value = override.key_or_group, override.value()
    of_group = key in groups.names()
    if isinstance(value, Glob):
        if not of_group:
            raise UserError(f"{override.input_line}: {key} is no group, so a glob has no options")
        found = groups.matching(key, _texts(value.include), _texts(value.exclude))
    elif isinstance(value, IntervalSweep):
        raise UserError(f"{override.input_line}: an interval has no end of values: give a range")
    elif isinstance(value, ChoiceSweep) and any(isinstance(v, Sweep) for v in value.list):
        raise UserError(f"{override.input_line}: a choice cannot hold another sweep")
    else:
        found = [text.strip("'\"") if of_group else text for text in _values(override)]
        if not found:
            raise UserError(f"{override.input_line}: there is no value to sweep over")
        if not of_group:
            return str(override.input_line)
    return f"{override.get_key_element()}={','.join(map(quote, found))}"


def _texts(patterns: Sequence[object]) -> list[str]:
    return [p.text if isinstance(p, QuotedString) else str(p) for p in patterns]


def _values(override: Override) -> list[str]:
    try:
        return list(override.sweep_string_iterator())
    except (TypeError, ValueError) as error:
        raise UserError(f"{override.input_line}: {error}") from error


def _report(result: JobReturn, started: float) -> Report:
    """What became of a job that was launched; a fault in gen itself shows its trace as well."""
    outcome = result._return_value
    if result.status == JobStatus.COMPLETED:
        manifest = Path(outcome, "manifest.json")
        if not manifest.exists():
            return Report("planned", outcome)
        return Report("already there" if manifest.stat().st_mtime < started else "done", outcome)
    if isinstance(outcome, UserError):
        return Report("failed", str(outcome))
    traceback.print_exception(outcome)
    return Report("failed", f"{type(outcome).__name__}: {outcome}")


def _show(jobs: Sequence[Sequence[str]], reports: Sequence[Report]) -> None:
    """Say what became of each job, by those of its overrides in which the jobs differ."""
    names = [
        " ".join(word for word in job if len(jobs) == 1 or not all(word in j for j in jobs))
        for job in jobs
    ]
    width = max(map(len, names))
    states = [report.state for report in reports]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    print(f"gen: {len(jobs)} jobs: {counts}", file=sys.stderr)
    for name, report in zip(names, reports, strict=True):
        print(f"  {report.state:13}  {name:{width}}  {report.detail}", file=sys.stderr)
