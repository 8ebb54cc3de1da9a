"""Differences that the file of what is known accepts, marked where a page is measured."""

from __future__ import annotations

from datetime import date

from pytest_design2a11y.limits.accepted import mark_accepted
from pytest_design2a11y.limits.known_file import known_or_new
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.page_identity import page_identity
from pytest_design2a11y.models.run import Evaluation, Subject
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.settings.values import Settings


def with_accepted(
    visual: VisualScore, candidate: Capture, subject: Subject, settings: Settings
) -> VisualScore:
    """Return a page's score with its accepted differences marked."""
    if settings.known is None:
        return visual
    has_steps = bool(candidate.conditions.get("steps"))
    page = page_identity(candidate.label, subject, has_steps=has_steps, is_numbered=False)
    claims = known_or_new(settings.known).differences.get(page)
    return mark_accepted(visual, claims, date.today()) if claims else visual


def difference_page(evaluation: Evaluation) -> str:
    """Return the name by which a page's accepted differences are known."""
    has_steps = bool(evaluation.settings.get("steps"))
    return page_identity(evaluation.candidate, evaluation, has_steps=has_steps, is_numbered=False)
