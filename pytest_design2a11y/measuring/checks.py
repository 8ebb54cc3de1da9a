"""Count the failed checks of a page, and what of a design they take away."""

from contextlib import suppress

from pytest_design2a11y.accessibility import rates
from pytest_design2a11y.accessibility.delivered import Delivered, delivered
from pytest_design2a11y.escaping import terminal_line
from pytest_design2a11y.exceptions import ConfigurationError, NothingToCheck
from pytest_design2a11y.measuring.measures import Work, visual_score
from pytest_design2a11y.models.audit import AccessibilityRates, ProbeCounts, probe_failures
from pytest_design2a11y.models.metric import Measured
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.wording import flag


def measure_accessibility(capture: Capture) -> AccessibilityRates:
    """Rate how inaccessible a rendered page is.

    Raises:
        ConfigurationError: The page was rendered without an audit.
        NothingToCheck: No rule applies to it.
        AxeError, AxeTimeout: The audit failed.
    """
    if capture.audit_error is not None:
        raise capture.audit_error
    if capture.is_picture:
        raise NothingToCheck(
            f"{capture.label} is a picture, which has no accessibility to measure.",
            stage="axe",
            advice="Audit the page; a picture can be compared with a design.",
        )
    if capture.audit is None:
        raise ConfigurationError(
            f"{capture.label} was rendered as a {capture.role}, which is not audited here.",
            advice="Render it with role='candidate'."
            if capture.role == "reference"
            else f"Leave out {flag('no_audit')}.",
        )
    return rates(capture.audit)


def page_rates(work: Work) -> AccessibilityRates | None:
    """Return the candidate's rates; None if not requested."""
    page = work.candidate
    is_asked = page.is_audited or (work.reference is None and page.is_picture)
    return measure_accessibility(page) if is_asked else None


def delivered_text(work: Work) -> Delivered | Measured:
    """Join the matches of two pages with the failures on the candidate, or return why that is impossible."""
    candidate, reference = work.candidate, work.reference
    assert reference is not None
    audit, visual = candidate.audit, None
    with suppress(Exception):
        visual = work.once(visual_score)
    if candidate.is_picture:
        why = "the generated page is a picture, which has no accessibility to measure"
    elif audit is None or not audit.checked:
        why = "the accessibility check failed" if candidate.is_audited else "the page was not audited"
    elif visual is None:
        why = "the pages could not be compared" if reference.text_runs else "the design shows no text"
    elif visual.published is not None:
        why = "published figures do not have it"
    elif audit.failures is None:
        why = "which text its failures are about is not known"
    else:
        return delivered(
            visual.matches,
            visual.missing,
            text_runs=candidate.text_runs,
            failures=audit.failures,
            reference_runs=reference.text_runs,
        )
    return Measured(None, why)


def count_probe_failures(work: Work) -> int | None:
    """Return the failures of all probes; None if no probe ran, or one did not finish."""
    return probe_failures(measure_probes(work.candidate))


def measure_probes(capture: Capture) -> dict[str, ProbeCounts]:
    """Count the findings of probes; a probe that did not finish has a reason and no counts."""
    counts = {}
    for name, result in capture.probes.items():
        findings = result.findings
        passed, unsure = (
            sum(getattr(rule, key) for rule in findings.rules) for key in ("num_passes", "num_incomplete")
        )
        counts[name] = ProbeCounts(passed, findings.failed, unsure, findings.by_impact)
    for name, error in capture.probe_errors.items():
        what, reason = type(error).__name__, terminal_line(str(error))
        counts[name] = ProbeCounts(None, None, None, error=what, reason=reason)
    names = dict.fromkeys([*capture.conditions.get("probes", ()), *counts])
    return {name: counts[name] for name in names}
