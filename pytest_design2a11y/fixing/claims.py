"""What of a page corresponds to what of its design: the one place where edits read that."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.visual.match import Thing, match_pages
from pytest_design2a11y.visual.match.texts import UnitMatching
from pytest_design2a11y.visual.scene.text_facts import boxes_of_words
from pytest_design2a11y.visual.scene.units import Unit, joined_unit, units_of

_BUTTONS = {"button", "input[type=button]", "input[type=reset]", "input[type=submit]"}
#: Tags of fields.
FIELDS = ("input", "select", "textarea")
#: Parts in which one line of a text is shown, at most.
_MOST_PARTS = 3


@dataclass(frozen=True)
class Claims:
    """Two pages, thing by thing; None on the side that lacks it."""

    reference: Capture
    candidate: Capture
    elements: Sequence[Thing]
    texts: Sequence[tuple[Unit | None, Unit | None]]


def claims_of(reference: Capture, candidate: Capture, time_limit: TimeLimit) -> Claims:
    """Return what corresponds to what on two captured pages."""
    match = match_pages(reference, candidate, time_limit=time_limit)
    extra = match.texts.extra
    pairs = [*match.texts.pairs, *_shown_in_parts(match.texts)]
    paired = {run for unit, _ in pairs for run in unit.runs}
    left = (unit.runs for unit in match.texts.missing if not paired.intersection(unit.runs))
    missing = (part for runs in left for part in units_of(runs))
    texts = [*pairs, *((unit, None) for unit in missing), *((None, unit) for unit in extra)]
    words = [(design and _in_words(design, reference), made) for design, made in texts]
    return Claims(reference, candidate, [*_by_sort(match.things)], words)


def _by_sort(things: Iterable[Thing]) -> Iterator[Thing]:
    """Yield pairs of elements, but those apart of which no edit makes the other.

    They are a button and a field, and a box of the design that the page has as an image.
    """
    for design, made in things:
        tags = {one.tag for one in (design, made) if one}
        is_image = bool(design and made and design.kind == "box" and made.tag == "img")
        if is_image or (tags & _BUTTONS and any(tag.startswith(FIELDS) for tag in tags - _BUTTONS)):
            yield from ((design, None), (None, made))
        else:
            yield design, made


def _in_words(unit: Unit, page: Capture) -> Unit:
    """Return a text without the places of icons in it."""
    runs = tuple(replace(run, boxes=tuple(boxes_of_words(run.boxes, page))) for run in unit.runs)
    return unit if runs == unit.runs else replace(joined_unit(runs), text=unit.text)


def _shown_in_parts(texts: UnitMatching) -> Iterator[tuple[Unit, Unit]]:
    """Yield the lines of texts that one page shows as one and the other in parts, neither less nor more."""
    given = [unit for pair in texts.pairs for unit in pair] + [*texts.missing, *texts.extra]
    known = {run for unit in given for run in unit.runs}
    lines, made = (
        [joined_unit([run]) for unit in side for run in unit.runs if run not in known] for side in texts.units
    )
    yield from _joined(lines, made)
    yield from ((line, whole) for whole, line in _joined(made, lines))


def _joined(wholes: list[Unit], parts: list[Unit]) -> Iterator[tuple[Unit, Unit]]:
    """Yield each text with the first parts, one after the other, that read like it; take both away."""
    for whole in [*wholes]:
        spans = ((at, end) for at in range(len(parts)) for end in range(at + 1, at + 1 + _MOST_PARTS))
        together = next((parts[at:end] for at, end in spans if _key(parts[at:end]) == whole.key), None)
        if together:
            wholes.remove(whole)
            parts[:] = [part for part in parts if part not in together]
            yield whole, joined_unit([run for part in together for run in part.runs])


def _key(parts: Sequence[Unit]) -> str:
    return "".join(part.key for part in parts)
