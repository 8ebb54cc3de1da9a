"""Edits by region: those of a box with those of what lies in it, and few enough to try each."""

from collections.abc import Iterable, Sequence

from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.models.geometry import Box, area, box_around, clipped
from pytest_design2a11y.wording import counted

#: Regions, at most: so many can be tried in the time that there is.
_MOST = 10
#: A box that takes more of all that is edited is no region of it.
_LARGEST = 0.5


def regions_of(edits: Iterable[Edit]) -> list[list[Edit]]:
    """Return edits in groups: those of the page, region by region from above, and repairs of one kind.

    In a group they come as they are given: what is added later lies above what was added before.
    """
    page, placed, others = list[Edit](), list[Edit](), dict[object, list[Edit]]()
    for edit in (given := [*edits]):
        if edit.name == "page" and not edit.attributes:
            page.append(edit)
        elif _box(edit) is None or is_repair(edit):
            others.setdefault(edit.reasons if is_repair(edit) else edit.selector, []).append(edit)
        else:
            placed.append(edit)
    regions = (sorted(group, key=given.index) for group in _joined(_within(placed)))
    return [*([page] if page else []), *regions, *others.values()]


def is_repair(edit: Edit) -> bool:
    """Return whether an edit is for accessibility alone: by attributes, or of a thing left as it is else."""
    is_left = _box(edit) is None and edit.name != "page"
    return (bool(edit.attributes) and not edit.is_seen) or (is_left and bool(edit.reasons))


def _within(edits: Sequence[Edit]) -> list[list[Edit]]:
    """Return each edit with those of what lies in its box, from above."""
    groups: list[list[Edit]] = []
    most = _LARGEST * area(_extent(edits)) if edits else 0.0
    for edit in sorted(edits, key=lambda edit: -_area(edit)):
        around = (group for group in groups if _area(group[0]) < most and _holds(group[0], edit))
        home = next(around, None)
        if home is None:
            groups.append([edit])
        else:
            home.append(edit)
    return sorted(groups, key=lambda group: _extent(group)[1])


def _area(edit: Edit) -> float:
    box = _box(edit)
    return area(box) if box else 0.0


def _holds(edit: Edit, other: Edit) -> bool:
    """Return whether all of an edited thing lies in another one, which is no text."""
    outer, inner = _box(edit), _box(other)
    if outer is None or inner is None or edit.name.startswith("text "):
        return False
    common = clipped(outer, inner)
    return common is not None and area(common) > area(inner) - 1


def _joined(groups: list[list[Edit]]) -> list[list[Edit]]:
    """Join neighbors, those first that are nearest to each other, until there are few."""
    while len(groups) > _MOST:
        heights = [sum(_extent([*groups[at], *groups[at + 1]])[1::2]) for at in range(len(groups) - 1)]
        tops = [_extent(group)[1] for group in groups[:-1]]
        spans = [bottom - top for bottom, top in zip(heights, tops, strict=True)]
        at = spans.index(min(spans))
        groups[at : at + 2] = [[*groups[at], *groups[at + 1]]]
    return groups


def region_name(edits: Sequence[Edit]) -> str:
    """Return what several edits are about, in words; "" for one, which has a name."""
    if len(edits) == 1:
        return ""
    if not any(map(_box, edits)):
        return edits[0].name
    _, top, _, height = _extent(edits)
    where = f"from {top:.0f} to {top + height:.0f} px down"
    first = next((edit.name for edit in edits if edit.name not in ("", "page")), "the page")
    return f"{counted(len(edits), 'element')} {where}, first {first}"


def _extent(edits: Sequence[Edit]) -> Box:
    return box_around([box for edit in edits if (box := _box(edit))])


def _box(edit: Edit) -> Box | None:
    return edit.design_box or edit.page_box
