"""What a page lacks of its design where no screenshot reaches."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.measuring.conditions import text_of
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference, VisualScore
from pytest_design2a11y.visual import (
    fidelity,
    figures_of,
    match_figures,
    match_pages,
    score_elements,
    score_typography,
)
from pytest_design2a11y.visual.differences import Compared, find_differences
from pytest_design2a11y.visual.regions import with_digests
from pytest_design2a11y.visual.veils import equally_veiled
from pytest_design2a11y.wording import counted, setting

_PICTURES = ("img", "svg", "canvas", "video")
# Characters quoted of a text.
_MOST_QUOTED = 40


def lacking_unseen(design: Capture, page: Capture) -> str:
    """Return what a page lacks of a design that no screenshot reaches, or why that is unknown; "" if none.

    What the page shows openly, and the design does not, is not lacking.
    """
    if not all(thing.is_read for thing in design.unseen):
        return (
            "the design makes content while somebody scrolls through it, and was not read to its end: it is"
            " too long, or in a frame of another site, or a live page, which nobody scrolls; so neither"
            " fidelity nor blocking is known"
        )
    texts = _lacking_texts(design, page)
    pictures = _number_unseen(design) - _number_unseen(page)
    pictures -= max(_number_shown(page) - _number_shown(design), 0)
    what = [counted(len(texts), "text")] if texts else []
    what += [counted(pictures, "picture")] if pictures > 0 else []
    if not what:
        return _otherwise(design, page)
    example = ""
    if texts:
        first = texts[0] if len(texts[0]) <= _MOST_QUOTED else f"{texts[0][:_MOST_QUOTED]}…"
        example = f', such as "{first}"'
    return (
        f"the page lacks {' and '.join(what)} of the design that no screenshot reaches{example}, in a part"
        f" that scrolls by itself or beyond {setting('max_height')}; so neither fidelity nor blocking is"
        " known"
    )


def _otherwise(design: Capture, page: Capture) -> str:
    """Return that things beyond the captured part of the design look otherwise on the page; "" if not."""
    looks = [
        Counter((thing.text, thing.look) for thing in one.unseen if thing.look) for one in (design, page)
    ]
    if not looks[0] - looks[1]:
        return ""
    return (
        f"things of the design more than {design.page_size[1]} px down look otherwise on the page, or stand"
        f" elsewhere, and are not captured ({setting('max_height')}); so neither fidelity nor blocking is"
        " known"
    )


def _lacking_texts(design: Capture, page: Capture) -> list[str]:
    """Return the unseen texts of the design that the page holds less often, or of which it lacks a word."""
    unseen = _texts(thing.text for thing in design.unseen)
    shown = _texts(run.text for run in page.text_runs) - _texts(run.text for run in design.text_runs)
    held = _texts(thing.text for thing in page.unseen) + shown
    # Markup may divide the same words into other texts.
    spare = Counter(word for text in (held - unseen).elements() for word in text.split())
    lacking = Counter[str]()
    for text in (unseen - held).elements():
        words = Counter(text.split())
        if words <= spare:
            spare -= words
        else:
            lacking[text] += 1
    written = {thing.text.casefold(): thing.text for thing in design.unseen}
    return [written[text] for text in lacking.elements()]


def _texts(texts: Iterable[str]) -> Counter[str]:
    return Counter(text.casefold() for text in texts if text)


def _number_unseen(capture: Capture) -> int:
    return sum(not (thing.text or thing.look) and thing.is_read for thing in capture.unseen)


def _number_shown(capture: Capture) -> int:
    # A picture of a single color is a box.
    shown = capture.elements or ()
    return sum(element.kind in ("picture", "icon") or element.tag in _PICTURES for element in shown)


#: Metrics of the whole page, by name.
WHOLE_PAGE = ("elements", "typography", "figures", "fidelity", "blocking")


def with_whole_page(
    score: VisualScore, reference: Capture, candidate: Capture, time_limit: TimeLimit
) -> VisualScore:
    """Add the metrics of whole pages and the differences to a score; to published figures, only these."""
    reference, candidate = equally_veiled(reference, candidate)
    runs = _seen_runs(reference, time_limit), _seen_runs(candidate, time_limit)
    match = match_pages(reference, candidate, runs, time_limit=time_limit)
    if score.published is not None:
        differences = _differences(Compared(match, score))
        why = dict.fromkeys(("elements", "typography"), "published figures do not have it")
        return replace(score, differences=differences, unmeasured=_with_fidelity(why, reference))
    elements, typography = score_elements(match), score_typography(match)
    numbers = figures_of(runs[0], time_limit), figures_of(runs[1], time_limit)
    figures = match_figures(*numbers, (reference.page_size, candidate.page_size), time_limit=time_limit)
    added = replace(
        score, elements=elements, typography=typography, figures=None if figures is None else figures.value
    )
    differences = _differences(Compared(match, added))
    joined = fidelity(
        visual=added.score, elements=added.elements, typography=added.typography, differences=differences
    )
    added = replace(added, fidelity=joined, differences=differences)
    if joined is not None and (unseen := lacking_unseen(reference, candidate)):
        return replace(added, fidelity=None, unmeasured={"fidelity": unseen})
    if joined is not None:
        return replace(added, blocking=len(added.blockers))
    why = {}
    if elements is None:
        why["elements"] = _why_unknown(reference, candidate, "what it shows besides text")
    if typography is None:
        why["typography"] = _why_unknown(reference, candidate, "the font of its text")
    return replace(added, unmeasured=_with_fidelity(why, reference))


def _differences(compared: Compared) -> tuple[Difference, ...]:
    return with_digests(find_differences(compared), compared.reference, compared.candidate)


def _seen_runs(page: Capture, time_limit: TimeLimit) -> list[TextRun]:
    """Return the runs of text that have ink, in document order."""
    seen = frozenset(text_of(page, time_limit)[1])
    return [run for run in page.text_runs if run in seen]


def _why_unknown(reference: Capture, candidate: Capture, what: str) -> str:
    for page, name in ((reference, "the design"), (candidate, "the generated page")):
        if page.is_picture:
            return f"{name} is a picture, of which {what} is not known"
    return f"{what} was not captured"


def _with_fidelity(why: dict[str, str], reference: Capture) -> dict[str, str]:
    needs = f"it needs {' and '.join(why)}, and so does blocking"
    if reference.is_picture:
        needs += ". The design is a picture: gate on visual (--min-visual-similarity)"
    return {**why, "fidelity": needs}
