"""How the pages of a run changed since an older one: which got worse, what is wrong now, what is fixed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pytest_design2a11y.comparing.pairing import anchor
from pytest_design2a11y.comparing.variants import variant_name, varying_axes
from pytest_design2a11y.models.run import Evaluation, Run, metric_value
from pytest_design2a11y.report.causes import failed_rules, like_differences, page_causes, rule_in_words
from pytest_design2a11y.report.differences import differences_of, lacks_differences
from pytest_design2a11y.report.html.overview import plain_names
from pytest_design2a11y.report.states import likeness_of

#: A page with a smaller loss or gain counts as about the same.
MIN_CHANGE = 0.001


@dataclass(frozen=True, slots=True)
class PageChange:
    """One page, before and after."""

    name: str  # The page's plain name
    old: Evaluation
    new: Evaluation
    figures: Sequence[tuple[str, float | None, float | None]]  # Both of its metrics: label, old and new value
    # Its loss of likeness plus its gain in IR×IWIR, below 0 if it became better; 1 more if it cannot be
    # measured any more
    loss: float
    wrong: Sequence[str]  # What is wrong only now, the most costly first
    fixed: Sequence[str]  # What was wrong only before, by the same rule


@dataclass(frozen=True, slots=True)
class Changes:
    """The pages that two runs have in common."""

    worse: Sequence[PageChange]  # The pages that got worse, the worst first
    better: Sequence[PageChange]  # The pages that got better, the best first
    num_same: int  # Number of pages that stayed about the same


def find_changes(old: Run, new: Run, *, changed_axes: Collection[str] = ()) -> Changes:
    """Return the changes of every page in both runs, matched apart from the axes that differ."""
    before = {_key(page, changed_axes): page for page in old.evaluations}
    names = plain_names(page.case for page in new.evaluations)
    varying = varying_axes(new.evaluations)
    moved = []
    for page in new.evaluations:
        if (earlier := before.get(_key(page, changed_axes))) is None:
            continue
        name = " · ".join(filter(None, (names[page.case], variant_name(page, varying))))
        known = (metric for metric, value in map(likeness_of, (page, earlier)) if value is not None)
        metric = next(known, "visual")
        labels = {metric: metric, "failed": "failed checks"}
        figures = [(label, metric_value(earlier, id), metric_value(page, id)) for id, label in labels.items()]
        loss = _difference(earlier, page, metric) + _difference(page, earlier, "weighted_ir")
        loss += (page.error is not None) - (earlier.error is not None)
        wrong, fixed = list(_only_in(page, earlier)), list(_only_in(earlier, page))
        moved.append(PageChange(name, earlier, page, figures, loss, wrong, fixed))
    worse = sorted((change for change in moved if change.loss > MIN_CHANGE), key=lambda change: -change.loss)
    better = sorted((change for change in moved if change.loss < -MIN_CHANGE), key=lambda change: change.loss)
    return Changes(worse, better, len(moved) - len(worse) - len(better))


def _key(evaluation: Evaluation, changed_axes: Collection[str]) -> tuple[object, ...]:
    axes = (item for item in sorted(evaluation.axes.items()) if item[0] not in changed_axes)
    return evaluation.case, evaluation.sample, *axes


def _difference(page: Evaluation, other: Evaluation, metric: str) -> float:
    value, other_value = metric_value(page, metric), metric_value(other, metric)
    return 0.0 if value is None or other_value is None else value - other_value


def _only_in(page: Evaluation, other: Evaluation) -> Iterator[str]:
    """Yield what is wrong in one of two measurements of a page but not in the other."""
    causes = {cause.text for cause in page_causes(other)}
    yield from (cause.text for cause in page_causes(page) if cause.text not in causes)
    if other.error is not None:
        return
    known = {anchor(difference) for difference in differences_of(other)}
    unlike = () if lacks_differences(other) else differences_of(page)
    differences = [difference for difference in unlike if anchor(difference) not in known]
    texts = [
        (cause, group.message if len(group.members) == 1 else cause.text)
        for cause, group in like_differences(differences)
    ]
    seen = {(rule.rule, node.target) for _cause, rule in failed_rules(other) for node in rule.violations}
    for cause, rule in failed_rules(page):
        if count := sum((rule.rule, node.target) not in seen for node in rule.violations):
            texts.append((cause, rule_in_words(rule.rule, count)))
    yield from (text for _order, text in sorted((cause.order, text) for cause, text in texts))
