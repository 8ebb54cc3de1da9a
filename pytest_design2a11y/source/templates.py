"""Sources of templates (Angular, PHP, Jinja, ERB, ...) and undecoded strings, which only look like pages."""

from __future__ import annotations

import re

from pytest_design2a11y.source.refusals import BUILD, refuse_as

#: What a page may show of a template's language without being one: scripts, styles, code, comments.
_QUOTING = re.compile(rb"(?i)<(?:!--|(script|style|pre|code|textarea|template|kbd|samp|title)(?=[\s/>]))")
_SCRIPT = re.compile(rb"(?i)<script\b")
_TAG = re.compile(rb"<[a-zA-Z](?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+>")
_ESCAPED_TAG = re.compile(rb"<[a-zA-Z][^<>]*+>")
#: Language, and what only a source in it has. No pattern passes its own beginning: a search is linear.
_LANGUAGES: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    ("PHP", re.compile(rb"(?i)<\?(?:php\b|=)")),
    ("ERB, EJS or the like", re.compile(rb"<%(?!--)[^<>%]++%>")),
    (
        "Jinja, Liquid or the like",
        re.compile(
            rb"\{%-?\s?(?:end)?(?:if|elif|else|for|block|extends|include|import|from|set|macro|with|load"
            rb"|csrf_token|url|static|trans|unless|case|assign|raw|autoescape|filter|call)\b[^{}%]*+%\}"
        ),
    ),
    ("Handlebars", re.compile(rb"\{\{[#/>][^{}<>]++\}\}")),
    ("Angular", re.compile(rb"(?m)^[ \t]*+@(?:if|for|switch)\s?\([^\n]{1,200}\)\s?\{[ \t]*+\r?$")),
)
_ANGULAR = re.compile(rb"\s(?:\*ng[A-Z]\w*|\[(?:\([a-zA-Z.]+\)|[a-zA-Z.-]+)\]|\([a-z]+\))=[\"']")
_VALUE = re.compile(rb"\{\{\s?[A-Za-z_$][^{}<>]*+\}\}")
_ESCAPED = re.compile(rb"\s[\w:-]+=\\+[\"']")
_PLAIN = re.compile(rb"\s[\w:-]+=[\"']")
_FEWEST_ESCAPED = 2


def refuse_templates(page: bytes, label: str) -> None:
    """Raise `NotHtml` for a source that becomes a page only when a program fills it in."""
    shown = _without_quoted(page)
    _refuse_undecoded(shown, page, label)
    language = next((name for name, pattern in _LANGUAGES if pattern.search(shown)), None)
    if language is None and any(map(_ANGULAR.search, _TAG.findall(shown))):
        language = "Angular"
    # A script may fill in the values while the page loads, as Vue and Alpine do, or read them in attributes.
    if language is None and not _SCRIPT.search(page) and _VALUE.search(_TAG.sub(b"", shown)):
        language = "a template language, with {{ values }} to fill in"
    if language:
        refuse_as(label, f"is a template's source ({language}), not a page", BUILD, page)


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
        end = b"-->" if opening[1] is None else b"</%b" % opening[1]
        closing = re.compile(re.escape(end), re.IGNORECASE).search(page, opening.end())
        if closing is None:
            return b" ".join(kept)
        position = closing.end()
    return b" ".join([*kept, page[position:]])
