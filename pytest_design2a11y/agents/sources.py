"""What an agent may name: files below the client's folders, addresses of allowed hosts, and text."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.source.files import kind_of, path_of_file_url


def folders_of(addresses: Iterable[str]) -> list[Path]:
    """Return the folders that a client gives as file: addresses; others are left out."""
    paths = (path_of_file_url(address) for address in addresses)
    return [Path(unquote(path)).resolve() for path in paths if path]


def checked_source(source: str, folders: Sequence[Path], hosts: Sequence[str]) -> str:
    """Return a source: a file in one of the folders, an allowed address, HTML; or ConfigurationError."""
    match kind_of(source):
        case "html":
            return source
        case "url":
            _require_host(source, hosts)
            return source
    path, page, query = (path_of_file_url(source) or source).partition("?")
    places = [(folder / path).resolve() for folder in folders]
    inside = [place for place in places if any(place.is_relative_to(folder) for folder in folders)]
    if not inside:
        raise ConfigurationError(
            f"{source} is outside of the folders that this server may read: {_listed(folders)}.",
            advice="Give a file in one of them.",
        )
    found = next((place for place in inside if place.exists()), None)
    if found is None:
        raise ConfigurationError(
            f"There is no {source} in {_listed(folders)}.", advice="Check the path, or give the page as html."
        )
    return f"{found}{page}{query}"


def _require_host(address: str, hosts: Sequence[str]) -> None:
    parts = urlsplit(address)
    if parts.hostname not in hosts and parts.netloc not in hosts:
        raise ConfigurationError(
            f"The host of {address} is not allowed.",
            advice=f"Start the server with --allow-host {parts.hostname}, or give a file.",
        )


def _listed(folders: Sequence[Path]) -> str:
    return ", ".join(map(str, folders))
