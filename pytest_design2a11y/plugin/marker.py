"""What the marker `design2a11y` takes."""

from __future__ import annotations

from pytest_design2a11y.models.option import options_of
from pytest_design2a11y.settings.values import CALL_FIELDS, LimitOptions, Settings

MARKER = "design2a11y"

#: Arguments of the marker, all by keyword, and what each says; limits and choices are the options' own.
MARKER_ARGUMENTS: dict[str, str] = {
    "reference": "The page that the fixture `reference` renders.",
    "candidate": "The page that the fixture `candidate` renders.",
    "case": "What the test is about; its reference's path where nothing is said.",
    "sample": "Which of several samples of its case this is; they are judged together.",
    "prompt": "The prompt that the candidate comes from: an axis.",
    "model": "The model that the candidate comes from: an axis.",
    "axes": 'Whatever else candidates of one case differ in, such as {"state": "open"}.',
    **{one.field: one.help for one in options_of(LimitOptions)},
    **{one.field: one.help for one in options_of(Settings) if one.field in CALL_FIELDS},
}

MARKER_HELP = (
    f"{MARKER}({', '.join(f'{name}=' for name in MARKER_ARGUMENTS)}): "
    "pages for the fixtures of the same names, what the test is about, its limits, the pages' site, and "
    "which accessibility rules run."
)
