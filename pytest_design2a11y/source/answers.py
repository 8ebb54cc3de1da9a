"""The page in a model's raw answer: out of code fences, out of chat."""

from __future__ import annotations

import re
from typing import NamedTuple

from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.source.elements import HTML_ELEMENTS
from pytest_design2a11y.source.fences import CodeBlock, closing_fence, code_blocks
from pytest_design2a11y.source.refusals import is_json, refuse, refuse_lookalikes

Warnings = tuple[CaptureWarning, ...]


class _Region(NamedTuple):
    start: int
    page: bytes
    warnings: Warnings


_NAMES = b"|".join(sorted(HTML_ELEMENTS))
_LEADING_MARKUP = re.compile(
    rb"(?i)(?:\xef\xbb\xbf|\s|<!--(?s:.*?)-->|<\?[^>]*>)*+<(?=[a-z!])(?:!doctype\s|(?:%b)[\s/>])" % _NAMES
)
_MARKUP_BEHIND_UNKNOWN = re.compile(rb"(?i)<(?=[a-z])(?:%b)[\s/>]" % _NAMES)
_PAGE_START = re.compile(rb"(?i)<!doctype\s+html|<html[\s>]")
_PAGE_END = re.compile(rb"(?i)</html\s*>")
_FRAGMENT_START = re.compile(rb"(?im)^[ \t]*+<(?=[a-z])(%b)[\s/>]" % _NAMES)
_THOUGHTS = re.compile(rb"(?is)\s*<(think|thinking|reasoning)>.*?</\1>")
_WORDS_AND_FENCE = re.compile(rb"(?:[^<`~]|`(?!``)|~(?!~~))*+(?:```|~~~)")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]{2}")
_TAG_OR_COMMENT = re.compile(rb"<[a-zA-Z!/?]")

_FENCE_WARNING = CaptureWarning(
    "markdown_fence_stripped",
    "The page was taken out of a Markdown code block; the text around it was dropped.",
)
_CHAT_WARNING = CaptureWarning("chat_text_stripped", "Text before or after the page was dropped.")
_STRAY_WARNING = CaptureWarning("stray_text", "Stray characters stand before the page's first tag.")


def extract_page(answer: bytes, label: str) -> tuple[bytes, Warnings]:
    """Give the page that an answer holds; the very bytes where the answer is the page.

    Raises:
        NotHtml: There is no page in it.
    """
    thoughts = _THOUGHTS.match(answer)
    body = answer[thoughts.end() :] if thoughts else answer
    page, warnings = _page_of(body, label)
    refuse_lookalikes(page, label)
    if thoughts and _CHAT_WARNING not in warnings:
        warnings = (_CHAT_WARNING, *warnings)
    return page, warnings


def _page_of(answer: bytes, label: str) -> tuple[bytes, Warnings]:
    if _starts_with_page(answer):
        return _without_trailing_chat(answer)
    if is_json(answer):
        refuse(answer, label)
    regions = [*_block_regions(answer), *_bare_region(answer)]
    if not regions:
        refuse(answer, label)
    best = max(regions, key=lambda region: len(region.page))
    return best.page, best.warnings


def _starts_with_page(answer: bytes) -> bool:
    if _LEADING_MARKUP.match(answer):
        return True
    # A custom element or a misspelt one in front is still a page if known elements follow.
    return answer.lstrip()[:1] == b"<" and _MARKUP_BEHIND_UNKNOWN.search(answer) is not None


def _block_regions(answer: bytes) -> list[_Region]:
    blocks = code_blocks(answer)
    pages = [block for block in blocks if _holds_page(block)]
    if not pages:
        return []
    longest = max(pages, key=lambda block: len(block.content))
    page, _ = _without_trailing_chat(longest.content)
    warnings = (_FENCE_WARNING, *_warning_of_others(blocks, longest))
    return [_Region(longest.start, page, warnings)]


def _holds_page(block: CodeBlock) -> bool:
    starts_with_page = _LEADING_MARKUP.match(block.content) or _PAGE_START.search(block.content)
    return starts_with_page is not None and block.language not in ("jsx", "tsx", "vue", "svelte")


def _warning_of_others(blocks: list[CodeBlock], used: CodeBlock) -> Warnings:
    others = [block for block in blocks if block is not used]
    if not others:
        return ()
    names = ", ".join(f"{block.language or 'plain'} ({len(block.content):,} bytes)" for block in others[:5])
    message = f"The answer has {len(blocks)} code blocks; the longest HTML one was used, not: {names}."
    return (CaptureWarning("several_code_blocks", message, len(blocks)),)


def _bare_region(answer: bytes) -> list[_Region]:
    """Find a page, or a fragment with a line of its own, between words and outside of fences."""
    start = _start_of_bare_page(answer)
    if start is None or any(block.start <= start for block in code_blocks(answer)):
        return []
    if not _WORD.search(answer, 0, start):
        return [_Region(0, answer, (_STRAY_WARNING,))]
    page, warnings = _without_trailing_chat(answer[start:])
    return [_Region(start, page, (_CHAT_WARNING, *(w for w in warnings if w != _CHAT_WARNING)))]


def _start_of_bare_page(answer: bytes) -> int | None:
    if found := _PAGE_START.search(answer):
        return found.start()
    fragment = _FRAGMENT_START.search(answer)
    if (
        fragment is None
        or b"className=" in answer
        or re.search(rb"(?m)^import\s", answer[: fragment.start()])
    ):
        return None
    is_closed = b"</" + fragment.group(1).lower() in answer[fragment.end() :].lower()
    return fragment.start() if is_closed else None


def _without_trailing_chat(answer: bytes) -> tuple[bytes, Warnings]:
    """Cut off what a model says behind the page; scripts and comments behind </html> belong to the page."""
    end = _end_of_page(answer)
    if _WORDS_AND_FENCE.match(answer, end):
        return answer[:end], (_FENCE_WARNING,)
    if fence := closing_fence(answer, end):
        return answer[: fence.start()], (_FENCE_WARNING,)
    tail = answer[end:]
    if _PAGE_END.search(answer) and _WORD.search(tail) and not _TAG_OR_COMMENT.search(tail):
        return answer[:end], (_CHAT_WARNING,)
    return answer, ()


def _end_of_page(answer: bytes) -> int:
    """Find where the page ends: at the last </html> before words that lead to another code block, if any."""
    end = 0
    for found in _PAGE_END.finditer(answer):
        end = found.end()
        if _WORDS_AND_FENCE.match(answer, end):
            return end
    return end or answer.rstrip().rfind(b"\n") + 1
