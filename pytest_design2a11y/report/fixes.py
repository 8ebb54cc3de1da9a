"""What accessibility rules and probes require, as things to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.escaping import shown
from pytest_design2a11y.models.audit import CheckedNode
from pytest_design2a11y.models.geometry import Color, MeanColor, color_of_hex, contrast, hex_color
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.severity import IMPACT_WEIGHTS, MAX_IMPACT_WEIGHT
from pytest_design2a11y.models.visual import Severity
from pytest_design2a11y.report.design_words import LEAST_CONTRAST
from pytest_design2a11y.report.differences import differences_of
from pytest_design2a11y.report.edits import gone_texts, letters_of
from pytest_design2a11y.report.probes import criterion_of, failed_checks
from pytest_design2a11y.report.rules import RULE_ADVICE, contrast_sentence

_LONGEST_SNIPPET = 200
_TAG = r"<[^>]*>"
#: Colours count as equal up to this sum of channel differences: a block's colour is of anti-aliased letters.
_SAME = 12

#: Facts given about a contrast, by the words for them, with their names in axe-core's data.
_CONTRAST = {
    "foreground": "fgColor",
    "background": "bgColor",
    "ratio": "contrastRatio",
    "required": "expectedContrastRatio",
}

_Change = tuple[MeanColor, MeanColor, Color | None]
"""A text's colour, that which the design gives it, and on what, where that is known."""


@dataclass(frozen=True, slots=True)
class Fix:
    """One thing to do, and every place where it has to be done."""

    kind: str  # "page", "move", "add", "change", "remove", or the accessibility rule
    advice: str  # What to do, one sentence
    # The metric that it improves: "fidelity" ("visual" if fidelity is missing), or "weighted_ir", which
    # falls; None for findings of probes and of engines other than axe-core
    metric: str | None
    cost: float  # Total improvement, 0..1, if other findings stay as they are
    severity: Severity | None  # Of the worst place; None if ungraded
    # Each place, with "sentence", "cost" and what else is known of it; texts in reading order
    places: tuple[Mapping[str, Any], ...]
    num_places: int  # Number of places, of which a saved run may hold fewer


def rule_fixes(evaluation: Evaluation) -> Iterator[Fix]:
    """Yield one fix per failed accessibility rule, with all elements that fail it."""
    rates = evaluation.accessibility
    if evaluation.audit is None or rates is None:
        return
    colors = _colors_of_design(evaluation)
    gone = gone_texts(differences_of(evaluation))
    for name, audit in deduplicate(evaluation.audits, evaluation.engines).items():
        # The rates are axe-core's: other engines' failures do not affect them. A run may have no checks.
        whole = MAX_IMPACT_WEIGHT * max(1, rates.checked) if name == AXE else None
        for rule in audit.rules:
            staying = []
            for node in rule.violations:
                letters = letters_of(re.sub(_TAG, "", node.html))
                # An element goes with the text to be removed if its own text is that text or a part of it.
                if not letters or not any(letters in text for text in gone):
                    staying.append(node)
            if rule.num_violations and (staying or not rule.violations):
                worst = sorted(staying, key=lambda node: -IMPACT_WEIGHTS.get(node.impact or "minor", 0))
                yield Fix(
                    rule.rule,
                    RULE_ADVICE.get(rule.rule) or shown(rule.help or rule.rule, limit=200),
                    "weighted_ir" if whole else None,
                    rule.severity / whole if whole else 0.0,
                    rule.impact,
                    tuple(_node_place(node, whole, colors) for node in worst),
                    rule.num_violations - len(rule.violations) + len(staying),
                )


def _colors_of_design(evaluation: Evaluation) -> list[_Change]:
    """Return the colours of matched texts, each with those of the design."""
    found: list[_Change] = []
    for difference in differences_of(evaluation):
        if difference.kind == "recolored" and difference.what == "text":
            design = difference.design
            values = difference.made.get("color"), design.get("color"), design.get("ground")
            own, wanted, ground = (color_of_hex(str(text)) for text in values)
            if own and wanted:
                found.append((own, wanted, ground))
    matches = evaluation.visual.matches if evaluation.visual else ()
    return [*found, *((match.candidate.color, match.reference.color, None) for match in matches)]


def probe_fixes(evaluation: Evaluation) -> Iterator[Fix]:
    """Yield one fix per failed probe check."""
    for _name, rule in failed_checks(evaluation):
        criterion = criterion_of(rule)
        advice = f"{shown(rule.help, limit=200)}{criterion and f' ({criterion})'}."
        places = tuple(_place(node, f"{_snippet(node.summary)} ", None) for node in rule.violations)
        yield Fix(rule.rule, advice, None, 0.0, None, places, rule.num_violations)


def _place(node: CheckedNode, before: str, cost: float | None) -> dict[str, Any]:
    target, html = _snippet(node.target), _snippet(node.html)
    sentence = f"{before}{html or target}"
    return {"sentence": sentence, "cost": cost, "target": target, "html": html, "impact": node.impact}


def _node_place(node: CheckedNode, whole: int | None, colors: Sequence[_Change]) -> dict[str, Any]:
    """Return where an element that fails a rule is; `whole`: the greatest possible severity of all checks."""
    place = _place(node, "", IMPACT_WEIGHTS[node.impact] / whole if whole and node.impact else None)
    if sentence := contrast_sentence(node):
        facts = {name: shown(str(node.data.get(key))) for name, key in _CONTRAST.items()}
        place["contrast"] = facts
        if own := _color_of_design(facts["foreground"], facts["background"], colors):
            sentence = f"{sentence.partition(';')[0]}; the design has {own}"
        place["sentence"] += f": {sentence}"
    if "also" in node.data:
        place["sentence"] += f" {shown(str(node.data['also']))}"
    return place


def _color_of_design(text: str, ground: str, colors: Sequence[_Change]) -> str | None:
    """Return the design's colour for an unreadable text if it is readable on this ground, else None."""
    own, below = color_of_hex(text), color_of_hex(ground)
    for made, wanted, on in colors:
        lies_on = on or below
        if own is None or lies_on is None or contrast(wanted, lies_on) < LEAST_CONTRAST:
            continue
        if sum(abs(first - other) for first, other in zip(own, made, strict=True)) <= _SAME:
            return f"text {hex_color(wanted)}" + (f" on {hex_color(on)}" if on and on != below else "")
    return None


def _snippet(text: str) -> str:
    return shown(text, limit=_LONGEST_SNIPPET)
