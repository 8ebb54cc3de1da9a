"""The one call to Figma: what `import_figma` reads, fetched by the file's key."""

from __future__ import annotations

import urllib.error
import urllib.request
from urllib.parse import quote

from pytest_design2a11y.exceptions import ConfigurationError

ADDRESS = "https://api.figma.com"
_SECONDS = 60.0
_MAX_BYTES = 200_000_000

_ADVICE = {
    403: "Give a token that may read the file's content (scope file_content:read), of the environment.",
    404: "Look at the key: in https://www.figma.com/design/KEY/Name it stands after /design/.",
    429: "Figma asks to wait: try again in a minute.",
}


def fetch_nodes(key: str, node: str, token: str) -> bytes:
    """Return what Figma answers about a node of a file.

    Raises:
        ConfigurationError: Figma refuses, does not answer, or answers too much; the token is not told.
    """
    url = f"{ADDRESS}/v1/files/{quote(key, safe='')}/nodes?ids={quote(node.replace('-', ':'), safe='')}"
    request = urllib.request.Request(url, headers={"X-Figma-Token": token})
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as response:
            content: bytes = response.read(_MAX_BYTES + 1)
    except urllib.error.HTTPError as error:
        error.close()
        raise ConfigurationError(
            f"Figma answered {error.code} about the file {key}.",
            advice=_ADVICE.get(error.code, "Save its answer from elsewhere, and give that file."),
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", error)
        raise ConfigurationError(
            f"Figma cannot be asked: {why}.",
            advice="Save its answer where there is a network, and give that file.",
        ) from None
    if len(content) > _MAX_BYTES:
        raise ConfigurationError(
            f"Figma's answer has more than {_MAX_BYTES:,} bytes.", advice="Name a smaller frame by --node."
        )
    return content
