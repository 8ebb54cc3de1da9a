"""Edits tried on the open page: what lowers fidelity or loses text is left out, and each has its gain."""

import re
import time
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.fixing.claims import Claims, claims_of
from pytest_design2a11y.fixing.draft import UNNAMED, Draft, as_given, by_selector, is_removal
from pytest_design2a11y.fixing.drafts import draft_of, names_of, settled
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.fix_list import FixList, Item, is_for_contrast, remaining_of, state_of
from pytest_design2a11y.fixing.regions import is_repair, region_name, regions_of
from pytest_design2a11y.fixing.repairs import REPAIRS, repairs_of
from pytest_design2a11y.measuring.measures import Work, visual_score
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.run import shown_page
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.models.visual import BLOCKING, VisualScore

if TYPE_CHECKING:
    from pytest_design2a11y.capture.bench import Bench
    from pytest_design2a11y.settings import Settings

#: Seconds that trying may take.
SECONDS = 2.5
#: Share of that time in which it is looked for edits that do harm.
_FOR_HARM = 0.5
#: Least change in fidelity that counts; least loss of the design's text that no gain in fidelity outweighs.
_LEAST_GAIN, _LEAST_LOSS = 1e-4, 0.005
#: Differences after all edits whose edits are suspects, at most; how much of a box they cover.
_MOST_SUSPECTS, _LEAST_COMMON = 8, 0.3
#: Places where harm is looked for, and items that are tried alone, whatever time is left.
_LEAST_TRIES = 3
#: How often repairs are looked for: one may show what else fails.
_MOST_REPAIRS = 3
_WORD = re.compile(r"\w+")
#: Properties that make texts readable and links known.
_READABLE = ("color", "text-decoration-line")
#: Rules that an element's look breaks.
_BY_LOOK = {"color-contrast", "link-in-text-block"}


class Reached(NamedTuple):
    """How near a page with some edits is to its design."""

    fidelity: float
    shown: float  # Share of the design's words that it shows to everyone, by their letters, 0..1

    def is_nearer_than(self, other: "Reached") -> bool:
        """Return whether the page is nearer to its design: it shows more of its text, or is more like it."""
        more = self.shown - other.shown
        return more > 0 if abs(more) >= _LEAST_LOSS else self.fidelity > other.fidelity + _LEAST_GAIN


class Shown(NamedTuple):
    """A page with some edits as it was read; another thread scores it."""

    page: Capture
    scoring: "Future[VisualScore]"


@dataclass
class Trial:
    """A design, and the page on which edits are tried."""

    reference: Capture
    bench: "Bench"
    settings: "Settings"
    seconds: float
    beside: Executor  # Scores what was read of the page, while the page gets other edits
    began: float = field(default_factory=time.monotonic)

    def has_time(self, share: float = 1.0) -> bool:
        """Return whether there is time left, of this share of all."""
        return time.monotonic() - self.began < share * self.seconds

    def claims(self, page: Capture) -> Claims:
        """Return what of the page, as it is read here, corresponds to what of the design."""
        return claims_of(self.reference, page, TimeLimit(self.settings.capture.timeout))

    def shown(self, edits: Sequence[Edit], *, is_audited: bool = False) -> Shown:
        """Return the page with these edits, with what axe finds on it if it is asked."""
        self.bench.call("apply", as_given(edits))
        page = self.bench.capture(self.settings.audit_choice if is_audited and self.settings.audit else None)
        return Shown(page, self.beside.submit(visual_score, Work(page, self.reference, self.settings)))

    def trying(self, edits: Sequence[Edit]) -> "Future[Reached]":
        """Read the page with these edits; how near it is then to its design follows."""
        return self.beside.submit(self.reached, self.shown(edits))

    def reached(self, shown: Shown) -> Reached:
        """Return how near a page is to its design, whatever its audit finds."""
        return self.reached_by(shown.scoring.result(), shown.page)

    def reached_by(self, score: VisualScore, page: Capture) -> Reached:
        """Return how near a scored page is to its design, whatever its audit finds."""
        wanted, own = _words_of(self.reference), _words_of(page)
        shown = _num_letters(wanted & own) / max(_num_letters(wanted), 1)
        return Reached(score.fidelity or 0.0, shown)

    def evaluated(self, shown: Shown) -> Evaluation:
        """Return all that is measured of a page."""
        score, pages = shown.scoring.result(), {"reference": self.reference, "candidate": shown.page}
        return evaluate(Subject("page", ""), **pages, settings=self.settings, visual=score)


def _words_of(page: Capture) -> Counter[str]:
    """Return how often a page has each word; without those that no accessibility rule checks."""
    return Counter(_WORD.findall(" ".join(run.text.lower() for run in page.text_runs if not run.unaudited)))


def _num_letters(words: Counter[str]) -> int:
    return sum(len(word) * number for word, number in words.items())


def fix_list(
    evaluating: "Future[Evaluation]",
    pages: tuple[Capture, Capture],
    trial: Trial,
    *,
    told: Sequence[Edit] = (),
) -> FixList:
    """Return what to change on a page, each edit tried on it.

    Args:
        evaluating: What is measured of the page as it is.
        pages: The design and the page.
        trial: The page, open.
        told: Edits of an earlier list, none of which is undone.
    """
    draft, edits, shown = _drafted(trial, pages[1], told)
    evaluation = evaluating.result()
    assert evaluation.visual is not None
    if not evaluation.visual.differences:
        edits = [edit for edit in edits if edit.wrap]  # Its markup alone is another.
        shown = trial.shown(edits, is_audited=True)
    edits, shown = _repaired(trial, edits, shown, draft)
    edits, left_out = without_harm(trial, edits, shown.scoring.result(), trial.reached(shown))
    if left_out:
        edits, shown = _repaired(trial, edits, trial.shown(edits, is_audited=True), draft)
    before, last = trial.reached_by(evaluation.visual, pages[1]), trial.reached(shown)
    after = trial.evaluated(shown)
    items, not_helping = tried(trial, edits, before, last, _failing(evaluation))
    if not_helping:
        rest = [edit for item in items for edit in item.edits]
        without = trial.evaluated(trial.shown(rest, is_audited=True))
        if repaired := tuple(_failing(without) - _failing(after)):
            items.append(Item(tuple(not_helping), None, repaired, advice=region_name(not_helping)))
        else:
            left_out, after = [*left_out, *not_helping], without
    return FixList(
        page=shown_page(evaluation),
        design=evaluation.reference,
        before=state_of(evaluation),
        after=state_of(after),
        items=tuple(items),
        left_out=tuple(dict.fromkeys(edit.name or edit.selector for edit in left_out)),
        remaining=remaining_of(after.visual.differences, after.visual.fidelity) if after.visual else (),
        remarks=tuple(_nameless(edit for item in items for edit in item.edits)),
    )


def _nameless(edits: Iterable[Edit]) -> Iterator[str]:
    for edit in edits:
        if edit.attributes.get("aria-label") == UNNAMED or f'aria-label="{UNNAMED}"' in edit.html:
            why = "since no words of the design say what it is for"
            yield f'{edit.selector} is called "{UNNAMED}", {why}: name it.'


def _failing(evaluation: Evaluation) -> set[str]:
    rules = evaluation.audit.rules if evaluation.audit else ()
    return {rule.rule for rule in rules if rule.num_violations}


def _drafted(trial: Trial, page: Capture, told: Sequence[Edit]) -> tuple[Draft, list[Edit], Shown]:
    """Return a draft and its edits, and the page with them.

    If anything is missing then, or serious, it is a second draft, with what else is found, if that is nearer.
    """
    bench = trial.bench
    bench.call("apply", [])
    draft = draft_of(trial.claims(page), bench)
    edits = without_undoing(settled(draft, bench), told)
    shown = trial.shown(edits, is_audited=True)
    left = shown.scoring.result().differences
    if any(difference.kind == "missing" or difference.severity in BLOCKING for difference in left):
        again = draft_of(trial.claims(shown.page), bench, draft)
        more = without_undoing(settled(again, bench), told)
        better = trial.shown(more, is_audited=True)
        if trial.reached(better).is_nearer_than(trial.reached(shown)):
            return again, more, better
        bench.call("apply", as_given(edits))
    return draft, edits, shown


def without_undoing(edits: Iterable[Edit], told: Sequence[Edit]) -> list[Edit]:
    """Return edits without those that would hide what an earlier list added or gave a place."""
    given = {edit.selector for edit in told if edit.css and not is_removal(edit)}
    return [edit for edit in edits if not (is_removal(edit) and edit.selector in given)]


def _repaired(trial: Trial, edits: list[Edit], shown: Shown, draft: Draft) -> tuple[list[Edit], Shown]:
    """Add what repairs the accessibility failures that the page has with the edits, and with the repairs."""
    for _ in range(_MOST_REPAIRS):
        audit = shown.page.audit
        repairs = [*repairs_of(audit, names_of(draft), trial.bench)] if audit else []
        if not repairs:
            break
        edits = [*by_selector([*edits, *repairs])]
        shown = trial.shown(edits, is_audited=True)
    return edits, shown


def without_harm(
    trial: Trial, edits: list[Edit], score: VisualScore, best: Reached
) -> tuple[list[Edit], list[Edit]]:
    """Leave out edits without which the page is nearer to its design: those where it still differs most."""
    left_out: list[Edit] = []
    for at, suspects in enumerate(_suspects(edits, score)):
        if at >= _LEAST_TRIES and not trial.has_time(_FOR_HARM):
            break
        kept = [_uncolored(edit) if edit in suspects else edit for edit in edits]
        kept = [edit for edit in kept if not edit.is_empty]
        if (without := trial.trying(kept).result()).is_nearer_than(best):
            left_out += suspects
            edits, best = kept, without
    return edits, left_out


def _uncolored(edit: Edit) -> Edit:
    """Return what is left of an edit that is left out: what makes a text readable, and a link known."""
    css = {name: edit.css[name] for name in _READABLE if name in edit.css and not edit.html}
    return replace(edit, css=css, texts=(), html="", content="")


def _suspects(edits: Sequence[Edit], score: VisualScore) -> Iterator[list[Edit]]:
    """Yield edits at a place that still differs, place by place."""
    others = (difference for difference in score.differences if not is_for_contrast(difference))
    worst = sorted(others, key=lambda difference: -difference.cost)
    severe = [difference for difference in worst if difference.severity in BLOCKING]
    seen: list[list[Edit]] = []
    for difference in [*severe, *worst][:_MOST_SUSPECTS]:
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


def tried(
    trial: Trial, edits: Sequence[Edit], before: Reached, last: Reached, failing: Container[str]
) -> tuple[list[Item], list[Edit]]:
    """Return items, each of which helps by itself or repairs a failure, and the edits that do not help.

    Each is tried with what is put around the content alone, as selectors depend on that. What does not help
    is one item, if that helps, or part of the item that helps most, if the page is better with it, or of one
    item with all that help. Regions for which there is no time are one.

    Args:
        trial: What the page measures with edits.
        edits: All edits.
        before: What the page reaches without edits.
        last: What it reaches with all of them.
        failing: The rules that the page fails without edits. What repairs others is part of the best item.
    """
    wraps = [edit for edit in edits if edit.wrap]
    groups = regions_of(part for edit in edits if not edit.wrap for part in _parts(edit))

    def trying(some: Sequence[Edit]) -> "Future[Reached]":
        return trial.trying([*wraps, *some])

    def gain_of(reached: "Future[Reached]") -> float:
        found = reached.result()
        return found.fidelity - before.fidelity if found.is_nearer_than(before) else 0.0

    seen = [group for group in groups if not is_repair(group[0])]
    tries = [trying(group) for at, group in enumerate(seen) if trial.has_time() or at < _LEAST_TRIES]
    pairs = [(group, gain_of(reached)) for group, reached in zip(seen, tries, strict=False)]
    gains = [(group, gain) for group, gain in pairs if gain > _LEAST_GAIN]
    helpless = (group for group, gain in pairs if gain <= _LEAST_GAIN)
    rest = [edit for group in (*helpless, *seen[len(tries) :]) for edit in group]
    if rest:
        gain = gain_of(trying(rest))
        helping = [edit for group, _ in gains for edit in group]
        if gain > _LEAST_GAIN:
            gains.append((rest, gain))
            rest = []
        elif gains and last.is_nearer_than(trying(helping).result()):
            most = max(range(len(gains)), key=lambda at: gains[at][1])
            joined = [*gains[most][0], *rest]
            gain = gain_of(trying(joined))
            if gain > _LEAST_GAIN:
                gains[most] = joined, gain
            else:
                gains = [([*helping, *rest], last.fidelity - before.fidelity)]
            rest = []
    repairs = [group for group in groups if is_repair(group[0])]
    if caused := [
        group for group in repairs if gains and not any(map(failing.__contains__, _item(group, None).repairs))
    ]:
        max(gains, key=lambda pair: pair[1])[0].extend(edit for group in caused for edit in group)
        repairs = [group for group in repairs if group not in caused]
    items = [_item(group, round(gain, 6)) for group, gain in gains]
    around = [Item(tuple(wraps), None, ("landmark-one-main", "region"))] if wraps else []
    return [*around, *items, *(_item(group, None) for group in repairs)], rest


def _parts(edit: Edit) -> list[Edit]:
    """Return an edit in two if it changes both what people see and what assistive technology reads."""
    shown = replace(edit, attributes={})
    if not edit.attributes or not shown.is_seen or edit.html:
        return [edit]
    return [shown, replace(edit, css={}, texts=(), html="", content="")]


def _repairs(edit: Edit) -> tuple[str, ...]:
    """Return the rules that an edit repairs: by what is seen, or by attributes."""
    rules = {*_BY_LOOK, "document-title"} if edit.is_seen else {*REPAIRS} - _BY_LOOK
    return tuple(dict.fromkeys(reason for reason in edit.reasons if reason in rules))


def _item(group: Sequence[Edit], gain: float | None) -> Item:
    repairs = dict.fromkeys(rule for edit in group for rule in _repairs(edit))
    return Item(tuple(group), gain, tuple(repairs), advice=region_name(group))
