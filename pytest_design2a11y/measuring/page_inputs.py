"""Inputs of `audit`: pages, folders, patterns, files that list pages, sitemaps, Storybooks."""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import FileTooLarge, read_regular
from pytest_design2a11y.source.files import kind_of

#: Greatest size, in bytes, of a list of pages or a sitemap (for sitemaps, by their specification).
_MAX_BYTES = 50_000_000
#: Greatest number of sitemaps in an index.
_MOST_SITEMAPS = 100
_PAGE_SUFFIXES, _SITEMAP_SUFFIXES = (".html", ".htm", ".xhtml"), (".xml", ".xml.gz")
#: A Storybook's list of stories, and the page that shows one of them.
_STORIES, _FRAME = "index.json", "iframe.html"
_WEB = ("http://", "https://")


def list_pages(named: Iterable[str]) -> list[str]:
    """Return the pages that the arguments stand for, each once, in order.

    Arguments are paths, addresses, patterns such as "site/**/*.html", folders, text files (.txt) with a page
    per line, and sitemaps (.xml, .xml.gz), which may be addresses too. A Storybook, given as a folder with
    index.json and iframe.html, or as the address of such an index.json, stands for the pages of its stories.
    """
    return list(dict.fromkeys(page for name in named for page in _pages(name)))


def stories_of(named: str) -> dict[str, str]:
    """Return the pages of a Storybook's stories, without documentation, by id; empty if `named` is none."""
    index = named
    if kind_of(named) == "path":
        path = Path(named)
        path = path if path.name == _STORIES else path / _STORIES
        if not (path.is_file() and path.with_name(_FRAME).is_file()):
            return {}
        index = path.as_posix()
    elif not urlsplit(named).path.endswith(f"/{_STORIES}"):
        return {}
    try:
        record = json.loads(_read(index))
        entries = [*(record.get("entries") or record["stories"]).values()]
        ids = [str(entry["id"]) for entry in entries if entry.get("type", "story") == "story"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigurationError(
            f"{index} is not the index of a Storybook.",
            advice="Build it (storybook build) and name its folder, or name its pages.",
        ) from None
    frame = index.removesuffix(_STORIES) + _FRAME
    return {story: f"{frame}?id={quote(story)}&viewMode=story" for story in ids}


def _pages(named: str) -> list[str]:
    if stories := stories_of(named):
        return [*stories.values()]
    path = Path(named)
    if named.startswith(_WEB):
        if not urlsplit(named).path.endswith(_SITEMAP_SUFFIXES):
            return [named]
        pages = list(_in_sitemap(named))
    elif kind_of(named) != "path":
        return [named]
    elif path.is_file():
        pages = list(_in_sitemap(named)) if named.endswith(_SITEMAP_SUFFIXES) else []
        return pages or _in_list(path) or [named]
    elif path.is_dir() or "*" in named or "[" in named:  # A question mark begins the query of a page.
        if path.is_dir():
            files = [file for file in path.rglob("*") if file.suffix.lower() in _PAGE_SUFFIXES]
        else:
            files = [*Path(path.anchor).glob(str(path.relative_to(path.anchor)))]
        pages = [file.as_posix() for file in sorted(files) if file.is_file()]
    else:
        return [named]
    if not pages:
        raise ConfigurationError(f"{named} names no page.", advice="Name pages, such as 'site/**/*.html'.")
    return pages


def _in_list(path: Path) -> list[str]:
    """Return the pages listed in a text file, relative to its folder; empty if it is not such a list."""
    if path.suffix.lower() != ".txt":
        return []
    text = _read(str(path)).decode("utf-8-sig", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not all(line.startswith(_WEB) or line.lower().endswith(_PAGE_SUFFIXES) for line in lines):
        return []
    return [line if line.startswith(_WEB) else (path.parent / line).as_posix() for line in lines]


def _in_sitemap(named: str) -> Iterator[str]:
    """Yield the pages of a sitemap, or of all sitemaps in an index."""
    waiting = [named]
    for number, sitemap in enumerate(waiting):  # It grows by the sitemaps of an index.
        if number == _MOST_SITEMAPS:
            raise ConfigurationError(
                f"{named} names more than {_MOST_SITEMAPS} sitemaps.", advice="Name the sitemaps one by one."
            )
        try:
            content = _read(sitemap)
            if content.startswith(b"\x1f\x8b"):
                content = zlib.decompressobj(wbits=31).decompress(content, _MAX_BYTES)
            root = ElementTree.fromstring(content)
        except (ElementTree.ParseError, zlib.error) as error:
            raise ConfigurationError(
                f"{sitemap} is not a sitemap: {error}.", advice="Give a sitemap.xml, or name its pages."
            ) from None
        addresses = [(element.text or "").strip() for element in root.iterfind("./{*}*/{*}loc")]
        if root.tag.endswith("sitemapindex"):
            waiting += addresses
        elif root.tag.endswith("urlset"):
            yield from filter(None, addresses)


def _read(named: str) -> bytes:
    if not named.startswith(_WEB):
        try:
            return read_regular(Path(named), _MAX_BYTES)
        except (OSError, FileTooLarge) as error:
            raise ConfigurationError(f"{named} cannot be read: {error}.", advice="Name another.") from None
    from pytest_design2a11y.capture.assets import HostClient, NoAsset

    answer = HostClient([urlsplit(named).netloc, urlsplit(named).hostname or ""]).fetch(named, method="GET")
    if isinstance(answer, NoAsset) or answer.status != 200:
        why = answer.what if isinstance(answer, NoAsset) else f"the server answered {answer.status}"
        raise ConfigurationError(
            f"{named} cannot be read: {why}.", advice="Check the address, or download it and name the file."
        )
    return answer.body


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
