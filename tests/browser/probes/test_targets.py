"""Targets: what is too small with something too near fails, and each exception of the criterion passes."""

from __future__ import annotations

import pytest

from tests.browser.probes.conftest import Try, passes, told

SMALL = "width: 16px; height: 16px; padding: 0; border: 0; font-size: 10px; vertical-align: top"
PAIR = f"<button id=a style='{SMALL}'>+</button><button id=b style='{SMALL}'>-</button>"
BOX = "display: block; height: 12px; width: 90px; font-size: 10px; line-height: 12px"
CLICKED = "<script>for (const one of document.querySelectorAll('div')) one.onclick = () => {};</script>"


def apart(gap: int) -> str:
    """Two small targets with so many px between them."""
    return f"<div style='display: flex; gap: {gap}px'>{PAIR}</div>"


TOO_NEAR = {
    "7 px apart": apart(7),
    "one above the other": f"<a id=a href=x style='{BOX}'>One</a><a id=b href=y style='{BOX}'>Two</a>",
    "by a script": f"<div id=a style='{SMALL}; cursor: pointer'></div>"
    f"<div id=b style='{SMALL}; cursor: pointer'></div>{CLICKED}",
    "styled boxes": "<style>input { width: 14px; height: 14px; margin: 0; appearance: none }</style>"
    "<div style='font-size: 0'><input id=a type=checkbox><input id=b type=checkbox></div>",
    "side by side": PAIR,
    "with separators": "<p><a id=a href=#>1</a> | <a id=b href=#>2</a></p>",
}
EXCEPTIONS = {
    "large": "<button style='width: 24px; height: 24px; padding: 0'>1</button>" * 3,
    "apart": apart(8),
    "in a sentence": "<p>Read <a href=x>the terms</a><a href=y>, all of them</a> first.</p>",
    "what it holds": f"<a href=x><b style='{BOX}; height: 40px'>One</b></a>",
    "of the browser's size": "<div style='font-size: 0'><input type=checkbox><input type=radio></div>",
    "label of a hidden box": "<style>input { opacity: 0; position: absolute }"
    " label { display: block; height: 30px }</style>"
    "<label><input type=checkbox> One</label><label><input type=checkbox> Two</label>",
    "the same elsewhere": "<style>a { display: block; height: 12px } .large { height: 30px }</style>"
    "<a href=x>One</a><a href=x class=large>One, larger</a>",
    "disabled": PAIR.replace("<button", "<button disabled"),
    "hidden": f"<div style='visibility: hidden'>{PAIR}</div>",
    "inert": f"<div inert>{PAIR}</div>",
    "covered": f"{PAIR}<p style='position: fixed; inset: 0; margin: 0; background: #fff'></p>",
    "in what is clicked": "<div style='cursor: pointer; width: 300px; height: 80px'>"
    f"<button style='{SMALL}'>x</button></div>{CLICKED}",
}


@pytest.mark.alike(4)
@pytest.mark.parametrize("html", TOO_NEAR.values(), ids=TOO_NEAR)
def test_small_targets_side_by_side_fail(try_out: Try, html: str) -> None:
    assert told(try_out("targets", html), "targets-size") == ["#a", "#b"]


# These act on the page as a whole.
ALONE = {"covered", "in what is clicked"}
# Each within styles of its own.
TOGETHER = "".join(
    f"<div style='margin: 60px'><template shadowrootmode=open>{html}</template></div>"
    for name, html in EXCEPTIONS.items()
    if name not in ALONE
)


@pytest.mark.parametrize("html", [TOGETHER, *(EXCEPTIONS[name] for name in sorted(ALONE))])
def test_exceptions_pass(try_out: Try, html: str) -> None:
    result = try_out("targets", html)

    assert (result.findings.failed, told(result, "targets-size", "unsure")) == (0, [])


def test_the_size_and_what_is_too_near_are_told(try_out: Try) -> None:
    (rule,) = try_out("targets", PAIR).findings.rules

    assert rule.violations[0].summary == (
        "It is 16 x 16 px, and “-” is 8 px from its middle: "
        "it needs 24 x 24 px, or a circle as wide to itself."
    )
    assert (rule.impact, rule.tags) == ("serious", ("wcag258",))


def test_a_map_is_for_a_person_to_judge(try_out: Try) -> None:
    dots = "".join(f"<a href='{x}' id=d{x}><circle cx={x} cy=20 r=5 /></a>" for x in (20, 32))

    result = try_out("targets", f"<svg width=90 height=40>{dots}</svg>")

    assert told(result, "targets-size", "unsure") == ["#d20", "#d32"]


def test_frames_and_shadow_roots_are_looked_into(try_out: Try) -> None:
    html = (
        f'<iframe title=x srcdoc="{PAIR}"></iframe><div id=host></div>'
        f"<script>host.attachShadow({{ mode: 'open' }}).innerHTML = `{PAIR}`</script>"
    )
    found = told(try_out("targets", html), "targets-size")

    assert len(found) == 4
    assert sum(" >>> " in one for one in found) == 4


def test_targets_that_are_large_count_as_passed(try_out: Try) -> None:
    result = try_out("targets", "<button style='height: 40px'>One</button><a href=x>Two</a>")

    assert passes(result, "targets-size") == 2
