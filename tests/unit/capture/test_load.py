"""Which documents may run scripts: the others need no clock."""

from __future__ import annotations

import pytest

from pytest_design2a11y.capture.page.markup import can_run_scripts


@pytest.mark.parametrize(
    "html",
    [
        None,
        b"<SCRIPT src=a.js></SCRIPT>",
        b"<body onload='go()'>",
        b"<svg/onload=go()>",
        b"<img alt='x'onerror = go()>",
        b"<img src=x\nonError=go()>",
        b"<iframe srcdoc=x></iframe>",
        b"<frameset><frame src=a.html>",
        b"<object data=a.svg></object>",
        b"<embed src=a.svg>",
        b"<link rel=modulepreload href=a.js>",
        b"<link rel=preload href=a.js as='script'>",
        "<script>".encode("utf-16"),
    ],
)
def test_a_document_that_may_run_scripts(html: bytes | None) -> None:
    assert can_run_scripts(html)


@pytest.mark.parametrize(
    "html",
    [
        b"",
        b"<meta content='width = 9'>",
        b"<p class='has script'>",
        b"<p class=on data-on=1>on = off</p><a href=#>only</a>",
    ],
)
def test_a_document_that_runs_none(html: bytes) -> None:
    assert not can_run_scripts(html)
