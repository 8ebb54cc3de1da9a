"""Why a page is not as it should be, in a few words per cause: what failed to load, differs or fails."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from pytest_design2a11y.accessibility.rates import deduplicate
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.audit import RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.page import CaptureWarning, Role
from pytest_design2a11y.models.severity import MAX_IMPACT_WEIGHT
from pytest_design2a11y.models.thing_words import file_name
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words, subject
from pytest_design2a11y.report.differences import DifferenceGroup, differences_of, group_differences
from pytest_design2a11y.report.notes import failed_checks, probe_help
from pytest_design2a11y.report.rules import failing_rules


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

#: Words for files that a page requested and did not get, by warning code.
_NOT_LOADED = {
    "blocked_requests": "blocked",
    "refused_files": "refused",
    "missing_files": "not found",
    "unrecorded_assets": "not recorded",
    "unreachable_hosts": "gave no answer",
    "asset_limits": "too large",
    "load_limits": "more than a page may load",
}

#: Words for warnings that concern the whole page, by code.
_OF_THE_PAGE = {
    "unbuilt_scripts": "the project is not built (npm run build)",
    "nothing_shown": "the page shows no text",
    "js_errors": "a script of the page failed",
    "load_unfinished": "captured while it was still loading",
    "scripts_stopped": "its scripts did not end, and were stopped",
    "truncated_html": "the page's code ends too early",
    "page_clipped": "only a part of the page was captured",
    "navigations": "the page tried to leave",
}

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

#: Rules that generated pages often break: the words for one failure and for several.
_RULES = {
    "color-contrast": ("1 contrast failure", "{} contrast failures"),
    "image-alt": ("1 picture without alt text", "{} pictures without alt text"),
    "label": ("1 field without a label", "{} fields without a label"),
    "link-name": ("1 link without a name", "{} links without a name"),
    "button-name": ("1 button without a name", "{} buttons without a name"),
    "html-has-lang": ("no language named", "no language named"),
    "document-title": ("no title", "no title"),
    "landmark-one-main": ("no main landmark", "no main landmark"),
    "page-has-heading-one": ("no main heading", "no main heading"),
    "region": ("1 part outside of landmarks", "{} parts outside of landmarks"),
    "heading-order": ("1 heading level skipped", "{} heading levels skipped"),
}


def causes_of(evaluation: Evaluation) -> list[Cause]:
    """Return what made a page worse, similar things grouped, the most costly first."""
    found = *like_differences(differences_of(evaluation)), *failed_rules(evaluation)
    causes = [*page_causes(evaluation), *(cause for cause, _members in found)]
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
        if warning.code in _OF_THE_PAGE:
            causes.append(Cause(warning.code.replace("_", " "), _OF_THE_PAGE[warning.code], 1.0))
    return [*causes, *_of_files(warnings, has_each=has_each_file)]


def page_warnings(evaluation: Evaluation) -> list[str]:
    """Return the candidate's `page_causes` as whole sentences, without errors."""
    codes = {*_OF_THE_PAGE, *_NOT_LOADED}
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
    found = []
    for rule, is_counted in (*rules, *probed):
        cost = min(rule.severity / (MAX_IMPACT_WEIGHT * checked), 1.0) if checked else 0.0
        text = rule_in_words(rule.rule, rule.num_violations)
        found.append((Cause(sanitize(rule.rule), text, cost, is_counted, "accessibility"), rule))
    return found


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
        # Runs saved by version 0.3 have only the sentence.
        for name in (warning.names or (warning.message,)) if warning.code in _NOT_LOADED else ():
            path = re.split(r"[?#]| \(", name, maxsplit=1)[0].lower()
            kind = next(kind for kind, pattern in _KINDS_OF_FILES.items() if pattern.search(path))
            if warning.code == "unreachable_hosts":  # Its reason may differ between attempts.
                kind, name = "host", name.partition(" (")[0]
            key = kind, _NOT_LOADED[warning.code], name if has_each else ""
            groups.setdefault(key, {})[name] = None
    order = [*_KINDS_OF_FILES]
    for (kind, verb, _file), names in sorted(groups.items(), key=lambda group: order.index(group[0][0])):
        first = file_name(next(iter(names)))
        text = f"{len(names)} {kind}s {verb}, such as {first}" if len(names) > 1 else f"{kind} {first} {verb}"
        is_of_all = kind in ("host", "style sheet", "script")
        yield Cause(f"{kind} not loaded", text, 1.0 if is_of_all else _COST_OF_A_FILE)


def rule_in_words(rule: str, count: int) -> str:
    """Return what the failure of a rule on some elements means, in a few words."""
    if rule in _RULES:
        return _RULES[rule][count > 1].format(count)
    return f"{sanitize(rule)} failed" + (f" {count} times" if count > 1 else "")
