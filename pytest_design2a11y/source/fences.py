"""Code blocks in Markdown, as language models write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: A fence may be indented (lists), stand behind words, and have content on its own line.
_OPENING = re.compile(rb"(?m)(?:^[ \t>]*+|(?<=[ \t]))(`{3,}+|~{3,}+)[ \t]*+([\w.+#-]*+)([^\n<`]*+)\n?")
_MOST_BLOCKS = 500
_PAGE_START = re.compile(rb"(?i)<!doctype\s+html|<html[\s>]")
_PAGE_END = re.compile(rb"(?i)</html\s*>")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced part of an answer: where its fence begins, and whether it ends.

    `language` is the word after the fence, lower-cased; `info` the rest of that line.
    """

    language: str
    content: bytes
    start: int
    is_closed: bool
    info: str = ""


def code_blocks(answer: bytes) -> list[CodeBlock]:
    """Find the fenced code blocks of an answer; one left open reaches to the end."""
    blocks: list[CodeBlock] = []
    position = 0
    while len(blocks) < _MOST_BLOCKS and (opening := _OPENING.search(answer, position)):
        closing = _closing_of(opening, answer)
        end = closing.start() if closing else len(answer)
        language = opening.group(2).decode("utf-8", "replace").lower()
        info = opening.group(3).decode("utf-8", "replace")
        content = answer[opening.end() : end]
        blocks.append(CodeBlock(language, content, opening.start(), closing is not None, info))
        position = closing.end() if closing else len(answer)
    return blocks


def closing_fence(answer: bytes, position: int, fence: bytes = b"```") -> re.Match[bytes] | None:
    """Find the next line that closes a fence, or a fence right behind a tag."""
    mark = re.escape(fence[:1])
    pattern = rb"(?m)(?:^[ \t>]*+|(?<=>)[ \t]*+)%b{%d,}+[ \t]*\r?$" % (mark, len(fence))
    return re.compile(pattern).search(answer, position)


def _closing_of(opening: re.Match[bytes], answer: bytes) -> re.Match[bytes] | None:
    """Find a block's closing fence; a page may show fences of its own, so its </html> comes first."""
    closing = closing_fence(answer, opening.end(), opening.group(1))
    if closing is None:
        return None
    content_end = closing.start()
    is_page = _PAGE_START.search(answer, opening.end(), content_end) is not None
    if is_page and not _PAGE_END.search(answer, opening.end(), content_end):
        page_end = _PAGE_END.search(answer, content_end)
        if page_end and not _PAGE_START.search(answer, content_end, page_end.start()):
            return closing_fence(answer, page_end.end(), opening.group(1)) or closing
    return closing
