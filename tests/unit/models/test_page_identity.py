"""What names a page the same in every run."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_design2a11y.models.run import evaluated_page, file_of, page_identity, shown_page, without_server
from pytest_design2a11y.models.verdicts import Subject
from tests.factories import make_evaluation


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("http://127.0.0.1:39349/login?tab=2#top", "/login?tab=2#top"),
        ("http://localhost:5173", "/"),
        ("https://shop.localhost/cart", "/cart"),
        ("http://[::1]:80/a", "/a"),
        ("http://0.0.0.0:8000/a", "/a"),
        ("test_a.py::test_page[http://127.0.0.1:41/login]", "test_a.py::test_page[/login]"),
        ("https://example.org:8443/login", "https://example.org:8443/login"),
        ("http://localhost.example.org/login", "http://localhost.example.org/login"),
        ("http://127.0.0.1.nip.io:80/a", "http://127.0.0.1.nip.io:80/a"),
        ("http://localhost:80@example.org/a", "http://localhost:80@example.org/a"),
        ("generated/login.html", "generated/login.html"),
    ],
)
def test_only_a_server_on_this_machine_is_left_out(name: str, expected: str) -> None:
    assert without_server(name) == expected


@pytest.mark.parametrize(
    ("candidate", "changes", "expected"),
    [
        ("generated/login.html", {}, "generated/login.html"),
        ("login.html", {"axes": {"model": "a", "viewport": "375x812"}}, "login.html [375x812]"),
        ("login.html", {"settings": {"steps": "ab12"}}, "login.html [test_a.py::test_it]"),
        ("http://127.0.0.1:4711/login", {}, "/login [test_a.py::test_it]"),
        ("http://127.0.0.1:4711/login", {"id": "http://127.0.0.1:4711/login"}, "/login"),
        ("https://example.org/login", {}, "https://example.org/login"),
        ("<html>", {}, "test_a.py::test_it"),
        ("<html>", {"axes": {"scheme": "dark"}}, "test_a.py::test_it [dark]"),
    ],
)
def test_a_page_is_known_by_its_path_and_by_its_test_where_the_path_says_too_little(
    candidate: str, changes: dict[str, Any], expected: str
) -> None:
    page = make_evaluation(**{"id": "test_a.py::test_it", **changes}, candidate=candidate)

    assert evaluated_page(page) == expected


@pytest.mark.parametrize(
    ("page", "name"),
    [("<html>", "test_a.py::test_it"), ("http://127.0.0.1:4711/a", "/a [test_a.py::test_it]")],
)
def test_the_pages_of_one_test_may_be_known_as_one(page: str, name: str) -> None:
    subject = Subject("test_a.py::test_it#2", "")

    assert page_identity(page, subject, has_steps=False, is_numbered=False) == name
    assert page_identity(page, subject, has_steps=False) == name.replace("test_it", "test_it#2")


@pytest.mark.parametrize(
    ("candidate", "name", "expected"),
    [
        ("login.html", "tests/test_a.py::test_it", "login.html"),
        ("http://127.0.0.1:4711/login", "tests/test_a.py::test_it[a::b]", "tests/test_a.py"),
        ("<html>", "tests/test_a.py::test_it", "tests/test_a.py"),
        ("http://127.0.0.1:4711/login", "http://127.0.0.1:4711/login", ""),
        ("<html>", "pair::7", ""),
    ],
)
def test_a_page_without_a_file_has_its_tests_file(candidate: str, name: str, expected: str) -> None:
    assert file_of(make_evaluation(id=name, candidate=candidate)) == expected


def test_a_page_given_as_html_text_is_shown_by_the_name_of_its_pair() -> None:
    answer = make_evaluation(id="shop/7", candidate="<html>", reference="designs/shop.html")
    assert (shown_page(answer), shown_page(answer, "reference")) == ("shop/7", "designs/shop.html")
    assert shown_page(make_evaluation(id="shop/7", candidate="pages/shop.html")) == "pages/shop.html"
