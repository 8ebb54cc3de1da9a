"""Several whole pages in one answer: the last that is called final or corrected is meant, or the last."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_design2a11y.models.page import CaptureWarning

_FINAL = re.compile(
    rb"(?i)(?<!not )(?<!not the )(?<!not yet )(?<!not yet the )\b(?:final|corrected|fixed|revised|updated)\b"
)
#: The end of one page and, after words or comments alone, the start of the next whole one.
_BETWEEN = re.compile(rb"(?i)</html\s*>((?:[^<]|<!--(?:[^<-]|-(?!->))*+-->)*+)(?=<!doctype\s+html)")


def says_final(introduction: bytes) -> bool:
    """Return whether the words before a page call it final or corrected."""
    return _FINAL.search(introduction) is not None


def latest(introductions: Sequence[bytes]) -> int:
    """Return which page is meant, by the words before each: the last that is called final, or the last."""
    final = [place for place, words in enumerate(introductions) if says_final(words)]
    return final[-1] if final else len(introductions) - 1


def last_page(answer: bytes, start: int) -> tuple[bytes, tuple[CaptureWarning, ...]]:
    """Return the page that is meant, with what follows the last one, and a warning if there are several."""
    gaps = list(_BETWEEN.finditer(answer, start))
    if not gaps:
        return answer[start:], ()
    introductions = [answer[:start], *(gap[1] for gap in gaps)]
    starts = [start, *(gap.end() for gap in gaps)]
    ends = [*(gap.start(1) for gap in gaps), len(answer)]
    chosen = latest(introductions)
    warning = several_warning(len(starts), is_named=any(map(says_final, introductions)))
    return answer[starts[chosen] : ends[chosen]], (warning,)


def several_warning(number: int, *, is_named: bool = False) -> CaptureWarning:
    """Return the warning which of several pages was taken."""
    which = "the last one that is called final or corrected" if is_named else "the last one"
    return CaptureWarning(
        "several_pages", f"The answer holds {number} whole pages; {which} was used.", number
    )
