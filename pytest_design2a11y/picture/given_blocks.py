"""The texts of a design's blocks file as text runs, in place of those that would be read from its picture."""

from __future__ import annotations

from pytest_design2a11y.exceptions import BlocksFileInvalid
from pytest_design2a11y.models.design_blocks import DesignBlocks
from pytest_design2a11y.models.page import TextRun

# A frame with sides of part of a px is exported with whole ones, a shadow's edge included.
_TOLERANCE = 2


def given_text_runs(blocks: DesignBlocks, size: tuple[int, int], *, label: str) -> tuple[TextRun, ...]:
    """Return each text of a design as a run with an owner of its own.

    Args:
        blocks: Of the design.
        size: Width and height of its picture at scale 1, px.
        label: How messages name the picture.
    """
    if any(abs(told - own) > _TOLERANCE for told, own in zip(blocks.size, size, strict=True)):
        (width, height), (own_width, own_height) = blocks.size, size
        raise BlocksFileInvalid(
            f"The blocks file of {label} is for a design of {width}x{height} px, "
            f"and the picture shows {own_width}x{own_height} px.",
            stage="source",
            advice="Export both from the same frame, without what reaches beyond it; picture_scale, where it "
            "is given, has to fit.",
        )
    return tuple(
        TextRun(one.text, one.boxes, one.color, owner, one.opacity, font=one.font)
        for owner, one in enumerate(blocks.texts)
    )
