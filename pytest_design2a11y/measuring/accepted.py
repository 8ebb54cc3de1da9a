"""What the file of what is known accepts of one page: differences as it is measured, then failures."""

from datetime import date

from pytest_design2a11y.accessibility.known import KnownComparison, compare_known
from pytest_design2a11y.limits.known_file import known_or_new, load_known, mark_accepted
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.run import evaluated_page, page_identity, page_name
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.settings import Settings


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


def compared_with_known(evaluation: Evaluation, settings: Settings) -> KnownComparison | None:
    """Compare a page's violations with the accepted ones; None if the page was not audited.

    A file may name a page only by its path, whatever its viewport, state and test.
    """
    if settings.known is None or evaluation.audit is None:
        return None
    known = load_known(settings.known).violations
    page, name = evaluated_page(evaluation), page_name(evaluation.candidate, evaluation.id)
    page = name if page not in known.pages and name in known.pages else page
    return compare_known(known, page, evaluation.audit, choice=settings.audit_choice)


def unaccepted(evaluation: Evaluation, settings: Settings) -> tuple[str, ...]:
    """Return a page's violations beyond the accepted ones, in words; none if all are being accepted."""
    if settings.update_known:
        return ()
    comparison = compared_with_known(evaluation, settings)
    return tuple(comparison.lines()) if comparison is not None and comparison.is_failure else ()
