"""The file of what is known: accepted accessibility failures, and accepted differences from the design.

It is sorted TOML, one fact per line, so that people can read a diff and version control can merge it::

    schema = 1
    made-with.axe = "4.12.1"
    elements."generated/login.html".region = "5d41402a"
    pages."generated/login.html".color-contrast = 3
    pages."generated/login.html".region = 1
    pages."generated/start.html" = {}
    differences."generated/login.html"."missing - 3f2a9c01 -" = { says = "picture is missing" }

A page without accepted failures has a line too: it was checked. An accepted difference is named by its kind,
the property that differs, and digests of its place in the design and on the page.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from pytest_design2a11y.accessibility.known import KnownViolations
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import FileTooLarge, read_regular, write_whole
from pytest_design2a11y.models.visual import Difference, VisualScore
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.wording import flag

_SCHEMA = 1
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = """\
# What is accepted for now, written by pytest-design2a11y.
# "pages": accessibility failures, page.rule = number of elements (update-known). They still count in IR and
# IWIR; what is beyond them fails. "elements" are their digests: they show which is new, and may be missing.
# "differences" from the design (design2a11y accept): each counts again when its place looks otherwise.
"""
#: Larger than any real file of what is accepted.
MAX_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Claim:
    """An accepted difference."""

    says: str  # The difference in words, for people who read the file
    note: str = ""  # Why it is accepted
    until: date | None = None  # The last day on which it is accepted; None: without end

    def holds(self, day: date) -> bool:
        """Return whether it is accepted on a day."""
        return self.until is None or day <= self.until


Claims = Mapping[str, Claim]
"""The accepted differences of a page, by their keys (`claim_key`)."""


@dataclass(frozen=True, slots=True)
class Known:
    """Everything that a file accepts."""

    violations: KnownViolations = field(default_factory=KnownViolations)
    differences: Mapping[str, Claims] = field(default_factory=dict)  # By page


def load_known(path: Path) -> Known:
    """Read a file of what is known, again only if it changed; ConfigurationError if it is not valid."""
    try:
        return _read(path.resolve(), path.stat().st_mtime_ns)
    except FileNotFoundError:
        raise ConfigurationError(
            f"The file of what is known {path} does not exist.",
            advice=f"Make it with {flag('update_known')}, and commit it.",
        ) from None
    except (OSError, UnicodeDecodeError, FileTooLarge) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}.", advice=_advice()) from error
    except ValueError as error:
        raise ConfigurationError(f"{path} {error}.", advice=_advice()) from error


def _advice() -> str:
    return f"Fix the file, or write it anew with {flag('update_known')}."


def known_or_new(path: Path) -> Known:
    """Read a file of what is known, or return that nothing is if the file does not exist."""
    return load_known(path) if path.exists() else Known()


@cache
def _read(path: Path, _changed: int) -> Known:
    return parse_known(read_regular(path, MAX_BYTES).decode("utf-8"))


def save_known(known: Known, path: Path) -> None:
    """Write a file of what is known, atomically."""
    write_whole(path, format_known(known).encode())


def parse_known(text: str) -> Known:
    """Read the text of a file of what is known; ValueError if it is not valid."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"is not a list of what is known: {error}") from error
    if content.get("schema") != _SCHEMA:
        raise ValueError(f"is not a list of what is known of schema {_SCHEMA}")
    parts = ("made-with", "pages", "elements", "differences")
    made_with, pages, elements, differences = (content.get(part, {}) for part in parts)
    if not all(isinstance(content.get(part, {}), dict) for part in parts):
        raise ValueError(f"is not valid: {', '.join(map(repr, parts))} must be tables")
    for page, counts in pages.items():
        if not isinstance(counts, dict):
            raise ValueError(f"is not valid: the page {page!r} has no counts by rule")
        for rule, count in counts.items():
            if type(count) is not int or count < 1:
                raise ValueError(
                    f"is not valid: {rule} of {page!r} is {count!r}, which is not a number of elements"
                )
    return Known(
        KnownViolations(
            pages=pages,
            axe_version=str(made_with.pop("axe", "")),
            choice=made_with,
            elements={
                page: {rule: str(digests).split() for rule, digests in rules.items()}
                for page, rules in elements.items()
                if isinstance(rules, dict)
            },
        ),
        {page: dict(_claims(page, claims)) for page, claims in differences.items()},
    )


def _claims(page: str, claims: Any) -> Iterator[tuple[str, Claim]]:
    for key, values in claims.items() if isinstance(claims, dict) else [("it", claims)]:
        try:
            claim = Claim(**values)
        except TypeError:
            raise ValueError(
                f"is not valid: the accepted difference {key!r} of {page!r} is {values!r}, not says, note "
                "and until"
            ) from None
        if not (isinstance(claim.says, str) and isinstance(claim.note, str)):
            raise ValueError(f"is not valid: says and note of {key!r} of {page!r} must be texts")
        if claim.until is not None and type(claim.until) is not date:
            raise ValueError(f"is not valid: until of {key!r} of {page!r} must be a date, such as 2027-01-31")
        yield key, claim


def format_known(known: Known) -> str:
    """Write what is known as text: sorted, one fact per line, equal for equal facts."""
    violations = known.violations
    lines = [f"schema = {_SCHEMA}"]
    made_with = {"axe": violations.axe_version} if violations.axe_version else {}
    for key, value in sorted({**made_with, **violations.choice}.items()):
        written = _string(value) if isinstance(value, str) else f"[{', '.join(map(_string, value))}]"
        lines.append(f"made-with.{_key(key)} = {written}")
    for page, rules in sorted(violations.elements.items()):
        lines += [
            f"elements.{_key(page)}.{_key(rule)} = {_string(' '.join(digests))}"
            for rule, digests in sorted(rules.items())
        ]
    for page, counts in sorted(violations.pages.items()):
        lines += [f"pages.{_key(page)}.{_key(rule)} = {count}" for rule, count in sorted(counts.items())]
        if not counts:
            lines.append(f"pages.{_key(page)} = {{}}")
    for page, claims in sorted(known.differences.items()):
        lines += [
            f"differences.{_key(page)}.{_key(key)} = {_claim(claim)}" for key, claim in sorted(claims.items())
        ]
    return _HEADER + "\n".join(lines) + "\n"


def _claim(claim: Claim) -> str:
    parts = [f"says = {_string(claim.says)}"]
    parts += [f"note = {_string(claim.note)}"] if claim.note else []
    parts += [f"until = {claim.until}"] if claim.until else []
    return f"{{ {', '.join(parts)} }}"


def _key(text: str) -> str:
    return text if _BARE_KEY.fullmatch(text) else _string(text)


def _string(text: str) -> str:
    # JSON's escapes are valid in TOML too, except that TOML also requires DEL to be escaped; neither can hold
    # half a surrogate pair.
    written = json.dumps(text.encode("utf-8", "replace").decode("utf-8"), ensure_ascii=False)
    return written.replace("\x7f", "\\u007f")


_WIDEST = 200


def claim_key(difference: Difference) -> str:
    """Return the name of a difference: equal while it is the same and its place looks the same."""
    digests = (side.get("digest", "-") for side in (difference.design, difference.made))
    return " ".join((difference.kind, difference.property or "-", *digests))


def claim_of(difference: Difference, note: str = "", until: date | None = None) -> Claim:
    """Return the claim that a difference is accepted."""
    return Claim(sanitize(in_words(difference), limit=_WIDEST), note, until)


def mark_accepted(visual: VisualScore, claims: Claims, day: date) -> VisualScore:
    """Return a score whose accepted differences are marked, and not counted in `blocking`."""
    held = {key: claim.note for key, claim in claims.items() if claim.holds(day)}
    marked = tuple(replace(found, accepted=held.get(claim_key(found))) for found in visual.differences)
    visual = replace(visual, differences=marked)
    return visual if visual.blocking is None else replace(visual, blocking=len(visual.blockers))


def unused_claims(differences: Iterable[Difference], claims: Claims) -> Claims:
    """Return the claims that fit no difference: it is gone, or its place has changed."""
    found = set(map(claim_key, differences))
    return {key: claim for key, claim in claims.items() if key not in found}


def accepted_lines(page: str, differences: Iterable[Difference], claims: Claims, day: date) -> Iterator[str]:
    """Yield a page's accepted differences, those accepted no longer, and claims that fit none."""
    name = sanitize(page, limit=_WIDEST)
    unused = unused_claims(differences, claims)
    for key, claim in claims.items():
        says = sanitize(claim.says, limit=_WIDEST)
        note = f" ({sanitize(claim.note, limit=_WIDEST)})" if claim.note else ""
        if key in unused:
            yield (
                f"{name}: accepted, but gone or changed since: {says}{note}; "
                f"drop it with {flag('update_known')}"
            )
        elif claim.holds(day):
            yield f"{name}: accepted{f' until {claim.until}' if claim.until else ''}: {says}{note}"
        else:
            yield f"{name}: accepted until {claim.until} only: {says}{note}"
