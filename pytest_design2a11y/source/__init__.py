"""From what a user or a model hands over to a document that a browser can load."""

from __future__ import annotations

from pytest_design2a11y.source.read_document import read_document, require_file
from pytest_design2a11y.source.site import SiteChoice, choose_site

__all__ = ["SiteChoice", "choose_site", "read_document", "require_file"]
