"""Limits applied to a whole run, gates between it and an older one; bad settings refused at its start."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_design2a11y.comparing import Comparison, selection
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.gates import GateOutcome, Inconclusive, exit_code, parse_gates
from pytest_design2a11y.comparing.judgement import judge_groups
from pytest_design2a11y.comparing.pairing import AxisValues, axes_text
from pytest_design2a11y.comparing.ranking import Ranking, rank_parts
from pytest_design2a11y.exceptions import ConfigurationError, NotComparable, RunNotFound
from pytest_design2a11y.files import STANDARD_OUTPUT, is_special
from pytest_design2a11y.limits import Limit, judge
from pytest_design2a11y.limits.cases import Policy, judge_case, parse_policy, sampled_cases
from pytest_design2a11y.limits.known_file import load_known
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import CaseJudgement, case_name, limit_text, sentence
from pytest_design2a11y.report.failure_text import explain_unmeasured
from pytest_design2a11y.runs import DEFAULT_FOLDER, check_name, find_run, load_run, parse_only, select
from pytest_design2a11y.runs.encoding import without_collecting
from pytest_design2a11y.runs.run_file import SUFFIX
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.settings.variants import require_devices
from pytest_design2a11y.wording import counted, flag, setting


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """The result of applying limits to a run."""

    cases: Sequence[CaseJudgement]  # One verdict per limit for every case with several samples
    alone: Sequence[Evaluation]  # Pages that are the only sample of their case
    unmeasured: Sequence[str]  # Messages on limits of these pages that could not be judged

    @property
    def broken(self) -> list[str]:
        """Messages on limits broken by pages that are their case's only sample."""
        judged = ((page.id, verdict) for page in self.alone for verdict in page.verdicts)
        return [f"{name}: {sentence(verdict)}" for name, verdict in judged if not verdict.is_passed]

    def case_lines(self, *, only_broken: bool = False) -> list[str]:
        """Return the joint verdict on each case with several samples, one per line."""
        words = {(True, True): "keeps", (True, False): "BREAKS", (False, False): "was not judged by"}
        return [
            f"{case_name(case.case_key)} {words[case.is_judged, case.is_passed]} {limit_text(case)}; "
            f"{case.sentence}"
            for case in self.cases
            if not (only_broken and case.is_passed)
        ]

    def page_lines(self, name: str) -> list[str]:
        """Return what single pages break, what could not be judged, and how many pages break a limit."""
        cases = {case.case_key for case in self.cases}
        broken = {case.case_key for case in self.cases if case.is_judged and not case.is_passed}
        pages = sum(any(not verdict.is_passed for verdict in page.verdicts) for page in self.alone)
        judged = [counted(len(self.alone), "evaluation")] if self.alone or not cases else []
        judged += [f"{counted(len(cases), 'case')} of several samples"] if cases else []
        breaking = counted(pages + len(broken), "breaks", "break")
        return [*self.broken, *self.unmeasured, f"{' and '.join(judged)} of {name}: {breaking} a limit"]


def judge_run(
    run: Run,
    *,
    policy: Policy,
    limits_on: Callable[[str], Sequence[Limit]] = lambda _case: (),
    unjudged: Collection[str] = (),
) -> JudgedRun:
    """Judge a run by its pages' verdicts and `limits_on` each case; for `unjudged` see `sampled_cases`."""
    sampled = sampled_cases(run.evaluations, unjudged)
    cases = [
        case
        for samples in sampled.values()
        for case in judge_case(samples, policy, limits=limits_on(samples[0].case))
    ]
    alone = [page for page in run.evaluations if page.case_key not in sampled]
    unmeasured: list[str] = []
    for page in alone:
        if missing := judge(page, limits_on(page.case)).unmeasured:
            unmeasured += explain_unmeasured(page, missing)
    return JudgedRun(cases, alone, unmeasured)


@dataclass(frozen=True, eq=False)
class Gated:
    """Two runs compared, with the outcomes of the gates."""

    comparison: Comparison  # Of the two runs
    outcomes: tuple[GateOutcome, ...]  # Of the gates
    axes: AxisValues = ()  # Values of the axes that it was restricted to, with `--by`


@dataclass(frozen=True, eq=False)
class GatedGroups:
    """Two runs, compared group by group."""

    groups: Sequence[Gated]  # One per group that both runs have; a single one without `--by`
    absent: Mapping[AxisValues, str] = field(default_factory=dict)  # Why it has no comparison
    has_gates: bool = False  # Whether there are any gates
    inconclusive: Inconclusive = "pass"  # How inconclusive gates count

    @property
    def exit_code(self) -> int:
        """0: all gates pass, 1: a gate fails, 3: a gate could not be judged."""
        outcomes = [outcome for group in self.groups for outcome in group.outcomes]
        code = exit_code(outcomes, inconclusive=self.inconclusive)
        return 3 if code == 0 and self.absent and self.has_gates else code


def is_part(baseline: str, *, folder: Path = DEFAULT_FOLDER) -> bool:
    """Check whether a baseline is AXIS=VALUE, part of the run itself, and not the name or file of a run."""
    try:
        find_run(baseline, folder=folder)
    except RunNotFound:
        return "=" in baseline
    return False


def old_and_new(
    baseline: str, run: Run, settings: Settings, *, folder: Path = DEFAULT_FOLDER
) -> tuple[Run, Run]:
    """Return the pages to compare with, and the pages compared with them.

    The baseline is the name or file of a run, or AXIS=VALUE: the part of the run itself with this value, with
    which its other pages are compared.
    """
    if is_part(baseline, folder=folder):
        return selection.split_off(select(run, parse_only(settings.only)), baseline)
    old, new = _selected([load_run(baseline, folder=folder, has_audit=False), run], settings)
    return old, new


@without_collecting()
def compare_groups(old: Run, new: Run, settings: Settings, *, by: str | None = None) -> GatedGroups:
    """Compare two runs by groups, and judge the gates over all; NotComparable without a common group.

    Without axes (`by`), such as "model,prompt", there is one group.
    """
    axes = selection.parse_by(by)
    if not axes:
        return _judge({(): compare_runs(old, new)}, {}, settings)
    compared, absent = _compare_groups([old, new], settings, axes)
    if not compared:
        reasons = "; ".join(f"{axes_text(values)}: {why}" for values, why in absent.items())
        raise NotComparable(
            f"The runs {old.name!r} and {new.name!r} have no group in common: {reasons}.",
            advice="Group by an axis that has the same values in both, or rank all groups (--rank).",
        )
    return _judge(compared, absent, settings)


def rank_and_judge(
    runs: Mapping[str, Run], settings: Settings, *, by: str | None, metrics: Sequence[str]
) -> tuple[Ranking, GatedGroups]:
    """Rank runs, or parts of them, and judge the gates of every run against the first one.

    The runs have distinct names, and form groups along the axis "run" if gates are set; without axes (`by`)
    whole runs are ranked.
    """
    axes = selection.parse_by(by)
    runs = dict(zip(runs, _selected(list(runs.values()), settings), strict=True))
    gated = _judge_against_first(runs, settings, axes) if settings.fail_on else GatedGroups(())
    ranking = rank_parts(selection.parts_of(runs, axes), metrics=metrics)
    return ranking, gated


def _judge_against_first(runs: Mapping[str, Run], settings: Settings, axes: Sequence[str]) -> GatedGroups:
    (baseline, old), *others = runs.items()
    if not others:
        raise ConfigurationError(
            "A gate needs a baseline, and there is one run only.",
            advice=f"Name a part of it as the baseline: design2a11y compare AXIS=VALUE {baseline}.",
        )
    compared: dict[AxisValues, Comparison] = {}
    absent: dict[AxisValues, str] = {}
    for name, new in others:
        there, missing = _compare_groups([old, new], settings, axes)
        compared |= {(("run", name), *values): comparison for values, comparison in there.items()}
        absent |= {(("run", name), *values): why for values, why in missing.items()}
    return _judge(compared, absent, settings)


def _selected(runs: Sequence[Run], settings: Settings) -> list[Run]:
    chosen = parse_only(settings.only)
    return [select(run, chosen) for run in runs]


def _compare_groups(
    runs: Sequence[Run], settings: Settings, axes: Sequence[str]
) -> tuple[dict[AxisValues, Comparison], dict[AxisValues, str]]:
    """Compare two runs group by group, or give the reason why a group cannot be compared."""
    compared: dict[AxisValues, Comparison] = {}
    absent: dict[AxisValues, str] = {}
    for values, (old, new) in selection.group(runs, axes).items():
        if old.evaluations and new.evaluations:
            compared[values] = compare_runs(old, new)
        else:
            absent[values] = f"only in the {'old' if old.evaluations else 'new'} run"
    return compared, absent


def _judge(
    compared: Mapping[AxisValues, Comparison], absent: Mapping[AxisValues, str], settings: Settings
) -> GatedGroups:
    gates = parse_gates(settings.fail_on)
    outcomes = judge_groups(
        gates, list(compared.values()), on_point=settings.fail_on_point, allow_missing=settings.allow_missing
    )
    groups = [
        Gated(comparison, judged, values)
        for (values, comparison), judged in zip(compared.items(), outcomes, strict=True)
    ]
    return GatedGroups(groups, absent, bool(gates), settings.inconclusive)


def check_settings(settings: Settings, *, folder: Path) -> None:
    """Refuse settings that would fail only at the end of the run."""
    parse_policy(settings.samples)
    require_devices(settings)
    if settings.audit and settings.audit_choice.has_names:
        from pytest_design2a11y.capture.renderer import check_choice

        check_choice(settings.audit_choice, settings.axe_script)
    if settings.html is not None:
        check_writable(settings.html, flag("html"))
    for path in settings.findings:
        check_writable(path, flag("findings"))
    if settings.update_known and settings.known is None:
        raise ConfigurationError(
            f"{flag('update_known')} needs {flag('known')} FILE.", advice="Name the file to write."
        )
    if settings.known is not None and settings.update_known:
        check_writable(settings.known, flag("known"))
    elif settings.known is not None:
        load_known(settings.known)
    if settings.appearance != "embedded":
        from pytest_design2a11y.measuring.conditions import clip_backend

        clip_backend(settings.appearance, settings.clip_batch, settings.cache_folder)
    parse_only(settings.only)
    if "fail_on" in settings.typed and settings.compare is None:
        raise ConfigurationError(
            f"{flag('fail_on')} needs {flag('compare')}.", advice="Name the run to compare with."
        )
    if len(dict(settings.prompt_file)) < len(settings.prompt_file):
        raise ConfigurationError(
            f"Two files of {setting('prompt_file')} have the same name.", advice="Name each file once."
        )
    if settings.save is not None:
        check_name(settings.save, folder=folder)
        check_writable(folder / f"{settings.save}{SUFFIX}", flag("save"))
    if settings.compare is not None and not is_part(settings.compare, folder=folder):
        load_run(settings.compare, folder=folder, has_audit=False)
    parse_gates(settings.fail_on)  # Last, because gates may name metrics of the saved run.


def check_writable(path: Path, flag: str) -> None:
    """Refuse a file, named by the option `flag`, that could not be written at the end of the run."""
    if problem := _problem(path):
        raise ConfigurationError(
            f"{flag} cannot write {path}: {problem}.",
            advice="Name a file in a folder that can be written to.",
        )


def _problem(path: Path) -> str | None:
    if path == STANDARD_OUTPUT:
        return None
    if path.is_dir():
        return "it is a folder"
    if is_special(path):
        return "it is not a regular file"
    there = next(parent for parent in (path, *path.absolute().parents) if parent.exists())
    if there != path and not there.is_dir():
        return f"{there} is not a folder"
    return None if os.access(there, os.W_OK) else f"{there} is read-only"
