"""An answer is text: what is not would be scored as its `repr`."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.page import Answer


@pytest.mark.parametrize(
    ("given", "told"),
    [(b"<p>Hi", r"not bytes.*answer\.decode\(\)"), (None, "not None"), (["<p>"], "not list")],
)
def test_what_is_not_text_is_refused(given: Any, told: str) -> None:
    with pytest.raises(ConfigurationError, match=f"An answer is text, {told}"):
        Answer(given)


def test_an_answer_travels_between_processes() -> None:
    assert type(pickle.loads(pickle.dumps(Answer("<p>Hi")))) is Answer
