"""What accessibility rules and probes ask for, as things to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.models.audit import AccessibilityRates, CheckedNode
from pytest_design2a11y.models.geometry import Color, color_of_hex, contrast, hex_color
from pytest_design2a11y.models.metrics import IMPACT_WEIGHTS, MAX_IMPACT_WEIGHT
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.visual import Severity
from pytest_design2a11y.report.differences import differences_of
from pytest_design2a11y.report.edits import gone_texts, letters_of
from pytest_design2a11y.report.html.islands import shown
from pytest_design2a11y.report.looks import LEAST_CONTRAST
from pytest_design2a11y.report.probes import criterion_of, failed_checks
from pytest_design2a11y.report.rules import RULE_ADVICE, contrast_sentence

_LONGEST_SNIPPET = 200
_TAG = r"<[^>]*>"
#: Colours whose parts differ by no more in sum are one: a block's is that of anti-aliased letters.
_SAME = 12

_Change = tuple[Color, Color, Color | None]
"""A text's colour, that which the design gives it, and on what, where that is known."""


@dataclass(frozen=True, slots=True)
class Fix:
    """One thing to do, and everywhere where it is to be done.

    Attributes:
        kind: "page", "move", "add", "change", "remove", or the accessibility rule.
        advice: What to do, one sentence.
        metric: The metric that it improves: "fidelity" ("visual" without fidelity), or "weighted_ir",
            which falls; None: a number of another engine than axe-core, or of a probe.
        cost: By how much in sum, 0..1, other findings left as they are.
        severity: Of the worst place; None if ungraded.
        places: Where, each with "sentence", "cost" and what is known of it; texts in reading order.
        num_places: How many there are: a saved run may hold fewer.
    """

    kind: str
    advice: str
    metric: str | None
    cost: float
    severity: Severity | None
    places: tuple[Mapping[str, Any], ...]
    num_places: int


def rule_fixes(evaluation: Evaluation) -> Iterator[Fix]:
    """Yield what accessibility rules ask for, of each with all elements that fail it."""
    rates = evaluation.accessibility
    if evaluation.audit is None or rates is None:
        return
    colors = _colors_of_design(evaluation)
    gone = gone_texts(differences_of(evaluation))
    for name, audit in deduplicate(evaluation.audits, evaluation.engines).items():
        is_counted = name == AXE  # The rates are axe-core's: of others' failures they would gain nothing.
        for rule in (rule for rule in audit.rules if rule.num_violations):
            staying = [node for node in rule.violations if not _is_gone(node, gone)]
            worst = sorted(staying, key=lambda node: -IMPACT_WEIGHTS.get(node.impact or "minor", 0))
            if not worst and rule.violations:
                continue
            yield Fix(
                rule.rule,
                RULE_ADVICE.get(rule.rule) or shown(rule.help or rule.rule, limit=200),
                "weighted_ir" if is_counted else None,
                rule.severity / _largest_severity(rates) if is_counted else 0.0,
                rule.impact,
                tuple(_node_place(node, rates if is_counted else None, colors) for node in worst),
                rule.num_violations - len(rule.violations) + len(staying),
            )


def _is_gone(node: CheckedNode, gone: Iterable[str]) -> bool:
    """Return whether an element's text is one that is to be removed, or a part of one."""
    letters = letters_of(re.sub(_TAG, "", node.html))
    return bool(letters) and any(letters in text for text in gone)


def _colors_of_design(evaluation: Evaluation) -> list[_Change]:
    """Return the colours of matched texts beside those of the design."""
    found: list[_Change] = []
    for difference in differences_of(evaluation):
        design, made = difference.reference or {}, difference.candidate or {}
        if difference.kind == "recolored" and difference.what == "text":
            values = made.get("color"), design.get("color"), design.get("ground")
            colors = [color_of_hex(str(text)) for text in values]
            if colors[0] and colors[1]:
                found.append((colors[0], colors[1], colors[2]))
    matches = evaluation.visual.matches if evaluation.visual else ()
    return [*found, *((match.candidate.color, match.reference.color, None) for match in matches)]


def probe_fixes(evaluation: Evaluation) -> Iterator[Fix]:
    """Yield what probes ask for."""
    for _name, rule in failed_checks(evaluation):
        advice = f"{shown(rule.help, limit=200)} (WCAG {criterion_of(rule)})."
        places = tuple(_place(node, f"{_snippet(node.summary)} ", None) for node in rule.violations)
        yield Fix(rule.rule, advice, None, 0.0, None, places, rule.num_violations)


def _place(node: CheckedNode, before: str, cost: float | None) -> dict[str, Any]:
    target, html = _snippet(node.target), _snippet(node.html)
    sentence = f"{before}{html or target}"
    return {"sentence": sentence, "cost": cost, "target": target, "html": html, "impact": node.impact}


def _node_place(
    node: CheckedNode, rates: AccessibilityRates | None, colors: Sequence[_Change]
) -> dict[str, Any]:
    is_counted = rates is not None and node.impact is not None
    cost = IMPACT_WEIGHTS[node.impact] / _largest_severity(rates) if is_counted else None  # type: ignore[index, arg-type]
    place = _place(node, "", cost)
    if sentence := contrast_sentence(node):
        facts = {name: shown(str(node.data.get(key))) for name, key in _CONTRAST.items()}
        place["contrast"] = facts
        if own := _color_of_design(facts["foreground"], facts["background"], colors):
            sentence = f"{sentence.partition(';')[0]}; the design has {own}"
        place["sentence"] += f": {sentence}"
    if "also" in node.data:
        place["sentence"] += f" {shown(str(node.data['also']))}"
    return place


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
        if own is None or lies_on is None or contrast(wanted, lies_on) < LEAST_CONTRAST:
            continue
        if sum(abs(first - other) for first, other in zip(own, made, strict=True)) <= _SAME:
            return f"text {hex_color(wanted)}" + (f" on {hex_color(on)}" if on and on != below else "")
    return None


def _largest_severity(rates: AccessibilityRates) -> int:
    # A hand-written run may have failures and no checks.
    return MAX_IMPACT_WEIGHT * max(1, rates.checked)


def _snippet(text: str) -> str:
    return shown(text, limit=_LONGEST_SNIPPET)
