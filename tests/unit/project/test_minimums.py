from __future__ import annotations

from scripts.write_minimums import minimums


def test_the_lowest_version_of_each_requirement_is_taken() -> None:
    assert minimums(
        ["numpy>=1.26", "rapidocr>=3.10,<4", "types-jsonschema", "ray[default]>=2.40", "a==1.0", "b~=2.1"]
    ) == {
        "numpy": "1.26",
        "rapidocr": "3.10",
        "ray": "2.40",
        "a": "1.0",
        "b": "2.1",
    }
