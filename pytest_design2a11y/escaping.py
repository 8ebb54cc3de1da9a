"""Escapes text from pages, answers, file names and errors for each place where it is shown.

The author of a page chooses its texts, and often the names of files and cases. None of them may take effect:
move a terminal's cursor, change the direction of a line, or become a CI command, a mention, a link or markup.
"""

import json
import re
import unicodedata
from functools import partial
from typing import Any

_UNSAFE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_LEADING_COLONS = r"^(\s*):(?=:)"
_HASHES = r"##(?=\w*\[)"
_FORMULA = r"(^|;)([\s\"']*)(?=[=+\-@＝＋－＠])"
_MARKS = r"[\\`*_\[\]|#~$!]"
_NAMES_AND_ADDRESSES = r"(?i)[@#]|:(?=//)|www(?=\.)|gh(?=-\d)"
_NO_WIDTH = "&#8203;"
_HALVES = r"[\ud800-\udfff]"


def sanitize(text: str, *, limit: int = 60) -> str:
    r"""Return a text of a page for use in a line of plain text, truncated with "…" after `limit` characters.

    White space is collapsed, and characters that affect a terminal (control characters, direction marks,
    halves of surrogate pairs) become escapes such as `\x1b`.
    """
    line = _visible(" ".join(text[: 4 * limit].split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


#: The same for a report, which has room for more.
shown = partial(sanitize, limit=300)


def link(url: str) -> str | None:
    """Return an address if it is safe for a link, else None."""
    return url if re.match(r"https?://[^\s/]", url) and url.isprintable() else None


def terminal_line(text: str) -> str:
    r"""Return a whole line for a terminal or log, escaping whatever affects either.

    Line ends in it become `\n`. Text that CI systems interpret as commands (`::error::` at the start of a
    line for GitHub; `##[...]`, `##vso[...]` and `##teamcity[...]` anywhere) is broken up.
    """
    line = re.sub(_LEADING_COLONS, r"\1\\x3a", _visible(text))
    return re.sub(_HASHES, r"#\\x23", line)


def markdown(text: str, *, limit: int = 200) -> str:
    """Return a text for use in a line of GitHub's Markdown, without markup, mentions, references or links."""
    line = sanitize(text, limit=limit).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = re.sub(_MARKS, r"\\\g<0>", line)
    # GitHub also looks for names and addresses in the rendered Markdown: only a zero-width space helps.
    return re.sub(_NAMES_AND_ADDRESSES, rf"\g<0>{_NO_WIDTH}", line)


def csv_cell(text: str) -> str:
    """Return a text as a CSV cell, with an apostrophe before what a spreadsheet would treat as a formula.

    In much of Europe, spreadsheets end a cell at a semicolon, quoted or not.
    """
    return re.sub(_FORMULA, r"\1'\2", terminal_line(text))


def whole_characters(text: str) -> str:
    """Return a text with invalid characters replaced by U+FFFD, as in saved runs."""
    return re.sub(_HALVES, "\N{REPLACEMENT CHARACTER}", text)


def json_line(value: Any) -> str:
    """Return a value as one line of ASCII JSON, with invalid characters replaced by U+FFFD.

    Python represents bytes of file names that are not UTF-8 as surrogate halves, which JSON cannot hold.
    """
    text = json.dumps(value)
    if "\\ud" in text:
        text = json.dumps(json.loads(whole_characters(json.dumps(value, ensure_ascii=False))))
    # Two hashes start commands of CI systems; in JSON they only occur in strings.
    return text.replace("##", "#\\u0023")


def workflow_data(text: str) -> str:
    """Return a text as the message of a GitHub workflow command."""
    return sanitize(text, limit=1000).replace("%", "%25")


def workflow_property(text: str) -> str:
    """Return a text as the value of a property of a GitHub workflow command."""
    return workflow_data(text).replace(":", "%3A").replace(",", "%2C")


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode("ascii")
        if unicodedata.category(character) in _UNSAFE_CATEGORIES
        else character
        for character in text
    )
