"""axe-core's script, the options of its runs, and the records of what it finds."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import Any

from pytest_design2a11y.capture.page.frames import in_page
from pytest_design2a11y.exceptions import AxeError, ConfigurationError
from pytest_design2a11y.models.audit import (
    IMPACT_WEIGHTS,
    Audit,
    AuditChoice,
    CheckedNode,
    FailedCheck,
    RuleOutcome,
)
from pytest_design2a11y.wording import command_flag

_VERSION = re.compile(r"""\baxe\.version\s*=\s*["'](\d+)\.(\d+)\.[^"']+["']""")
_OTHER_THAN_ASCII = re.compile(r"[^\x00-\x7f]")
_RULE = re.compile(r"""\bid:\s*["']([a-z0-9-]+)["'],[^{}]{0,2000}?\btags:\s*\[([^\]]*)\]""")
_TAG = re.compile(r"""["']([^"']+)["']""")
_OLDEST = (4, 3)  # the first with runPartial, without which frames cannot be checked one by one


def read_axe_script(path: Path | None) -> str:
    """Read the script to audit with, as ASCII."""
    source = path
    if source is None:
        # Found without importing the package, which would read the script a second time.
        package = find_spec("axe_playwright_python")
        if package is None or package.origin is None:
            what = "axe-playwright-python, which ships the axe-core script, is not installed."
            raise AxeError(what, advice=_advice())
        source = Path(package.origin).parent / "axe.min.js"
    try:
        return _read(source, source.stat().st_mtime_ns)
    except (OSError, UnicodeDecodeError) as error:
        raise AxeError(f"The axe-core script {source} cannot be read: {error}.", advice=_advice()) from error


@lru_cache(maxsize=4)
def _read(source: Path, modified: int) -> str:
    text = source.read_text(encoding="utf-8")
    version = _VERSION.search(text)
    if version is None:
        raise AxeError(f"{source} is not axe-core.", advice=_advice())
    if (int(version[1]), int(version[2])) < _OLDEST:
        raise AxeError(f"{source} is axe-core {version[1]}.{version[2]}, which is too old.", advice=_advice())
    # The few non-ASCII characters would make the browser hold and scan the whole script at two bytes each.
    return _OTHER_THAN_ASCII.sub(lambda match: json.dumps(match[0])[1:-1], text)


def _advice() -> str:
    return (
        f"Give axe.min.js or axe.js of the npm package axe-core, 4.3 or newer ({command_flag('axe_script')})."
    )


def axe_locale(path: Path | None, language: str) -> Any | None:
    """Return axe-core's texts in a language such as "de-AT", or None; AxeError if they are not valid.

    They are in `locales` beside the script: the npm package has that folder, axe-playwright-python has not.
    """
    if path is None:
        return None
    name = language.replace("-", "_")
    general = name.partition("_")[0]
    files = [path.parent / "locales" / f"{each}.json" for each in (name, general)]
    files += sorted((path.parent / "locales").glob(f"{general}_*.json"))
    if (file := next((file for file in files if file.is_file()), None)) is None:
        return None
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        advice = "Take it from axe-core's package, or remove it for English."
        raise AxeError(f"axe-core's texts {file} cannot be read: {error}.", advice=advice) from error


def rules_of(script: str) -> dict[str, tuple[str, ...]]:
    """Return tags by rule, without running the script; empty if it is not written like axe-core's."""
    return {rule: tuple(_TAG.findall(tags)) for rule, tags in _RULE.findall(script)}


#: Tags that a preset stands for: conformance with a level of WCAG includes all levels below it.
PRESETS: dict[str, tuple[str, ...]] = {
    "wcag2a": ("wcag2a",),
    "wcag2aa": ("wcag2a", "wcag2aa"),
    "wcag21a": ("wcag2a", "wcag21a"),
    "wcag21aa": ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa"),
    "wcag22a": ("wcag2a", "wcag21a", "wcag22a"),
    "wcag22aa": ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"),
    "best-practice": ("best-practice",),
}


def check_choice(choice: AuditChoice, script: Path | None) -> None:
    """Refuse rules and tags that are not in axe-core's script, before any page is rendered."""
    with suppress(AxeError):
        if choice.has_names and (rules := rules_of(read_axe_script(script))):
            axe_options(choice, rules)


def axe_options(choice: AuditChoice, rules: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Convert a choice to options for `axe.runPartial` and `axe.finishRun`; `rules` are tags by rule."""
    tags = {tag for rule_tags in rules.values() for tag in rule_tags}
    _check_known(choice.tags, tags | PRESETS.keys(), "tag")
    _check_known((*choice.rules_on, *choice.rules_off), rules.keys(), "rule")
    for rule in sorted(set(choice.rules_on) & set(choice.rules_off)):
        raise ConfigurationError(f"The rule {rule} is to run and not to run.", advice="Name it once.")
    # axe preloads media and style sheets for two rules. Media cannot load on a frozen page, and the rule that
    # waits for them reads the element itself; the rule that needs the sheets is off unless requested.
    needs_sheets = "css-orientation-lock" in choice.rules_on or "experimental" in choice.tags
    options: dict[str, Any] = {"preload": ({"assets": ["cssom"]} if needs_sheets else False)}
    if choice.tags:
        chosen = (tag for name in choice.tags for tag in PRESETS.get(name, (name,)))
        options["runOnly"] = {"type": "tag", "values": list(dict.fromkeys(chosen))}
    states = dict.fromkeys(choice.rules_on, True) | dict.fromkeys(choice.rules_off, False)
    if states:
        options["rules"] = {rule: {"enabled": is_on} for rule, is_on in states.items()}
    return options


def _check_known(names: Iterable[str], known: Iterable[str], kind: str) -> None:
    possible = sorted(known)
    for name in names:
        if name not in possible:
            near = get_close_matches(name.lower(), possible, n=3)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"It has: {', '.join(possible)}."
            raise ConfigurationError(f"This axe-core script has no {kind} {name!r}.", advice=hint)


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
    description = descriptions[path]
    return CheckedNode(
        target=" >>> ".join(steps),
        html=description["html"],
        impact=node["impact"],
        summary=node["summary"],
        box=in_page(description["box"], description["offset"]),
        data=node["data"],
    )
