"""What changed on a page since it was scored last, by region, and whether it got better by losing text."""

from collections.abc import Iterator

from pytest_design2a11y.comparing.pairing import anchor
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.thing_words import listed_all
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.causes import differences_of
from pytest_design2a11y.wording import counted, listed

#: Landmarks as people call them; what is in none of them is told by its height on the page.
_REGIONS = {"banner": "header", "contentinfo": "footer", "navigation": "navigation", "main": "main part"}
#: px; regions of what lies in no landmark are this high.
_BAND = 600
_LEAST_RISE = 0.001
_MOST_NAMED = 3


def changes_of(old: Evaluation, new: Evaluation) -> Iterator[str]:
    """Yield how two measurements of one page differ: fidelity, a line a region, and a rise by lost text."""
    values = [page.visual.fidelity if page.visual else None for page in (old, new)]
    before, after = values
    if before is None or after is None:
        return
    yield f"fidelity was {before:.4f}, and is {after:.4f}"
    known = {anchor(difference) for difference in differences_of(old)}
    still = {anchor(difference) for difference in differences_of(new)}
    gone = [difference for difference in differences_of(old) if anchor(difference) not in still]
    found = [difference for difference in differences_of(new) if anchor(difference) not in known]
    for region in dict.fromkeys(map(_region, (*gone, *found))):
        parts = [
            f"{len(these)} {word} ({listed([*map(in_words, these)], most=_MOST_NAMED)})"
            for word, those in (("gone", gone), ("new", found))
            if (these := [one for one in those if _region(one) == region])
        ]
        yield f"{region}: {listed_all(parts)}"
    lost = _lost_texts(old, new)
    if after > before + _LEAST_RISE and lost:
        named = listed([f'"{text}"' for text in lost], most=_MOST_NAMED)
        number = counted(len(lost), "text")
        yield f"warning: fidelity rose, but {number} of the design that the page had before got lost: {named}"


def _region(difference: Difference) -> str:
    """Return where a difference is: in a landmark, or how far down the page."""
    side = difference.design or difference.made
    if name := _REGIONS.get(str(side.get("region"))):
        return name
    if difference.what == "page" or "box" not in side:
        return "page"
    first = int(side["box"][1] // _BAND) * _BAND
    return f"{first} to {first + _BAND} px down"


def _lost_texts(old: Evaluation, new: Evaluation) -> list[str]:
    """Return the texts of the design that the page showed, and does not show any more."""
    assert old.visual is not None
    assert new.visual is not None
    # What was matched as one text may be missing in parts.
    had = [f" {match.reference.text} " for match in old.visual.matches]
    return [block.text for block in new.visual.missing if any(f" {block.text} " in text for text in had)]
