"""Renders the Markdown of reports from templates."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import jinja2

from pytest_design2a11y.escaping import markdown
from pytest_design2a11y.report.templating import template_environment


def render_markdown(name: str, **values: Any) -> str:
    """Return a template of `report/templates` with its values."""
    return _environment().get_template(name).render(**values)


@cache
def _environment() -> jinja2.Environment:
    made = template_environment(__package__, autoescape=False)
    made.filters["markdown"] = markdown
    made.filters["line"] = partial(markdown, limit=1000)
    made.filters["number"] = "{:.4f}".format
    made.filters["signed"] = "{:+.4f}".format
    return made
