"""Make the examples in docs/differences.md: one change per design, and print what is reported.

python scripts/take_differences.py
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from pytest_design2a11y import Scorer
from pytest_design2a11y.models.words import in_words

ROOT = Path(__file__).parents[1]
DESIGN = ROOT / "examples" / "designs" / "landing.html"
#: One per severity: the replaced and new text of the design's source, and the part of the page shown, px.
CHANGES = {
    "critical": ('<img src="assets/harbour.svg"', "<img hidden", (0, 0, 1280, 600)),
    "serious": (">£16 <", ">£61 <", (0, 1080, 1280, 1520)),
    "moderate": ("blockquote {", ".best .button { background: #1f6f8b } blockquote {", (0, 1080, 1280, 1520)),
    "minor": ("border-radius: 14px; padding: 28px", "border-radius: 0; padding: 28px", (0, 1080, 1280, 1520)),
}
WIDTH, GAP = 420, 16


def main() -> None:
    """Make all examples, and print the first difference of each."""
    source = DESIGN.read_text(encoding="utf-8")
    made = DESIGN.with_name("changed.html")
    with Scorer(viewport="1280x800", audit=False) as scorer:
        for severity, (old, new, part) in CHANGES.items():
            assert old in source
            made.write_text(source.replace(old, new), encoding="utf-8")
            try:
                visual = scorer.score(DESIGN, made).visual
                pages = [scorer.render(page).screenshot.pixels for page in (DESIGN, made)]
            finally:
                made.unlink()
            assert visual is not None
            first = visual.differences[0]
            assert first.severity == severity, [in_words(one) for one in visual.differences]
            print(f"{severity}: {in_words(first)}")
            crops = [Image.fromarray(pixels).crop(part) for pixels in pages]
            height = WIDTH * crops[0].height // crops[0].width
            both = Image.new("RGB", (2 * WIDTH + GAP, height), "white")
            for at, crop in enumerate(crops):
                both.paste(crop.resize((WIDTH, height), Image.Resampling.LANCZOS), (at * (WIDTH + GAP), 0))
            both.quantize(64).save(ROOT / "docs" / "images" / f"difference-{severity}.png", optimize=True)


if __name__ == "__main__":
    main()
