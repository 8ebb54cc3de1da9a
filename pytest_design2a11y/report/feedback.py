"""The fix list: what a model needs to do to a page, the worst first; only whole items are ever left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any

from pytest_design2a11y.escaping import shown
from pytest_design2a11y.models.metrics import SCHEMA_VERSION, number_of, shown_in
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.severity import LIMITS_OF_CHECKS
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.causes import page_warnings
from pytest_design2a11y.report.design_words import LONGEST_TEXT, in_lines, on_legible_grounds, written
from pytest_design2a11y.report.differences import differences_of, lacks_differences
from pytest_design2a11y.report.edits import edits_of, rank
from pytest_design2a11y.report.fixes import Fix, probe_fixes, rule_fixes
from pytest_design2a11y.report.instructions import added, changed, looked_at, moved_together, of_page, removed
from pytest_design2a11y.wording import counted

#: Texts whose tops differ by less than this (px) are in one row; this many or more are listed as one.
_ROW, _LEAST_IN_ROW = 4, 3
#: Differences of the whole page that name nothing, or that other items cover already.
_KNOWN = frozenset({"appearance", "height", "size", "small"})


@dataclass(frozen=True, slots=True)
class Feedback:
    """What would make one generated page better."""

    id: str
    candidate: str
    reference: str | None
    fidelity: float | None
    visual: float | None
    blocking: int | None
    weighted_ir: float | None
    remarks: tuple[str, ...] = ()  # What to know first: an error, or problems of the whole page
    fixes: tuple[Fix, ...] = ()  # What to do, the worst first

    def to_dict(self) -> dict[str, Any]:
        """Return the feedback as JSON values."""
        return {"schema": SCHEMA_VERSION, **asdict(self)}

    def lines(self, *, max_items: int | None = None) -> Iterator[str]:
        """Yield the feedback line by line: up to `max_items` items (None: all), each with all its places."""
        yield from self._head()
        for number, fix in enumerate(self.fixes[:max_items], 1):
            effect = "in no rate" if fix.metric is None else f"costs {fix.cost:.4f} of {fix.metric}"
            worst = f", the worst {fix.severity}" if fix.severity else ""
            places = counted(fix.num_places, "place")
            yield f"{number}. {fix.advice} ({shown(fix.kind)}: {places}{worst}, {effect})"
            yield from (f"   - {sentence}" for sentence in _in_rows(fix))
            if left := fix.num_places - len(fix.places):
                yield f"   - and {left} more that this run does not hold"
        if left := len(self.fixes[max_items:] if max_items is not None else ()):
            yield f"And {counted(left, 'more thing')} to do (--full)."

    def _head(self) -> Iterator[str]:
        # The table of a run names pages by their ids.
        name = "" if self.id == self.candidate else f"{shown(self.id, limit=200)}: "
        yield f"{name}{shown(self.candidate, limit=200)}" + (
            f" against {shown(self.reference, limit=200)}" if self.reference else ""
        )
        scores = ((name, getattr(self, name)) for name in (*shown_in("watched"), "blocking"))
        known = [f"{name} {number_of(name, value)}" for name, value in scores if value is not None]
        if known:
            yield ", ".join(known)
        yield from self.remarks
        if self.fixes or self.remarks:
            return
        if self.reference is None:
            yield f"No rule fails. {LIMITS_OF_CHECKS}"
        elif self.fidelity == 1.0:
            yield f"Nothing was found to fix. {LIMITS_OF_CHECKS}"
        else:
            lacking = "was not measured" if self.fidelity is None else f"lacks {1 - self.fidelity:.4f} of 1"
            yield f"No differences found that could be fixed, but fidelity {lacking}. {LIMITS_OF_CHECKS}"


def _in_rows(fix: Fix) -> Iterator[str]:
    """Yield a sentence per place; texts to add that are in one row and look alike share one."""
    for row, group in groupby(fix.places, key=lambda place: place.get("row") or id(place)):
        places = [*group]
        if len(places) < _LEAST_IN_ROW or not isinstance(row, tuple):
            yield from (place["sentence"] for place in places)
            continue
        sides = [place["reference"] for place in places]
        sentence = (f"{in_lines(side)} at {side['box'][0]} ({side['box'][2]} px)" for side in sides)
        down, high = sides[0]["box"][1], sides[0]["box"][3]
        yield f"in one row {down} px down, {high} px high: {', '.join(sentence)}: {written(sides[0])}"


def feedback(evaluation: Evaluation) -> Feedback:
    """Return the fix list of one generated page.

    A cost is the gain in the metric if only this finding were fixed and everything else stayed as it is;
    matching the pages again can change more than that.
    """
    visual, rates = evaluation.visual, evaluation.accessibility
    if visual is not None:
        visual = replace(visual, differences=on_legible_grounds(visual.differences))
        evaluation = replace(evaluation, visual=visual)
    fixes = [*_difference_fixes(evaluation), *rule_fixes(evaluation), *probe_fixes(evaluation)]
    return Feedback(
        id=evaluation.id,
        candidate=evaluation.candidate,
        reference=evaluation.reference,
        fidelity=None if visual is None else visual.fidelity,
        visual=None if visual is None else visual.score,
        blocking=None if visual is None else visual.blocking,
        weighted_ir=None if rates is None else rates.weighted_ir,
        remarks=tuple(_remarks(evaluation)),
        fixes=tuple(sorted(fixes, key=lambda fix: (rank(fix.severity), -fix.cost))),
    )


def _remarks(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.error is not None:
        yield shown(f"Not measured: {evaluation.error}", limit=500)
    yield from (shown(warning, limit=300) for warning in page_warnings(evaluation))
    sizes = [evaluation.page_sizes.get(role) for role in ("reference", "candidate")]
    if differences_of(evaluation) and all(sizes):
        wanted, own = ("{} x {} px".format(*size) for size in sizes if size)
        yield (
            f"The design is {wanted}, your page {own}. Places are px from the left and top to the top left "
            "corner; texts are written as the design shows them, with \\n where a line ends early; a text is "
            "as wide as its longest line, which needs 1 px more so as not to break."
        )
    for difference in differences_of(evaluation):
        is_new = difference.kind != "unexplained" and difference.property not in _KNOWN
        if difference.what == "page" and is_new and of_page(difference, evaluation) is None:
            yield f"Overall, {shown(in_words(difference), limit=300)}."
    visual = evaluation.visual
    if visual is None:
        return
    designs = (*(match.reference for match in visual.matches), *visual.missing)
    if any(block.confidence is not None for block in designs):
        yield "The design is a picture whose texts were read by a machine: single letters may be misread."
    if lacks_differences(evaluation):
        pages = f"{shown(str(evaluation.reference), limit=200)} {shown(evaluation.candidate, limit=200)}"
        yield (
            "Smaller differences and single elements are not in this run: a run has its details on the "
            "machine that saved it, in .design2a11y/details, and one of --out or of version 0.2 has none. "
            f"Save one here: design2a11y score {pages} --save NAME."
        )


_ADVICE = {
    "page": "Give the page the design's background.",
    "move": "Move these parts of the page as a whole.",
    "add text": "Add these texts, as they are written here.",
    "add element": "Add these elements, as the design has them, each within the panel on which it lies.",
    "change text": "Change these texts.",
    "change element": "Change these elements.",
    "look": "Look at these places, which look different for no other reason that is named here.",
    "remove text": "Remove these texts: the design does not have them.",
    "remove element": "Remove these elements: the design does not have them.",
}


#: Sentences that say what to do, by action, for actions that consist of one difference.
_SENTENCES: dict[str, Callable[[Difference, Evaluation], str | None]] = {
    "page": of_page,
    "move": lambda difference, _evaluation: moved_together(difference),
    "add": added,
    "remove": lambda difference, _evaluation: removed(difference),
    "look": looked_at,
}


def _difference_fixes(evaluation: Evaluation) -> Iterator[Fix]:
    metric = "visual" if evaluation.visual is None or evaluation.visual.fidelity is None else "fidelity"
    found: dict[str, list[Mapping[str, Any]]] = {}
    for action, differences in edits_of(differences_of(evaluation)):
        single = _SENTENCES.get(action)
        sentence = single(differences[0], evaluation) if single else changed(differences, evaluation)
        if sentence is not None:
            what = "" if action in _ADVICE else " text" if differences[0].what == "text" else " element"
            found.setdefault(f"{action}{what}", []).append(_place(sentence, differences))
    for action, places in found.items():
        yield Fix(
            action.partition(" ")[0],
            _ADVICE[action],
            metric,
            sum(place["cost"] for place in places),
            min((place["severity"] for place in places), key=rank),
            tuple(sorted(places, key=_reading_order)),
            len(places),
        )


def _place(sentence: str, differences: Sequence[Difference]) -> dict[str, Any]:
    first = differences[0]
    sides = {"reference": first.reference, "candidate": first.candidate}
    values = {role: side and _safe(dict(side)) for role, side in sides.items()}
    row, side = None, values["reference"]
    if first.kind == "missing" and side and "text" in side:
        row = round(side["box"][1] / _ROW), written(side)
    severity = min((difference.severity for difference in differences), key=rank)
    cost = sum(difference.cost for difference in differences)
    sentence = shown(sentence, limit=LONGEST_TEXT)
    return {"sentence": sentence, "cost": cost, "severity": severity, **values, "row": row}


def _safe(value: Any) -> Any:
    match value:
        case str():
            return shown(value, limit=LONGEST_TEXT)
        case list():
            return [_safe(part) for part in value]
        case dict():
            return {name: _safe(part) for name, part in value.items()}
    return value


def _reading_order(place: Mapping[str, Any]) -> tuple[float, float]:
    left, top, *_ = (place["reference"] or place["candidate"] or {}).get("box", (0, 0))
    return top // _ROW, left
