"""Generate pages: `python generate.py prompts/v2.md` writes generated/<design>/<sample>.html.

A real project calls its model here and keeps the raw answers as they are: fences and chatter around the HTML
are taken off when the pages are rendered, refusals are told as such.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from stand_in_model import answer

HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prompt", type=Path)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument(
        "--seed", default="1", help="Another seed is another day: the model answers differently."
    )
    arguments = parser.parse_args()
    prompt = arguments.prompt.read_text(encoding="utf-8")
    generated = HERE / "generated"
    if generated.exists():
        shutil.rmtree(generated)
    for design in sorted((HERE / "designs").glob("*.html")):
        for sample in range(1, arguments.samples + 1):
            seed = f"{arguments.seed} {arguments.prompt.stem} {design.stem} {sample}"
            page = generated / design.stem / f"{sample}.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(answer(prompt, design.read_text(encoding="utf-8"), seed=seed), encoding="utf-8")
    print(f"wrote {len(list(generated.rglob('*.html')))} pages to {generated}")


if __name__ == "__main__":
    main()
