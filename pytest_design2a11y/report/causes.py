"""Why a page is not as it should be: what failed to load, differs (like things as one) or fails, in words."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import PurePosixPath

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.audit import MAX_IMPACT_WEIGHT, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.page import CaptureWarning, Role
from pytest_design2a11y.models.thing_words import file_name, things
from pytest_design2a11y.models.visual import (
    LEAST_COST,
    SEVERITIES,
    Difference,
    DifferenceKind,
    DifferenceSubject,
    Severity,
)
from pytest_design2a11y.models.words import GROUPS, in_words, subject
from pytest_design2a11y.report.notes import failed_checks, probe_help
from pytest_design2a11y.report.rules import failing_rules

#: `shared` by groups of differences of a kind, whose members may stand for several things; `not_loaded`, of
#: files that a page requested and did not get, and `of_the_page`, by warning code; `failures` of rules that
#: generated pages often break: one, and several.
_WORDS = json.loads(files(__package__).joinpath("causes.json").read_bytes())
#: Number of group members that are listed.
_MOST_LISTED = 2


@dataclass(frozen=True, slots=True)
class DifferenceGroup:
    """Differences of one kind between things of the same type."""

    kind: DifferenceKind
    what: DifferenceSubject | str  # Or "section", "row", "column", as people call them
    members: tuple[Difference, ...]  # The most costly first; at least one

    @property
    def cost(self) -> float:
        """Their total cost in fidelity, 0..1; in the visual score if fidelity was not measured."""
        return sum(member.cost for member in self.members)

    @property
    def is_small(self) -> bool:
        """Whether it sums up differences too small to list, none of which names anything to fix."""
        return self.members[0].property == "small"

    @property
    def key(self) -> str:
        """Its kind, equal on all pages: "picture missing", "small differences"."""
        return "small differences" if self.is_small else f"{self.what} {self.kind}"

    @property
    def head(self) -> str:
        """What its members have in common, in words: "3 pictures are missing"."""
        return str(_WORDS["shared"][self.kind]).format(len(self.members), things(self.what, 2))

    @property
    def message(self) -> str:
        """The group in words, without a full stop."""
        if len(self.members) == 1:
            return in_words(self.members[0])
        words = subject if self.kind in {"missing", "extra"} else in_words
        members = [*dict.fromkeys(map(words, self.members))]
        members[_MOST_LISTED:] = [f"and {rest} more"] if (rest := len(members) - _MOST_LISTED) > 0 else []
        if self.what == "page" and self.kind != "unexplained":  # There is only one page.
            return "; ".join(members)
        return f"{self.head}: {'; '.join(members)}"


def rank(severity: Severity | None) -> int:
    """Return the rank of a severity, 0 for the worst; ungraded counts as minor."""
    return SEVERITIES.index(severity or "minor")


def differences_of(evaluation: Evaluation) -> tuple[Difference, ...]:
    """Return the differences between a page and its design that are not accepted, the most costly first."""
    visual = evaluation.visual
    return () if visual is None else tuple(one for one in visual.differences if one.accepted is None)


def lacks_differences(evaluation: Evaluation) -> bool:
    """Return whether a page differs from its design and the run lacks differences, for want of details."""
    visual = evaluation.visual
    if visual is None:
        return False
    has_blocks = bool(visual.matches or visual.missing or visual.extra)
    if visual.differences and (has_blocks or visual.differences != visual.blockers):
        return False
    whole = visual.score if visual.fidelity is None else visual.fidelity
    # A run with its details omits only differences that cost next to nothing.
    return 1 - whole > (LEAST_COST if has_blocks else 0.0)


def group_differences(differences: Iterable[Difference]) -> list[DifferenceGroup]:
    """Group similar differences, the most costly group first; those too small to list come last."""
    groups: dict[tuple[DifferenceKind, DifferenceSubject | str], list[Difference]] = {}
    for difference in differences:
        what = difference.property if difference.property in GROUPS else difference.what
        groups.setdefault((difference.kind, what), []).append(difference)
    made = (
        DifferenceGroup(kind, what, tuple(sorted(members, key=lambda difference: -difference.cost)))
        for (kind, what), members in groups.items()
    )
    return sorted(made, key=lambda group: (group.is_small, -group.cost))


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing, or several of a kind, that made a page worse."""

    key: str  # Its kind, equal on all pages: "style sheet not loaded", "picture missing", "color-contrast"
    text: str  # In a few words, such as "2 texts moved"
    # Share of fidelity lost or of weighted_ir added (by probes, other engines: if it counted), 0..1; without
    # a number 1 if it may affect the whole page (style sheets, scripts), else `_COST_OF_A_FILE`
    cost: float
    is_counted: bool = True  # Whether the cost is part of the metric
    group: str = "page"  # Or "text", "picture", "control", "layout", "accessibility"
    example: str | None = None  # The name of one of several
    is_small: bool = False  # Whether it sums up many small things, none of which names anything to fix

    @property
    def phrase(self) -> str:
        """Return the cause in a few words, with one example if there are several."""
        return f"{self.text}, such as {self.example}" if self.example else self.text

    @property
    def order(self) -> tuple[bool, float]:
        """Return a sort key: the most costly first, summaries of small things last."""
        return self.is_small, -self.cost


#: Groups of causes by what differs; the rest is layout.
_GROUPS = {"text": "text", "picture": "picture", "icon": "picture", "control": "control"}

_COST_OF_A_FILE = 0.02

_KINDS_OF_FILES = {
    "host": re.compile(r"(?!)"),
    "style sheet": re.compile(r"\.css$|/css2?$|tailwind|bootstrap"),
    "script": re.compile(
        r"\.(?:m?js|jsx|tsx?|vue|svelte)$|^https://(?:unpkg\.com|cdn\.jsdelivr\.net/npm)/(?:@[^/]+/)?[^/]+$"
    ),
    "font": re.compile(r"\.(?:woff2?|ttf|otf)$"),
    "picture": re.compile(r"\.(?:png|jpe?g|gif|webp|svg|avif|ico)$"),
    "file": re.compile(r""),
}


def causes_of(evaluation: Evaluation) -> list[Cause]:
    """Return what made a page worse, similar things grouped, the most costly first."""
    grouped = *like_differences(differences_of(evaluation)), *failed_rules(evaluation)
    causes = [*page_causes(evaluation), *(cause for cause, _members in grouped)]
    return sorted(causes, key=lambda cause: cause.order)


def page_causes(
    evaluation: Evaluation, role: Role = "candidate", *, has_each_file: bool = False
) -> list[Cause]:
    """Return what went wrong with a page as a whole: it was not measured, or lacks files or scripts."""
    error = evaluation.error if role == "candidate" else None
    causes = []
    if error is not None:
        reason = error.message.replace(evaluation.candidate, PurePosixPath(evaluation.candidate).name)
        first = re.split(r"(?<=\w)[.:] ", reason, maxsplit=1)[0].removesuffix(".")
        causes = [Cause("not measured", f"not measured: {sanitize(first, limit=120)}", 1.0)]
    warnings = _warnings(evaluation, role)
    for warning in warnings:
        if warning.code in _WORDS["of_the_page"]:
            causes.append(Cause(warning.code.replace("_", " "), _WORDS["of_the_page"][warning.code], 1.0))
    return [*causes, *_of_files(warnings, has_each=has_each_file)]


def page_warnings(evaluation: Evaluation) -> list[str]:
    """Return the candidate's `page_causes` as whole sentences, without errors."""
    codes = {*_WORDS["of_the_page"], *_WORDS["not_loaded"]}
    return [warning.message for warning in _warnings(evaluation, "candidate") if warning.code in codes]


def _warnings(evaluation: Evaluation, role: Role) -> list[CaptureWarning]:
    return [warning for warning in evaluation.warnings if (warning.role or "candidate") == role]


def like_differences(differences: Iterable[Difference]) -> list[tuple[Cause, DifferenceGroup]]:
    """Group similar differences; return each group with its cause."""
    return [(_cause(group), group) for group in group_differences(differences)]


def failed_rules(evaluation: Evaluation) -> list[tuple[Cause, RuleOutcome]]:
    """Return the accessibility rules and probe checks that failed, the worst of each first, with causes."""
    checked = evaluation.accessibility.checked if evaluation.accessibility else 0
    audits = deduplicate(evaluation.audits, evaluation.engines).items()
    rules = [(rule, engine == AXE) for engine, audit in audits for rule in failing_rules(audit)]
    probed = ((replace(rule, help=probe_help(name, rule)), False) for name, rule in failed_checks(evaluation))
    causes = []
    for rule, is_counted in (*rules, *probed):
        cost = min(rule.severity / (MAX_IMPACT_WEIGHT * checked), 1.0) if checked else 0.0
        text = rule_in_words(rule.rule, rule.num_violations)
        causes.append((Cause(sanitize(rule.rule), text, cost, is_counted, "accessibility"), rule))
    return causes


def _cause(group: DifferenceGroup) -> Cause:
    first = group.members[0]
    is_of_page = group.is_small or group.kind == "moved" or group.what == "page"
    of = "text" if group.kind == "font" else "layout" if is_of_page else _GROUPS.get(group.what, "layout")
    if len(group.members) == 1 or group.what == "page":
        return Cause(group.key, in_words(first), group.cost, group=of, is_small=group.is_small)
    return Cause(group.key, group.head, group.cost, group=of, example=subject(first))


def _of_files(warnings: Iterable[CaptureWarning], *, has_each: bool) -> Iterator[Cause]:
    groups: dict[tuple[str, str, str], dict[str, None]] = {}
    for warning in warnings:
        # What a page asked for may have no name.
        for name in (warning.names or (warning.message,)) if warning.code in _WORDS["not_loaded"] else ():
            path = re.split(r"[?#]| \(", name, maxsplit=1)[0].lower()
            kind = next(kind for kind, pattern in _KINDS_OF_FILES.items() if pattern.search(path))
            if warning.code == "unreachable_hosts":  # Its reason may differ between attempts.
                kind, name = "host", name.partition(" (")[0]
            key = kind, _WORDS["not_loaded"][warning.code], name if has_each else ""
            groups.setdefault(key, {})[name] = None
    order = [*_KINDS_OF_FILES]
    for (kind, verb, _file), names in sorted(groups.items(), key=lambda group: order.index(group[0][0])):
        first = file_name(next(iter(names)))
        text = f"{len(names)} {kind}s {verb}, such as {first}" if len(names) > 1 else f"{kind} {first} {verb}"
        is_of_all = kind in ("host", "style sheet", "script")
        yield Cause(f"{kind} not loaded", text, 1.0 if is_of_all else _COST_OF_A_FILE)


def rule_in_words(rule: str, count: int) -> str:
    """Return what the failure of a rule on some elements means, in a few words."""
    if rule in _WORDS["failures"]:
        return str(_WORDS["failures"][rule][count > 1]).format(count)
    return f"{sanitize(rule)} failed" + (f" {count} times" if count > 1 else "")
