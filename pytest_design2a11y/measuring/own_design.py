"""Whether a page has read its design, where it was not known as it was rendered which one that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.page import Capture, Site


def require_unread(candidate: Capture, reference: Capture) -> None:
    """Refuse a page that got files of its design, which a page rendered after its design does not get."""
    if read := ", ".join(_read(candidate, reference)):
        raise ConfigurationError(
            f"{candidate.label} loaded {read}, which belongs to its design {reference.label}.",
            advice="Render the design first, so that the page does not get it; by design2a11y_render, give "
            "reference=design besides.",
        )


def _read(candidate: Capture, reference: Capture) -> Iterator[str]:
    design = None if reference.document is None else reference.document.file
    page = candidate.document
    if design is None or page is None or not candidate.files or page.file == design:
        return
    site = page.site or Site()
    if design in site.references:
        return
    from pytest_design2a11y.capture.isolation.site_files import Absence, SiteFiles

    files = SiteFiles(replace(page, site=replace(site, references=(design,))))
    for path, digest in candidate.files.items():
        if digest is not None and files.find(path) is Absence.REFUSED:
            yield path
