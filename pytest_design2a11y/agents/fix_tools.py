"""The tools that help to fix a page: what to change, why, tried on the page, looked at and measured."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ImageContent
from pydantic import Field

from pytest_design2a11y.agents import answers
from pytest_design2a11y.agents.call import (
    Design,
    OnePage,
    Roots,
    Session,
    ToolSet,
    flat,
    progress,
    result,
    told_errors,
)
from pytest_design2a11y.agents.fix_answers import (
    FixListAnswer,
    MeasureAnswer,
    PatchAnswer,
    WhyAnswer,
    changes_of,
    is_about,
    is_in,
)
from pytest_design2a11y.exceptions import CaptureError, MeasurementError, SourceError
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.geometry import Box, grown
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.causes import differences_of
from pytest_design2a11y.wording import counted

if TYPE_CHECKING:
    from pytest_design2a11y.fixing.fix_list import FixList

#: Items of a fix list, unless more are asked for, and edits that are told of each.
_MOST_ITEMS, _MOST_EDITS = 12, 20
#: Differences that a picture marks, and px around an element that it shows.
_MOST_MARKED, _AROUND = 12, 24
_BOX = re.compile(r"\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*")

Region = Annotated[
    str, Field(description="Part of the page: left,top,width,height in px, or the CSS selector of an element")
]


@dataclass
class _Tried:
    """The changes that are tried on one page, the last one last, with what the page measured before each."""

    base: str  # The page, or the HTML that takes its place
    sheets: list[str] = field(default_factory=list)
    earlier: list[tuple[str, list[str], Evaluation]] = field(default_factory=list)
    last: Evaluation | None = None


class FixTools(ToolSet):
    """The tools that help to fix a page."""

    def __init__(self, session: Session) -> None:
        """Keep the session that measures, and no list yet."""
        super().__init__(session)
        self._lists: list[tuple[FixList, Evaluation | None]] = []
        self._tried: dict[tuple[str, ...], _Tried] = {}

    @flat
    async def fix_list(
        self,
        context: Context,
        roots: Roots,
        design: Design = "",
        region: Region = "",
        since: Annotated[str, Field(description="Number of an earlier list that was followed")] = "",
        max_items: int = _MOST_ITEMS,
        **given: Unpack[OnePage],
    ) -> Annotated[CallToolResult, FixListAnswer]:
        """List what to change on a page so that it matches its design and is accessible, the best first.

        Every item was tried on the page by itself. With `since`, no earlier edit is undone. Of an item with
        many edits the first are told: `more` counts the others, which `region` tells.
        """
        box = await self._box(context, roots, region, given) if region else None
        found, evaluation = await self._list(context, roots, design, since, given)
        found = (found if box is None else found.within(box)).shortened(_MOST_EDITS)
        self._lists.append((found, evaluation))
        name = str(len(self._lists))
        lines = [f"list {name}", *found.lines(max_items=max_items, prefix=f"{name}.")]
        told = found.to_dict(max_items, f"{name}.")
        answer = {field: told.get(field, name) for field in FixListAnswer.__dataclass_fields__}
        return result(FixListAnswer(**answer), lines)

    async def _list(
        self, context: Context, roots: Any, design: str, since: str, given: OnePage
    ) -> "tuple[FixList, Evaluation | None]":
        from pytest_design2a11y.fixing.pages import opened
        from pytest_design2a11y.fixing.untried import untried

        told = [edit for item in self._known(since)[0].items for edit in item.edits] if since else []
        if not design:
            evaluation = await self._measured(context, roots, None, given)
            return untried(evaluation), evaluation
        with told_errors():
            pages = self._source(design, roots), self._page(given, roots)
            settings = self._settings(given)

        def work(renderer: Any) -> "tuple[FixList, Evaluation]":
            with opened(pages, renderer=renderer, settings=settings) as page:
                return page.fix_list(told=told), page.evaluation

        try:
            return await self._session.run(work, progress(context))
        except (SourceError, CaptureError, MeasurementError) as error:
            evaluation = await self._measured(context, roots, design, given)
            return untried(evaluation, f"Not tried: {error}"), evaluation

    def _known(self, number: str) -> "tuple[FixList, Evaluation | None]":
        if not number.isdigit() or not 1 <= int(number) <= len(self._lists):
            raise ToolError(
                f"There is no list {number} in this session: fix_list gives each list its number."
            )
        return self._lists[int(number) - 1]

    def why(
        self,
        id: Annotated[str, Field(description="An item's id, such as 1.3")],  # The tool's name for it
    ) -> Annotated[CallToolResult, WhyAnswer]:
        """Say why an item is on its list: what differs there, its measured gain, and both boxes."""
        number, _, at = id.partition(".")
        found, evaluation = self._known(number)
        if not at.isdigit() or not 1 <= int(at) <= len(found.items):
            raise ToolError(
                f"There is no item {id}: list {number} has {number}.1 to {number}.{len(found.items)}."
            )
        item = found.items[int(at) - 1]
        there = [
            f"{in_words(difference)} ({difference.severity})"
            for difference in (differences_of(evaluation) if evaluation else ())
            if is_about(difference, item)
        ][:_MOST_MARKED]
        reasons = [reason for edit in item.edits for reason in edit.reasons]
        answer = WhyAnswer(item.to_dict(id), [*dict.fromkeys(reasons)], there)
        gain = "tried with all others only" if item.gain is None else f"{item.gain:+.4f} fidelity"
        boxes = [
            f"{edit.selector}: {_placed(edit.design_box)} in the design, {_placed(edit.page_box)} on the page"
            for edit in item.edits
            if edit.design_box or edit.page_box
        ]
        lines = [f"{id}. {item.name}: {gain}", *answer.reasons]
        return result(answer, [*lines, *(["what differs there:", *there] if there else []), *boxes])

    @flat
    async def try_patch(
        self,
        context: Context,
        roots: Roots,
        design: Design,
        css: Annotated[str, Field(description="CSS to add after the page's own")] = "",
        new_html: Annotated[str, Field(description="HTML to try in place of the page's")] = "",
        undo: Annotated[bool, Field(description="Take back the last patch of this page")] = False,
        **given: Unpack[OnePage],
    ) -> Annotated[CallToolResult, PatchAnswer]:
        """Try a change on a page without writing a file: what it measures before and after.

        Patches of one page add up until `undo` takes back the last of them.
        """
        if [bool(css), bool(new_html), undo].count(True) != 1:
            raise ToolError("Give one of css, new_html and undo.")
        with told_errors():
            page, reference = self._page(given, roots), self._source(design, roots)
            tried = self._tried.setdefault((reference, page, str(self._settings(given))), _Tried(page))
            before, after = await self._patched(context, reference, tried, (css, new_html), given)
        from pytest_design2a11y.fixing.fix_list import in_numbers, state_of

        states = state_of(before), state_of(after)
        changes = [*changes_of(before, after)]
        answer = PatchAnswer(*states, changes, len(tried.earlier))
        lines = [f"before: {in_numbers(states[0])}", f"after: {in_numbers(states[1])}", *changes]
        return result(answer, [*lines, f"patches tried on this page: {answer.patches}"])

    async def _patched(
        self, context: Context, reference: str, tried: _Tried, change: tuple[str, str], given: OnePage
    ) -> tuple[Evaluation, Evaluation]:
        """Return what a page measures before and after a patch, or the last one's undoing."""
        css, html = change
        if not (css or html):
            if not tried.earlier or tried.last is None:
                raise ToolError("No patch of this page is left to undo.")
            before = tried.last
            tried.base, tried.sheets, tried.last = tried.earlier.pop()
            return before, tried.last
        before = tried.last or await self._with_css(context, (reference, tried.base), [], given)
        base, sheets = (Answer(html), []) if html else (tried.base, [*tried.sheets, css])
        after = await self._with_css(context, (reference, base), sheets, given)
        tried.earlier.append((tried.base, tried.sheets, before))
        tried.base, tried.sheets, tried.last = base, sheets, after
        return before, after

    async def _with_css(
        self, context: Context, pages: tuple[str, str], sheets: Sequence[str], given: OnePage
    ) -> Evaluation:
        from pytest_design2a11y.fixing.pages import opened

        settings = self._settings(given)

        def work(renderer: Any) -> Evaluation:
            with opened(pages, renderer=renderer, settings=settings) as page:
                return page.with_css(sheets) if sheets else page.evaluation

        return await self._session.run(work, progress(context))

    @flat
    async def measure(
        self,
        context: Context,
        roots: Roots,
        selector: Annotated[str, Field(description="CSS selector of an element of the page")],
        **given: Unpack[OnePage],
    ) -> Annotated[CallToolResult, MeasureAnswer]:
        """Measure an element of a page as the browser draws it: box, text, number of lines, style."""
        found = await self._element(context, roots, selector, given)
        answer = MeasureAnswer(**found)
        left, top, width, height = answer.box
        lines = [
            f"{answer.selector} (first of {answer.count}): {width:g} x {height:g} px at {left:g}, {top:g}",
            f"text in {counted(answer.lines, 'line')}: {answer.text}" if answer.text else "no text",
            "; ".join(f"{name}: {value}" for name, value in answer.style.items()),
        ]
        return result(answer, lines)

    async def _element(self, context: Context, roots: Any, selector: str, given: OnePage) -> dict[str, Any]:
        from pytest_design2a11y.fixing.pages import element_of

        with told_errors():
            page, settings = self._page(given, roots), self._settings(given)
            return await self._session.run(
                lambda renderer: element_of(page, selector, renderer=renderer, settings=settings),
                progress(context),
            )

    async def _box(self, context: Context, roots: Any, region: str, given: OnePage) -> Box:
        """Return the part of a page that is meant, px."""
        if known := _BOX.fullmatch(region):
            left, top, width, height = map(float, known.groups())
            return left, top, width, height
        left, top, width, height = (await self._element(context, roots, region, given))["box"]
        return left, top, width, height

    @flat
    async def show_pair(
        self, context: Context, roots: Roots, design: Design, region: Region = "", **given: Unpack[OnePage]
    ) -> Annotated[CallToolResult, answers.PairAnswer]:
        """Show design and page side by side in one picture, with numbered marks on the worst differences.

        With `region`, both are cut to that part of the page, at full size.
        """
        from pytest_design2a11y.agents.fix_answers import side_by_side
        from pytest_design2a11y.runs.pictures import load_picture

        area = await self._box(context, roots, region, given) if region else None
        if area is not None:
            left, top, width, height = grown(area, _AROUND)
            area = max(0.0, left), max(0.0, top), width, height
        evaluation = await self._measured(context, roots, design, given, has_pictures=True)
        roles = ("reference", "candidate")
        pictures = [load_picture(evaluation, role, self._session.pictures) for role in roles]
        marked = [one for one in differences_of(evaluation) if area is None or is_in(one, [area])][
            :_MOST_MARKED
        ]
        answer = answers.pair_answer(evaluation, marked)
        lines = ["left: the design; right: the page"]
        lines += [f"{mark.number}. {mark.message} ({mark.severity})" for mark in answer.marks]
        sizes = [evaluation.page_sizes[role] for role in roles]
        data = side_by_side([picture.full for picture in pictures if picture], sizes, marked, area)
        image = ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type="image/png")
        return result(answer, lines, image)


def _placed(box: Box | None) -> str:
    return "nowhere" if box is None else "{2:g} x {3:g} px at {0:g}, {1:g}".format(*box)
