"""What the command prints as JSON: our own messages name its options, a page's text stays as it is."""

from __future__ import annotations

import json

import pytest

from pytest_design2a11y.command.output import say_json

TEXT = "Write --design2a11y-html report.html"


def test_only_our_own_messages_name_options_as_the_command_does(capsys: pytest.CaptureFixture[str]) -> None:
    say_json(
        {
            "error": {"type": "RenderTimeout", "message": "Raise --design2a11y-timeout."},
            "warnings": [{"code": "slow", "message": "See --design2a11y-timeout."}],
            "visual": {
                "matches": [{"reference": TEXT}],
                "differences": [{"message": TEXT, "reference": {"text": TEXT}}],
            },
            "reference": TEXT,
        }
    )

    printed = json.loads(capsys.readouterr().out)
    assert printed["error"]["message"] == "Raise --timeout."
    assert printed["warnings"][0]["message"] == "See --timeout."
    assert printed["visual"]["matches"] == [{"reference": TEXT}]
    assert printed["visual"]["differences"] == [{"message": TEXT, "reference": {"text": TEXT}}]
    assert printed["reference"] == TEXT
