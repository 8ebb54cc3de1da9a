"""Shared by engines: starting their scripts, and records of findings."""

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from pytest_design2a11y.capture.page.frames import FrameContext
from pytest_design2a11y.exceptions import AxeError, CaptureError, MeasurementError
from pytest_design2a11y.models.audit import IMPACT_WEIGHTS, Audit, CheckedNode, FailedCheck, RuleOutcome
from pytest_design2a11y.models.geometry import Box, moved

ElementPath = tuple[int, ...]
"""Numbers of the frame elements that lead to an element, and its own."""

Descriptions = Mapping[ElementPath, Mapping[str, Any]]
"""Selector, HTML and box of elements, and the offset of their frame, by path."""


Texts = Mapping[ElementPath, Mapping[str, Any]]
"""By path, what `texts.js` returns: whether elements are the page itself, and which texts belong to them."""


def audit_record(found: Mapping[str, Any], descriptions: Descriptions, texts: Texts | None = None) -> Audit:
    """Return the record of an audit."""
    rules = (_outcome(rule, descriptions) for rule in found["rules"])

    def failures(texts: Texts) -> Iterator[FailedCheck]:
        for rule in sorted(found["rules"], key=itemgetter("rule")):
            for path, impact in rule["failed"]:
                text = texts[tuple(path)]
                own, around = tuple(text["own"]), tuple(text["around"])
                yield FailedCheck(rule["rule"], impact, text["isPage"], own, around)

    return Audit(
        version=found["version"],
        rules=tuple(sorted(rules, key=lambda outcome: outcome.rule)),
        elements_checked=found["elementsChecked"],
        elements_failed=found["elementsFailed"],
        failures=None if texts is None else tuple(failures(texts)),
    )


def _outcome(rule: Mapping[str, Any], descriptions: Descriptions) -> RuleOutcome:
    counts = rule["counts"]
    if not rule["byImpact"].keys() <= IMPACT_WEIGHTS.keys():
        raise AxeError(
            f"Failures of {rule['rule']} have no impact, so that they have no weight.",
            stage="axe",
            advice="Give the rule or its checks an impact in the axe-core script, or leave the rule out.",
        )
    return RuleOutcome(
        rule=rule["rule"],
        help=rule["help"],
        help_url=rule["helpUrl"],
        tags=tuple(rule["tags"]),
        impact=rule["impact"],
        num_passes=counts["passes"],
        num_violations=counts["violations"],
        num_incomplete=counts["incomplete"],
        violations_by_impact=rule["byImpact"],
        violations=tuple(_node(node, descriptions) for node in rule["details"]["violations"]),
        incomplete=tuple(_node(node, descriptions) for node in rule["details"]["incomplete"]),
    )


def _node(node: Mapping[str, Any], descriptions: Descriptions) -> CheckedNode:
    path = tuple(node["path"])
    steps = [step for depth in range(len(path)) for step in descriptions[path[: depth + 1]]["target"]]
    own = descriptions[path]
    return CheckedNode(
        target=" >>> ".join(steps),
        html=own["html"],
        impact=node["impact"],
        summary=node["summary"],
        box=in_page(own["box"], own["offset"]),
        data=node["data"],
    )


def in_page(box: Sequence[float] | None, offset: tuple[float, float]) -> Box | None:
    """Return a box in a frame's viewport as a box in the page, px."""
    return None if box is None else moved(box, offset)


def load_engine(
    world: FrameContext, script: str, error: type[MeasurementError], name: str, *, stage: str
) -> None:
    """Run an engine's script in a frame; a script that fails is the engine's error, not the page's."""
    try:
        world.load(script)
    except CaptureError as failure:
        # More specific errors, such as a timeout, are the page's.
        if type(failure) is not CaptureError:
            raise
        raise error(f"The {name} script does not run: {failure.what}", stage=stage) from failure
