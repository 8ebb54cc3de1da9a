"""Which numbers move with fonts, browser builds and scale, and by how much.

    python -m studies.platforms CORPUS SET [--fonts FOLDER ...] [--chromium PATH] [--every N]

Scores the pages of one set of candidates (`CORPUS/candidates/SET`) against their designs once as this machine
is, then once for each other way: with the fonts of each FOLDER alone, with another browser, and at scale 2.
Each line tells of one metric how far it moved: mean and largest distance over the pages, and the page.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_design2a11y.models.evaluation import metric_values
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.runs import load_run
from studies.corpus_digest import corpus_pairs

Values = Mapping[str, list[float | None]]

FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{cache}</cachedir>
<include ignore_missing="yes">/etc/fonts/conf.d</include></fontconfig>
"""


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("set")
    parser.add_argument("--fonts", type=Path, nargs="*", default=[])
    parser.add_argument("--chromium")
    parser.add_argument("--every", type=int, default=1)
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ways = dict(_ways(choice, Path(folder)))
        pairs = [
            f'{{"id": "{pair.subject.id}", "reference": "{pair.folder / (pair.reference or "")}", '
            f'"candidate": "{pair.folder / pair.candidate}"}}'
            for pair in corpus_pairs(choice.corpus.resolve())
            if f"candidates/{choice.set}/" in pair.candidate
        ]
        (Path(folder) / "pairs.jsonl").write_text("\n".join(pairs[:: choice.every]) + "\n")
        scored = {name: _score(Path(folder), *way) for name, way in ways.items()}
    usual = scored.pop("as it is")
    for name, values in scored.items():
        print(f"\n{name}")
        for place, metric in enumerate(METRICS):
            moves = [
                (abs(one[place] - values[page][place]), page)  # type: ignore[operator]
                for page, one in usual.items()
                if one[place] is not None and values[page][place] is not None
            ]
            if moves:
                mean = sum(move for move, _page in moves) / len(moves)
                largest, page = max(moves)
                print(f"  {metric:18} mean {mean:.4f}  largest {largest:.4f} ({page})  n {len(moves)}")


def _ways(
    choice: argparse.Namespace, folder: Path
) -> Iterator[tuple[str, tuple[Mapping[str, str], list[str]]]]:
    yield "as it is", ({}, [])
    for fonts in choice.fonts:
        file = folder / f"{fonts.name}.conf"
        file.write_text(FONTS.format(folder=fonts.resolve(), cache=folder / f"{fonts.name}-cache"))
        yield f"fonts of {fonts.name} alone", ({"FONTCONFIG_FILE": str(file)}, [])
    if choice.chromium:
        yield f"{choice.chromium}", ({}, ["--chromium", choice.chromium])
    yield "scale 2", ({}, ["--viewport", "1280x720@2"])


def _score(folder: Path, environment: Mapping[str, str], options: list[str]) -> Values:
    out = folder / f"run-{len(list(folder.iterdir()))}"
    command = [sys.executable, "-m", "pytest_design2a11y", "score", "--pairs", str(folder / "pairs.jsonl")]
    subprocess.run(
        [*command, "--out", str(out), "--no-cache", *options],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return {one.id: metric_values(one) for one in load_run(str(out)).evaluations}


if __name__ == "__main__":
    main()
