"""Pictures for the report of pytest-html, where that plugin writes one."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.report.pictures import load_picture


def picture_extras(evaluation: Evaluation, folder: Path) -> list[dict[str, Any]]:
    """Return the pictures of a page and its design as pytest-html's extras, inside its file or beside it."""
    from pytest_html import extras

    labels = {"reference": evaluation.reference, "candidate": evaluation.candidate}
    pictures = ((role, label, load_picture(evaluation, role, folder)) for role, label in labels.items())
    return [
        extras.image(
            base64.b64encode(picture.full).decode("ascii"),
            name=f"{role}: {sanitize(label or '', limit=200)}",
            mime_type="image/webp",
            extension="webp",
        )
        for role, label, picture in pictures
        if picture is not None
    ]
