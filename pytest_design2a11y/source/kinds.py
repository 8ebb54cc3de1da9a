"""Whether a string is meant as a URL, as HTML text or as a path."""

from __future__ import annotations

import os
import re
from typing import Literal
from urllib.parse import unquote, urlsplit

Kind = Literal["url", "html", "path"]

_LONGEST_PATH = 4096
_SCHEME = re.compile(r"(?i)[a-z][a-z0-9+.-]+://\S*\Z|(?:about|data|javascript|blob):\S*\Z")
_FILE_URL = re.compile(r"(?i)file://")
_DRIVE = re.compile(r"/[a-zA-Z]:(/|\Z)")
_ABSOLUTE = re.compile(r"(?:[a-zA-Z]:)?[/\\]|~")
_HEAD_OF_TEXT = ("<", "```", "~~~", "{", "[", "&lt;", '"')
_MARKUP = re.compile(r"<[a-zA-Z!/]")
_FILE_SUFFIX = re.compile(r"\.\w{1,8}\Z")
_FEWEST_WORDS_OF_PROSE = 4


def kind_of(source: str) -> Kind:
    """Return what a string is meant as; what can be none of them counts as HTML text, to be judged there."""
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
    """Return what keeps an address from being loaded; None if nothing does."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError as error:
        return f"{error}"
    if parts.scheme not in ("http", "https"):
        return f"{parts.scheme}: is not http or https"
    return None if host else "it names no host"


def path_of_file_url(source: str, *, is_windows: bool = os.name == "nt") -> str | None:
    """Return the path that a file: address names; None for anything else.

    On Windows it starts with a drive (file:///C:/page.html) or a server (file://server/page.html).
    """
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
