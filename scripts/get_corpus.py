"""Get the pages and figures that tests of conformance and studies compare with: `get_corpus.py [FOLDER]`.

They are those of "Generating Code, Ignoring Accessibility: An Empirical Study of MLLM-Generated Web UIs"
(2025): 53 real pages of Design2Code's test set (ODC-By), and what two models made of them. Nothing of it is
part of this package. Git checks every file by the commit's digest. FOLDER is `../shared/corpus`, where tests
look, unless another is named.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ADDRESS = "https://github.com/LLM4A11y/ui2code-study"
COMMIT = "d868c3fc6f2cf88ed37f769401171b7c3287a400"
#: Model, prompt and time of each round of generated pages.
SETS = (
    ("gemini", "composite_naive_refine", "2025-07-16-09-01"),
    ("gemini", "composite_naive_refine", "2025-07-16-11-02"),
    ("gemini", "composite_naive_refine", "2025-07-16-13-16"),
    ("gemini", "few-shot", "2025-06-29-09-55"),
    ("gemini", "naive", "2025-06-18-10-18"),
    ("gemini", "naive", "2025-06-18-11-24"),
    ("gemini", "naive", "2025-06-18-11-53"),
    ("gemini", "reason", "2025-06-18-16-24"),
    ("gemini", "zero-shot", "2025-06-18-13-25"),
    ("llava", "zero-shot", "2025-07-12-14-14"),
)
#: Our names of the figures, and the study's.
VISUAL = {
    "block_match": "final_size_score",
    "text": "final_matched_text_score",
    "position": "final_position_score",
    "color": "final_text_color_score",
    "clip": "final_clip_score",
    "final": "final_score",
}


def check_out(address: str, commit: str, clone: Path) -> None:
    """Fetch the files that are needed of one commit; the rest of the repository stays where it is."""
    rounds = [f"/Data/Output/{model}/*/{prompt}/{time}/" for model, prompt, time in SETS]
    commands = (
        ["init", "--quiet"],
        ["remote", "add", "origin", address],
        ["sparse-checkout", "set", "--no-cone", "/Data/Input/html/", *rounds],
        ["fetch", "--quiet", "--depth", "1", "--filter=blob:none", "origin", commit],
        ["-c", "fetch.fsckObjects=true", "checkout", "--quiet", commit],
    )
    for command in commands:
        subprocess.run(["git", *command], cwd=clone, check=True)


def published(output: Path, prompt: str, time: str, case: int) -> dict[str, Any]:
    """Return the study's figures of one page; without "visual" where it has none."""
    insights = output / "insights" / prompt / time
    overview = json.loads((insights / f"overview_{case}.json").read_text(encoding="utf-8"))
    details = overview["details_checks"].values()
    found = {
        "accessibility": {
            "checked": overview["automatic_checks"]["total_nodes_checked"],
            "failed_axe": sum(one["sources"]["axe-core"]["amount"] for one in details),
            "failed_htmlcs": sum(one["sources"]["pa11y"]["amount"] for one in details),
            "failed_merged": overview["automatic_checks"]["total_nodes_failed"],
            "ir": overview["benchmark"]["automatic_ir"],
            "iwir": overview["benchmark"]["automatic_iw-ir"],
            "status": overview["overall_status"]["automatic"].lower(),
        }
    }
    benchmark = insights / f"benchmark_{case}.json"
    if benchmark.exists():
        scores = json.loads(benchmark.read_text(encoding="utf-8"))
        found = {"visual": {name: scores[theirs] for name, theirs in VISUAL.items()}, **found}
    return found


def write(clone: Path, folder: Path) -> None:
    """Write references, candidates and the expected figures, a line a page."""
    shutil.copytree(clone / "Data" / "Input" / "html", folder / "references")
    (folder / "expected").mkdir()
    for model, prompt, time in SETS:
        output, name = clone / "Data" / "Output" / model, f"{model}-{prompt}-{time}"
        pages = folder / "candidates" / name
        shutil.copytree(output / "html" / prompt / time, pages)
        cases = sorted(int(page.stem) for page in pages.glob("*.html"))
        lines = [{"case": case, "published": published(output, prompt, time, case)} for case in cases]
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / "expected" / f"{name}.jsonl").write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> None:
    """Get the corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--from", dest="address", default=ADDRESS, help="another copy of the repository")
    options = parser.parse_args(arguments)
    if options.folder.exists():
        sys.exit(f"{options.folder} is there already. Remove it, or name another folder.")
    with tempfile.TemporaryDirectory() as clone:
        check_out(options.address, COMMIT, Path(clone))
        write(Path(clone), options.folder)
    print(f"{options.folder}: {len([*options.folder.glob('**/*.html')])} pages of {ADDRESS} at {COMMIT[:8]}")


if __name__ == "__main__":
    main()
