"""Turns axe-core's findings into rates, explanations and the list of accepted failures.

Everything here is a pure function of data: no browser, no options. The definitions and their sources are in
`docs/accessibility.md`.
"""

from __future__ import annotations

from pytest_design2a11y.accessibility.delivered import delivered_line
from pytest_design2a11y.accessibility.rates import (
    audit_from_axe,
    count_failures,
    deduplicate,
    merge_as_study,
    rates,
    rates_from_axe,
)

__all__ = [
    "audit_from_axe",
    "count_failures",
    "deduplicate",
    "delivered_line",
    "merge_as_study",
    "rates",
    "rates_from_axe",
]
