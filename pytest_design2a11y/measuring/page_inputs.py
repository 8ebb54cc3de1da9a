"""Inputs of `audit`: pages, folders, patterns, files that list pages; and steps."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import FileTooLarge, read_regular
from pytest_design2a11y.source.files import kind_of

#: Greatest size, in bytes, of a list of pages.
_MAX_BYTES = 50_000_000
_PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
_WEB = ("http://", "https://")


def list_pages(named: Iterable[str]) -> list[str]:
    """Return the pages that the arguments stand for, each once, in order.

    Arguments are paths, addresses, patterns such as "site/**/*.html", folders, and text files (.txt) with a
    page per line.
    """
    return list(dict.fromkeys(page for name in named for page in _pages(name)))


def _pages(named: str) -> list[str]:
    path = Path(named)
    if kind_of(named) != "path":
        return [named]
    if path.is_file():
        return _in_list(path) or [named]
    if path.is_dir():
        files = [file for file in path.rglob("*") if file.suffix.lower() in _PAGE_SUFFIXES]
    elif "*" in named or "[" in named:  # A question mark begins the query of a page.
        files = [*Path(path.anchor).glob(str(path.relative_to(path.anchor)))]
    else:
        return [named]
    pages = [file.as_posix() for file in sorted(files) if file.is_file()]
    if not pages:
        raise ConfigurationError(f"{named} names no page.", advice="Name pages, such as 'site/**/*.html'.")
    return pages


def _in_list(path: Path) -> list[str]:
    """Return the pages listed in a text file, relative to its folder; empty if it is not such a list."""
    if path.suffix.lower() != ".txt":
        return []
    try:
        text = read_regular(path, _MAX_BYTES).decode("utf-8-sig", "replace")
    except (OSError, FileTooLarge) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}.", advice="Name another.") from None
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not all(line.startswith(_WEB) or line.lower().endswith(_PAGE_SUFFIXES) for line in lines):
        return []
    return [line if line.startswith(_WEB) else (path.parent / line).as_posix() for line in lines]


#: Actions and the names of their arguments, all texts except the time of a wait.
ACTIONS: Mapping[str, tuple[str, ...]] = {
    "click": ("selector",),
    "hover": ("selector",),
    "check": ("selector",),
    "uncheck": ("selector",),
    "fill": ("selector", "value"),
    "press": ("selector", "key"),
    "select": ("selector", "value"),
    "wait": ("selector or milliseconds",),
}
_METHODS = {"select": "select_option"}
_MILLISECONDS_TO_SHOW = 1000
_ADVICE = (
    'Write a list such as [{"click": "#open"}, {"fill": ["#mail", "a@example.org"]}], or {"STATE": [...]}.'
)


@dataclass(frozen=True, slots=True)
class Action:
    """One step; the page comes to rest after each, so waiting for a time has no further effect."""

    kind: str
    taken: tuple[str, ...]

    @property
    def __name__(self) -> str:
        return " ".join((self.kind, *self.taken))

    def __call__(self, page: Any) -> None:
        """Act on Playwright's page."""
        if self.kind != "wait":
            getattr(page, _METHODS.get(self.kind, self.kind))(*self.taken)
        elif self.taken:
            page.locator(self.taken[0]).first.wait_for(state="visible", timeout=_MILLISECONDS_TO_SHOW)


Steps = Mapping[str, tuple[Action, ...]]
"""Steps by the state that they lead to; "" for those of every page."""


def read_steps(path: Path) -> Steps:
    """Read a file of steps, JSON or YAML; ConfigurationError if it does not contain any."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() in (".yaml", ".yml"):
            import yaml

            steps = yaml.safe_load(text)
        else:
            steps = json.loads(text)
    except ImportError:
        raise ConfigurationError(f"{path} needs PyYAML.", advice="Install it, or write JSON.") from None
    except Exception as error:  # Errors of files, decoding, JSON and YAML
        reason = getattr(error, "strerror", None) or f"{error}".partition("\n")[0]
        raise ConfigurationError(f"The steps in {path} cannot be read: {reason}.", advice=_ADVICE) from None
    return parse_steps(steps, str(path))


def parse_steps(value: Any, label: str) -> Steps:
    """Return the steps in a JSON value; ConfigurationError if it contains none."""
    lists = value if isinstance(value, dict) else {"": value}
    if not lists or not all(isinstance(steps, list) and steps for steps in lists.values()):
        raise ConfigurationError(f"{label} has no list of steps.", advice=_ADVICE)
    return {
        str(state): tuple(_action(step, f"Step {number} of {label}") for number, step in enumerate(steps, 1))
        for state, steps in lists.items()
    }


def _action(step: Any, where: str) -> Action:
    if not isinstance(step, dict) or len(step) != 1:
        raise ConfigurationError(f"{where} is not one action: {step!r}.", advice=_ADVICE)
    ((kind, given),) = step.items()
    if kind not in ACTIONS:
        raise ConfigurationError(
            f"{where}: there is no action {kind!r}.", advice=f"There are: {', '.join(ACTIONS)}."
        )
    names, taken = ACTIONS[kind], given if isinstance(given, list) else [given]
    if isinstance(given, dict):
        taken = [given.get(name) for name in names]
    if kind == "wait" and isinstance(given, int | float) and not isinstance(given, bool):
        return Action(kind, ())
    if len(taken) != len(names) or not all(isinstance(value, str | int | float) for value in taken):
        raise ConfigurationError(
            f"{where}: {kind} takes {' and '.join(names)}, not {given!r}.", advice=_ADVICE
        )
    return Action(kind, tuple(map(str, taken)))


def steps_of(steps: Steps, state: str) -> Sequence[Action]:
    """Return the steps for a page compared with the design of a state, or without one ("")."""
    return steps.get(state, ()) or steps.get("", ())
