"""HTML_CodeSniffer as an audit engine: its errors for WCAG 2.x, level AA.

It works through the light DOM of every frame, in an isolated world, where no script of the page can forge it.
It reports failures only, so there are counts, but no rates.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_design2a11y.capture.page.frames import (
    FrameContext,
    FrozenPage,
    in_page,
    load_engine,
    worlds_of_frames,
)
from pytest_design2a11y.exceptions import HtmlcsError, NothingToCheck, RenderTimeout
from pytest_design2a11y.javascript import namespace_of
from pytest_design2a11y.models.audit import (
    HTMLCS_CLASSES,
    HTMLCS_STANDARD,
    IMPACT_WEIGHTS,
    Audit,
    AuditChoice,
    CheckedNode,
    RuleOutcome,
)
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.wording import flag, setting

#: Elements described individually, per message code; all are counted.
MAX_DETAILS = 100

_STAGE = "htmlcs"
_FRAME_ELEMENT = "(index) => design2a11yHtmlcs.frameElement(index)"


@dataclass(frozen=True, slots=True)
class Htmlcs:
    """Runs HTML_CodeSniffer."""

    script: Path | None = None  # The built script; None: the one shipped with this package
    name: str = "htmlcs"

    def source(self) -> str:
        """Return HTML_CodeSniffer's script."""
        return read_htmlcs_script(self.script)[0]

    def prepare(self, page: FrozenPage | None = None) -> None:
        """Read the script, once per process."""
        read_htmlcs_script(self.script)

    def audit(self, page: FrozenPage, choice: AuditChoice) -> tuple[Audit, tuple[CaptureWarning, ...]]:
        """Check a page with its frames; of the choice, selectors and the minimum impact alone apply here."""
        script, version = read_htmlcs_script(self.script)
        with page.stage(_STAGE):
            try:
                run = _HtmlcsRun(page, script, choice)
                run.enter(page.worlds[0])
            except RenderTimeout as error:
                raise HtmlcsError(
                    "HTML_CodeSniffer did not end within the time that the page has.",
                    stage=_STAGE,
                    advice=f"Allow more time ({flag('timeout')}), or check less of the page.",
                ) from error
        return htmlcs_record(version, run.frames), tuple(run.warnings())


@dataclass
class _HtmlcsRun:
    page: FrozenPage
    script: str
    choice: AuditChoice
    frames: "list[FrameFindings]" = field(default_factory=list)
    num_described: Counter[str] = field(default_factory=Counter)
    num_unentered: int = 0

    def enter(self, world: FrameContext, prefix: tuple[str, ...] = ()) -> None:
        """Check a frame and those inside it; the choice's selectors apply to the main frame."""
        ours = f"globalThis.design2a11yHtmlcs = {namespace_of('capture/audit/htmlcs/htmlcs.js')};"
        script = f"{self.script}\n;{ours}"
        load_engine(world, script, HtmlcsError, "HTML_CodeSniffer", stage=_STAGE)
        is_main = world is self.page.worlds[0]
        chosen = self.choice if is_main else AuditChoice()
        selection = {"include": list(chosen.include), "exclude": list(chosen.exclude)}
        found: Mapping[str, Any] = world.call("(selection) => design2a11yHtmlcs.check(selection)", selection)
        if "error" in found:
            raise HtmlcsError(f"HTML_CodeSniffer failed: {found['error']}", stage=_STAGE)
        if "isNothing" in found:
            raise NothingToCheck(
                f"Nothing on the page matches {', '.join(chosen.include)}.",
                stage=_STAGE,
                advice=f"Change what is included ({setting('include')}), or check the whole page.",
            )
        messages = counted_messages(
            found["rules"], is_main=is_main, minimum_impact=self.choice.minimum_impact
        )
        wanted: set[int] = set()
        for code, elements in messages.items():
            described = elements[: MAX_DETAILS - self.num_described[code]]
            self.num_described[code] += len(described)
            wanted.update(number for number, _text in described)
        numbers = sorted(wanted)
        answers = world.call("(wanted) => design2a11yHtmlcs.describe(wanted)", numbers) if wanted else []
        descriptions = dict(zip(numbers, answers, strict=True))
        self.frames.append(FrameFindings(is_main, messages, descriptions, prefix, world.offset))
        for index, inner in enumerate(worlds_of_frames(self.page, world, _FRAME_ELEMENT, found["frames"])):
            if isinstance(inner, str):
                self.num_unentered += 1
                continue
            element = world.call("(index) => design2a11yHtmlcs.describeFrame(index)", index)
            self.enter(inner, (*prefix, *element["target"]))

    def warnings(self) -> Iterator[CaptureWarning]:
        """Yield a warning if frames could not be checked."""
        if number := self.num_unentered:
            why = "(not loaded, or rendered by another process)"
            message = f"Frames that HTML_CodeSniffer could not enter: {number} {why}."
            yield CaptureWarning("htmlcs_iframes_skipped", message, number)


#: Version 2.5.1, as built for the npm package html_codesniffer; its license lies beside it.
SHIPPED = Path(__file__).parent / "vendor" / "HTMLCS.js"

_VERSION = re.compile(r"/\*! (?:@pa11y/)?html_codesniffer - v(\d+\.\d+\.\d+)\b")


def read_htmlcs_script(path: Path | None) -> tuple[str, str]:
    """Read the script to audit with."""
    source = path if path is not None else SHIPPED
    try:
        return _read(source, source.stat().st_mtime_ns)
    except (OSError, UnicodeDecodeError) as error:
        raise HtmlcsError(
            f"The HTML_CodeSniffer script {source} cannot be read: {error}.", advice=_advice()
        ) from error


def _advice() -> str:
    return f"Give build/HTMLCS.js of the npm package html_codesniffer ({setting('htmlcs_script')})."


@lru_cache(maxsize=4)
def _read(source: Path, modified: int) -> tuple[str, str]:
    text = source.read_text(encoding="utf-8")
    version = _VERSION.match(text)
    if version is None:
        raise HtmlcsError(f"{source} is not a built HTML_CodeSniffer.", advice=_advice())
    return text, version[1]


#: One message: the number of its element within its frame, and the text.
Message = tuple[int, str]

_CRITERION = re.compile(r"\.(\d)_(\d)_(\d+)\.")
_TECHNIQUE = re.compile(r"(?:^|[.,])([HGF])(\d+)(?![0-9])")
_TECHNIQUES = "https://www.w3.org/WAI/WCAG22/Techniques"
_KINDS = {"H": "html", "G": "general", "F": "failures"}

#: The title belongs to the page: a document in a frame needs none.
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
    """Return the messages of one frame that count, by code; messages without an impact reach no minimum."""
    counted = {}
    for rule in rules:
        code, impact = rule["rule"], impact_of(rule["rule"])
        weight = IMPACT_WEIGHTS[impact] if impact else 0
        is_grave = minimum_impact is None or weight >= IMPACT_WEIGHTS[minimum_impact]
        if is_grave and (is_main or not code.startswith(_OF_WHOLE_PAGES)):
            counted[code] = [(number, text) for number, text in rule["found"]]
    return counted


def impact_of(code: str) -> Impact | None:
    """Return how severe a code's failures are; None if it belongs to no class."""
    found = HTMLCS_CLASSES.get(code)
    return None if found is None else found.impact


def htmlcs_record(version: str, frames: Sequence[FrameFindings]) -> Audit:
    """Return the record of an audit: one rule per code, one check per message.

    As in the study, an error is a failure if its code falls into a class of issues. Any other error has no
    weight and is left for a person to judge.
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
    nodes = tuple(
        CheckedNode(
            target=" >>> ".join([*frame.prefix, *element["target"]]),
            html=element["html"],
            impact=impact,
            summary=text,
            box=in_page(element["box"], frame.offset),
        )
        for frame in frames
        for number, text in frame.messages.get(code, ())
        if (element := frame.descriptions.get(number))
    )
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
