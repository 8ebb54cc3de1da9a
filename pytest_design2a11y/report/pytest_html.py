"""Pictures for the report of pytest-html."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.page_identity import shown_page
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.runs.pictures import load_picture


def picture_extras(evaluation: Evaluation, folder: Path) -> list[dict[str, Any]]:
    """Return the pictures of a page and its design as pytest-html's extras, inside its file or beside it."""
    from pytest_html import extras

    found = []
    for role, page in (("reference", evaluation.reference), ("candidate", shown_page(evaluation))):
        if picture := load_picture(evaluation, role, folder):
            content = base64.b64encode(picture.full).decode("ascii")
            name = f"{role}: {sanitize(page or '', limit=200)}"
            found.append(extras.image(content, name=name, mime_type="image/webp", extension="webp"))
    return found
