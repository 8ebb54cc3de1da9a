"""What a user chooses of an audit -> axe-core's options, checked against the rules that the script has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pytest_design2a11y.capture.audit.axe_script import read_axe_script, rules_of
from pytest_design2a11y.exceptions import AxeError, ConfigurationError
from pytest_design2a11y.models.audit import AuditChoice

#: Tags that a preset stands for: conformance with a level of WCAG includes all that lies below it.
PRESETS: dict[str, tuple[str, ...]] = {
    "wcag2a": ("wcag2a",),
    "wcag2aa": ("wcag2a", "wcag2aa"),
    "wcag21a": ("wcag2a", "wcag21a"),
    "wcag21aa": ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa"),
    "wcag22a": ("wcag2a", "wcag21a", "wcag22a"),
    "wcag22aa": ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"),
    "best-practice": ("best-practice",),
}


def has_names(choice: AuditChoice) -> bool:
    """Tell whether a choice names rules or tags, which then must be checked against the script's."""
    return bool(choice.tags or choice.rules_on or choice.rules_off)


def check_choice(choice: AuditChoice, script: Path | None) -> None:
    """Refuse, before any page is rendered, what axe-core does not have, as far as its text tells."""
    with suppress(AxeError):
        if has_names(choice) and (rules := rules_of(read_axe_script(script))):
            axe_options(choice, rules)


def axe_options(choice: AuditChoice, rules: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Write a choice as options for `axe.runPartial` and `axe.finishRun`; `rules` are tags by rule."""
    tags = {tag for rule_tags in rules.values() for tag in rule_tags}
    _check_known(choice.tags, tags | PRESETS.keys(), "tag")
    _check_known((*choice.rules_on, *choice.rules_off), rules.keys(), "rule")
    for rule in sorted(set(choice.rules_on) & set(choice.rules_off)):
        raise ConfigurationError(f"The rule {rule} is to run and not to run.", advice="Name it once.")
    # axe preloads media and style sheets for two rules. Media cannot load on a frozen page, and the rule that
    # waits for them reads the element itself; the sheets are needed by a rule that is off unless asked for.
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
            near = get_close_matches(name, possible, n=3)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"It has: {', '.join(possible)}."
            raise ConfigurationError(f"This axe-core script has no {kind} {name!r}.", advice=hint)
