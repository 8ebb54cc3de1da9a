"""Sources of templates (Angular, PHP, Jinja, ERB, ...) and undecoded strings, which only look like pages."""

from __future__ import annotations

import re

from pytest_design2a11y.source.refusals import BUILD, refuse_as

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
