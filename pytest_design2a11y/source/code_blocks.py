"""Find the fenced code blocks of a model's answer, which may hold pages with fences of their own."""

import re
from dataclasses import dataclass

PAGE_START = re.compile(rb"(?i)<!doctype\s+html|<html[\s>]")
PAGE_END = re.compile(rb"(?i)</html\s*>")

#: A fence may be indented (lists), follow words, and have content on its own line.
_OPENING = re.compile(rb"(?m)(?:^[ \t>]*+|(?<=[ \t]))(`{3,}+|~{3,}+)[ \t]*+([\w.+#-]*+)([^\n<`]*+)\n?")
_MOST_BLOCKS = 500


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced part of an answer."""

    language: str  # The word after the fence, lower-cased
    content: bytes
    start: int  # Position of its fence
    end: int  # Position after its closing fence
    info: str = ""  # The rest of the fence's line


def code_blocks(answer: bytes) -> list[CodeBlock]:
    """Find the fenced code blocks of an answer; one left open extends to the end."""
    blocks: list[CodeBlock] = []
    position = 0
    starts, ends = _Ahead(PAGE_START, answer), _Ahead(PAGE_END, answer)
    while len(blocks) < _MOST_BLOCKS and (opening := _OPENING.search(answer, position)):
        closing = _closing_of(opening, answer, starts, ends)
        end = closing.start() if closing else len(answer)
        language = opening.group(2).decode("utf-8", "replace").lower()
        info = opening.group(3).decode("utf-8", "replace")
        content = answer[opening.end() : end]
        position = closing.end() if closing else len(answer)
        blocks.append(CodeBlock(language, content, opening.start(), position, info))
    return blocks


def closing_fence(answer: bytes, position: int, fence: bytes = b"```") -> re.Match[bytes] | None:
    """Find the next line that closes a fence, or a fence directly after a tag."""
    mark = re.escape(fence[:1])
    pattern = rb"(?m)(?:^[ \t>]*+|(?<=>)[ \t]*+)%b{%d,}+[ \t]*\r?$" % (mark, len(fence))
    return re.compile(pattern).search(answer, position)


@dataclass
class _Ahead:
    """Finds the next match from positions that only increase, in a single pass over the text."""

    pattern: re.Pattern[bytes]
    text: bytes
    found: re.Match[bytes] | None = None
    is_over: bool = False

    def of(self, position: int) -> re.Match[bytes] | None:
        """Return the first match from a position on."""
        if not self.is_over and (self.found is None or self.found.start() < position):
            self.found = self.pattern.search(self.text, position)
            self.is_over = self.found is None
        return self.found


def _closing_of(
    opening: re.Match[bytes], answer: bytes, starts: _Ahead, ends: _Ahead
) -> re.Match[bytes] | None:
    """Find a block's closing fence; as a page may contain fences itself, its </html> takes precedence."""
    closing = closing_fence(answer, opening.end(), opening.group(1))
    if closing is None:
        return None
    content_end = closing.start()
    is_page = PAGE_START.search(answer, opening.end(), content_end) is not None
    if is_page and not PAGE_END.search(answer, opening.end(), content_end):
        page_end, next_page = ends.of(content_end), starts.of(content_end)
        if page_end and not (next_page and next_page.end() <= page_end.start()):
            return closing_fence(answer, page_end.end(), opening.group(1)) or closing
    return closing
