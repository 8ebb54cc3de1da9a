"""A vision model that says how well a page does what its design asks for, behind any callable.

The stand-in below answers from the pictures, so that this runs anywhere; call your model in its place.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image

from pytest_design2a11y import Measured, Metric
from pytest_design2a11y.extending import Pages

#: Takes a prompt and PNG files; returns the model's answer.
Ask = Callable[[str, list[bytes]], Awaitable[str]]

PROMPT = "The first picture is a design, the second a page made after it. Grade it: a number from 0 to 10."


class BudgetSpent(Exception):
    """No more questions may be asked."""


@dataclass
class Judge:
    """Asks a model once a page; answers are kept by the metric, so that only new pages cost money."""

    ask: Ask
    model: str
    temperature: float = 0.0
    budget: int = 100
    tries: int = 3

    async def __call__(self, pages: Pages) -> Measured:
        assert pages.reference is not None
        for attempt in range(self.tries):
            if self.budget <= 0:
                raise BudgetSpent(f"the budget of {self.model} is spent")
            self.budget -= 1
            answer = await self.ask(PROMPT, [pages.reference.screenshot.png, pages.candidate.screenshot.png])
            try:
                return Measured(float(answer.split()[0]) / 10, answer)
            except (ValueError, IndexError):
                await asyncio.sleep(0.1 * 2**attempt)
        return Measured(None, f"no grade in {self.tries} answers, the last one {answer!r:.60}")


async def stand_in(prompt: str, pictures: list[bytes]) -> str:
    """Answer as a model would, from how many pixels differ."""
    design, page = (np.asarray(Image.open(io.BytesIO(png)).convert("RGB")) for png in pictures)
    height, width = (min(sizes) for sizes in zip(design.shape[:2], page.shape[:2], strict=True))
    same = np.abs(design[:height, :width].astype(int) - page[:height, :width]).max(axis=2) < 32
    return f"{10 * same.mean():.1f} of 10"


JUDGE = Judge(stand_in, model="stand-in-1")
GRADE = Metric(
    "grade", "grade that a vision model gives", upper=1.0, needs_design=True, keep=True,
    version=f"{JUDGE.model} at {JUDGE.temperature:g}", measure=JUDGE, timeout=120,
)  # fmt: skip
