"""Group B: pages that are too much of something."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import (
    AxeTimeout,
    CaptureError,
    InputTooLarge,
    MemoryLimit,
    PageTooLarge,
    RendererCrash,
    RenderTimeout,
)
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.source.read_document import read_document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

VARIABLES = "".join(f"--v{n}: var(--v{n - 1}) var(--v{n - 1});" for n in range(1, 30))
RULES = "".join(f"div:has(.c{n}) > p {{ margin: {n % 3}px }}" for n in range(10_000))
DEEPER = (
    "<script>let inner = document.body; for (let i = 0; i < 5000; i++) "
    "inner = inner.appendChild(document.createElement('div')); inner.textContent = 'deep'</script>"
)

# Name: the page, and its warnings.
SCORED: dict[str, tuple[str, tuple[str, ...]]] = {
    "grow_forever": (
        "<script>setInterval(() => { const more = document.createElement('div');"
        "more.style.height = '500px'; more.textContent = 'more'; document.body.append(more) }, 20)</script>",
        ("page_clipped",),
    ),
    "scroll_grow": (
        "<div id=end>end</div><script>new IntersectionObserver(() => { const more ="
        "document.createElement('div'); more.style.height = '500px'; document.body.append(more) })"
        ".observe(document.getElementById('end'))</script>",
        (),
    ),
    "h30000": ("<div style='height: 30000px'></div><p>end</p>", ("page_clipped",)),
    "h2e6": ("<div style='height: 2000000px'></div><p>end</p>", ("page_clipped",)),
    "w100000": ("<div style='width: 100000px; background: #eee'>wide</div>", ("page_clipped",)),
    "deep_5000_parsed": ("<div>" * 5000 + "deep", ()),
    "css_var_bomb": (f"<style>:root {{ --v0: a; {VARIABLES} }}</style><p style='--w: var(--v29)'>x", ()),
    "long_word": (f"<p>{'x' * 300_000}", ("page_clipped",)),
    "repeat_loop": ("<section><h2>Again</h2><p>and again</section>" * 800, ("page_clipped",)),
    "has_selectors": (f"<style>{RULES}</style><div><p class=c7>x</p></div>", ()),
    # The browser decodes a picture in the size that it is shown in.
    "decode_bomb": ("<img src='data:image/png;base64,@PICTURE@' width=100 height=100>", ()),
}

PATHS = f"<svg width=400 height=400>{'<path d=M0,0L9,9 stroke=red />' * 30_000}</svg>"

REFUSED: dict[str, tuple[str, type[CaptureError], str]] = {
    "nodes_4e4": ("<span>x</span>" * 40_000, PageTooLarge, "-o design2a11y_max_nodes"),
    "table_60k": ("<table>" + ("<tr>" + "<td>x" * 20) * 3000, PageTooLarge, "elements"),
    "shadow_60k": (
        "<div></div><script>document.querySelector('div').attachShadow({ mode: 'open' })"
        ".innerHTML = '<b>x</b>'.repeat(60000)</script>",
        PageTooLarge,
        "-o design2a11y_max_nodes",
    ),
    "closed_shadow_60k": (
        "<div></div><script>document.querySelector('div').attachShadow({ mode: 'closed' })"
        ".innerHTML = '<b></b>'.repeat(60000)</script>",
        PageTooLarge,
        "-o design2a11y_max_nodes",
    ),
    "declared_shadow_60k": (
        f"<div><template shadowrootmode=closed>{'<b>x</b>' * 60_000}</template></div>",
        PageTooLarge,
        "-o design2a11y_max_nodes",
    ),
    "paths_30k": (PATHS, PageTooLarge, "-o design2a11y_max_nodes"),
    "requests_6000": (
        "<script>for (let i = 0; i < 6000; i++) fetch(`/x${i}.json`).catch(() => {})</script>",
        PageTooLarge,
        "more than 1,500 requests",
    ),
    "frames_1000": ("<iframe srcdoc=x></iframe>" * 1000, PageTooLarge, "-o design2a11y_max_frames"),
}


# Of each way to be large, one.
TELLING = ("scroll_grow", "h2e6", "deep_5000_parsed", "css_var_bomb", "long_word", "decode_bomb")


@pytest.mark.alike(len(TELLING), is_long=True)
@pytest.mark.slow
@pytest.mark.parametrize("name", dict.fromkeys((*TELLING, *SCORED)))
def test_large_pages_are_scored_or_clipped_with_a_warning(trial: Any, name: str) -> None:
    body, codes = SCORED[name]
    trial.scored(body.replace("@PICTURE@", _png(30_000)), *codes)


@pytest.mark.alike(1, is_long=True)
@pytest.mark.parametrize("name", REFUSED)
def test_pages_beyond_a_limit_are_refused_by_its_name(trial: Any, name: str) -> None:
    body, error, word = REFUSED[name]
    trial.refused(body, error, word)


def test_deep_5000_js(trial: Any) -> None:
    trial.refused(DEEPER, RendererCrash, "brought its renderer process down")


@pytest.mark.slow
def test_deep_5000_js_without_scripts(trial: Any) -> None:
    trial.scored(DEEPER, javascript=False)


@pytest.mark.slow
def test_filter_bomb(trial: Any, make_renderer: Callable[..., Renderer]) -> None:
    """Fewer layers than would take more memory than a page may before they take too long."""
    impatient = make_renderer(timeout=6.0, javascript=False)
    layer = "<div style='filter: blur(80px); width: 3000px; height: 3000px; background: red'>"
    trial.with_renderer(impatient).refused(layer * 15, RenderTimeout, "(stage: screenshot)")


@pytest.mark.slow
def test_svg_30k_paths(trial: Any, make_renderer: Callable[..., Renderer]) -> None:
    """Where the limit allows so many elements, they are scored, even if an audit of them takes too long."""
    patient = make_renderer(timeout=12.0, max_nodes=40_000)

    capture = trial.with_renderer(patient).scored(PATHS, audit=True)

    assert (capture.audit is None) == isinstance(capture.audit_error, AxeTimeout)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(
            "const all = []; while (true) all.push(new Uint8Array(256 << 20).fill(1))",
            id="oom_arraybuffer",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "const all = []; while (true) all.push({ more: new Array(1000).fill(all.length) })",
            id="oom_heap",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_out_of_memory(trial: Any, make_renderer: Callable[..., Renderer], script: str) -> None:
    """A small limit and much time: the default limit may not be reached before the script is stopped."""
    page = f"<script>{script}</script>"
    trial.scored(page, javascript=False)

    frugal = make_renderer(timeout=60.0, max_memory=512, is_fresh=True)
    trial.with_renderer(frugal).refused(page, MemoryLimit, "more than 512 MB")


TEXTURES = """<script>
  const context = document.createElement("canvas").getContext("webgl");
  while (true) {
    const texture = context.createTexture();
    context.bindTexture(context.TEXTURE_2D, texture);
    const pixels = new Uint8Array(4096 * 4096 * 4).fill(9);
    const { TEXTURE_2D, RGBA, UNSIGNED_BYTE } = context;
    context.texImage2D(TEXTURE_2D, 0, RGBA, 4096, 4096, 0, RGBA, UNSIGNED_BYTE, pixels);
    context.finish();
  }
</script>"""


@pytest.mark.slow
def test_memory_of_the_process_that_paints_counts(make_renderer: Callable[..., Renderer]) -> None:
    renderer = make_renderer(timeout=20.0, max_memory=1000, is_fresh=True)
    page = f"<!doctype html><html lang=en><title>Case</title><h1>Shown</h1>{TEXTURES}</html>"
    with pytest.raises(MemoryLimit, match="more than 1000 MB"):
        renderer.capture(Document(label="x", html=page.encode()), role="candidate", audit=None)

    following = renderer.capture(
        Document(label="x", html=page.replace(TEXTURES, "").encode()), role="candidate", audit=None
    )
    assert "retried" not in {warning.code for warning in following.warnings}


@pytest.mark.parametrize(
    "make",
    [lambda: "<p>x" * 12_500_000, lambda: "A" * 20_000_000],
    ids=["50mb_html", "huge_base64"],
)
def test_50mb_html_and_huge_base64(make: Callable[[], str], record: Callable[[str, object], None]) -> None:
    with pytest.raises(InputTooLarge, match="-o design2a11y_max_bytes") as caught:
        read_document(
            f"<!doctype html><html><img src='data:image/png;base64,{make()}'>", max_bytes=10_000_000
        )

    record("outcome", type(caught.value).__name__)


def _png(side: int) -> str:
    """A one-bit picture of one colour that takes a few kilobytes, and gigabytes once decoded."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    squeeze = zlib.compressobj(9)
    row = bytes(1 + (side + 7) // 8)
    data = b"".join(squeeze.compress(row) for _ in range(side)) + squeeze.flush()
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return base64.b64encode(png).decode()
