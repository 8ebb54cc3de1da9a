"""What a source refers to: an address, HTML text, or a file, even without suffix or as a route of an app."""

import difflib
import os
import re
import stat
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from pytest_design2a11y.exceptions import InputTooLarge, SourceNotFound
from pytest_design2a11y.files import FileTooLarge, file_path, read_regular
from pytest_design2a11y.source.site import INDEX_NAMES, SiteChoice
from pytest_design2a11y.wording import command_flag, setting

_SUFFIX = re.compile(r"[?#].*\Z", re.DOTALL)
_MOST_NAMES_LISTED = 5_000
_NUM_SUGGESTIONS = 3
_LIKENESS = 0.75
_LONGEST_PATH = 4096
_SCHEME = re.compile(r"(?i)[a-z][a-z0-9+.-]+://\S*\Z|(?:about|data|javascript|blob):\S*\Z")
_FILE_URL = re.compile(r"(?i)file://")
_DRIVE = re.compile(r"/[a-zA-Z]:(/|\Z)")
_ABSOLUTE = re.compile(r"(?:[a-zA-Z]:)?[/\\]|~")
_HEAD_OF_TEXT = ("<", "```", "~~~", "{", "[", "&lt;", '"')
_MARKUP = re.compile(r"<[a-zA-Z!/]")
_FILE_SUFFIX = re.compile(r"\.\w{1,8}\Z")
_FEWEST_WORDS_OF_PROSE = 4
_ADDRESS = re.compile(r"(?i)www\.|localhost[:/]|[\w.-]+:\d+(?:/|\Z)")


def kind_of(source: str) -> Literal["url", "html", "path"]:
    """Return what kind of source a string is; anything else counts as HTML text, to be judged there."""
    text = source.strip("\ufeff \t\r\n\f\v\0")
    if (
        not text
        or text.startswith(_HEAD_OF_TEXT)
        or "\n" in text
        or "\0" in source
        or len(text) > _LONGEST_PATH
        or _MARKUP.search(text) is not None
        or _is_prose(text)
    ):
        return "html"
    if _SCHEME.match(text) and not _FILE_URL.match(text):
        return "url"
    return "path"


def _is_prose(text: str) -> bool:
    if _ABSOLUTE.match(text):
        return False
    num_words = len(text.split())
    is_sentence = num_words > 1 and text.endswith((".", "!", "?"))
    is_file_name = _FILE_SUFFIX.search(text) is not None
    return is_sentence or (num_words >= _FEWEST_WORDS_OF_PROSE and not is_file_name)


def url_problem(url: str) -> str | None:
    """Return what prevents an address from being loaded; None if nothing does."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        return f"{error}"
    if parts.scheme not in ("http", "https"):
        return f"{parts.scheme}: is not http or https"
    return None if host else "it names no host"


def path_of_file_url(source: str, *, is_windows: bool = os.name == "nt") -> str | None:
    """Return the path in a file: address, on Windows with a drive or a server; None for anything else."""
    text = source.strip()
    if not _FILE_URL.match(text):
        return None
    parts = urlsplit(text)
    path = unquote(parts.path)
    if not is_windows:
        return path
    if _DRIVE.match(path):
        return path[1:]
    is_drive = parts.netloc.endswith(":")
    server = "" if is_drive or parts.netloc in ("", "localhost") else "//"
    return f"{server}{parts.netloc}{path}" if is_drive or server else path


class SitePage(NamedTuple):
    """A requested page: a file that may not exist, query and fragment.

    `route` is the path in the site if the root's index.html answers for it.
    """

    file: Path
    suffix: str = ""
    route: str | None = None


def find_page(source: str | os.PathLike[str], base: Path | None, choice: SiteChoice) -> SitePage:
    """Return the file of a path, also by a clean URL or an app's route if enabled; else the path itself."""
    text = os.fspath(source)
    whole = _absolute(text, base)
    if _is_file(whole):
        return SitePage(whole)
    suffix = found.group() if (found := _SUFFIX.search(text)) else ""
    path = _absolute(text.removesuffix(suffix), base) if suffix else whole
    clean = [Path(f"{path}.html")] if choice.clean_urls else []
    for file in (path, *clean, *(path / name for name in INDEX_NAMES)):
        if _is_file(file):
            return SitePage(file, suffix)
    given = choice.given_root(path)
    roots = (root for root in ([given] if given else path.parents) if _is_file(root / INDEX_NAMES[0]))
    if choice.single_page and (root := next(roots, None)):
        return SitePage(root / INDEX_NAMES[0], suffix, path.relative_to(root).as_posix())
    return SitePage(whole)


def is_page(source: str | os.PathLike[str], base: Path, choice: SiteChoice) -> bool:
    """Return whether a path, starting from `base`, refers to a file that exists."""
    try:
        return _is_file(find_page(source, base, choice).file)
    except ValueError:
        return False


def _absolute(text: str, base: Path | None) -> Path:
    return ((base or Path()) / file_path(text)).absolute()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_file_named(text: str, base: Path | None) -> bool:
    """Return whether a text that reads like prose is the path of a file nonetheless."""
    return len(text) <= _LONGEST_PATH and text.isprintable() and _is_file((base or Path()) / text)


def check_file(source: str | os.PathLike[str], path: Path) -> None:
    """Refuse a path that does not lead to a regular file."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        why = f" ({getattr(error, 'strerror', None) or error})"
        reason = "" if isinstance(error, FileNotFoundError) else why
        raise SourceNotFound(
            f"There is no file {os.fspath(source)!r}: looked for {path}{reason}.",
            advice=_advice_for_missing(os.fspath(source), path),
        ) from None
    if stat.S_ISDIR(mode):
        pages = sorted(page.name for page in islice(path.glob("*.htm*"), _MOST_NAMES_LISTED))
        some = ", ".join(pages[:_NUM_SUGGESTIONS])
        advice = f"Name a page in it, such as {some}." if some else "Name an HTML file."
        raise SourceNotFound(f"{os.fspath(source)!r} is a folder, not a page ({path}).", advice=advice)
    if not stat.S_ISREG(mode):
        raise SourceNotFound(
            f"{os.fspath(source)!r} is not a regular file ({path}).",
            advice="Give the path of an HTML file, a URL, or HTML text.",
        )


def read_file(path: Path, max_bytes: int) -> bytes:
    """Read a file of at most `max_bytes`; SourceNotFound or InputTooLarge if that fails."""
    refuse_larger_than(max_bytes, path.stat().st_size, str(path))
    try:
        return read_regular(path, max_bytes)
    except FileTooLarge:  # It has grown meanwhile.
        refuse_larger_than(max_bytes, max_bytes + 1, str(path))
        raise
    except OSError as error:
        raise SourceNotFound(
            f"{path} cannot be read: {error.strerror or error}.",
            advice="Give the user that runs the tests the right to read it.",
        ) from error


def refuse_larger_than(max_bytes: int, num_bytes: int, label: str) -> None:
    """Raise `InputTooLarge` for an input beyond the limit."""
    if num_bytes > max_bytes:
        raise InputTooLarge(
            f"{label} has {num_bytes:,} bytes; the limit is {max_bytes:,}.",
            advice=f"If the page is meant to be so large, raise the limit with {setting('max_bytes')}=N.",
        )


def _advice_for_missing(source: str, path: Path) -> str:
    if _ADDRESS.match(source):
        return f"If it is meant as an address, write http://{source}."
    if "\\" in source and os.sep == "/":
        slashed = source.replace("\\", "/")
        return f"On this system a backslash is a part of a name; folders end with a slash: {slashed}."
    folder = path.parent
    if _is_file(Path(f"{path}.html")):
        return f"There is {path.name}.html: name that, or give {setting('clean_urls')}=true."
    root = next((parent for parent in path.parents if _is_file(parent / INDEX_NAMES[0])), None)
    if root is not None and not path.suffix:
        index = root / INDEX_NAMES[0]
        return f"Where it is a route of the app in {index}, give {command_flag('single_page')}."
    if not folder.is_dir():
        existing = next((parent for parent in folder.parents if parent.is_dir()), Path(path.anchor))
        return f"The folder {folder} does not exist either; {existing} does."
    names: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        names = sorted(entry.name for entry in islice(entries, _MOST_NAMES_LISTED))
    if near := difflib.get_close_matches(path.name, names, n=_NUM_SUGGESTIONS, cutoff=_LIKENESS):
        return f"Near it there is {', '.join(near)}."
    return "Give the path of an HTML file, a URL, or HTML text (which starts with '<')."
