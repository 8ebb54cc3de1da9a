"""Reasons why an input is not a page: a refusal, a program, a template."""

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


#: What a page may show of a template's language without being one: scripts, styles, code, comments, fields.
_QUOTING = re.compile(
    rb"(?i)<(?:!--|(script|style|pre|code|var|textarea|template|kbd|samp|title)(?=[\s/>])"
    rb"|([a-z][a-z0-9]*)(?=\s)(?=[^<>]*\s(?:contenteditable\b|class=[\"'][^\"'<>]*"
    rb"(?<![a-z])(?:code|highlight|hljs|syntax|editor|snippet|prism|token|terminal|cm|line-numbers)(?![a-z]))))"
)
_SCRIPT = re.compile(rb"(?is)<script\b([^<>]*+)>((?:[^<]|<(?!/script))*+)")
_TAG = re.compile(rb"<[a-zA-Z](?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+>")
_ESCAPED_TAG = re.compile(rb"<[a-zA-Z][^<>]*+>")
#: Language, and what only a source in it has. No pattern passes its own beginning: a search is linear.
_LANGUAGES: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    ("PHP", re.compile(rb"(?i)<\?(?:php\b|=)")),
    ("ERB, EJS or the like", re.compile(rb"<%(?!--)[^<>%]++%>")),
    ("JSP", re.compile(rb"(?i)<(?:c:(?:foreach|if|choose|out|set)|jsp:[a-z]+)[\s>]")),
    ("Blade", re.compile(rb"(?m)^[ \t]*+@(?:extends|section|foreach|forelse|include|yield|isset)\s?\(")),
    ("Razor", re.compile(rb"(?m)^@(?:model|using|inject|page)\s[\w.\"/]+[ \t]*+\r?$")),
    ("Svelte", re.compile(rb"\{[#/:@](?:if|each|await|key|snippet|else|html|render)(?:\s[^{}<>]*+)?\}")),
    ("Jinja", re.compile(rb"\{#\s[^{}#]*+#\}")),
    (
        "Jinja, Liquid or the like",
        re.compile(
            rb"\{%-?\s?(?:end)?(?:if|elif|else|for|block|extends|include|import|from|set|macro|with|load"
            rb"|csrf_token|url|static|trans|unless|case|assign|raw|autoescape|filter|call)\b[^{}%]*+%\}"
        ),
    ),
    ("Handlebars", re.compile(rb"\{\{[#/>][^{}<>]++\}\}")),
    (
        "Angular",
        re.compile(
            rb"(?m)(?:^[ \t]*+|>)@(?:if|for|switch|defer)\s?\([^\n(){}]{1,200}\)\s?\{(?:[ \t]*+\r?$|<)"
        ),
    ),
)
#: How a source begins, which may be taken for words before the page.
_BEGINNING = re.compile(
    rb"\s*(?:---[ \t]*\r?\n[^<]*?\b(?:const|import|let)\s[^<]*?\n---[ \t]*\r?\n"
    rb"|@(?:extends|section)\(|@(?:model|using|inject|page)\s|\{%-?\s?(?:extends|load|include)\s)"
)
_ANGULAR = re.compile(rb"\s(?:\*ng[A-Z]\w*|\[(?:\([a-zA-Z.]+\)|[a-zA-Z.-]+)\]|\([a-z]+\))=[\"']")
_THYMELEAF = re.compile(rb"\sth:[a-z]+=[\"']")
#: A value to fill in: of mustaches, or of a program's text; its name.
_VALUE = re.compile(
    rb"\{\{-?\s?[.$]?([A-Za-z_]\w*)[^{}<>]*+\}\}|\$\{\s?(?:this\.)?([A-Za-z_]\w*)[\w.]*+\s?\}"
)
_ESCAPED = re.compile(rb"\s[\w:-]+=\\+[\"']")
_PLAIN = re.compile(rb"\s[\w:-]+=[\"']")
_FEWEST_ESCAPED = 2


def refuse_template_start(answer: bytes, label: str) -> None:
    """Raise `NotHtml` for an answer that begins as only a template's source does."""
    if _BEGINNING.match(answer):
        refuse_as(label, "is a template's source, not a page", BUILD, answer)


def refuse_templates(page: bytes, label: str) -> None:
    """Raise `NotHtml` for a source that becomes a page only when a program fills it in."""
    shown = _without_quoted(page)
    _refuse_undecoded(shown, page, label)
    language = next((name for name, pattern in _LANGUAGES if pattern.search(shown)), None)
    tags = _TAG.findall(shown)
    if language is None and any(map(_ANGULAR.search, tags)):
        language = "Angular"
    if language is None and any(map(_THYMELEAF.search, tags)):
        language = "Thymeleaf"
    if language is None and _has_values(_TAG.sub(b"", shown), page):
        language = "a template language, with {{ values }} to fill in"
    if language:
        refuse_as(label, f"is a template's source ({language}), not a page", BUILD, page)


def _has_values(shown: bytes, page: bytes) -> bool:
    """Return whether a text has values to fill in, and no script that may do it while the page loads."""
    values = _VALUE.findall(shown)
    scripts = _SCRIPT.findall(page) if values else []
    if any(b"src" in attributes.lower() for attributes, _ in scripts):
        return False
    program = b"\n".join(content for _, content in scripts)
    fills_any = b"{{" in program or b"{\\{" in program
    return not fills_any and any((name or other) not in program for name, other in values)


def _refuse_undecoded(shown: bytes, page: bytes, label: str) -> None:
    tags = b"".join(_ESCAPED_TAG.findall(shown))
    num_escaped = len(_ESCAPED.findall(tags))
    if num_escaped >= _FEWEST_ESCAPED and num_escaped > len(_PLAIN.findall(tags)):
        advice = "It was taken out of a string of a program without decoding: use json.loads()."
        refuse_as(label, 'has its quotes escaped (\\")', advice, page)


def _without_quoted(page: bytes) -> bytes:
    kept, position = [], 0
    while opening := _QUOTING.search(page, position):
        kept.append(page[position : opening.start()])
        position = _end_of(opening[1] or opening[2], page, opening.end())
    return b" ".join([*kept, page[position:]])


def _end_of(name: bytes | None, page: bytes, position: int) -> int:
    """Return where an element ends, with those of its name in it, or a comment."""
    if name is None:
        end = page.find(b"-->", position)
        return end if end >= 0 else len(page)
    is_raw = name.lower() in (b"script", b"style", b"textarea", b"title")
    depth = 1
    for tag in re.compile(rb"(?i)<(/?)%b(?=[\s/>])" % re.escape(name)).finditer(page, position):
        depth += -1 if tag[1] else not is_raw
        if depth == 0:
            return tag.end()
    return len(page)
