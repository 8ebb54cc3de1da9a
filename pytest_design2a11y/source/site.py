"""The site of a page: its root folder, and the page's address in it."""

import html
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.page import Site
from pytest_design2a11y.wording import setting

_MAX_DEPTH = 12
_MAX_BASE_SEGMENTS = 3
_SAFE = "/~!$&'()*+,;=:@"
INDEX_NAMES = ("index.html", "index.htm")


@dataclass(frozen=True, slots=True)
class SiteChoice:
    """The user's choices about sites, including root folders for their pages.

    Roots are only searched for up to the ceiling; without one, not at all. With clean URLs, "/about" is
    about.html or about/index.html; in a single-page app, a path without a file is the root's index.html.
    """

    roots: tuple[Path, ...] = ()
    ceiling: Path | None = None
    clean_urls: bool = False
    single_page: bool = False

    def given_root(self, path: Path) -> Path | None:
        """Return the innermost given root that contains a path; None if none does."""
        holding = [root.resolve() for root in self.roots if path.is_relative_to(root.resolve())]
        return max(holding, key=lambda root: len(root.parts), default=None)


def choose_site(
    roots: Sequence[Path], folders: Sequence[Path], *, clean_urls: bool, single_page: bool
) -> SiteChoice:
    """Make the choice for a run, a marker or a pair.

    Relative roots are resolved against the folders and the working directory; no root is searched for above
    the last folder.

    Raises:
        ConfigurationError: A given root is not a folder.
    """
    found = []
    for root in roots:
        paths = (folder / root for folder in (*folders, Path.cwd()))
        folder = next((path for path in paths if path.is_dir()), None)
        if folder is None:
            raise ConfigurationError(
                f"The root {str(root)!r} is not a folder.",
                advice=f"Give {setting('root')} the folder that the site's absolute addresses start from.",
            )
        found.append(folder.resolve())
    return SiteChoice(tuple(found), folders[-1] if folders else None, clean_urls, single_page)


def site_of(page: bytes, file: Path, suffix: str, choice: SiteChoice, route: str | None = None) -> Site:
    """Return the site of a page (its bytes and resolved file), and its address there.

    The root is the given one; else the nearest ancestor of the page, not above the ceiling, under which most
    of the files exist that the page references by an absolute path or by `../`. `route` is the requested path
    if a single-page app answers for it.
    """
    given = choice.given_root(file)
    roots = [given or file.parent]
    if given is None and choice.ceiling is not None:
        top, above = choice.ceiling.resolve(), file.parent.parents[:_MAX_DEPTH]
        roots += [folder for folder in above if folder.is_relative_to(top) and folder.parent != folder]
    # The root and base under which most references exist, preferring the nearest.
    leaving = [reference for reference in local_references(page) if reference.startswith(("/", "../"))]
    bases = {"/": None}  # Then paths that a site may have been built for, such as "/my-project/"
    for reference in leaving:
        if reference.startswith("/"):
            segments = reference.split("/")[1:-1][:_MAX_BASE_SEGMENTS]
            bases |= dict.fromkeys(accumulate((f"{segment}/" for segment in segments), initial="/"))
    root, base = max(
        ((root, base) for base in list(bases)[: _MAX_DEPTH + 1] for root in roots),
        key=lambda site: sum(_exists(reference, site[0], site[1], file.parent) for reference in leaving),
    )
    if route is None:
        route = file.relative_to(root).as_posix()
        if file.name in INDEX_NAMES:
            route = route.removesuffix(file.name)
        route = route.removesuffix(".html") if choice.clean_urls else route
    return Site(
        root=str(root),
        base=base,
        address=base + quote(os.fsencode(route), safe=_SAFE) + suffix,
        is_root_given=given is not None,
        clean_urls=choice.clean_urls,
        single_page=choice.single_page,
    )


def with_files(site: Site, files: tuple[tuple[str, bytes], ...]) -> Site:
    """Return a site with the files of the page's own answer added, named by their path beside the page."""
    folder = urlsplit(site.address).path.removeprefix(site.base).rpartition("/")[0]
    prefix = f"{folder}/" if folder else ""
    return replace(site, files=tuple((prefix + name, content) for name, content in files))


def _exists(reference: str, root: Path, base: str, folder: Path) -> bool:
    if not reference.startswith("/"):
        target = Path(os.path.normpath(folder / reference))
    elif reference.startswith(base):
        target = Path(os.path.normpath(root / reference.removeprefix(base)))
    else:
        return False
    try:
        return target.is_relative_to(root) and target.is_file()
    except (OSError, ValueError):
        return False


#: Enough references to find a site's root.
MAX_REFERENCES = 100

_TAG = re.compile(
    rb"(?i)<(?:link|script|img|image|use|source|video|audio|track|iframe|embed|input|object)\b([^<>]{0,4000}+)>"
)
_ATTRIBUTE = re.compile(
    rb"(?i)(?:^|[\s\"'/])(?:src|href|xlink:href|poster|data|srcset)\s*+="
    rb"\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))"
)
_NAVIGATION = re.compile(rb"(?i)\brel\s*=\s*[\"']?(?:canonical|alternate|next|prev)\b")
_STYLE_URL = re.compile(rb"(?i)\burl\(\s{0,9}+[\"']?([^\"'()<>]{1,500})")
_IMPORT = re.compile(rb"\b(?:from|import)\s{0,9}+\(?\s{0,9}+[\"']((?:\.\.?)?/[^\"'\s]{1,500})[\"']")
_BASE = re.compile(rb"(?i)<base\b[^<>]{0,500}?\bhref\s{0,9}+=\s{0,9}+[\"']?([^\"'\s>]*)")
_HERE = "http://here.invalid"


def local_references(page: bytes) -> tuple[str, ...]:
    """Return the paths, as written and decoded, of files that a page loads from its own site.

    Links for people to follow, queries and fragments are left out. `<base>` applies: if it names another
    host, nothing is local; if it names a path, the references are returned as absolute paths.
    """
    tag = _BASE.search(page)
    base = _local_path(html.unescape(tag.group(1).decode("utf-8", "replace"))) if tag else ""
    if base is None:
        return ()
    found: dict[str, None] = {}
    for written in _written(page):
        address = html.unescape(written.decode("utf-8", "replace")).strip()
        path = _local_path(address)
        if not path or not address.isprintable():
            continue
        if base.startswith("/"):
            path = urlsplit(urljoin(_HERE + base, path)).path
        elif base:
            path = urljoin(base, path)
        if path:
            found[unquote(path)] = None
        if len(found) >= MAX_REFERENCES:
            break
    return tuple(found)


def _written(page: bytes) -> Iterator[bytes]:
    for tag in _TAG.finditer(page):
        if _NAVIGATION.search(tag.group(1)):
            continue
        for attribute in _ATTRIBUTE.finditer(tag.group(1)):
            value = attribute.group(1) or attribute.group(2) or attribute.group(3) or b""
            if b"srcset" in attribute.group().lower()[:10]:
                yield from (part.split()[0] for part in value.split(b",") if part.strip())
            else:
                yield value
    for pattern in (_STYLE_URL, _IMPORT):
        yield from (match.group(1) for match in pattern.finditer(page))


def _local_path(address: str) -> str | None:
    """Return the path of an address; None if it names a host."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return None if parts.scheme or parts.netloc else parts.path
