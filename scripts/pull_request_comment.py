"""Keep one comment on a pull request up to date with the results of a run in GitHub Actions.

Used by action.yml: `pull_request_comment.py SUMMARY.md --name NAME --status CODE --report URL`. The summary
is the job's, as written by pytest; the environment is that of an action, with GITHUB_TOKEN. Failure to write
the comment is only a warning: pull requests from forks have no permission to write.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

#: GitHub's limit is 65,536 characters, some of which it counts twice.
MAX_LENGTH = 60_000
_PAGE = 100
_SECONDS = 20


def comment_body(summary: str, *, name: str, status: str, report: str, commit: str) -> str:
    """Return the text of the comment.

    Args:
        summary: The job's summary in Markdown; empty if pytest ended before writing one.
        name: Name of the run, by which its comment is recognized.
        status: pytest's exit code.
        report: URL of the report, or "".
        commit: Head of the pull request.
    """
    head = f"{_marker(name)}\n"
    ended = "" if status == "0" else f" pytest ended with exit code {status}; its log says why."
    link = f" [Report]({report})." if report else ""
    tail = f"\nMeasured at {commit}.{ended}{link}\n"
    text = summary.strip() or f"### design2a11y: {name}\n\nNothing was measured."
    return head + _cut(text, MAX_LENGTH - len(head) - len(tail) - 1) + "\n" + tail


def _marker(name: str) -> str:
    return f"<!-- design2a11y: {name.replace('--', '- -')} -->"


def _cut(text: str, limit: int) -> str:
    """Shorten a text at the end of a line, and close open `details`."""
    if len(text) <= limit:
        return text
    end = "\n\n</details>\n\nThe rest is in the job's summary."
    kept = text[: limit - len(end)].rpartition("\n")[0]
    is_open = kept.count("<details>") > kept.count("</details>")
    return kept + (end if is_open else end.replace("</details>\n\n", ""))


class PullRequest:
    """The comments on one pull request.

    Args:
        api: URL of GitHub's API.
        repository: `owner/name`.
        number: Number of the pull request.
        token: Token with permission to write.
    """

    def __init__(self, api: str, repository: str, number: int, token: str) -> None:
        self._repository = f"{api}/repos/{repository}"
        self._number = number
        self._token = token

    def tell(self, body: str) -> None:
        """Write the comment, replacing the one that begins with the same line."""
        marker = body.partition("\n")[0]
        mine = (one for one in self._comments() if one["body"].startswith(marker) and _is_of_a_bot(one))
        if (old := next(mine, None)) is None:
            self._send("POST", f"/issues/{self._number}/comments", {"body": body})
        else:
            self._send("PATCH", f"/issues/comments/{old['id']}", {"body": body})

    def _comments(self) -> Iterator[dict[str, Any]]:
        page = 1
        while found := self._send("GET", f"/issues/{self._number}/comments?per_page={_PAGE}&page={page}"):
            yield from found
            page += 1

    def _send(self, method: str, path: str, content: Any = None) -> Any:
        data = None if content is None else json.dumps(content).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/vnd.github+json"}
        request = Request(self._repository + path, data=data, headers=headers, method=method)
        with urlopen(request, timeout=_SECONDS) as answer:
            return json.load(answer)


def _is_of_a_bot(comment: dict[str, Any]) -> bool:
    """Return whether an action wrote a comment, because anybody can begin one with our marker."""
    return bool(comment["user"]["type"] == "Bot")


def main(arguments: list[str] | None = None) -> None:
    """Read the job's environment and update the pull request."""
    parser = argparse.ArgumentParser()
    parser.add_argument("summary", type=Path)
    for name in ("name", "status", "report"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args(arguments)
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    if "pull_request" not in event:
        print("This run is not of a pull request: nothing to comment on.")
        return
    body = comment_body(
        options.summary.read_text(encoding="utf-8") if options.summary.exists() else "",
        name=options.name,
        status=options.status,
        report=options.report,
        commit=event["pull_request"]["head"]["sha"],
    )
    pull_request = PullRequest(
        os.environ["GITHUB_API_URL"],
        os.environ["GITHUB_REPOSITORY"],
        event["pull_request"]["number"],
        os.environ["GITHUB_TOKEN"],
    )
    try:
        pull_request.tell(body)
    except (OSError, HTTPException) as error:
        advice = "; the job needs `permissions: pull-requests: write`" if _is_refused(error) else ""
        print(f"::warning title=design2a11y::The comment was not written: {error}{advice}")


def _is_refused(error: Exception) -> bool:
    return isinstance(error, HTTPError) and error.code in (401, 403, 404)


if __name__ == "__main__":
    main()
