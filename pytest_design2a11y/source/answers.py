"""Extract the page from a model's raw answer: out of code fences and chat; of several, the last."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.source.refusals import (
    PROGRAMS,
    is_json,
    refuse,
    refuse_lookalikes,
    refuse_several,
    refuse_templates,
)
from pytest_design2a11y.source.scanning import (
    HTML_ELEMENTS,
    PAGE_END,
    PAGE_START,
    CodeBlock,
    closing_fence,
    code_blocks,
)
from pytest_design2a11y.source.site import INDEX_NAMES
from pytest_design2a11y.source.wrapped import (
    AnswerFile,
    Files,
    file_name,
    files_beside,
    in_bare_json,
    in_json,
    in_tags,
)

#: The end of one page and, after words or comments alone, the start of the next whole one.
_BETWEEN = re.compile(rb"(?i)</html\s*>((?:[^<]|<!--(?:[^<-]|-(?!->))*+-->)*+)(?=<!doctype\s+html)")


def last_page(answer: bytes, start: int) -> tuple[bytes, tuple[CaptureWarning, ...]]:
    """Return the last whole page, with what follows it, and a warning if there are several."""
    gaps = list(_BETWEEN.finditer(answer, start))
    if not gaps:
        return answer[start:], ()
    return answer[gaps[-1].end() :], (several_warning(len(gaps) + 1),)


def several_warning(number: int) -> CaptureWarning:
    """Return the warning that the last of several pages was taken."""
    return CaptureWarning(
        "several_pages", f"The answer holds {number} whole pages; the last one was used.", number
    )


Warnings = tuple[CaptureWarning, ...]


class Extracted(NamedTuple):
    """The page in an answer, and those of the answer's files that it requests, by their path beside it."""

    page: bytes
    warnings: Warnings = ()
    files: Files = ()


_NAMES = b"|".join(sorted(HTML_ELEMENTS))
_LEADING_MARKUP = re.compile(
    rb"(?i)(?:\xef\xbb\xbf|\s|<!--(?s:.*?)-->|<\?[^>]*>)*+<(?=[a-z!])(?:!doctype\s|(?:%b)[\s/>])" % _NAMES
)
_MARKUP_BEHIND_UNKNOWN = re.compile(rb"(?i)<(?=[a-z])(?:%b)[\s/>]" % _NAMES)
_FRAGMENT_START = re.compile(rb"(?im)^[ \t]*+<(?=[a-z])(%b)[\s/>]" % _NAMES)
_THOUGHTS = re.compile(
    rb"(?is)\s*(?:<(think|thinking|reasoning)>.*?</\1>|<draft>.*?</draft>(?=.*<(?:!doctype|html)))"
)
_LATER_START = re.compile(rb"(?im)^[ \t]*+<!doctype\s+html")
_WORDS_AND_FENCE = re.compile(rb"(?:[^<`~]|`(?!``)|~(?!~~))*+(?:```|~~~)")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]{2}")
_TAG_OR_COMMENT = re.compile(rb"<[a-zA-Z!/?]")

_FILE_WORD = re.compile(r"[\w@./-]+\.\w+")
_COMPONENTS = frozenset({"jsx", "tsx", "vue", "svelte"})

_FENCE_WARNING = CaptureWarning(
    "markdown_fence_stripped",
    "The page was taken out of a Markdown code block; the text around it was dropped.",
)
_CHAT_WARNING = CaptureWarning("chat_text_stripped", "Text before or after the page was dropped.")
_STRAY_WARNING = CaptureWarning("stray_text", "Stray characters stand before the page's first tag.")


def extract_page(answer: bytes, label: str) -> Extracted:
    """Return the page in an answer, byte for byte if the answer is just the page."""
    thoughts = _THOUGHTS.match(answer)
    body = answer[thoughts.end() :] if thoughts else answer
    found = _page_of(body, label)
    refuse_lookalikes(found.page, label)
    refuse_templates(found.page, label)
    if thoughts and _CHAT_WARNING not in found.warnings:
        return found._replace(warnings=(_CHAT_WARNING, *found.warnings))
    return found


def _page_of(answer: bytes, label: str) -> Extracted:
    if parts := in_bare_json(answer, _may_be_page):
        return _unwrapped("JSON", parts, answer, label)
    if wrapped := in_tags(answer, _may_be_page):
        return _unwrapped(*wrapped, answer, label)
    # It is still a page if it begins with a custom or misspelt element, but known elements follow.
    is_tag = answer.lstrip()[:1] == b"<"
    if _LEADING_MARKUP.match(answer) or (is_tag and _MARKUP_BEHIND_UNKNOWN.search(answer)):
        return _last_of(answer, 0)
    if is_json(answer):
        refuse(answer, label)
    if regions := [*_block_regions(answer), *_bare_region(answer)]:
        return max(regions, key=lambda region: len(region.page))
    blocks = (block for block in code_blocks(answer) if block.language in ("", "json", "jsonc", "json5"))
    parts = next(filter(None, (in_json(block.content, _may_be_page) for block in blocks)), ())
    return _unwrapped("JSON", parts, answer, label)


def _may_be_page(content: bytes) -> bool:
    is_markup = _LEADING_MARKUP.match(content) or PAGE_START.search(content)
    return is_markup is not None or any(_holds_page(block) for block in code_blocks(content))


def _unwrapped(wrapper: str, parts: Sequence[AnswerFile], answer: bytes, label: str) -> Extracted:
    pages = {part.content: part for part in parts if _may_be_page(part.content)}
    named_index = [part for part in pages.values() if part.name in INDEX_NAMES]
    if not pages:
        refuse(answer, label)
    if len(named_index) != 1 and len({part.name for part in pages.values() if part.name}) > 1:
        refuse_several(answer, label, len(pages))
    is_clear = len(named_index) == 1 or len(pages) == 1
    chosen = named_index[0] if len(named_index) == 1 else [*pages.values()][-1]
    inner = _page_of(chosen.content, label) if chosen.content != answer else Extracted(answer)
    files, _ = files_beside(inner.page, [part for part in parts if part is not chosen])
    message = f"The page was taken out of {wrapper} that the answer wraps it in."
    several = () if is_clear else (several_warning(len(pages)),)
    stripped = CaptureWarning("wrapper_stripped", message)
    warnings = (stripped, *several, *inner.warnings, *_warning_of_files(files))
    return Extracted(inner.page, warnings, (*inner.files, *files))


def _warning_of_files(files: Files) -> Warnings:
    if not files:
        return ()
    names = ", ".join(name for name, _ in files[:5])
    message = f"Files of the same answer were served with the page: {names}."
    return (CaptureWarning("answer_files", message, len(files)),)


def _block_regions(answer: bytes) -> list[Extracted]:
    blocks = code_blocks(answer)
    pages = [block for block in blocks if _holds_page(block)]
    if not pages:
        return []
    chosen, several = _chosen_block(pages, answer)
    if later := _page_after(answer, blocks[-1].end, len(pages)):
        return [later]
    page, _ = _without_trailing_chat(chosen.content)
    beside = [block for block in blocks if block is not chosen]
    parts = [AnswerFile(_name_of(block, answer), block.language, block.content) for block in beside]
    files, unused = files_beside(page, parts)
    others = [block for block, part in zip(beside, parts, strict=True) if part in unused]
    warnings: Warnings = (_FENCE_WARNING, *several, *_warning_of_files(files))
    if others and not several:
        names = ", ".join(
            f"{block.language or 'plain'} ({len(block.content):,} bytes)" for block in others[:5]
        )
        message = f"The answer has {len(blocks)} code blocks; the longest HTML one was used, not: {names}."
        warnings += (CaptureWarning("several_code_blocks", message, len(blocks)),)
    return [Extracted(page, warnings, files)]


def _page_after(answer: bytes, end: int, number: int) -> Extracted | None:
    """Return the whole page that stands after all code blocks."""
    start = _LATER_START.search(answer, end)
    if start is None or not PAGE_END.search(answer, start.end()):
        return None
    several = several_warning(number + 1)
    return _last_of(answer, start.start())._replace(warnings=(_CHAT_WARNING, several))


def _chosen_block(pages: Sequence[CodeBlock], answer: bytes) -> tuple[CodeBlock, Warnings]:
    """Return the index among the blocks, or else the last of whole pages, or else the longest block."""
    whole = [block for block in pages if PAGE_START.search(block.content) and PAGE_END.search(block.content)]
    named = [block for block in pages if _name_of(block, answer) in INDEX_NAMES]
    if len(named) == 1:
        return named[0], ()
    if len(whole) > 1:
        return whole[-1], (several_warning(len(whole)),)
    return max(pages, key=lambda block: len(block.content)), ()


def _last_of(answer: bytes, start: int) -> Extracted:
    """Return the last of the pages that stand in an answer without fences, from a position on."""
    page, several = last_page(answer, start)
    whole, chat = _without_trailing_chat(page)
    return Extracted(whole, (*several, *chat))


def _holds_page(block: CodeBlock) -> bool:
    if block.language in _COMPONENTS or b"<?php" in block.content or is_json(block.content):
        return False
    if _LEADING_MARKUP.match(block.content):
        return True
    return block.language not in PROGRAMS and PAGE_START.search(block.content) is not None


def _name_of(block: CodeBlock, answer: bytes) -> str | None:
    """Return the file name given in a code block's fence line, before it or at its top."""
    before = answer[max(0, block.start - 200) : block.start].rstrip().rpartition(b"\n")[2]
    top = block.content[:200].lstrip().partition(b"\n")[0]
    texts = [f"{block.language} {block.info}", before.decode("utf-8", "replace")]
    if top.startswith((b"/*", b"//", b"<!--", b"#")):
        texts.append(top.decode("utf-8", "replace"))
    for text in texts:
        names = [name for word in _FILE_WORD.findall(text) if (name := file_name(word))]
        if names:
            return names[-1]
    return None


def _bare_region(answer: bytes) -> list[Extracted]:
    """Find a page, or a fragment on lines of its own, between prose and outside of fences."""
    found = PAGE_START.search(answer)
    if found is None:
        found = _FRAGMENT_START.search(answer)
        if found is None or b"className=" in answer:
            return []
        is_closed = b"</" + found.group(1).lower() in answer[found.end() :].lower()
        if not is_closed or re.search(rb"(?m)^import\s", answer[: found.start()]):
            return []
    start = found.start()
    if any(block.start <= start for block in code_blocks(answer)):
        return []
    if not _WORD.search(answer, 0, start):
        return [Extracted(answer, (_STRAY_WARNING,))]
    page, warnings, _ = _last_of(answer, start)
    warnings = (_CHAT_WARNING, *(w for w in warnings if w != _CHAT_WARNING))
    return [Extracted(page, warnings)]


def _without_trailing_chat(answer: bytes) -> tuple[bytes, Warnings]:
    """Cut off what a model says after the page; scripts and comments after </html> belong to the page."""
    end = 0
    for found in PAGE_END.finditer(answer):
        end = found.end()
        if _WORDS_AND_FENCE.match(answer, end):  # Words that introduce another code block
            break
    is_closed, end = end > 0, end or answer.rstrip().rfind(b"\n") + 1
    if _WORDS_AND_FENCE.match(answer, end):
        return answer[:end], (_FENCE_WARNING,)
    if fence := closing_fence(answer, end):
        return answer[: fence.start()], (_FENCE_WARNING,)
    tail = answer[end:]
    if is_closed and _WORD.search(tail) and not _TAG_OR_COMMENT.search(tail):
        return answer[:end], (_CHAT_WARNING,)
    return answer, ()
