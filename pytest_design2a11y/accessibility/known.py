"""Accessibility failures that are accepted for now: a file of counts, and what is new beside it.

The key is page and rule with a count, not selectors, which differ from one generation of a page to the next.
Digests of the accepted elements' HTML beside it decide nothing: they only help to name the one that is new.
The file is TOML, one line a fact, sorted: a person can read a diff, and version control can merge two::

    schema = 1
    made-with.axe = "4.12.1"
    elements."generated/login.html".region = "5d41402a"
    pages."generated/login.html".color-contrast = 3
    pages."generated/login.html".region = 1
    pages."generated/start.html" = {}

A page without accepted failures has a line too: it was looked at. Accepted failures still count in all rates.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import FileTooLarge, read_regular, write_whole
from pytest_design2a11y.models.audit import Audit, AuditChoice, CheckedNode

_SCHEMA = 1
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = """\
# Accessibility failures that are accepted for now: page, rule = number of elements.
# Written by pytest-design2a11y (update-known). They still count in IR and IWIR; what is beyond them fails.
# "elements" are digests of the accepted elements: they tell which of several is new, and may be missing.
"""
#: More than any file of accepted failures has.
MAX_BYTES = 10_000_000

_ADVICE = "Fix the file, or write it anew with --design2a11y-update-known."

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class KnownViolations:
    """What is accepted.

    Attributes:
        pages: Failing elements by rule, by page; a page that is not in here has never been looked at.
        axe_version: The axe-core that counted them; "" where unknown.
        choice: The rules that ran, as values of `AuditChoice` that differ from its defaults.
        elements: Digests of the accepted elements by rule, by page, as far as they are known.
    """

    pages: Mapping[str, Counts] = field(default_factory=dict)
    axe_version: str = ""
    choice: Mapping[str, Any] = field(default_factory=dict)
    elements: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)


def load_known(path: Path) -> KnownViolations:
    """Read a file of accepted failures.

    Raises:
        ConfigurationError: There is no such file, or it is not one of ours.
    """
    try:
        text = read_regular(path, MAX_BYTES).decode("utf-8")
    except FileNotFoundError:
        raise ConfigurationError(
            f"The file of known violations {path} does not exist.",
            advice="Make it with --design2a11y-update-known, and commit it.",
        ) from None
    except (OSError, UnicodeDecodeError, FileTooLarge) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}.", advice=_ADVICE) from error
    return parse_known(text, name=str(path))


def parse_known(text: str, *, name: str = "The text") -> KnownViolations:
    """Read the text of a file of accepted failures.

    Raises:
        ConfigurationError: It is not such a text; a fact that is there twice (after a merge) is one reason.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(
            f"{name} is not a list of known violations: {error}.", advice=_ADVICE
        ) from error
    if content.get("schema") != _SCHEMA:
        raise ConfigurationError(
            f"{name} is not a list of known violations of schema {_SCHEMA}.",
            advice=_ADVICE,
        )
    made_with, pages, elements = (content.get(part, {}) for part in ("made-with", "pages", "elements"))
    if not all(isinstance(part, dict) for part in (made_with, pages, elements)):
        raise ConfigurationError(
            f'{name}: "made-with", "pages" and "elements" must be tables.', advice=_ADVICE
        )
    return KnownViolations(
        pages={page: _checked_counts(name, page, counts) for page, counts in pages.items()},
        axe_version=str(made_with.get("axe", "")),
        choice={key: value for key, value in made_with.items() if key != "axe"},
        elements={
            page: {rule: str(digests).split() for rule, digests in rules.items()}
            for page, rules in elements.items()
            if isinstance(rules, dict)
        },
    )


def _checked_counts(name: str, page: str, counts: Any) -> Counts:
    if not isinstance(counts, dict):
        raise ConfigurationError(f"{name}: the page {page!r} has no counts by rule.", advice=_ADVICE)
    for rule, count in counts.items():
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise ConfigurationError(
                f"{name}: {rule} of {page!r} is {count!r}, which is not a number of elements.", advice=_ADVICE
            )
    return counts


def format_known(known: KnownViolations) -> str:
    """Write accepted failures as text: sorted, one line a fact, the same for the same facts."""
    lines = [f"schema = {_SCHEMA}"]
    made_with = {"axe": known.axe_version} if known.axe_version else {}
    for key, value in sorted({**made_with, **known.choice}.items()):
        lines.append(f"made-with.{_key(key)} = {_value(value)}")
    for page, rules in sorted(known.elements.items()):
        lines += [
            f"elements.{_key(page)}.{_key(rule)} = {_string(' '.join(digests))}"
            for rule, digests in sorted(rules.items())
        ]
    for page, counts in sorted(known.pages.items()):
        lines += [f"pages.{_key(page)}.{_key(rule)} = {count}" for rule, count in sorted(counts.items())]
        if not counts:
            lines.append(f"pages.{_key(page)} = {{}}")
    return _HEADER + "\n".join(lines) + "\n"


def write_known(path: Path, known: KnownViolations) -> None:
    """Write the file, whole or not at all.

    Raises:
        ConfigurationError: It cannot be written there.
    """
    try:
        write_whole(path, format_known(known).encode())
    except OSError as error:
        raise ConfigurationError(
            f"The known violations cannot be written to {path}: {error}.",
            advice="Name a file that can be written with --design2a11y-known.",
        ) from error


def chosen_values(choice: AuditChoice) -> dict[str, Any]:
    """Return what a choice says beyond its defaults, as values that the file can hold."""
    values = asdict(choice)
    return {
        name: sorted(value) if isinstance(value, tuple) else value for name, value in values.items() if value
    }


def failing_counts(audit: Audit) -> dict[str, int]:
    """Count the failing elements of a page by rule."""
    return {rule.rule: rule.num_violations for rule in audit.rules if rule.num_violations}


def element_digests(audit: Audit) -> dict[str, list[str]]:
    """Digest the failing elements of a page that are told one by one, by rule, sorted."""
    return {
        rule.rule: sorted(map(element_digest, rule.violations)) for rule in audit.rules if rule.violations
    }


def element_digest(node: CheckedNode) -> str:
    """Return what tells an element from others: eight digits of its HTML's digest."""
    return sha256(node.html.encode("utf-8", "replace")).hexdigest()[:8]


def _key(text: str) -> str:
    return text if _BARE_KEY.fullmatch(text) else _string(text)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    return "[" + ", ".join(_string(item) for item in value) + "]"


def _string(text: str) -> str:
    # JSON's escapes are TOML's too, but for DEL, which only TOML wants escaped; half a surrogate pair has no
    # place in either.
    written = json.dumps(text.encode("utf-8", "replace").decode("utf-8"), ensure_ascii=False)
    return written.replace("\x7f", "\\u007f")
