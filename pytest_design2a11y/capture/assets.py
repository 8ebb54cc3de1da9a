"""What pages load: files of allowed or recorded hosts and, by mistake, files of their designs."""

from collections.abc import Iterator
from dataclasses import replace

from pytest_design2a11y.capture.isolation import Hosts
from pytest_design2a11y.capture.isolation.npm import NpmPackages
from pytest_design2a11y.capture.isolation.recordings import Recordings
from pytest_design2a11y.capture.isolation.site_files import Absence, SiteFiles
from pytest_design2a11y.models.page import Capture, Site

__all__ = ["Hosts", "NpmPackages", "Recordings", "read_of_design"]


def read_of_design(candidate: Capture, reference: Capture) -> Iterator[str]:
    """Yield the files that a page got, but would have been refused had it been rendered after its design."""
    design = None if reference.document is None else reference.document.file
    page = candidate.document
    if design is None or page is None or not candidate.files or page.file == design:
        return
    site = page.site or Site()
    if design in site.references:
        return
    files = SiteFiles(replace(page, site=replace(site, references=(design,))))
    for path, digest in candidate.files.items():
        if digest is not None and files.find(path) is Absence.REFUSED:
            yield path
