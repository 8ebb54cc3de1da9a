"""What the command prints: a page's own text stays as it is, in lines and in JSON."""

from __future__ import annotations

import json

import pytest

from pytest_design2a11y.command.shell import say, say_json

TEXT = "Write --design2a11y-html report.html, or -o design2a11y_settle=2"


def test_a_text_that_names_an_option_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    say(f'missing text "{TEXT}"')
    say_json({"warnings": [{"message": TEXT}], "reference": TEXT})

    line, record = capsys.readouterr().out.splitlines()
    assert line == f'missing text "{TEXT}"'
    assert json.loads(record) == {"warnings": [{"message": TEXT}], "reference": TEXT}
