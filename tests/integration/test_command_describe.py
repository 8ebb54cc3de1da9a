"""`design2a11y describe`: what a design consists of, in words and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_page_colours_fonts_texts_and_elements_are_listed_in_reading_order(project: Project) -> None:
    told = project.command("describe", "designs/login.html")

    assert told.returncode == 0
    lines = told.stdout.splitlines()
    assert lines[0] == "designs/login.html: 1280 x 720 px, background #ffffff"
    assert lines[2].startswith("colors: #ffffff 9")
    assert any(line.startswith("font: sans-serif 16 px, weight 400: ") for line in lines)
    texts = [line.split('"')[1] for line in lines if line.startswith('  "')]
    assert texts == [
        "Sign in to your account",
        "Welcome back. Please enter your details below.",
        "E-mail address",
        "Password",
        "Continue",
        "No account yet? Create one for free",
    ]
    assert any(
        line.startswith('  "No account yet?') and line.endswith('px, sans-serif, weight 400, #222222 on '
        '#ffffff, "Create one for free" a link underlined #0000ee')
        for line in lines
    )  # fmt: skip
    assert any(line.startswith('  button "Continue" at 40, ') and "fill #00bb55" in line for line in lines)


def test_the_json_holds_the_same(project: Project) -> None:
    told = project.command("describe", "designs/login.html", "--json")

    record = json.loads(told.stdout)
    assert (record["schema"], record["page"], record["size"]) == (1, "designs/login.html", [1280, 720])
    assert (record["ground"], record["colors"][0]["color"]) == ("#ffffff", "#ffffff")
    assert record["fonts"][0].keys() == {"family", "font_size", "weight", "share"}
    heading = record["texts"][0]
    assert (heading["text"], heading["weight"], heading["color"]) == (
        "Sign in to your account", 700, "#222222"
    )  # fmt: skip
    assert [one["name"] for one in record["elements"]] == ["text field", "text field", "button"]


def test_a_design_that_cannot_be_rendered_is_named_with_the_reason(project: Project) -> None:
    lost = project.command("describe", "designs/none.html")
    as_json = project.command("describe", "designs/none.html", "--json")

    assert (lost.returncode, as_json.returncode) == (3, 3)
    assert lost.stderr.startswith("design2a11y: SourceNotFound: There is no file 'designs/none.html': ")
    assert json.loads(as_json.stdout)["error"]["type"] == "SourceNotFound"


def test_it_takes_the_keys_that_the_command_does(project: Project) -> None:
    (project.path / "designs" / "shop.html").write_text("<title>Shop</title><h1>Shop</h1><p id=p></p>"
        "<script>document.getElementById('p').textContent = 'Shoes'</script>")  # fmt: skip
    (project.path / "design2a11y.toml").write_text('no_javascript = true\n[[case]]\nmatch = "x*"\n')

    told = project.command("describe", "designs/shop.html", "--set", "max_width=2000", "--timeout", "20")

    assert told.returncode == 0
    assert '"Shop"' in told.stdout
    assert "Shoes" not in told.stdout
