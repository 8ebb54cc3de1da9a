"""What `htmlcs.js` found in the frames of a page -> the package's record of an audit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_design2a11y.capture.audit.record import in_page
from pytest_design2a11y.models.audit import Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.choices import Impact
from pytest_design2a11y.models.issue_classes import HTMLCS_CLASSES, HTMLCS_STANDARD
from pytest_design2a11y.models.metrics import IMPACT_WEIGHTS

#: One message: the number of its element in its frame, and what it says.
Message = tuple[int, str]

_CRITERION = re.compile(r"\.(\d)_(\d)_(\d+)\.")
_TECHNIQUE = re.compile(r"(?:^|[.,])([HGF])(\d+)(?![0-9])")
_TECHNIQUES = "https://www.w3.org/WAI/WCAG22/Techniques"
_KINDS = {"H": "html", "G": "general", "F": "failures"}

#: The title is the page's: a document in a frame needs none.
_OF_WHOLE_PAGES = f"{HTMLCS_STANDARD}Principle2.Guideline2_4.2_4_2."


@dataclass(frozen=True)
class FrameFindings:
    """What was found in one frame."""

    is_main: bool  # Whether it is the page's main frame
    messages: Mapping[str, Sequence[Message]]  # Errors, by code
    # Selector, HTML and box of elements, by number
    descriptions: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    prefix: tuple[str, ...] = ()  # Selectors of the frame elements that lead to the frame
    offset: tuple[float, float] = (0.0, 0.0)  # Where the frame's viewport lies in the page, px


def counted_messages(
    rules: Sequence[Mapping[str, Any]], *, is_main: bool, minimum_impact: Impact | None
) -> dict[str, list[Message]]:
    """Return the messages of one frame that count, by code; without an impact, none reaches a minimum."""
    counted = {}
    for rule in rules:
        code, impact = rule["rule"], impact_of(rule["rule"])
        weight = IMPACT_WEIGHTS[impact] if impact else 0
        is_grave = minimum_impact is None or weight >= IMPACT_WEIGHTS[minimum_impact]
        if is_grave and (is_main or not code.startswith(_OF_WHOLE_PAGES)):
            counted[code] = [(number, text) for number, text in rule["found"]]
    return counted


def impact_of(code: str) -> Impact | None:
    """Tell how bad a code's failures are; None where it falls into no class."""
    found = HTMLCS_CLASSES.get(code)
    return None if found is None else found.impact


def htmlcs_record(version: str, frames: Sequence[FrameFindings]) -> Audit:
    """Make the record of an audit: one rule a code, one check a message.

    As the study counts, an error is a failure where its code falls into a class of issues. Any other has no
    weight: it is left for a person to judge.
    """
    failed = (
        {number for code, found in frame.messages.items() if impact_of(code) for number, _text in found}
        for frame in frames
    )
    codes = sorted({code for frame in frames for code in frame.messages})
    return Audit(
        version=version,
        rules=tuple(_outcome(code, frames) for code in codes),
        elements_checked=None,
        elements_failed=sum(map(len, failed)),
        engine="htmlcs",
        has_passes=False,
    )


def _outcome(code: str, frames: Sequence[FrameFindings]) -> RuleOutcome:
    messages = [text for frame in frames for _number, text in frame.messages.get(code, ())]
    impact = impact_of(code)
    criterion, technique = _CRITERION.search(code), _TECHNIQUE.search(code.rpartition("_")[2])
    nodes = tuple(_nodes(code, frames, impact))
    return RuleOutcome(
        rule=code,
        help=messages[0].split(". ")[0].strip().removesuffix(".") if messages else "",
        help_url=f"{_TECHNIQUES}/{_KINDS[technique[1]]}/{technique[1]}{technique[2]}" if technique else "",
        tags=(f"wcag{''.join(criterion.groups())}",) if criterion else (),
        impact=impact,
        num_violations=len(messages) if impact else 0,
        num_incomplete=0 if impact else len(messages),
        violations_by_impact={impact: len(messages)} if impact else {},
        violations=nodes if impact else (),
        incomplete=() if impact else nodes,
    )


def _nodes(code: str, frames: Sequence[FrameFindings], impact: Impact | None) -> Iterator[CheckedNode]:
    for frame in frames:
        for number, text in frame.messages.get(code, ()):
            if number in frame.descriptions:
                own = frame.descriptions[number]
                box = in_page(own["box"], frame.offset)
                target = " >>> ".join([*frame.prefix, *own["target"]])
                yield CheckedNode(target=target, html=own["html"], impact=impact, summary=text, box=box)
