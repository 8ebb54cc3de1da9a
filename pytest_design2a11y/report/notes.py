"""Notes on a run below its figures: what they do not show, and what produced them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.severity import LIMITS_OF_CHECKS
from pytest_design2a11y.report.probes import engine_versions
from pytest_design2a11y.wording import counted


def limited_metrics(pages: Iterable[Evaluation]) -> set[str]:
    """Return the metrics that limits judged on any page."""
    return {verdict.metric for page in pages for verdict in page.verdicts}


def reference_lines(evaluations: Iterable[Evaluation]) -> Iterator[str]:
    """Yield whether pages are more accessible than their designs, if both were audited."""
    differences = [
        (page.accessibility.weighted_ir - page.reference_accessibility.weighted_ir, page.id)
        for page in evaluations
        if page.accessibility is not None and page.reference_accessibility is not None
    ]
    if not differences:
        return
    better = sum(difference < 0 for difference, _ in differences)
    worse = sum(difference > 0 for difference, _ in differences)
    same = len(differences) - better - worse
    text = f"accessibility beside the designs (weighted_ir): {better} better, {worse} worse, {same} the same"
    if worse:
        largest, name = max(differences)
        text += f"; most in {sanitize(name, limit=200)}, by {largest:.4f}"
    yield text


def severity_lines(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield what iwir itself does not show; once per run, independent of the pages."""
    notes = [(page, page.severity_note) for page in evaluations if page.severity_note]
    if notes:
        first, note = notes[0]
        more = f" (and {counted(len(notes) - 1, 'more page')})" if len(notes) > 1 else ""
        yield f"beside its design, {sanitize(first.id, limit=200)}: {note}{more}"
    limited = limited_metrics(evaluations)
    rates = {name for name, metric in METRICS.items() if metric.is_blind_to_missing} - {"iwir"}
    if "iwir" in limited and not limited & (rates | {"delivered"}):
        yield (
            "hint: a limit on iwir alone judges how severe failures are, not how many; fixing minor "
            "ones raises it. Add a limit on ir, or use weighted_ir"
        )


def producer_texts(evaluations: Iterable[Evaluation]) -> list[str]:
    """Return what produced the numbers; several lines if that differs between pages."""
    texts = set()
    for evaluation in evaluations:
        if (environment := evaluation.environment) is None:
            continue
        backend = evaluation.visual.appearance_backend if evaluation.visual else None
        hosts = evaluation.settings.get("allowed_hosts")
        parts = [
            f"chromium {environment.chromium}" if environment.chromium else "no browser",
            f"axe-core {environment.axe}" if environment.axe else "",
            *(" ".join(engine) for engine in engine_versions(evaluation)),
            f"appearance {backend}" if backend else "",
            "" if environment.sandbox else "sandbox off",
            f"hosts {', '.join(hosts)}" if hosts else "",
        ]
        texts.add(", ".join(part for part in parts if part))
    return [*sorted(texts), LIMITS_OF_CHECKS] if texts else []
