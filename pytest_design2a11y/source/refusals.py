"""Reasons why an input is not a page: a refusal, a program, a template."""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from pytest_design2a11y.exceptions import NotHtml

_GIVE_PAGE = "Give the HTML itself, as the page's source has it."

_REFUSAL = re.compile(
    rb"(?i)\b(?:i['\xe2\x80\x99]*m (?:very |really |so )?sorry|i am sorry|i apologi[sz]e|sorry, (?:but )?i"
    rb"|i (?:can(?:['\xe2\x80\x99]*t|not)|am (?:not able|unable)|won['\xe2\x80\x99]*t|must decline)"
    rb"|i['\xe2\x80\x99]*m (?:not able|unable)|as an ai\b|unable to (?:help|assist|create|generate|process))"
)
_REFUSAL_WINDOW = 600
BUILD = "Build it, and give the HTML that it renders."
#: Source files of components and templates.
_SOURCES = {
    ".jsx", ".tsx", ".vue", ".svelte", ".astro", ".mdx", ".marko", ".ejs", ".erb", ".haml", ".hbs", ".jinja",
    ".handlebars", ".jinja2", ".j2", ".liquid", ".mustache", ".njk", ".pug", ".slim", ".twig", ".heex",
    ".razor", ".cshtml",
}  # fmt: skip
_DESIGN_TOOLS = {
    ".fig": "Figma", ".sketch": "Sketch", ".xd": "Adobe XD", ".psd": "Photoshop", ".ai": "Illustrator",
    ".penpot": "Penpot", ".afdesign": "Affinity Designer",
    ".heic": "a camera (HEIC)", ".heif": "a camera (HEIF)", ".bmp": "Windows (BMP)", ".ico": "Windows (ICO)",
    ".jxl": "JPEG XL", ".jp2": "JPEG 2000",
}  # fmt: skip
_SVG = re.compile(rb"(?is)(?:\xef\xbb\xbf|\s|<!--.*?-->|<\?[^>]*>|<!doctype\s+svg[^>]*>)*+<svg[\s>]")
_XML = re.compile(rb"(?i)(?:\xef\xbb\xbf|\s)*+<\?xml")
_HTML_TAG = re.compile(rb"(?i)<(?:html|body|head|div|p|h1|main|section|table|form|ul|span)[\s>]")
#: Only directly after the first tag: further down, a script's strings may contain such line ends.
_ESCAPED_START = re.compile(rb"(?:\xef\xbb\xbf|\s)*+<[^<>]*+>[ \t]*+(?:\\r)?\\n")
_ESCAPED_DOCTYPE = re.compile(rb"(?i)(?:\xef\xbb\xbf|\s|\\[nr])*+<!doctype[^<>]*+>[ \t]*+(?:\\r)?\\n")
_FEWEST_ESCAPED_LINES = 2


def is_json(answer: bytes) -> bool:
    """Return whether an input is JSON, or begins like JSON."""
    text = answer.removeprefix(b"\xef\xbb\xbf").strip()
    is_begun = re.match(rb"[{\[]\s{0,99}[{\"]", text) is not None
    return text[:1] in (b"{", b"[", b'"') and (is_begun or _is_valid_json(text))


def _is_valid_json(text: bytes) -> bool:
    try:
        json.loads(text.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return False
    return True


#: Languages of code blocks that may contain a page in a string, but are not pages themselves.
PROGRAMS = frozenset(
    b"""
    python py python3 json jsonc json5 javascript js mjs node typescript ts php java kotlin csharp cs c# go
    golang rust ruby rb bash sh shell console perl swift dart scala lua r sql yaml yml toml
    """.decode().split()
)
_BLOCK_OF_PROGRAM = re.compile(
    rb"(?im)^[ \t>]*(?:```+|~~~+)[ \t]*(?:" + "|".join(sorted(map(re.escape, PROGRAMS))).encode() + rb")\b"
)
_PAGE_START = re.compile(rb"(?i)<!doctype\s+html|<html[\s>]|<\?php")


_JSON = ("is JSON, not a page", "If one of its values is the page, hand over that value, decoded.")
#: (predicate, message, advice), in the order in which they are tried.
_REASONS: tuple[tuple[Callable[[bytes], object], str, str], ...] = (
    (
        lambda answer: is_json(answer) and not _is_valid_json(answer),
        "is JSON that is cut off or broken",
        "Ask the model again, with room for a longer answer, or fix the JSON.",
    ),
    (is_json, *_JSON),
    (re.compile(rb"(?i)```json\s").search, *_JSON),
    (
        lambda answer: _BLOCK_OF_PROGRAM.search(answer) and _PAGE_START.search(answer),
        "is a program that writes a page",
        "Run it, and hand over the page that it writes.",
    ),
    (
        re.compile(rb"(?i)&(?:amp;)?lt;(?:!doctype|html|head|body|div|section|main|h1|p)\b").search,
        "is HTML with its markup escaped (&lt;…&gt;)",
        "Unescape it first: html.unescape(text).",
    ),
    (
        re.compile(
            rb"className=|\{%-?\s?(?:for|if|set|extends|block|include|load)\s|(?m:^)\s{0,9}"
            rb"(?:import\s.{1,200}\sfrom\s|export\s+default\s|const\s+\w+\s*=\s*\(.{0,80}\)\s*=>)"
        ).search,
        "is a component's source code, not a page",
        BUILD,
    ),
    (
        lambda answer: _REFUSAL.search(answer, 0, _REFUSAL_WINDOW),
        "reads like a model's refusal: it holds no page",
        "Look at the answer, and ask the model again.",
    ),
    (re.compile(rb"(?:\xef\xbb\xbf|[ \t\r\n])*+<").match, "is markup without any HTML element", _GIVE_PAGE),
)


def refuse(answer: bytes, label: str) -> NoReturn:
    """Raise `NotHtml` with the most helpful reason."""
    for is_that, what, advice in _REASONS:
        if is_that(answer):
            refuse_as(label, what, advice, answer)
    refuse_as(label, "is plain text, not a page", _GIVE_PAGE, answer)


def refuse_several(answer: bytes, label: str, number: int) -> NoReturn:
    """Raise `NotHtml` for an answer with several pages, none of which is the first one by name."""
    refuse_as(
        label, f"holds {number} pages", "Hand over the one that is meant, or name it index.html.", answer
    )


def refuse_sources(file: Path, label: str) -> None:
    """Raise `NotHtml` for files that only become a page when built, and for a design tool's own files."""
    suffix = file.suffix.lower()
    if suffix in _DESIGN_TOOLS:
        figma = ", or give Figma's own answer: design2a11y assets figma" if suffix == ".fig" else ""
        advice = f"Export a PNG from it{figma}."
        raise NotHtml(f"{label} is a file of {_DESIGN_TOOLS[suffix]}.", advice=advice)
    if suffix in _SOURCES:
        raise NotHtml(f"{label} is a component's source code, not a page.", advice=BUILD)


def refuse_lookalikes(page: bytes, label: str) -> None:
    """Raise `NotHtml` for input that starts with a tag but is not a page, as pictures and feeds do."""
    if _SVG.match(page) and not _HTML_TAG.search(page) and page.rstrip().lower().endswith(b"</svg>"):
        refuse_as(label, "is an SVG picture, not a page", "Put it into an HTML page.", page)
    if _XML.match(page) and not _HTML_TAG.search(page):
        refuse_as(label, "is XML without any HTML element", _GIVE_PAGE, page)
    num_escaped = page.count(b">\\n") + page.count(b">\\r\\n")
    is_escaped = num_escaped >= _FEWEST_ESCAPED_LINES and _ESCAPED_START.match(page)
    if is_escaped or _ESCAPED_DOCTYPE.match(page):
        advice = "It was taken out of a program's string without decoding: use json.loads() for JSON."
        refuse_as(label, r"has its line ends escaped (\n as two characters)", advice, page)


def refuse_as(label: str, what: str, advice: str, answer: bytes) -> NoReturn:
    """Raise `NotHtml` with a reason, an advice, and how the answer starts."""
    start = answer[:240].decode("utf-8", "replace").removeprefix("\ufeff")
    quoted = " ".join("".join(c if c.isprintable() else " " for c in start).split())
    shown = f"{quoted[:59]}…" if len(quoted) > 60 else quoted
    raise NotHtml(f"{label} {what}. It starts with: {shown!r}.", advice=advice)


#: What sources of templates have, and pages only where they quote such.
_TEMPLATE = re.compile(
    rb"<\?(?:php\b|=)|<%[=-]|\{%-?\s?(?:if|for|block|extends|include|set|assign)\b|\{\{#|\{#(?:each|if)\s|\s\*ng\w"
)
_QUOTING = ("script", "style", "pre", "code", "var", "textarea", "template", "kbd", "samp", "title")
_SHOWING = "[class*=code], [class*=highlight], [contenteditable]"


def refuse_templates(page: bytes, label: str) -> None:
    """Raise `NotHtml` for a source that becomes a page only when a program fills it in."""
    if _TEMPLATE.search(page) is None:
        return
    from bs4 import BeautifulSoup, Comment

    soup = BeautifulSoup(page, "html.parser")
    comments = soup.find_all(string=lambda text: isinstance(text, Comment))
    for quoted in [*soup(_QUOTING), *soup.select(_SHOWING), *comments]:
        quoted.extract()
    if _TEMPLATE.search(html.unescape(str(soup)).encode()):
        refuse_as(label, "is a template's source, not a page", BUILD, page)
