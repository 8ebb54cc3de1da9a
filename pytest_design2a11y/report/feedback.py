"""The fix list: what a model needs to do better next time, short and concrete, the most costly first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.models.audit import AccessibilityRates, CheckedNode, RuleOutcome
from pytest_design2a11y.models.engines import AXE
from pytest_design2a11y.models.geometry import hex_color
from pytest_design2a11y.models.metrics import IMPACT_WEIGHTS, MAX_IMPACT_WEIGHT, SCHEMA_VERSION
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.visual import Block, Match, VisualScore
from pytest_design2a11y.report.advice import BLOCK_ADVICE, RULE_ADVICE
from pytest_design2a11y.report.findings import (
    BlockFinding,
    Kind,
    find_block_findings,
    kind_cost,
)
from pytest_design2a11y.report.html.islands import shown
from pytest_design2a11y.report.probes import criterion_of, failed_checks

#: Places named per fix, where the caller does not say.
LIMIT = 10

_LONGEST_TEXT = 120
_LONGEST_SNIPPET = 200
_CONTEXT = 24


@dataclass(frozen=True, slots=True)
class Place:
    """One place to fix.

    Attributes:
        sentence: What is wrong there.
        cost: What it takes from the metric of its fix, 0..1; None where that is not known.
        details: The same as values.
    """

    sentence: str
    cost: float | None
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fix:
    """One thing to do, and where.

    Attributes:
        kind: "missing", "extra", "moved", "recolored", "reworded", or the accessibility rule.
        advice: What to do, one sentence.
        metric: What it makes better: "visual", or "weighted_ir" (which falls); None: a number of another
            engine than axe-core, or of a probe.
        cost: By how much in sum, 0..1, other findings left as they are.
        num_places: How many places there are.
        places: The most costly of them.
    """

    kind: str
    advice: str
    metric: Literal["visual", "weighted_ir"] | None
    cost: float
    num_places: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Feedback:
    """What would make one generated page better.

    Attributes:
        id: The evaluation's.
        candidate: The generated page.
        reference: The design; None for an audit alone.
        visual: Visual similarity as it is; None where not measured.
        weighted_ir: Weighted inaccessibility rate as it is; None where not measured.
        remarks: What has to be known besides, such as an error, or pages of different sizes.
        fixes: What to do, the most costly first.
    """

    id: str
    candidate: str
    reference: str | None
    visual: float | None
    weighted_ir: float | None
    remarks: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return the feedback as JSON values."""
        return {"schema": SCHEMA_VERSION, **asdict(self)}

    def lines(self) -> Iterator[str]:
        """Return the feedback as text, line by line."""
        yield shown(self.candidate, limit=200) + (
            f" against {shown(self.reference, limit=200)}" if self.reference else ""
        )
        yield from self._scores()
        yield from self.remarks
        if not self.fixes and not self.remarks:
            yield "Nothing was found to fix. Automated checks find a part of the barriers only."
        for number, fix in enumerate(self.fixes, 1):
            yield ""
            yield f"{number}. {fix.advice} ({shown(fix.kind)}: {_counted(fix.num_places)}, {_effect(fix)})"
            yield from (f"   - {place.sentence}" for place in fix.places)
            if fix.num_places > len(fix.places):
                yield f"   - and {fix.num_places - len(fix.places)} more"

    def _scores(self) -> Iterator[str]:
        scores = (("visual similarity", self.visual), ("weighted_ir", self.weighted_ir))
        known = [f"{name} {value:.4f}" for name, value in scores if value is not None]
        if known:
            yield ", ".join(known)


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
        *_block_fixes(evaluation, limit),
        *_rule_fixes(evaluation, limit),
        *_probe_fixes(evaluation, limit),
    ]
    return Feedback(
        id=evaluation.id,
        candidate=evaluation.candidate,
        reference=evaluation.reference,
        visual=None if visual is None else visual.score,
        weighted_ir=None if rates is None else rates.weighted_ir,
        remarks=tuple(_remarks(evaluation)),
        fixes=tuple(sorted(fixes, key=lambda fix: -fix.cost)),
    )


def _remarks(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.error is not None:
        yield shown(f"Not measured: {evaluation.error.type}: {evaluation.error.message}", limit=500)
    sizes = evaluation.page_sizes
    if "reference" in sizes and "candidate" in sizes and sizes["reference"] != sizes["candidate"]:
        (width, height), (own_width, own_height) = sizes["reference"], sizes["candidate"]
        yield (
            f"The page is {own_width}x{own_height} px, the design {width}x{height} px; "
            "places are compared as fractions of the page."
        )
    if evaluation.visual is not None and _was_read(evaluation.visual):
        yield "The design is a picture whose texts were read by a machine: single letters may be misread."
    if evaluation.visual is not None and _lacks_details(evaluation.visual):
        yield "The single text blocks are not in this run: it was saved without details."


def _was_read(visual: VisualScore) -> bool:
    blocks = (*(match.reference for match in visual.matches), *visual.missing)
    return any(block.confidence is not None for block in blocks)


def _lacks_details(visual: VisualScore) -> bool:
    return visual.score < 1 and not (visual.matches or visual.missing or visual.extra)


def _block_fixes(evaluation: Evaluation, limit: int) -> Iterator[Fix]:
    if evaluation.visual is None:
        return
    findings = find_block_findings(evaluation.visual)
    sizes = {role: evaluation.page_sizes.get(role, (1, 1)) for role in ("reference", "candidate")}
    for kind, advice in BLOCK_ADVICE.items():
        costs = [
            (kind_cost(evaluation.visual, finding, kind), finding)
            for finding in findings
            if kind in finding.kinds
        ]
        if costs:
            costs.sort(key=lambda pair: -pair[0])
            places = tuple(_block_place(kind, finding, cost, sizes) for cost, finding in costs[:limit])
            yield Fix(kind, advice, "visual", sum(cost for cost, _ in costs), len(costs), places)


def _block_place(
    kind: Kind, finding: BlockFinding, cost: float, sizes: Mapping[str, tuple[int, int]]
) -> Place:
    reference, candidate, match = finding.reference, finding.candidate, finding.match
    if match is None:
        block, role = (reference, "reference") if reference else (candidate, "candidate")
        assert block is not None
        details: dict[str, Any] = {
            "text": shown(block.text, limit=_LONGEST_TEXT),
            "box": _pixels(block, sizes[role]),
            "color": hex_color(block.color),
        }
        x, y, width, height = details["box"]
        return Place(
            f'"{details["text"]}" at {x},{y}, {width}x{height} px, {details["color"]}', cost, details
        )
    return _pair_place(kind, match, cost, sizes["reference"])


def _pair_place(kind: Kind, match: Match, cost: float, size: tuple[int, int]) -> Place:
    text = shown(match.reference.text, limit=_LONGEST_TEXT)
    if kind == "recolored":
        colors = {"is": hex_color(match.candidate.color), "should_be": hex_color(match.reference.color)}
        return Place(
            f'"{text}" is {colors["is"]}, should be {colors["should_be"]}', cost, {"text": text, **colors}
        )
    if kind == "reworded":
        is_text, should_be = _trimmed(match.candidate.text, match.reference.text)
        return Place(f'"{is_text}" should read "{should_be}"', cost, {"is": is_text, "should_be": should_be})
    across, down = _way(match, size)
    words = [
        f"{abs(across)} px {'left' if across > 0 else 'right'}" if across else "",
        f"{abs(down)} px {'up' if down > 0 else 'down'}" if down else "",
    ]
    way = " and ".join(word for word in words if word)
    details = {
        "text": text,
        "off_by": [across, down],
        "should_be_at": _pixels(match.reference, size),
    }
    x, y, *_ = details["should_be_at"]
    return Place(f'"{text}": move {way}, to {x},{y}', cost, details)


def _rule_fixes(evaluation: Evaluation, limit: int) -> Iterator[Fix]:
    if evaluation.audit is None or evaluation.accessibility is None:
        return
    for name, audit in deduplicate(evaluation.audits).items():
        for rule in audit.rules:
            if rule.num_violations:
                fix = _rule_fix(rule, evaluation.accessibility, limit)
                yield fix if name == AXE else _without_cost(fix)


def _probe_fixes(evaluation: Evaluation, limit: int) -> Iterator[Fix]:
    for _name, rule in failed_checks(evaluation):
        advice = f"{shown(rule.help, limit=200)} (WCAG {criterion_of(rule)})."
        places = tuple(_probe_place(node) for node in rule.violations[:limit])
        yield Fix(rule.rule, advice, None, 0.0, rule.num_violations, places)


def _probe_place(node: CheckedNode) -> Place:
    html = shown(node.html, limit=_LONGEST_SNIPPET)
    target = shown(node.target, limit=_LONGEST_SNIPPET)
    details = {"target": target, "html": html, "impact": node.impact}
    return Place(f"{shown(node.summary, limit=_LONGEST_SNIPPET)} {html or target}", None, details)


def _without_cost(fix: Fix) -> Fix:
    """Take from a further engine's fix what the rates, which are axe-core's, would gain."""
    places = tuple(replace(place, cost=None) for place in fix.places)
    return replace(fix, metric=None, cost=0.0, places=places)


def _rule_fix(rule: RuleOutcome, rates: AccessibilityRates, limit: int) -> Fix:
    worst = sorted(rule.violations, key=lambda node: -IMPACT_WEIGHTS.get(node.impact or "minor", 0))
    return Fix(
        rule.rule,
        RULE_ADVICE.get(rule.rule) or shown(rule.help or rule.rule, limit=200),
        "weighted_ir",
        rule.severity / _largest_severity(rates),
        rule.num_violations,
        tuple(_node_place(node, rates) for node in worst[:limit]),
    )


def _node_place(node: CheckedNode, rates: AccessibilityRates) -> Place:
    cost = None if node.impact is None else IMPACT_WEIGHTS[node.impact] / _largest_severity(rates)
    html = shown(node.html, limit=_LONGEST_SNIPPET)
    details: dict[str, Any] = {
        "target": shown(node.target, limit=_LONGEST_SNIPPET),
        "html": html,
        "impact": node.impact,
    }
    contrast = _contrast(node.data)
    also = f" {shown(str(node.data['also']))}" if "also" in node.data else ""
    if contrast is None:
        return Place((html or details["target"]) + also, cost, details)
    found = "{foreground} on {background} has {ratio}:1, needs {required}: ".format(**contrast)
    sentence = found + html + also
    return Place(sentence, cost, details | {"contrast": contrast})


def _largest_severity(rates: AccessibilityRates) -> int:
    # A run that somebody wrote by hand may have failures and no checks.
    return MAX_IMPACT_WEIGHT * max(1, rates.checked)


def _contrast(data: Mapping[str, Any]) -> dict[str, str] | None:
    keys = {
        "foreground": "fgColor",
        "background": "bgColor",
        "ratio": "contrastRatio",
        "required": "expectedContrastRatio",
    }
    if not all(key in data for key in keys.values()):
        return None
    return {name: shown(str(data[key])) for name, key in keys.items()}


def _pixels(block: Block, size: Sequence[int]) -> list[int]:
    return [round(side * scale) for side, scale in zip(block.box, (*size, *size), strict=True)]


def _way(match: Match, size: tuple[int, int]) -> tuple[int, int]:
    """Return by how many pixels of the design the candidate's centre lies too far right and down."""
    centres = [
        (block.box[0] + block.box[2] / 2, block.box[1] + block.box[3] / 2)
        for block in (match.reference, match.candidate)
    ]
    across, down = (round((centres[1][axis] - centres[0][axis]) * size[axis]) for axis in (0, 1))
    return across, down


def _trimmed(first: str, second: str) -> tuple[str, str]:
    """Shorten two texts to where they differ, with a little of what surrounds it."""
    shortest = min(len(first), len(second))
    start = next((place for place in range(shortest) if first[place] != second[place]), shortest)
    most = shortest - start
    end = next((place for place in range(most) if first[-1 - place] != second[-1 - place]), most)
    return _part(first, start, len(first) - end), _part(second, start, len(second) - end)


def _part(text: str, start: int, end: int) -> str:
    left, right = max(0, start - _CONTEXT), min(len(text), end + _CONTEXT)
    part = shown(text[left:right], limit=_LONGEST_TEXT)
    return ("…" if left else "") + part + ("…" if right < len(text) else "")


def _counted(count: int) -> str:
    return f"{count} place" + ("" if count == 1 else "s")


def _effect(fix: Fix) -> str:
    if fix.metric is None:
        return "in no rate"
    return f"costs {fix.cost:.4f} of {'visual similarity' if fix.metric == 'visual' else 'weighted_ir'}"
