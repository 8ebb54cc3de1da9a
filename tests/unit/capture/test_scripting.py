"""Questions of style sheets whether scripts run, answered while they do."""

from __future__ import annotations

import pytest

from pytest_design2a11y.capture.isolation.request_router import with_scripts


@pytest.mark.parametrize(
    ("sheet", "answered"),
    [
        ("@media (scripting) {a{}}", "@media (min-width: 0px) {a{}}"),
        ("@media screen and ( Scripting : Enabled ) {a{}}", "@media screen and (min-width: 0px) {a{}}"),
        ("@media not (scripting:none){a{}}", "@media not (min-width: 9999999px){a{}}"),
        ("@media (scripting: initial-only) {a{}}", "@media (min-width: 9999999px) {a{}}"),
        ("@import url(a.css) (scripting: none);", "@import url(a.css) (min-width: 9999999px);"),
        ("a::after { content: '(scripting)' }", "a::after { content: '(scripting)' }"),
        ("@media (min-width: 9px) { a { } }", "@media (min-width: 9px) { a { } }"),
    ],
)
def test_only_what_a_query_asks_is_answered(sheet: str, answered: str) -> None:
    assert with_scripts(sheet.encode()) == answered.encode()
