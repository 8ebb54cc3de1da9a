"""Which fonts draw the text of a page, and which characters no font has."""

from collections.abc import Sequence

from pytest_design2a11y.capture.page.frames import FrameContext, FrozenPage
from pytest_design2a11y.models.page import CaptureWarning

_SAMPLES = "() => globalThis.__design2a11yText.samples"
_MOST_NAMED = 8
_SOON = 2.0


def read_fonts(page: FrozenPage) -> list[str]:
    """Return the names of the font families that draw a page's text, which has been read, sorted."""
    return sorted(set().union(*map(_fonts_of, page.worlds)))


def _fonts_of(world: FrameContext) -> set[str]:
    """Return the families that draw a frame's text; empty if the browser cannot answer soon."""
    try:
        samples = _samples(world)
        # The browser first reads all style sheets again, and may wait for one.
        if not samples or world.channel.ask("CSS.enable", seconds=_SOON) is None:
            return set()
        nodes = world.channel.send_together([("DOM.requestNode", {"objectId": text}) for text in samples])
        answers = world.channel.send_together(
            [("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]}) for node in nodes]
        )
        return {font["familyName"] for answer in answers for font in answer["fonts"]}
    finally:
        # Otherwise every change of a queried node would be reported, and a running script makes many.
        for domain in ("CSS", "DOM"):
            world.channel.post(f"{domain}.disable")


def _samples(world: FrameContext) -> list[str]:
    wanted = {"objectId": world.find(_SAMPLES), "ownProperties": True}
    # The protocol knows no nodes until the document is requested.
    _, listed = world.channel.send_together(
        [("DOM.getDocument", {"depth": 0}), ("Runtime.getProperties", wanted)]
    )
    return [entry["value"]["objectId"] for entry in listed["result"] if entry["name"].isdecimal()]


def missing_glyphs(missing: Sequence[str]) -> CaptureWarning:
    """Return the warning about characters that no font has, so that a box stands in their place."""
    codes = ((character, f"U+{ord(character):04X}") for character in missing[:_MOST_NAMED])
    named = ", ".join(f"{shown} ({code})" if shown.isprintable() else code for shown, code in codes)
    more = " and more" if len(missing) > _MOST_NAMED else ""
    message = (
        f"No installed font has these characters, which show as boxes: {named}{more}."
        " Install fonts for them, such as by `apt-get install fonts-noto-core fonts-noto-cjk"
        " fonts-noto-color-emoji`; those of an icon font come with its file."
    )
    return CaptureWarning("missing_glyphs", message, len(missing))
