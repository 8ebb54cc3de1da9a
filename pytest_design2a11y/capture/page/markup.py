"""What a document's markup says of it before it is loaded: whether it may run scripts, and its language."""

import re
import sys
from html import unescape

# Signs that a document may run or load scripts: elements, and attributes after a space, a slash or a value.
# With a zero byte, it is in an encoding in which these look different.
SCRIPTED = re.compile(
    rb"<script|<i?frame|<object|<embed|[\s/\"']on[a-z]+\s*=|\bas\s*=[\s\"']*script|modulepreload|\0",
    re.IGNORECASE,
)

# Signs of a character that could be drawn as text or as an emoji or, where a font chosen for one character
# serves others too, of one that not every font has.
_AMBIGUOUS = (
    r"[\u200d\u20e3\ufe00-\ufe0f\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\U000e0000-\U000e01ef]"
    r"|font-variant(?:-emoji)?\s*:(?!\s*(?:normal|small-caps|inherit)\s*(?:[;}\"'!]|$))"
    if sys.platform == "linux"
    else r"[^\0-\u017f\u2010-\u203a\u20ac\u2122\ufeff]"
)
# Also of text in another language, here or in what it loads; of anything that may outlive its page; and of
# media queries on the screen, which tell used from new pages.
_LEAVING = re.compile(
    rf"{_AMBIGUOUS}|-webkit-locale|content-language|<link|@import|svg\+xml"
    r"|http-equiv[\s='\"]*refresh|view-transition|[-(<>]=?\s*device-[wha]"
)
_LANGUAGES = re.compile(r"""(?P<root><html\b[^>]*?[\s"'/])?\blang\s*=\s*["']?(?P<name>[\w-]*)""")
_ESCAPED = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.DOTALL)


def can_run_scripts(html: bytes | None) -> bool:
    """Return whether a document may run scripts; None (the browser loads it itself) always may."""
    return html is None or SCRIPTED.search(html) is not None


def language_of(html: bytes | None) -> str | None:
    """Return the language of all text of a document, "" if it names none, None if that is uncertain.

    A renderer remembers the font it chose for a character missing from a page's own fonts, in any language,
    as text or as an emoji, and on some systems uses it for others too. So pages may share a renderer if their
    language is the same, and each character is drawn in one way; list markers still depend on the language.
    """
    if html is None or can_run_scripts(html):
        return None
    text = unescape(html.decode("utf-8", "replace")).lower()
    unescaped = _ESCAPED.sub(lambda escape: escape[2] or chr(min(int(escape[1], 16), 0x10FFFF)), text)
    if any(map(_LEAVING.search, {text, unescaped})):
        return None
    named = list(_LANGUAGES.finditer(text))
    languages = {attribute["name"] for attribute in named}
    if len(languages) > 1 or (named and not named[0]["root"]):
        return None
    return next(iter(languages), "")
