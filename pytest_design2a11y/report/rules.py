"""Failing accessibility rules in words: what failed, where, why, and how to fix it.

An element's line is that of its tag in the page's file. As scripts may have changed what the browser showed,
only elements with the same name and attributes in both have one, and none if several match.
"""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.files import FileTooLarge, read_regular
from pytest_design2a11y.models.audit import IMPACT_WEIGHTS, Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.geometry import color_of_hex, hex_color, readable_colors
from pytest_design2a11y.wording import counted, ended, listed

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_WIDEST = 160
_WIDEST_REASON = 240
#: Larger pages take seconds to parse.
_MAX_BYTES = 3_000_000


def explain_audit(audit: Audit, *, page: str = "", max_rules: int = 3, max_nodes: int = 2) -> list[str]:
    """Return what failed, the worst impact first, and how much needs a person, as lines; the rest is counted.

    The page's name is there to look up the lines of elements in its file.
    """
    failures = failing_rules(audit)
    lines = [line for rule in failures[:max_rules] for line in rule_lines(rule, page, max_nodes=max_nodes)]
    if others := failures[max_rules:]:
        named = ", ".join(f"{_short(rule.rule)} ({rule.num_violations})" for rule in others)
        lines.append(f"and {counted(len(others), 'more rule')}: {named}")
    return [*lines, *incomplete_lines(audit, most=max_nodes)]


def failing_rules(audit: Audit) -> list[RuleOutcome]:
    """Return every rule that failed: the worst impact first, then what fails most often."""

    def worst(rule: RuleOutcome) -> int:
        impacts = (rule.impact, *rule.violations_by_impact)
        return max(IMPACT_WEIGHTS[impact] if impact else 0 for impact in impacts)

    failing = (rule for rule in audit.rules if rule.num_violations)
    return sorted(failing, key=lambda rule: (-worst(rule), -rule.num_violations, rule.rule))


def rule_lines(rule: RuleOutcome, page: str, *, max_nodes: int | None = None) -> list[str]:
    """Return one rule's findings: a heading, then indented lines; a reason shared by all appears once."""
    impact = f"{rule.impact}, " if rule.impact else ""
    named = criteria(rule.tags)
    reference = f" [{'; '.join(named)}]" if named else ""
    count = counted(rule.num_violations, "element")
    lines = [f"{_short(rule.rule)} ({impact}{count}): {_short(rule.help)}{reference}"]
    nodes = [(node, why(node)) for node in rule.violations[:max_nodes]]
    reasons = {reason for _, reason in nodes}
    shared = reasons.pop() if len(reasons) == 1 else ""
    lines += [f"  Fix: {RULE_ADVICE[rule.rule]}"] if rule.rule in RULE_ADVICE else []
    lines += [f"  Why: {shared}"] if shared else []
    for node, reason in nodes:
        line = line_of(page, node)
        place = "" if line is None else f"line {line}: "
        lines += [f"  {place}{_short(node.target)}", f"    {_short(node.html)}"]
        lines += [f"    {reason}"] if reason and not shared else []
    if rule.num_violations > len(nodes):
        lines.append(f"  and {rule.num_violations - len(nodes)} more")
    is_address = rule.help_url.startswith(("https://", "http://"))
    return [*lines, f"  {sanitize(rule.help_url, limit=300)}"] if is_address else lines


def incomplete_lines(audit: Audit, *, most: int = 0) -> list[str]:
    """Return how many checks need a person, by rule, with up to `most` elements each; empty if none do."""
    rules = [rule for rule in audit.rules if rule.num_incomplete]
    if not rules:
        return []
    total = sum(rule.num_incomplete for rule in rules)
    named = ", ".join(f"{sanitize(rule.rule)} ({rule.num_incomplete})" for rule in rules)
    elements = (
        f"  {sanitize(rule.rule)}: {listed([_short(node.target) for node in rule.incomplete], most=most)}"
        for rule in rules
        if rule.incomplete and most
    )
    return [f"{counted(total, 'check needs', 'checks need')} a person to judge: {named}", *elements]


def why(node: CheckedNode) -> str:
    """Return why an element fails, on one line; for contrast, with a color that would pass."""
    also = sanitize(str(node.data.get("also", "")), limit=_WIDEST)
    # Only the ways to fix an element, of axe's summary: the heading just announces them.
    heading, *ways = [line.strip() for line in node.summary.splitlines() if line.strip()] or [""]
    reason = contrast_sentence(node) or sanitize("; ".join(ways) or heading, limit=_WIDEST_REASON)
    return f"{ended(reason)} {also}" if also else reason


def reason_and_fix(rule: RuleOutcome, node: CheckedNode) -> str:
    """Return why an element fails a rule, and what to do, in sentences."""
    fix = RULE_ADVICE.get(rule.rule)
    return " ".join(filter(None, (ended(why(node)), f"Fix: {fix}" if fix else "")))


def contrast_sentence(node: CheckedNode) -> str:
    """Return a contrast that is too low in words, and the nearest text color that would pass; else ""."""
    facts = node.data
    if not all(facts.get(name) for name in ("fgColor", "bgColor", "contrastRatio")):
        return ""
    text, ground = str(facts["fgColor"]), str(facts["bgColor"])
    wanted = str(facts.get("expectedContrastRatio") or "")
    needed = f", needs {wanted}" if wanted else ""
    sentence = f"contrast {facts['contrastRatio']}:1{needed}: text {text} on {ground}"
    colors = color_of_hex(text), color_of_hex(ground)
    try:
        ratio = float(wanted.removesuffix(":1"))
    except ValueError:
        ratio = 0.0
    if ratio and colors[0] and colors[1]:
        enough, below = readable_colors(colors[0], colors[1], ratio)
        on = "" if below == colors[1] else f" on {hex_color(below)}"
        sentence += f"; text {hex_color(enough)}{on} has enough"
    return sanitize(sentence, limit=_WIDEST)


def line_of(page: str, node: CheckedNode) -> int | None:
    """Return the line, from 1, where an element of a page begins; None if that is not known."""
    if " >>> " in node.target or "://" in page or page[:1] in {"", "<"}:
        return None
    path = Path(page.partition("?")[0].partition("#")[0])
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        return None
    markup, wanted = _markup(path, changed), _parsed(node.html).find(True)
    if markup is None or wanted is None:
        return None
    from soupsieve import SelectorSyntaxError

    try:
        tags: list[Tag] = list(markup.select(node.target, limit=2))
    except (SelectorSyntaxError, NotImplementedError):
        tags = []
    if len(tags) != 1 or (tags[0].name, tags[0].attrs) != (wanted.name, wanted.attrs):
        same = markup.find_all(wanted.name, limit=10_000)
        tags = [tag for tag in same if tag.attrs == wanted.attrs]
    return tags[0].sourceline if len(tags) == 1 else None


@lru_cache(maxsize=4)
def _markup(path: Path, changed: int) -> "BeautifulSoup | None":
    """Parse a file, again if it has changed; None if it cannot be read."""
    try:
        return _parsed(read_regular(path, _MAX_BYTES).decode("utf-8", "replace"))
    except (OSError, FileTooLarge, RecursionError):
        return None


def _parsed(html: str) -> "BeautifulSoup":
    from bs4 import BeautifulSoup

    return BeautifulSoup(html, "html.parser", multi_valued_attributes=None)


def _short(text: str) -> str:
    return sanitize(text, limit=_WIDEST)


_TEXTS = json.loads(files(__package__).joinpath("rules.json").read_text("utf-8"))
#: Advice for axe-core rules that generated pages often break; for the others, axe's help text serves.
RULE_ADVICE: dict[str, str] = _TEXTS["advice"]
#: Names of the success criteria that axe-core has rules for, from https://www.w3.org/TR/WCAG22/.
CRITERIA: dict[str, str] = _TEXTS["criteria"]
_CRITERION_TAG = re.compile(r"wcag(\d)(\d)(\d{1,2})")


def criteria(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the success criteria of a rule."""
    matches = (_CRITERION_TAG.fullmatch(tag) for tag in tags)
    numbers = (".".join(match.groups()) for match in matches if match)
    return tuple(f"WCAG {number} {CRITERIA.get(number, '')}".rstrip() for number in numbers)
