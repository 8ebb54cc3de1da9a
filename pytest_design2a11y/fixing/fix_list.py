"""The fix list of a page: edits that were tried on it, what they reach together, and what remains."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.models.audit import LIMITS_OF_CHECKS
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.geometry import Box, clipped, color_of_hex, contrast
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.inventory import LEAST_CONTRAST
from pytest_design2a11y.wording import counted

_LONGEST = 4000
_NOTHING = "Nothing was found that brings the page nearer to its design: this is as near as edits get."
#: Parts of what remains that are told one by one, and the least share of one.
_MOST_REMAINING, _LEAST_SHARE = 6, 0.02
#: A fill is dark for the sake of white letters on it if their contrast exceeds the least by less than this.
_WHITE, _JUST_READABLE = (255, 255, 255), 0.2
#: How it is said that the page underlines what the design does not.
_UNDERLINED = (" is underlined", " are underlined")


@dataclass(frozen=True)
class State:
    """What a page measures."""

    fidelity: float | None
    visual: float | None
    blocking: int | None
    failed: int | None  # Failed accessibility checks; None: not audited
    delivered: float | None

    @property
    def likeness(self) -> float | None:
        """Fidelity, or the visual score where that is not known."""
        return self.visual if self.fidelity is None else self.fidelity


def state_of(evaluation: Evaluation) -> State:
    """Return the numbers of an evaluation that a fix list gives."""
    visual, rates = evaluation.visual, evaluation.accessibility
    return State(
        None if visual is None else visual.fidelity,
        None if visual is None else visual.score,
        None if visual is None else visual.blocking,
        None if rates is None else rates.failed,
        evaluation.delivered,
    )


@dataclass(frozen=True)
class Item:
    """What to do: an edit, or several that help only together."""

    edits: tuple[Edit, ...]
    gain: float | None  # In fidelity, of the item alone; None: only tried with all others
    repairs: tuple[str, ...] = ()  # Accessibility rules that it repairs
    cost: float | None = None  # What its differences cost in fidelity, where nothing was tried
    advice: str = ""  # What to do with all of its elements, in words
    more: int = 0  # Edits that its gain counts, and that are not told here

    @property
    def name(self) -> str:
        """What is edited, in words."""
        if self.advice:
            return self.advice
        if len(self.edits) == 1:
            return self.edits[0].name or self.edits[0].selector
        return f"{counted(len(self.edits), 'element')} that help only together"

    def with_some(self, edits: Iterable[Edit]) -> "Item":
        """Return it with some of its edits alone."""
        some = tuple(edits)
        return replace(self, edits=some, advice=self.name, more=self.more + len(self.edits) - len(some))

    def to_dict(self, number: str) -> dict[str, Any]:
        """Return it as JSON values, of each edit what is not empty."""
        edits = [{key: value for key, value in asdict(edit).items() if value} for edit in self.edits]
        values = {"gain": self.gain, "cost": self.cost, "repairs": [*self.repairs]}
        return {"id": number, "name": self.name, **values, "edits": edits, "more": self.more}

    def lines(self) -> Iterator[str]:
        """Yield the edits as they are to be made."""
        for edit in self.edits:
            yield from edit_lines(edit)
        if self.more:
            yield f"and {counted(self.more, 'more edit')}, which its gain counts: ask for their region"


def edit_lines(edit: Edit) -> Iterator[str]:
    """Yield an edit as CSS, and what to do in the markup; without a selector its name says what is meant."""
    where = sanitize(edit.selector, limit=_LONGEST)
    at = f"{where}: " if where else ""
    if edit.html:
        into, html = (sanitize(part, limit=_LONGEST) for part in (edit.into, edit.html))
        yield f"at the end of {into} add {html}"
    if edit.wrap:
        yield (
            f"put what {where} holds, but for header, nav and footer at its ends, into "
            f'<{edit.wrap} style="display: contents">'
        )
    if edit.css:
        values = "".join(f" {name}: {value} !important;" for name, value in edit.css.items())
        yield f"{where} {{{values} }}".lstrip()
    if edit.texts and not any(map(str.strip, edit.texts)):
        yield f"{at}take its own text away"
    elif edit.texts:
        shown = ", then ".join(f'"{sanitize(text, limit=_LONGEST)}"' for text in edit.texts)
        yield f"{at}its own text is to be {shown}"
    for name, value in edit.attributes.items():
        yield f"{at}remove {name}" if value is None else f'{at}set {name}="{sanitize(value, limit=_LONGEST)}"'
    if edit.content:
        yield f"{at}it is to hold {sanitize(edit.content, limit=_LONGEST)}"
    if edit.is_empty and edit.reasons:
        yield f"{at}{edit.reasons[0]}"


@dataclass(frozen=True)
class Remaining:
    """What stays after all items, with its share of what fidelity then lacks."""

    message: str
    share: float  # 0..1


@dataclass(frozen=True)
class FixList:
    """What to change on one page, the best first."""

    page: str
    design: str | None
    before: State
    after: State | None  # Measured with all items; None: not tried
    items: tuple[Item, ...]
    left_out: tuple[str, ...] = ()  # Edits that were tried and did not help
    remaining: tuple[Remaining, ...] = ()
    id: str = ""  # Of the page in its run, where that is not its name
    remarks: tuple[str, ...] = ()  # What to know first

    def best(self, number: int | None = None) -> list[tuple[int, Item]]:
        """Return the items that gain most, all without a number, each with its place on the list."""
        numbered = [*enumerate(self.items, 1)]
        return sorted(sorted(numbered, key=lambda pair: -(pair[1].gain or 0.0))[:number])

    def within(self, region: Box) -> "FixList":
        """Return it with the edits alone of a part of the page, px, or of the whole page."""
        items = (item.with_some(edit for edit in item.edits if _is_in(edit, region)) for item in self.items)
        return replace(self, items=tuple(item for item in items if item.edits))

    def shortened(self, most: int) -> "FixList":
        """Return it with this many edits of each item at most, the first ones."""
        return replace(self, items=tuple(item.with_some(item.edits[:most]) for item in self.items))

    def to_dict(self, max_items: int | None = None, prefix: str = "") -> dict[str, Any]:
        """Return it as JSON values: the best `max_items` items, with the number of all."""
        items = [item.to_dict(f"{prefix}{number}") for number, item in self.best(max_items)]
        shown = {**asdict(replace(self, items=())), "items": items, "num_items": len(self.items)}
        return {"schema": SCHEMA_VERSION, **shown}

    def lines(self, *, max_items: int | None = None, prefix: str = "") -> Iterator[str]:
        """Yield it line by line: up to `max_items` items, all without; an agent's tool gives a prefix."""
        name = f"{sanitize(self.id, limit=200)}: " if self.id not in ("", self.page) else ""
        yield f"{name}{sanitize(self.page, limit=200)}" + (
            f" against {sanitize(self.design, limit=200)}" if self.design else ""
        )
        yield in_numbers(self.before) + (
            f"; with all items of the page: {in_numbers(self.after)}" if self.after else ""
        )
        yield from (sanitize(remark, limit=500) for remark in self.remarks)
        if not self.items and not self.remarks:
            yield (
                _NOTHING if self.after or self.remaining else f"Nothing was found to fix. {LIMITS_OF_CHECKS}"
            )
        is_tried = self.after is not None
        shown = self.best(max_items)
        for number, item in shown:
            yield f"{prefix}{number}. {sanitize(item.name, limit=200)} ({_effect(item, is_tried=is_tried)})"
            yield from (f"   {line}" for line in item.lines())
        if left := len(self.items) - len(shown):
            yield f"And {counted(left, 'more item')} ({'max_items' if prefix else '--full'})."
        if self.after:
            yield f"The most that edits can reach here is {in_numbers(self.after).partition(',')[0]}."
        if self.remaining:
            yield "Of what it lacks then:" if self.after else "What remains then:"
            yield from (f"- {part.share:.0%}: {part.message}" for part in self.remaining)
        if self.left_out:
            yield f"Tried and left out, as they lower fidelity or lose text: {', '.join(self.left_out)}."


def _is_in(edit: Edit, region: Box) -> bool:
    box = edit.page_box or edit.design_box
    return box is None or clipped(box, region) is not None


def _effect(item: Item, *, is_tried: bool) -> str:
    if item.gain is not None:
        parts = [f"{item.gain:+.4f} fidelity"]
    elif item.cost is not None:
        parts = [f"costs {item.cost:.4f} of fidelity; not tried"]
    else:
        parts = ["tried with all others"] if is_tried else []
    if item.repairs:
        parts.append(f"repairs {', '.join(sanitize(rule) for rule in item.repairs)}")
    return "; ".join(parts)


def in_numbers(state: State) -> str:
    """Return what a page measures, in a line."""
    name = "visual" if state.fidelity is None else "fidelity"
    values = [] if state.likeness is None else [f"{name} {state.likeness:.4f}"]
    if state.blocking is not None:
        values.append(f"blocking {state.blocking}")
    if state.failed is not None:
        values.append(f"failed checks {state.failed}")
    if state.delivered is not None:
        values.append(f"delivered {state.delivered:.4f}")
    return ", ".join(values)


def remaining_of(differences: Iterable[Difference], fidelity: float | None) -> tuple[Remaining, ...]:
    """Return what fidelity still lacks, the largest first; contrast that accessibility demands as one."""
    if fidelity is None or fidelity >= 1:
        return ()
    shares: dict[str, float] = {}
    for difference in differences:
        message = in_words(difference)
        if is_for_contrast(difference):
            message = "contrast that accessibility demands and the design does not have"
        elif difference.kind == "font" and message.endswith(_UNDERLINED):
            message = "links in texts told by more than color, as accessibility demands"
        shares[message] = shares.get(message, 0.0) + difference.cost / (1 - fidelity)
    ordered = sorted(shares.items(), key=lambda pair: -pair[1])
    return tuple(
        Remaining(message, round(share, 4))
        for message, share in ordered[:_MOST_REMAINING]
        if share >= _LEAST_SHARE
    )


def is_for_contrast(difference: Difference) -> bool:
    """Return whether a text or what is behind it has another color, as the design's text is not readable."""
    side: Mapping[str, Any] = difference.design
    color, ground = (color_of_hex(str(side.get(name, ""))) for name in ("color", "ground"))
    is_color = difference.kind == "recolored" or difference.property == "contrast"
    if color and ground:
        return is_color and contrast(color, ground) < LEAST_CONTRAST
    own, shown = (color_of_hex(str(one.get("fill", ""))) for one in (side, difference.made))
    if not (is_color and own and shown):
        return False
    before, after = (contrast(_WHITE, fill) for fill in (own, shown))
    return before < LEAST_CONTRAST <= after < LEAST_CONTRAST + _JUST_READABLE
