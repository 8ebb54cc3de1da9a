"""Sources of templates are refused; pages that show or fill in such marks themselves are not."""

from __future__ import annotations

import contextlib
import time

import pytest

from pytest_design2a11y.exceptions import NotHtml
from pytest_design2a11y.source.read_document import read_document


def page(body: str, head: str = "") -> str:
    return f"<!DOCTYPE html>\n<html><head><title>Soup</title>{head}</head>\n<body>\n{body}\n</body></html>"


SOURCES = {
    "Angular": '<li *ngFor="let soup of soups">{{ soup.name }}</li>',
    "PHP": "<h1><?php echo $title ?></h1>",
    "PHP, short": "<h1><?= $title ?></h1>",
    "Jinja": "{% for soup in soups %}<li>{{ soup }}</li>{% endfor %}",
    "Jinja, a condition": "{%- if user -%}Hello{%- endif -%}",
    "Liquid": "{% assign title = 'Soup' %}<h1>{{ title | upcase }}</h1>",
    "ERB": "<% soups.each do |soup| %><li><%= soup.name %></li>\n<% end %>",
    "Handlebars": "{{#each soups}}<li>{{name}}</li>{{/each}}",
    "Svelte": "{#each soups as soup}<p>Soup</p>{/each}",
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_is_refused_with_what_to_do(name: str) -> None:
    with pytest.raises(NotHtml, match=r"is a template's source, not a page.*Build it"):
        read_document(page(SOURCES[name]), max_bytes=10**6)


@pytest.mark.parametrize("language", ["php", "html"])
def test_a_source_in_a_fence_is_refused(language: str) -> None:
    with pytest.raises(NotHtml):
        read_document(f"```{language}\n{page(SOURCES['PHP'])}\n```", max_bytes=10**6)


PAGES = {
    "another script fills it in": page("<h1>{{ title }}</h1>", '<script src="vue.js"></script>'),
    "a script fills in all": page("<h1>{{ title }}</h1><script>t.replace(/\\{\\{(.+?)}}/g, f)</script>"),
    "code in boxes": page(
        '<div class="code-block"><div>{% for a in b %}</div><div>{{ a }}</div></div><p><var>{{ x }}</var></p>'
    ),
    "a field with a letter": page('<div contenteditable="true">Dear {{ name }}!</div>'),
    "a format in an attribute": page("<h1 data-format='${{amount}}'>Soup</h1>"),
    "a script fills it in": page("<h1>{{ title }}</h1><script>fill({title: 'Soup'})</script>"),
    "code": page("<pre>{% if soup %}</pre><code>{{ title }}</code><textarea><?php</textarea>"),
    "a script's template": page('<script type="text/template"><% if (soup) { %><%= soup %></script>'),
    "styles": page("<p>Soup</p>", "<style>\n@media (width > 9px) {\n p { color: red }\n}</style>"),
    "a comment": page("<p>Soup</p><!-- <?php echo 1 ?> {{ title }} -->"),
    "prices": page("<p>Save 20 %} of {% everything</p><p>5 <% 6 and {{}}</p>"),
    "Tailwind": page('<p class="[color:red] grid-cols-[1fr_2fr]">Soup (click)="here"</p>'),
    "an XML declaration": '<?xml version="1.0"?>' + page("<p>Soup</p>"),
    "an escaped quote": page('<p onclick=\'say(\\"x\\")\' class="a" id="b">Soup</p>'),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_shows_such_marks_is_a_page(name: str) -> None:
    assert read_document(PAGES[name], max_bytes=10**6).html == PAGES[name].encode()


@pytest.mark.parametrize(
    "part",
    [
        "<%",
        "{%",
        "{{",
        "<!--",
        "<pre>",
        '<a "',
        "<a b='",
        "{% if ",
        "\n@if (",
        "{{#",
        "</html> <!--",
        " a=\\",
        "<a class='code'>",
        "<a class='",
        "---\nlet ",
        "@if (",
        "${",
        "<script ",
    ],
)
def test_unfinished_marks_take_no_time(part: str) -> None:
    began = time.process_time()

    with contextlib.suppress(NotHtml):
        read_document("<p>x" + part * (500_000 // len(part)), max_bytes=10**6)

    assert time.process_time() - began < 5
