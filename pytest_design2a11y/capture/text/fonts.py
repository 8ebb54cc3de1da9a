"""The fonts that the text of a page is really drawn with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pytest_design2a11y.capture.page.world import World
from pytest_design2a11y.models.page import CaptureWarning

_SAMPLES = "() => globalThis.__design2a11yFontSamples ?? []"
_NAMED = 8
_PATIENCE = 2.0


def read_fonts(world: World) -> set[str]:
    """Give the names of the font families that a frame's visible text is drawn with.

    Args:
        world: Of the frame, whose text has been read.

    Returns:
        Names; none where the browser cannot tell them soon.

    Raises:
        RenderTimeout: The page did not answer in time.
        CaptureError: The page ended.
    """
    samples = _objects(world)
    if samples:
        # Without it, the protocol knows no nodes.
        world.send("DOM.getDocument", {"depth": 0})
    # The browser reads all style sheets again first, and may wait for one.
    if not samples or world.channel.ask("CSS.enable", seconds=_PATIENCE) is None:
        return set()
    try:
        return {font["familyName"] for sample in samples for font in _fonts(world, sample)}
    finally:
        # Every change of a node that was asked about would be told, and a script that goes on makes many.
        world.channel.post("CSS.disable")
        world.channel.post("DOM.disable")


def _objects(world: World) -> list[str]:
    listed = world.send(
        "Runtime.callFunctionOn", {"functionDeclaration": _SAMPLES, "executionContextId": world.context_id}
    )["result"]["objectId"]
    properties = world.send("Runtime.getProperties", {"objectId": listed, "ownProperties": True})["result"]
    return [one["value"]["objectId"] for one in properties if one["name"].isdecimal()]


def _fonts(world: World, sample: str) -> list[dict[str, Any]]:
    node = world.send("DOM.requestNode", {"objectId": sample})["nodeId"]
    fonts: list[dict[str, Any]] = world.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return fonts


def missing_glyphs(characters: Iterable[str]) -> tuple[CaptureWarning, ...]:
    """Warn of characters that no font has, so that a box stands in their place."""
    missing = sorted(set(characters))
    if not missing:
        return ()
    named = ", ".join(_name(character) for character in missing[:_NAMED])
    more = " and more" if len(missing) > _NAMED else ""
    message = (
        f"Characters are shown as boxes, for no font has them: {named}{more}."
        " Install fonts for them, such as by `apt-get install fonts-noto-core fonts-noto-cjk"
        " fonts-noto-color-emoji`; those of an icon font come with its file."
    )
    return (CaptureWarning("missing_glyphs", message, len(missing)),)


def _name(character: str) -> str:
    code = f"U+{ord(character):04X}"
    return f"{character} ({code})" if character.isprintable() else code
