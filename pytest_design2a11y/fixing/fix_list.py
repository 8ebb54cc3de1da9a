"""The fix list of a page: edits that were tried on it, what they reach together, and what remains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.models.geometry import color_of_hex, contrast
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.design_words import LEAST_CONTRAST
from pytest_design2a11y.wording import counted

_LONGEST = 4000
#: Parts of what remains that are told one by one, and the least share of one.
_MOST_REMAINING, _LEAST_SHARE = 6, 0.02


@dataclass(frozen=True)
class State:
    """What a page measures."""

    fidelity: float | None
    visual: float
    blocking: int | None
    failed: int | None  # Failed accessibility checks; None: not audited
    delivered: float | None


@dataclass(frozen=True)
class Item:
    """What to do: an edit, or several that help only together."""

    edits: tuple[Edit, ...]
    gain: float | None  # In fidelity, measured with this item alone; None: only tried with all others
    repairs: tuple[str, ...] = ()  # Accessibility rules that it repairs

    @property
    def name(self) -> str:
        """What is edited, in words."""
        if len(self.edits) == 1:
            return self.edits[0].name or self.edits[0].selector
        return f"{counted(len(self.edits), 'element')} that help only together"

    def lines(self) -> Iterator[str]:
        """Yield the edits as they are to be made."""
        for edit in self.edits:
            yield from edit_lines(edit)


def edit_lines(edit: Edit) -> Iterator[str]:
    """Yield an edit as CSS, and what to do in the markup."""
    if edit.wrap:
        yield (
            f"put what {edit.selector} holds, but for header, nav and footer at its ends, into "
            f'<{edit.wrap} style="display: contents">'
        )
    if edit.css:
        values = "".join(f" {name}: {value} !important;" for name, value in edit.css.items())
        yield f"{edit.selector} {{{values} }}"
    if edit.texts:
        shown = ", then ".join(f'"{sanitize(text, limit=_LONGEST)}"' for text in edit.texts)
        yield f"{edit.selector}: its own text is to be {shown}"
    for name, value in edit.attributes.items():
        yield f'{edit.selector}: set {name}="{sanitize(value, limit=_LONGEST)}"'
    if edit.html:
        yield f"at the end of {edit.selector} add {sanitize(edit.html, limit=_LONGEST)}"


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

    def to_dict(self, max_items: int | None = None) -> dict[str, Any]:
        """Return it as JSON values: up to `max_items` items, with the number of all."""
        shown = asdict(replace(self, items=self.items[:max_items]))
        return {"schema": SCHEMA_VERSION, **shown, "num_items": len(self.items)}

    def lines(self, *, max_items: int | None = None) -> Iterator[str]:
        """Yield it line by line: up to `max_items` items, all without."""
        name = f"{sanitize(self.id, limit=200)}: " if self.id not in ("", self.page) else ""
        yield f"{name}{sanitize(self.page, limit=200)}" + (
            f" against {sanitize(self.design, limit=200)}" if self.design else ""
        )
        yield _in_numbers(self.before) + (
            f"; with all {counted(len(self.items), 'item')}: {_in_numbers(self.after)}" if self.after else ""
        )
        if not self.items and self.after is not None:
            yield "Nothing was found that brings the page nearer to its design: this is as near as edits get."
        for number, item in enumerate(self.items[:max_items], 1):
            yield f"{number}. {sanitize(item.name, limit=200)} ({_effect(item)})"
            yield from (f"   {line}" for line in item.lines())
        if left := len(self.items) - len(self.items[:max_items]):
            yield f"And {counted(left, 'more item')} (--full)."
        if self.remaining:
            yield "What remains then:"
            yield from (f"- {part.share:.0%}: {part.message}" for part in self.remaining)
        if self.left_out:
            yield f"Tried and left out, as they lower fidelity: {', '.join(self.left_out)}."


def _effect(item: Item) -> str:
    parts = [] if item.gain is None else [f"alone {item.gain:+.4f} fidelity"]
    if item.gain is None:
        parts.append("tried with all others")
    if item.repairs:
        parts.append(f"repairs {', '.join(item.repairs)}")
    return "; ".join(parts)


def _in_numbers(state: State) -> str:
    values = [
        f"fidelity {state.fidelity:.4f}" if state.fidelity is not None else f"visual {state.visual:.4f}"
    ]
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
        if _is_for_contrast(difference):
            message = "contrast that accessibility demands and the design does not have"
        shares[message] = shares.get(message, 0.0) + difference.cost / (1 - fidelity)
    ordered = sorted(shares.items(), key=lambda pair: -pair[1])
    return tuple(
        Remaining(message, round(share, 4))
        for message, share in ordered[:_MOST_REMAINING]
        if share >= _LEAST_SHARE
    )


def _is_for_contrast(difference: Difference) -> bool:
    side: Mapping[str, Any] = difference.design
    color, ground = (color_of_hex(str(side.get(name, ""))) for name in ("color", "ground"))
    is_color = difference.kind == "recolored" or difference.property == "contrast"
    return bool(is_color and color and ground and contrast(color, ground) < LEAST_CONTRAST)


def in_order(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return items: those of the whole page first, then the best; those tried only with others last."""

    def order(item: Item) -> tuple[bool, bool, float]:
        is_page = item.edits[0].name == "page"
        return not is_page, item.gain is None, -(item.gain or 0.0)

    return tuple(sorted(items, key=order))
