"""Texts of pages and files made fit for GitHub's Markdown."""

from __future__ import annotations

from pytest_design2a11y.models.escaping import harmless


def escaped(text: str, *, limit: int = 200) -> str:
    """Keep a page's or a file's words from being read as markup, as a mention or as a link.

    Args:
        text: Anything.
        limit: Number of characters from which on it is cut.
    """
    line = harmless(text, limit=limit).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for mark in "\\`*_[]|#~$!":
        line = line.replace(mark, f"\\{mark}")
    return line.replace("@", "&#64;").replace("://", ":&#47;&#47;")
