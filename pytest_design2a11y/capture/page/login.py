"""The login of a page: an address answers as to a logged-in user, for the named hosts and no others."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Request, Route

from pytest_design2a11y.capture.isolation.hosts import HostClient
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.page.network import pass_on
from pytest_design2a11y.exceptions import ConfigurationError

_MOST_REDIRECTS = 20


def hosts_of(limits: CaptureLimits, url: str) -> HostClient:
    """Return the hosts that may see the login: those opened by name, else the address's own."""
    own = urlsplit(url).netloc.rpartition("@")[2].lower()
    default_port = {"http": 80, "https": 443}.get(urlsplit(url).scheme)
    return HostClient(limits.allow_host or ((own if urlsplit(url).port else f"{own}:{default_port}"),))


def stored_login(limits: CaptureLimits, url: str) -> dict[str, Any]:
    """Return Playwright's option with the cookies and storage of named hosts; else ConfigurationError."""
    if limits.storage_state is None and not limits.cookie:
        return {}
    hosts = hosts_of(limits, url)
    names = [name.partition(":")[0] if name.count(":") == 1 else name for name in hosts.names]
    cookies, origins = [], []
    if limits.storage_state is not None:
        try:
            kept = json.loads(limits.storage_state.read_text(encoding="utf-8"))
            cookies = [cookie for cookie in kept.get("cookies", ()) if _is_named(names, cookie["domain"])]
            origins = [origin for origin in kept.get("origins", ()) if hosts.allows(origin["origin"])]
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise ConfigurationError(
                f"{limits.storage_state} is not a Playwright storage state: {type(error).__name__}.",
                advice="Write one by context.storage_state(path=...), or playwright codegen --save-storage.",
            ) from None
    cookies += [
        {"name": name, "value": value, "domain": host.strip("[]"), "path": "/"}
        for name, value in limits.cookie
        for host in names
    ]
    return {"storage_state": {"cookies": cookies, "origins": origins}}


def _is_named(names: Sequence[str], domain: str) -> bool:
    """Return whether a cookie's domain is a named host, or a parent domain of one."""
    bare = domain.lstrip(".").lower()
    return any(name == bare or (domain.startswith(".") and name.endswith(f".{bare}")) for name in names)


def passing_on(limits: CaptureLimits, url: str) -> Callable[[Route, Request], None]:
    """Return a handler that passes requests on to the network, adding the user's headers for named hosts."""
    if not limits.header:
        return pass_on
    hosts, more = hosts_of(limits, url), {name.lower(): value for name, value in limits.header}

    def answer(route: Route, request: Request) -> None:
        if not isinstance(route, Route) or not hosts.allows(request.url):
            pass_on(route, request)
            return
        headers = {**request.headers, **more}
        with suppress(PlaywrightError):
            response = route.fetch(headers=headers, max_redirects=0)
            # A page that is handed over, not loaded, may ask nothing of this machine's servers; and a header
            # passed to `continue_` goes along every redirect, wherever it leads.
            is_loaded = request.is_navigation_request() or 300 <= response.status < 400
            if is_loaded and _stays(route, headers, response.headers, request.url, hosts):
                route.continue_(headers=headers)
            else:
                route.fulfill(response=response)
            return
        with suppress(PlaywrightError):
            route.abort()

    return answer


def _stays(
    route: Route, headers: dict[str, str], answered: dict[str, str], url: str, hosts: HostClient
) -> bool:
    """Return whether redirects end on named hosts, by following them."""
    for _ in range(_MOST_REDIRECTS):
        if "location" not in answered:
            return True
        url = urljoin(url, answered["location"])
        if not hosts.allows(url):
            return False
        response = route.fetch(url=url, method="GET", headers=headers, max_redirects=0)
        answered = response.headers if 300 <= response.status < 400 else {}
    return False
