"""The fonts that the text of a page is really drawn with."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from pytest_design2a11y.capture.browser.beside import together
from pytest_design2a11y.capture.page.frame_context import FrameContext
from pytest_design2a11y.models.page import CaptureWarning

_SAMPLES = "() => globalThis.__design2a11yText.samples"
_NAMED = 8
_SOON = 2.0


def read_fonts(world: FrameContext) -> set[str]:
    """Return the font families that a frame's text is drawn with; none where the browser cannot tell soon."""
    try:
        samples = _samples(world)
        # The browser reads all style sheets again first, and may wait for one.
        if not samples or world.channel.ask("CSS.enable", seconds=_SOON) is None:
            return set()
        nodes = world.channel.send_together([("DOM.requestNode", {"objectId": one}) for one in samples])
        answers = world.channel.send_together(
            [("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]}) for node in nodes]
        )
        return {font["familyName"] for answer in answers for font in answer["fonts"]}
    finally:
        # Every change of a node that was asked about would be told, and a script that goes on makes many.
        disabling = [partial(world.channel.post, f"{domain}.disable") for domain in ("CSS", "DOM")]
        together(disabling, seconds=_SOON)


def _samples(world: FrameContext) -> list[str]:
    listed = world.find(_SAMPLES)
    _, properties = world.channel.send_together(
        [
            # Without it, the protocol knows no nodes.
            ("DOM.getDocument", {"depth": 0}),
            ("Runtime.getProperties", {"objectId": listed, "ownProperties": True}),
        ]
    )
    return [one["value"]["objectId"] for one in properties["result"] if one["name"].isdecimal()]


def missing_glyphs(characters: Iterable[str]) -> tuple[CaptureWarning, ...]:
    """Warn of characters that no font has, so that a box stands in their place."""
    missing = sorted(set(characters))
    if not missing:
        return ()
    codes = ((one, f"U+{ord(one):04X}") for one in missing[:_NAMED])
    named = ", ".join(f"{one} ({code})" if one.isprintable() else code for one, code in codes)
    more = " and more" if len(missing) > _NAMED else ""
    message = (
        f"No installed font has these characters, which show as boxes: {named}{more}."
        " Install fonts for them, such as by `apt-get install fonts-noto-core fonts-noto-cjk"
        " fonts-noto-color-emoji`; those of an icon font come with its file."
    )
    return (CaptureWarning("missing_glyphs", message, len(missing)),)
