"""The sweeper of `python -m gen -m ...`: only jobs that fit, and none hides another's failure."""

import itertools
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra._internal.core_plugins.basic_launcher import BasicLauncher
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper, BasicSweeperConf
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Glob, Override
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
        return self.split_arguments(overrides, None)[0], groups

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
    """
    if not override.is_sweep_override() or override.key_or_group not in groups.names():
        return str(override.input_line)
    value = override.value()
    if isinstance(value, Glob):
        found = groups.matching(override.key_or_group, value.include, value.exclude)
    else:
        found = [name.strip("'\"") for name in override.sweep_string_iterator()]
    return f"{override.get_key_element()}={','.join(map(quote, found))}"


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
