"""The sweeper of `python -m gen -m ...`: only jobs that fit, and none hides another's failure."""

import itertools
import sys
import time
import traceback
from collections.abc import Iterable, Sequence
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
    """What became of one job: its overrides, a state, and the directory or the reason."""

    job: str
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
            UserError: no job is left to run.
            SystemExit: with status 1, at least one job failed.
        """
        from gen.cli.pairs import fitting

        jobs, groups = self._jobs(arguments)
        jobs, dropped = fitting(jobs, groups, self._config.hydra.runtime.choices)
        for line in dropped:
            print(line, file=sys.stderr)
        if not jobs:
            raise UserError("no job is left to run")
        good, reports = self._composed(jobs)
        if not good:
            raise UserError("; ".join(dict.fromkeys(report.detail for report in reports)))
        started = time.time()
        returns: list[Sequence[JobReturn]] = []
        done = 0
        for batch in self.split_overrides_to_chunks(good, self.max_batch_size):
            if self.launcher is None:
                raise RuntimeError("sweep() before setup()")
            returns.append(self.launcher.launch(batch, initial_job_idx=done))
            done += len(batch)
        results = itertools.chain.from_iterable(returns)
        for job, result in zip(good, results, strict=True):
            reports.append(_report(job, result, started))
        _show(reports)
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

    def _composed(self, jobs: Sequence[list[str]]) -> tuple[list[list[str]], list[Report]]:
        """The jobs whose settings are sound, and a report on each of the others."""
        from gen import schema

        if self.hydra_context is None:
            raise RuntimeError("sweep() before setup()")
        loader = self.hydra_context.config_loader
        good, reports = [], []
        for job in jobs:
            try:
                composed = loader.load_sweep_config(self._config, list(job))
                settings: Any = OmegaConf.masked_copy(
                    composed, [str(key) for key in composed if key != "hydra"]
                )
                schema.validate(OmegaConf.to_container(settings, resolve=True))  # type: ignore
                good.append(job)
            except UserError as error:
                reports.append(Report(" ".join(job), "failed", str(error)))
            except (HydraException, OmegaConfBaseException) as error:
                reports.append(Report(" ".join(job), "failed", str(explain(error))))
        return good, reports


def _enumerated(override: Override, groups: Groups) -> str:
    """`override` as text, with a glob written out: Hydra's own sees no option in a subfolder."""
    glob = override.value()
    if not isinstance(glob, Glob):
        return str(override.input_line)
    found = groups.matching(override.key_or_group, glob.include, glob.exclude)
    return f"{override.get_key_element()}={','.join(map(quote, found))}"


def _report(job: Sequence[str], result: JobReturn, started: float) -> Report:
    """What became of a job that was launched; a fault in gen itself shows its trace as well."""

    outcome = result._return_value
    if result.status == JobStatus.COMPLETED:
        manifest = Path(outcome, "manifest.json")
        there = manifest.exists() and manifest.stat().st_mtime < started
        return Report(" ".join(job), "already there" if there else "done", str(outcome))
    if isinstance(outcome, UserError):
        return Report(" ".join(job), "failed", str(outcome))
    traceback.print_exception(outcome)
    return Report(" ".join(job), "failed", f"{type(outcome).__name__}: {outcome}")


def _show(reports: Iterable[Report]) -> None:
    reports = list(reports)
    states = [report.state for report in reports]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    width = max(len(report.job) for report in reports)
    print(f"gen: {len(reports)} jobs: {counts}", file=sys.stderr)
    for report in reports:
        print(f"  {report.state:13}  {report.job:{width}}  {report.detail}", file=sys.stderr)
