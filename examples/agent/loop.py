"""An agent's loop: generate a page, score it, read what to fix, until nothing blocks.

Where a real agent asks its model, this one takes the next of three recorded pages.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from mcp import Client, StdioServerParameters

EXAMPLES = Path(__file__).parents[1]
SERVER = StdioServerParameters(command="design2a11y", args=["mcp"])


def recorded_pages() -> Iterator[str]:
    """Yield what a model wrote: at first, after the first fix list, and after the second."""
    first, second = (EXAMPLES / f"generated/prompt-{name}/signup.html" for name in "ba")
    yield first.read_text(encoding="utf-8")
    yield second.read_text(encoding="utf-8")
    yield second.read_text(encoding="utf-8").replace("Your details", "About you")


async def main() -> None:
    """Run the loop in a project of its own."""
    with TemporaryDirectory() as folder:
        shutil.copytree(EXAMPLES / "designs", Path(folder, "designs"))
        page = Path(folder, "signup.html")
        async with Client(SERVER.model_copy(update={"cwd": folder})) as client:
            pair = {"design": "designs/signup.html", "page": page.name}
            for number, html in enumerate(recorded_pages(), 1):
                page.write_text(html, encoding="utf-8")
                score = (await client.call_tool("score_page", pair)).structured_content
                fidelity = score["metrics"]["fidelity"]
                print(f"page {number}: blocking {score['blocking']}, fidelity {fidelity:.2f}")
                if score["blocking"] == 0:
                    break
                fixes = await client.call_tool("fix_list", {**pair, "max_items": 2})
                print(*fixes.content[0].text.splitlines()[:8], "", sep="\n")


if __name__ == "__main__":
    asyncio.run(main())
