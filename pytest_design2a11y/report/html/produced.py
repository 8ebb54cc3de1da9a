"""What produced the results of a page, as labels and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.viewport import STANDARD_VIEWPORT
from pytest_design2a11y.report.probes import engine_versions

#: Viewport defaults, omitted from the report.
_USUAL = {name: getattr(STANDARD_VIEWPORT, name) for name in ("scheme", "media", "locale", "timezone")}


def produced_by(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Yield what produced the results of a pair, as label and value."""
    yield from producer_facts(evaluation)
    if evaluation.reference_kind == "picture":
        own = {**evaluation.settings, **(evaluation.settings.get("reference") or {})}
        yield "Reference is", f"a picture at scale {own.get('picture_scale', 1):g}"
        yield "Its texts are from", str(own.get("reader"))
    yield from engine_versions(evaluation)
    if evaluation.visual is not None:
        yield "Text ratio", evaluation.visual.text_ratio
        if evaluation.visual.published is not None:
            yield "Scored as published by", evaluation.visual.published
        yield "Appearance", evaluation.visual.appearance_backend or "not measured"
    for role, (width, height) in evaluation.page_sizes.items():
        yield f"{role.capitalize()} page", f"{width} × {height} px"


def producer_facts(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Yield what produced a candidate's results, as label and value; nothing if nothing was rendered."""
    made = evaluation.environment
    if made is not None:
        yield "Chromium", made.chromium or "not needed"
        yield "axe-core", made.axe or "did not run"
        yield "pytest-design2a11y", made.package
        more = ("Playwright", made.playwright), ("Platform", made.platform)
        yield from ((label, text) for label, text in more if text)
        yield "Sandbox", "on" if made.sandbox else "off"
    conditions = evaluation.settings
    if "viewport" in conditions:
        yield "Viewport", _viewport_text(conditions)
    if conditions.get("steps"):
        yield "Steps", f"{conditions['steps']} before it was read"
    if conditions.get("wait_for"):
        yield "Waited for", str(conditions["wait_for"])
    if conditions.get("mask"):
        masked = ", ".join(conditions["mask"])
        yield "Masked", f"{masked} (hatched in the pictures; neither text nor pixels count)"
    if "javascript" in conditions:
        yield "Page scripts", "ran" if conditions["javascript"] else "did not run"
    if "allowed_hosts" in conditions:
        yield "Hosts allowed", ", ".join(conditions["allowed_hosts"]) or "none"


def _viewport_text(conditions: Mapping[str, Any]) -> str:
    """Return a viewport, with what differs from the standard one."""
    scale = conditions.get("scale", 1)
    parts = [
        f"{conditions['viewport']} px",
        f"scale {scale:g}" if scale != 1 else "",
        str(conditions.get("device") or ""),
        *(name for name in ("touch", "mobile") if conditions.get(name)),
        *(str(conditions[name]) for name, usual in _USUAL.items() if conditions.get(name, usual) != usual),
    ]
    return ", ".join(filter(None, parts))
