"""Edits tried on the open page: what lowers fidelity is left out, and each has its measured gain."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pytest_design2a11y.fixing.claims import claims_of
from pytest_design2a11y.fixing.draft import Draft, as_given, by_selector
from pytest_design2a11y.fixing.drafts import draft_of, names_of, settled
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.fix_list import FixList, Item, in_order, remaining_of, state_of
from pytest_design2a11y.fixing.regions import is_repair, region_name, regions_of
from pytest_design2a11y.fixing.repairs import REPAIRS, repairs_of
from pytest_design2a11y.measuring.measures import Work, visual_score
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.models.evaluation import Subject
from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.page_identity import shown_page
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.models.visual import BLOCKING, VisualScore

if TYPE_CHECKING:
    from pytest_design2a11y.capture.bench.bench import Bench
    from pytest_design2a11y.settings.values import Settings

#: Seconds that trying may take.
SECONDS = 5.0
#: Share of that time in which it is looked for edits that do harm.
_FOR_HARM = 0.5
#: Least change in fidelity that counts.
_LEAST_GAIN = 1e-4
#: Differences after all edits whose edits are suspects, at most; how much of a box they cover.
_MOST_SUSPECTS, _LEAST_COMMON = 8, 0.3
#: Rules that an element's look breaks.
_BY_LOOK = {"color-contrast", "link-in-text-block"}


@dataclass
class Trial:
    """A page, its design, and what was measured of it so far."""

    reference: Capture
    bench: Bench
    settings: Settings
    seconds: float
    began: float = field(default_factory=time.monotonic)

    def has_time(self, share: float = 1.0) -> bool:
        """Return whether there is time left, of this share of all."""
        return time.monotonic() - self.began < share * self.seconds

    def score(self, edits: Sequence[Edit]) -> VisualScore:
        """Return the score of the page with these edits, without an audit."""
        self.bench.apply(as_given(edits))
        return visual_score(Work(self.bench.capture(), self.reference, self.settings, {}))

    def evaluated(self, edits: Sequence[Edit]) -> Evaluation:
        """Return all that is measured of the page with these edits."""
        return self.read(edits)[0]

    def read(self, edits: Sequence[Edit]) -> tuple[Evaluation, Capture]:
        """Return all that is measured of the page with these edits, and the page as it is then."""
        self.bench.apply(as_given(edits))
        capture = self.bench.capture(self.settings.audit_choice if self.settings.audit else None)
        evaluation = evaluate(
            Subject("page", ""), reference=self.reference, candidate=capture, settings=self.settings
        )
        return evaluation, capture


def fix_list(
    evaluation: Evaluation,
    pages: tuple[Capture, Capture],
    bench: Bench,
    settings: Settings,
    *,
    told: Sequence[Edit] = (),
    seconds: float = SECONDS,
) -> FixList:
    """Return what to change on a page, each edit tried on it.

    Args:
        evaluation: What was measured of the page as it is.
        pages: The design and the page.
        bench: The page, open.
        settings: How it is measured.
        told: Edits of an earlier list; a property that it named is named again only if that helps alone.
        seconds: How long edits may be tried.
    """
    assert evaluation.visual is not None
    trial = Trial(pages[0], bench, settings, seconds)
    draft = _first_draft(trial, pages[1])
    edits = settled(draft, bench)
    draft, edits, after = _second_draft(trial, draft, edits)
    edits, after = _repaired(trial, edits, after, draft)
    edits, after, left_out = _without_harm(trial, edits, after)
    items = _tried_alone(trial, edits, (evaluation, after), told)
    return FixList(
        page=shown_page(evaluation),
        design=evaluation.reference,
        before=state_of(evaluation),
        after=state_of(after),
        items=in_order(items),
        left_out=tuple(left_out),
        remaining=remaining_of(after.visual.differences, after.visual.fidelity) if after.visual else (),
    )


def _first_draft(trial: Trial, page: Capture) -> Draft:
    time_limit = TimeLimit(trial.settings.capture.timeout)
    trial.bench.apply([])
    return draft_of(claims_of(trial.reference, page, time_limit), trial.bench)


def _second_draft(trial: Trial, draft: Draft, edits: list[Edit]) -> tuple[Draft, list[Edit], Evaluation]:
    """Return the draft and its edits, with what else is found on the page with them if that helps."""
    after, page = trial.read(edits)
    if after.visual is None:
        return draft, edits, after
    time_limit = TimeLimit(trial.settings.capture.timeout)
    claims = claims_of(trial.reference, page, time_limit)
    again = draft_of(claims, trial.bench, draft)
    more = settled(again, trial.bench)
    better = trial.evaluated(more)
    if better.visual and (better.visual.fidelity or 0.0) > (after.visual.fidelity or 0.0):
        return again, more, better
    return draft, edits, after


def _repaired(
    trial: Trial, edits: list[Edit], after: Evaluation, draft: Draft
) -> tuple[list[Edit], Evaluation]:
    """Add what repairs the accessibility failures that the page has with the edits."""
    if after.audit is None:
        return edits, after
    repairs = [*repairs_of(after.audit, names_of(draft), trial.bench)]
    if not repairs:
        return edits, after
    merged = [*by_selector([*edits, *repairs])]
    return merged, trial.evaluated(merged)


def _without_harm(
    trial: Trial, edits: list[Edit], after: Evaluation
) -> tuple[list[Edit], Evaluation, list[str]]:
    """Leave out edits without which the page is nearer to its design: those where it still differs most."""
    left_out: list[str] = []
    best = after.visual
    assert best is not None
    for suspects in _suspects(edits, best):
        if not trial.has_time(_FOR_HARM):
            break
        kept = [edit for edit in edits if edit not in suspects or edit.attributes]
        if len(kept) == len(edits):
            continue
        score = trial.score(kept)
        if (score.fidelity or 0.0) > (best.fidelity or 0.0) + _LEAST_GAIN:
            left_out += [edit.name or edit.selector for edit in suspects]
            edits, best = kept, score
    return edits, trial.evaluated(edits) if left_out else after, left_out


def _suspects(edits: Sequence[Edit], score: VisualScore) -> Iterator[list[Edit]]:
    """Yield edits at a place that still differs, place by place."""
    found = sorted(score.differences, key=lambda difference: -difference.cost)
    severe = [difference for difference in found if difference.severity in BLOCKING]
    seen: list[list[Edit]] = []
    for difference in [*severe, *found][:_MOST_SUSPECTS]:
        boxes = [side["box"] for side in (difference.made, difference.design) if "box" in side]
        near = [edit for edit in edits if any(_is_at(edit, box) for box in boxes)]
        if near and near not in seen:
            seen.append(near)
            yield near


def _is_at(edit: Edit, box: Box) -> bool:
    own = edit.design_box or edit.page_box
    if own is None or edit.name == "page":
        return False
    common = clipped(own, (box[0], box[1], box[2], box[3]))
    return common is not None and area(common) >= _LEAST_COMMON * max(area(own), area(box), 1.0)


def _tried_alone(
    trial: Trial, edits: Sequence[Edit], pages: tuple[Evaluation, Evaluation], told: Sequence[Edit]
) -> list[Item]:
    """Return items: edits that help alone, and together those that do not; untried ones have no gain."""
    evaluation, after = pages
    assert evaluation.visual is not None
    start = evaluation.visual.fidelity or 0.0
    whole = [edit for edit in edits if edit.wrap]
    named = _named_before(told)
    items, helpless = [], list[Edit]()
    parts = [part for edit in edits if not edit.wrap for part in _parts(edit)]
    for group in _by_cost(regions_of(parts), evaluation.visual):
        new = [edit for edit in group if not named & {(edit.selector, name) for name in edit.css}]
        if not trial.has_time() or is_repair(group[0]):
            items += [_item(new or group, None)] if new or is_repair(group[0]) else []
            continue
        gain = (trial.score([*whole, *group]).fidelity or 0.0) - start
        if gain > _LEAST_GAIN:
            items.append(_item(group, round(gain, 6)))
        else:
            helpless += new
    if helpless and _are_needed(trial, [*whole, *(edit for item in items for edit in item.edits)], after):
        gain = (trial.score([*whole, *helpless]).fidelity or 0.0) - start
        if gain <= _LEAST_GAIN:
            # What is moved from where another thing moves it to helps only with that one.
            movers = [item for item in items if any("left" in edit.css for edit in item.edits)]
            items = [item for item in items if item not in movers]
            helpless += [edit for item in movers for edit in item.edits]
            gain = (trial.score([*whole, *helpless]).fidelity or 0.0) - start
        items.append(_item(helpless, round(gain, 6)))
    if whole:
        items.append(Item(tuple(whole), 0.0, ("landmark-one-main", "region")))
    return items


def _parts(edit: Edit) -> list[Edit]:
    """Return an edit in two if it changes both what people see and what assistive technology reads."""
    if not edit.attributes or not (edit.css or edit.texts or edit.html):
        return [edit]
    return [replace(edit, attributes={}), replace(edit, css={}, texts=(), html="")]


def _are_needed(trial: Trial, others: Sequence[Edit], after: Evaluation) -> bool:
    """Return whether the page comes less near to its design with all other edits alone."""
    whole = after.visual.fidelity if after.visual else None
    return (trial.score(others).fidelity or 0.0) < (whole or 0.0) - _LEAST_GAIN


def _named_before(told: Iterable[Edit]) -> set[tuple[str, str]]:
    return {(edit.selector, name) for edit in told for name in edit.css}


def _repairs(edit: Edit) -> tuple[str, ...]:
    """Return the rules that an edit repairs: by what is seen, or by attributes."""
    rules = {*REPAIRS} - _BY_LOOK if is_repair(edit) else {*_BY_LOOK, "document-title"}
    return tuple(dict.fromkeys(reason for reason in edit.reasons if reason in rules))


def _item(group: Sequence[Edit], gain: float | None) -> Item:
    repairs = dict.fromkeys(rule for edit in group for rule in _repairs(edit))
    return Item(tuple(group), gain, tuple(repairs), advice=region_name(group))


def _by_cost(groups: Iterable[Sequence[Edit]], score: VisualScore) -> list[Sequence[Edit]]:
    """Return groups of edits: the page's first, then those at whose places the page lacks most."""

    def cost(group: Sequence[Edit]) -> float:
        if group[0].name == "page":
            return float("inf")
        return sum(
            difference.cost
            for difference in score.differences
            for side in (difference.made, difference.design)
            if "box" in side and any(_is_at(edit, side["box"]) for edit in group)
        )

    return sorted(groups, key=cost, reverse=True)


def read_edits(record: Mapping[str, object]) -> list[Edit]:
    """Return the edits of a fix list's JSON."""
    items = record.get("items")
    found = []
    for item in items if isinstance(items, list) else []:
        for edit in item.get("edits", ()):
            known = {
                name: edit[name]
                for name in ("selector", "css", "attributes", "html", "wrap", "name")
                if name in edit
            }
            found.append(replace(Edit(str(edit.get("selector", ""))), **known))
    return found
