"""What a person sees of a page that was read: the texts that are painted, and the elements; no browser."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_design2a11y.capture.browser.channel import Deadline
from pytest_design2a11y.capture.elements import find_elements, is_masked
from pytest_design2a11y.capture.elements.troubles import find_troubles
from pytest_design2a11y.capture.text import PageText
from pytest_design2a11y.capture.text.candidates import PICTURES, Candidates, FoundRun
from pytest_design2a11y.capture.text.painted import HiddenText, painted_runs
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.masking import painted_over, without_masked
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.page import Capture, CaptureWarning, Unseen
from pytest_design2a11y.wording import flag

#: Share of unaudited text, 0..1, above which there is a warning.
MUCH_UNAUDITED = 0.1

UNAUDITED = (
    "Accessibility rules are kept from {share:.0%} of the text that a person sees: it is inert, hidden from"
    " assistive technology, disabled, drawn as SVG, made by style sheets, recolored by a filter or blending,"
    " or in an <object> or closed shadow root ({require} unaudited<=X)."
)

LEFT_OUT = (
    "The page has very many boxes and pictures: the smallest {number} of them were not looked at, and do not"
    " count as elements."
)


@dataclass(frozen=True)
class PageRead:
    """What was read of a page before its audit."""

    taken: Capture  # With its screenshot and masks
    text: PageText
    warnings: tuple[CaptureWarning, ...]


@dataclass(frozen=True)
class Seen:
    """What a person sees of a page."""

    capture: Capture  # With texts and elements, and nothing of an audit
    unaudited: float | None  # Share of characters, 0..1, that no rule checks; None if there is no text

    def added_to(self, audited: Capture) -> Capture:
        """Return a capture of the same page with what is seen."""
        axe = audited.audits.get(AXE)
        axe_audits = {} if axe is None else {AXE: replace(axe, unaudited=self.unaudited)}
        warnings: tuple[CaptureWarning, ...] = ()
        if axe is not None and self.unaudited is not None and self.unaudited >= MUCH_UNAUDITED:
            warnings = (
                CaptureWarning(
                    "unaudited_text", UNAUDITED.format(share=self.unaudited, require=flag("require"))
                ),
            )
        return replace(
            audited,
            image=self.capture.image,
            text_runs=self.capture.text_runs,
            unseen=self.capture.unseen,
            elements=self.capture.elements,
            ground=self.capture.ground,
            veils=self.capture.veils,
            overlaps=self.capture.overlaps,
            audits={**audited.audits, **axe_audits},
            warnings=(*audited.warnings, *warnings, *self.capture.warnings),
        )


def see(read: PageRead, hidden: HiddenText | None, deadline: Deadline) -> Seen:
    """Find the texts and elements that are seen, and leave out what is masked."""
    capture = read.taken
    runs = painted_runs(read.text.texts, capture.image, hidden, deadline)
    unseen = (*read.text.unseen, *_cut_away(read.text.texts, runs))
    capture = replace(capture, text_runs=tuple(found.run for found in runs), unseen=unseen)
    if capture.mask_boxes:
        capture = replace(
            capture,
            text_runs=without_masked(capture.text_runs, capture.mask_boxes),
            image=capture.image and painted_over(capture.image, capture.mask_boxes),
        )
    return Seen(_with_elements(capture, read.text, runs), unaudited_share(runs))


def _cut_away(texts: Sequence[FoundRun], seen: Sequence[FoundRun]) -> Iterator[Unseen]:
    """Yield the texts of which a part that can be scrolled shows too little to be seen."""
    known = {(text.world, text.number) for text in seen}
    for text in texts:
        if text.window and text.cut and (text.world, text.number) not in known:
            yield Unseen(text.run.text, text.around or text.window, text.window)


def _pictures_cut_away(candidates: Candidates, seen: Collection[int]) -> Iterator[Unseen]:
    """Yield likewise the pictures, once for each place."""
    boxes: list[Box] = [(x, y, width, height) for x, y, width, height in candidates.boxes.tolist()]
    known = {boxes[at] for at in seen}
    for box, kind, window in zip(boxes, candidates.kinds, candidates.windows, strict=True):
        if window and kind in PICTURES and box not in known:
            known.add(box)
            yield Unseen("", box, window)


def unaudited_share(texts: Sequence[FoundRun]) -> float | None:
    """Return the share of characters, 0..1, that no rule checks; None if there is no text."""
    num_characters = sum(len(text.run.text.replace(" ", "")) for text in texts)
    if not num_characters:
        return None
    return min(sum(text.run.unaudited for text in texts) / num_characters, 1.0)


def _with_elements(capture: Capture, text: PageText, runs: Sequence[FoundRun]) -> Capture:
    if capture.image is None or text.candidates is None:
        return capture
    texts = (box for run in runs for box in run.letters.boxes)
    masks = capture.mask_boxes
    found = find_elements(capture.image.pixels, text.candidates, texts, masks=masks)
    troubles = find_troubles(found.layout, text.texts, runs)
    unseen = (*capture.unseen, *_pictures_cut_away(text.candidates, {at for at, _ in found.layout.drawn}))
    message = LEFT_OUT.format(number=found.num_left_out)
    warnings = (CaptureWarning("elements_limit", message, found.num_left_out),) if found.num_left_out else ()
    return replace(
        capture,
        elements=found.elements,
        unseen=tuple(thing for thing in unseen if not is_masked(thing.window, masks)),
        ground=found.ground,
        veils=found.veils,
        overlaps=tuple(trouble for trouble in troubles if not is_masked(trouble.box, masks)),
        warnings=warnings,
    )
