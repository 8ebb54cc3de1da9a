"""The test suites of the matrix: one for each style, as files by their names."""

from __future__ import annotations

PAGE = """<!doctype html>
<html lang="en"><head><title>Sign in</title><style>
body { font: 16px sans-serif; margin: 40px; color: #222; background: #fff }
label, input { display: block; margin: 8px 0 }
button { background: #0b5; color: #000; padding: 8px 24px; border: 0 }
</style></head><body><main><h1>Sign in to your account</h1>
<p>Welcome back. Please enter your details below.</p>
<form><label for="mail">E-mail address</label><input id="mail" type="email">
<label for="word">Password</label><input id="word" type="password">
<button>Continue</button></form></main></body></html>
"""

#: In every project.
PAGES = {"designs/login.html": PAGE, "generated/login.html": PAGE.replace("40px", "44px")}

FILES = {
    "test_files.py": """
import pytest
from pytest_design2a11y import assert_iwir, assert_visual_similarity, page_pairs

def test_call(render):
    design = render("designs/login.html", role="reference")
    page = render("generated/login.html")
    assert_visual_similarity(design, page) > 0.8
    assert_iwir(page) < 0.4

@pytest.mark.design2a11y(reference="designs/login.html", candidate="generated/login.html")
def test_marked(reference, candidate):
    assert_visual_similarity(reference, candidate) > 0.8

@pytest.mark.parametrize(("reference", "candidate"), page_pairs("designs", "generated"), indirect=True)
def test_pairs(reference, candidate):
    pass

class TestShared:
    @pytest.fixture(scope="class")
    def design(self, design2a11y_render):
        return design2a11y_render("designs/login.html", role="reference")

    @pytest.fixture(scope="class")
    def page(self, design2a11y_render, design):
        return design2a11y_render("generated/login.html", reference=design)

    def test_one(self, design, page):
        assert_iwir(page) < 0.4

    def test_other(self, design, page):
        assert_visual_similarity(design, page) > 0.8
"""
}

LIVE = {
    "test_live.py": """
from pathlib import Path
from pytest_design2a11y import assert_visual_similarity

def test_live(page, render):
    page.goto((Path(__file__).parent / "generated/login.html").as_uri())
    page.get_by_label("E-mail address").fill("ada@example.org")
    design = render("designs/login.html", role="reference")
    assert_visual_similarity(design, render(page)) > 0.8
    assert page.get_by_label("E-mail address").input_value() == "ada@example.org"

def test_file(render):
    render("designs/login.html", role="reference")
    render("generated/login.html")
"""
}

_SERVED = '''
import asyncio
from pathlib import Path

async def answer(reader, writer):
    await reader.readuntil(b"\\r\\n\\r\\n")
    body = (Path(__file__).parent / "generated/login.html").read_bytes()
    head = f"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nContent-Length: {len(body)}\\r\\n"
    writer.write(head.encode() + b"Connection: close\\r\\n\\r\\n" + body)
    await writer.drain()
    writer.close()

async def render_served(render):
    """The server runs in the test's own loop, which must go on while the page is rendered."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        return await asyncio.to_thread(render, f"http://127.0.0.1:{port}/")
'''

ASYNCIO = {
    "served.py": _SERVED,
    "test_asyncio.py": """
import asyncio
import pytest
from pytest_design2a11y import assert_iwir, assert_visual_similarity
from served import render_served

def test_sync_before(render):
    render("designs/login.html", role="reference")
    render("generated/login.html")

@pytest.fixture
async def design(render):
    return await asyncio.to_thread(render, "designs/login.html", role="reference")

@pytest.mark.asyncio
async def test_async(render):
    design = await asyncio.to_thread(render, "designs/login.html", role="reference")
    page = await asyncio.to_thread(render, "generated/login.html")
    assert_visual_similarity(design, page) > 0.8

@pytest.mark.asyncio
async def test_async_fixture(design, render):
    assert_visual_similarity(design, await render_served(render)) > 0.8

@pytest.mark.asyncio
async def test_many_at_once(render):
    design = await asyncio.to_thread(render, "designs/login.html", role="reference")
    pages = await asyncio.gather(*(asyncio.to_thread(render, "generated/login.html") for _ in range(3)))
    for page in pages:
        assert_visual_similarity(design, page) > 0.8

@pytest.mark.asyncio
async def test_sync_render_in_an_async_test(render):
    render("designs/login.html", role="reference")
    assert_iwir(render("generated/login.html")) < 0.4

def test_sync_after(render):
    render("designs/login.html", role="reference")
    render("generated/login.html")
""",
    "pytest.ini": "[pytest]\nasyncio_mode = auto\n",
}

ANYIO = {
    "test_anyio.py": """
import pytest
from pytest_design2a11y import assert_visual_similarity

pytestmark = pytest.mark.anyio

async def test_async(render):
    design = render("designs/login.html", role="reference")
    page = render("generated/login.html")
    assert_visual_similarity(design, page) > 0.8

def test_sync(render):
    render("designs/login.html", role="reference")
    render("generated/login.html")
"""
}

BDD = {
    "login.feature": """
Feature: Sign in
  Scenario: The page looks like its design
    Given the design of the login page
    When the generated page is rendered
    Then it looks alike and is accessible
""",
    "test_bdd.py": """
from pytest_bdd import given, scenarios, then, when
from pytest_design2a11y import assert_iwir, assert_visual_similarity

scenarios("login.feature")

@given("the design of the login page", target_fixture="design")
def _(render):
    return render("designs/login.html", role="reference")

@when("the generated page is rendered", target_fixture="page_shown")
def _(render):
    return render("generated/login.html")

@then("it looks alike and is accessible")
def _(design, page_shown):
    assert_visual_similarity(design, page_shown) > 0.8
    assert_iwir(page_shown) < 0.4
""",
}

UNITTEST = {
    "test_unittest.py": """
import unittest
import pytest
from pytest_design2a11y import assert_iwir, assert_visual_similarity

class LoginTest(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def take(self, render):
        self.render = render

    def test_alike(self):
        design = self.render("designs/login.html", role="reference")
        assert_visual_similarity(design, self.render("generated/login.html")) > 0.8

class SharedTest(unittest.TestCase):
    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def pages(cls, design2a11y_render):
        cls.design = design2a11y_render("designs/login.html", role="reference")
        cls.page = design2a11y_render("generated/login.html", reference=cls.design)

    def test_alike(self):
        assert_visual_similarity(self.design, self.page) > 0.8

    def test_accessible(self):
        assert_visual_similarity(self.design, self.page) > 0.8
        assert_iwir(self.page) < 0.4
"""
}

DJANGO = {
    "pytest.ini": "[pytest]\nDJANGO_SETTINGS_MODULE = site_settings\npythonpath = .\n",
    "site_settings.py": """
SECRET_KEY = "only-here"
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "site_urls"
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
STATIC_URL = "/static/"
""",
    "site_urls.py": """
from pathlib import Path
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.urls import path

def login(request):
    page = (Path(__file__).parent / "generated/login.html").read_text()
    name = User.objects.get().username
    return HttpResponse(page.replace("Welcome back.", f"Welcome back, {name}."))

urlpatterns = [path("login", login)]
""",
    "test_django.py": """
import pytest
from django.contrib.auth.models import User
from pytest_design2a11y import assert_visual_similarity

@pytest.mark.django_db(transaction=True)
def test_served(live_server, render):
    User.objects.create_user("ada")
    design = render("designs/login.html", role="reference")
    page = render(f"{live_server.url}/login")
    assert any("Welcome back, ada." in run.text for run in page.text_runs)
    assert_visual_similarity(design, page) > 0.8
    assert User.objects.count() == 1  # Django refuses this in a thread whose event loop runs

@pytest.mark.django_db
def test_database_afterwards():
    assert User.objects.count() == 0
""",
}

FLASK = {
    "conftest.py": """
from pathlib import Path
import flask
import pytest

@pytest.fixture(scope="session")
def app():
    app = flask.Flask(__name__)

    @app.route("/login")
    def login():
        return (Path(__file__).parent / "generated/login.html").read_text()

    return app
""",
    "test_flask.py": """
from pytest_design2a11y import assert_visual_similarity

def test_served(live_server, render):
    design = render("designs/login.html", role="reference")
    page = render(live_server.url("/login"))
    assert_visual_similarity(design, page) > 0.8
""",
}

MANY = {
    "test_many.py": """
import pytest

@pytest.mark.parametrize("number", range(4))
def test_page(render, number):
    render("designs/login.html", role="reference")
    render("generated/login.html")
"""
}
