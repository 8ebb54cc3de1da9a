"""The fix list: what a model needs to do better next time, short and concrete, the most costly first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.models.audit import AccessibilityRates, CheckedNode
from pytest_design2a11y.models.choices import AXE
from pytest_design2a11y.models.geometry import Color, color_of_hex, contrast, hex_color
from pytest_design2a11y.models.metrics import (
    IMPACT_WEIGHTS,
    LIMITS_OF_CHECKS,
    MAX_IMPACT_WEIGHT,
    SCHEMA_VERSION,
    shown_in,
)
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.report.causes import page_warnings
from pytest_design2a11y.report.differences import differences_of, group_differences, lacks_differences
from pytest_design2a11y.report.html.islands import shown
from pytest_design2a11y.report.instructions import (
    LEAST_CONTRAST,
    advice_for,
    distance,
    explained_by_others,
    instruction,
)
from pytest_design2a11y.report.probes import criterion_of, failed_checks
from pytest_design2a11y.report.rules import RULE_ADVICE, contrast_sentence
from pytest_design2a11y.wording import counted

#: Places named per fix, where the caller does not say.
LIMIT = 10
#: Lines of the text.
MAX_LINES = 40

_LONGEST_SNIPPET = 200
#: Colours that differ by no more are one: a block's is that of anti-aliased letters.
_SAME = 12

_Change = tuple[Color, Color, Color | None]
"""A text's colour, that which the design gives it, and on what, where that is known."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place to fix.

    Attributes:
        cost: What it takes from the metric of its fix, 0..1; None where that is not known.
    """

    sentence: str
    cost: float | None
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fix:
    """One thing to do, and where.

    Attributes:
        kind: The kind of the differences ("missing", "moved", "ground" ...), or the accessibility rule.
        advice: What to do, one sentence.
        metric: What it makes better: "fidelity" ("visual" where there is no fidelity), or "weighted_ir",
            which falls; None: a number of another engine than axe-core, or of a probe.
        cost: By how much in sum, 0..1, other findings left as they are.
        places: The most costly of them.
    """

    kind: str
    advice: str
    metric: str | None
    cost: float
    num_places: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Feedback:
    """What would make one generated page better.

    Attributes:
        remarks: What has to be known first, such as an error, or what is wrong with the page as a whole.
        fixes: What to do, the most costly first.
    """

    id: str
    candidate: str
    reference: str | None
    fidelity: float | None
    visual: float | None
    weighted_ir: float | None
    remarks: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the feedback as JSON values."""
        return {"schema": SCHEMA_VERSION, **asdict(self)}

    def lines(self, *, max_items: int = 8) -> Iterator[str]:
        """Return the feedback as text, line by line, at most `MAX_LINES` of them."""
        head = [*self._head()]
        fixes = self.fixes[: min(max_items, (MAX_LINES - len(head) - 1) // 2)]
        yield from head
        for number, (fix, most) in enumerate(_shared_out(fixes, MAX_LINES - len(head) - 1), 1):
            yield from _fix_lines(number, fix, most)
        if left := len(self.fixes) - len(fixes):
            yield f"And {counted(left, 'more thing')} to fix, each of less effect."

    def _head(self) -> Iterator[str]:
        yield shown(self.candidate, limit=200) + (
            f" against {shown(self.reference, limit=200)}" if self.reference else ""
        )
        scores = ((name, getattr(self, name)) for name in shown_in("watched"))
        known = [f"{name} {value:.4f}" for name, value in scores if value is not None]
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
            yield f"Nothing stands out that could be fixed, but fidelity {lacking}. {LIMITS_OF_CHECKS}"


def _shared_out(fixes: Sequence[Fix], num_lines: int) -> Iterator[tuple[Fix, int]]:
    """Yield each fix with how many of its places are told: the more, the more it costs."""
    told = [min(1, len(fix.places)) for fix in fixes]
    for _ in range(num_lines - len(fixes) - sum(told)):
        open_ones = [at for at, fix in enumerate(fixes) if told[at] < len(fix.places)]
        if not open_ones:
            break
        told[max(open_ones, key=lambda at: (fixes[at].cost + 1e-6) / told[at])] += 1
    return zip(fixes, told, strict=True)


def _fix_lines(number: int, fix: Fix, most: int) -> Iterator[str]:
    effect = "in no rate" if fix.metric is None else f"costs {fix.cost:.4f} of {fix.metric}"
    yield f"{number}. {fix.advice} ({shown(fix.kind)}: {counted(fix.num_places, 'place')}, {effect})"
    told = fix.places[:most]
    rest = fix.num_places - len(told)
    for place in told[:-1]:
        yield f"   - {place.sentence}"
    if told:
        yield f"   - {told[-1].sentence}" + (f" (and {rest} more)" if rest else "")


def feedback(evaluation: Evaluation, *, limit: int = LIMIT) -> Feedback:
    """Make the fix list of one generated page.

    A cost is by how much the metric would gain if the finding alone were fixed and everything else stayed
    as it is; matching anew can change more than that.

    Args:
        evaluation: What was measured, with its details.
        limit: How many places are named per fix; all are counted.
    """
    visual, rates = evaluation.visual, evaluation.accessibility
    fixes = [
        *_difference_fixes(evaluation, limit),
        *_rule_fixes(evaluation, limit),
        *_probe_fixes(evaluation, limit),
    ]
    return Feedback(
        id=evaluation.id,
        candidate=evaluation.candidate,
        reference=evaluation.reference,
        fidelity=None if visual is None else visual.fidelity,
        visual=None if visual is None else visual.score,
        weighted_ir=None if rates is None else rates.weighted_ir,
        remarks=tuple(_remarks(evaluation)),
        fixes=tuple(sorted(fixes, key=lambda fix: -fix.cost)),
    )


def _remarks(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.error is not None:
        yield shown(f"Not measured: {evaluation.error.type}: {evaluation.error.message}", limit=500)
    yield from (shown(warning, limit=300) for warning in page_warnings(evaluation))
    for difference in differences_of(evaluation):
        if difference.what == "page" and difference.reference is None:
            yield f"Overall, {shown(difference.message, limit=300)}."
    visual = evaluation.visual
    if visual is None:
        return
    designs = (*(match.reference for match in visual.matches), *visual.missing)
    if any(block.confidence is not None for block in designs):
        yield "The design is a picture whose texts were read by a machine: single letters may be misread."
    if lacks_differences(evaluation):
        pages = f"{shown(str(evaluation.reference), limit=200)} {shown(evaluation.candidate, limit=200)}"
        yield (
            "What differs is not in this run: a run has its details on the machine that saved it, in "
            ".design2a11y/details, and one of --out or of version 0.2 has none. Save one here: "
            f"design2a11y score {pages} --save NAME."
        )


def _difference_fixes(evaluation: Evaluation, limit: int) -> Iterator[Fix]:
    refilled = [one for one in differences_of(evaluation) if one.kind == "recolored" and one.what != "text"]
    differences = [
        one
        for one in differences_of(evaluation)
        if (one.what != "page" or one.reference)
        and not (one in refilled and explained_by_others(one, refilled))
    ]
    has_fidelity = evaluation.visual is not None and evaluation.visual.fidelity is not None
    for group in group_differences(differences):
        told = [(one, instruction(one, evaluation)) for one in group.members]
        places = [Place(sentence, one.cost, _values(one)) for one, sentence in told if sentence is not None]
        if places:
            yield Fix(
                group.kind,
                advice_for(group),
                "fidelity" if has_fidelity else "visual",
                sum(place.cost or 0.0 for place in places),
                len(places),
                tuple(places[:limit]),
            )


def _values(difference: Difference) -> dict[str, Any]:
    sides = {"reference": difference.reference, "candidate": difference.candidate}
    return {
        role: side
        and {name: shown(value) if isinstance(value, str) else value for name, value in side.items()}
        for role, side in sides.items()
    }


def _rule_fixes(evaluation: Evaluation, limit: int) -> Iterator[Fix]:
    rates = evaluation.accessibility
    if evaluation.audit is None or rates is None:
        return
    colors = _colors_of_design(evaluation)
    for name, audit in deduplicate(evaluation.audits).items():
        is_counted = name == AXE  # The rates are axe-core's: of others' failures they would gain nothing.
        for rule in (one for one in audit.rules if one.num_violations):
            worst = sorted(rule.violations, key=lambda node: -IMPACT_WEIGHTS.get(node.impact or "minor", 0))
            places = (_node_place(node, rates, colors) for node in worst[:limit])
            yield Fix(
                rule.rule,
                RULE_ADVICE.get(rule.rule) or shown(rule.help or rule.rule, limit=200),
                "weighted_ir" if is_counted else None,
                rule.severity / _largest_severity(rates) if is_counted else 0.0,
                rule.num_violations,
                tuple(place if is_counted else replace(place, cost=None) for place in places),
            )


def _colors_of_design(evaluation: Evaluation) -> list[_Change]:
    """Return the colours of matched texts beside those of the design."""
    found: list[_Change] = []
    for one in differences_of(evaluation):
        design, made = one.reference or {}, one.candidate or {}
        if one.kind == "recolored" and one.what == "text":
            colors = [color_of_hex(str(text)) for text in (made["color"], design["color"], design["ground"])]
            if colors[0] and colors[1]:
                found.append((colors[0], colors[1], colors[2]))
    matches = evaluation.visual.matches if evaluation.visual else ()
    return [*found, *((one.candidate.color, one.reference.color, None) for one in matches)]


def _probe_fixes(evaluation: Evaluation, limit: int) -> Iterator[Fix]:
    for _name, rule in failed_checks(evaluation):
        advice = f"{shown(rule.help, limit=200)} (WCAG {criterion_of(rule)})."
        places = []
        for node in rule.violations[:limit]:
            told = {"target": _snippet(node.target), "html": _snippet(node.html), "impact": node.impact}
            sentence = f"{_snippet(node.summary)} {told['html'] or told['target']}"
            places.append(Place(sentence, None, told))
        yield Fix(rule.rule, advice, None, 0.0, rule.num_violations, tuple(places))


def _node_place(node: CheckedNode, rates: AccessibilityRates, colors: Sequence[_Change]) -> Place:
    cost = None if node.impact is None else IMPACT_WEIGHTS[node.impact] / _largest_severity(rates)
    details: dict[str, Any] = {
        "target": _snippet(node.target),
        "html": _snippet(node.html),
        "impact": node.impact,
    }
    sentence = details["html"] or details["target"]
    if told := contrast_sentence(node):
        facts = {name: shown(str(node.data.get(key))) for name, key in _CONTRAST.items()}
        details["contrast"] = facts
        if own := _color_of_design(facts["foreground"], facts["background"], colors):
            told = f"{told.partition(';')[0]}; the design has {own}"
        sentence = f"{sentence}: {told}"
    if "also" in node.data:
        sentence += f" {shown(str(node.data['also']))}"
    return Place(sentence, cost, details)


_CONTRAST = {
    "foreground": "fgColor",
    "background": "bgColor",
    "ratio": "contrastRatio",
    "required": "expectedContrastRatio",
}


def _color_of_design(text: str, ground: str, colors: Sequence[_Change]) -> str | None:
    """Return the design's colour for a text that cannot be read, where it can be read; None where none is."""
    own, below = color_of_hex(text), color_of_hex(ground)
    for made, wanted, on in colors:
        lies_on = on or below
        if own and lies_on and distance(own, made) <= _SAME and contrast(wanted, lies_on) >= LEAST_CONTRAST:
            return f"text {hex_color(wanted)}" + (f" on {hex_color(on)}" if on and on != below else "")
    return None


def _largest_severity(rates: AccessibilityRates) -> int:
    # A run that somebody wrote by hand may have failures and no checks.
    return MAX_IMPACT_WEIGHT * max(1, rates.checked)


def _snippet(text: str) -> str:
    return shown(text, limit=_LONGEST_SNIPPET)
