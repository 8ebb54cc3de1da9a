"""Group C: pages that reach out, to the network, to files, to the machine, to the next page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.models.page import Document

HOST = "http://127.0.0.1:@PORT@"

REACHING_OUT = f"""
<link rel=stylesheet href='{HOST}/a.css'><link rel=prefetch href='{HOST}/p'><link rel=icon href='{HOST}/i'>
<img src='{HOST}/a.png'><iframe src='{HOST}/f'></iframe><object data='{HOST}/o'></object>
<embed src='{HOST}/e'><video src='{HOST}/v' autoplay></video><script src='{HOST}/a.js'></script>
<form action='{HOST}/post' method=post target=_blank><input name=a></form>
<style>@import '{HOST}/i.css'; @font-face {{ font-family: far; src: url({HOST}/f.woff2) }}
h1 {{ font-family: far, serif; background: url({HOST}/b.png) }}</style>
<script>
  fetch('{HOST}/fetch').catch(() => {{}});
  navigator.sendBeacon('{HOST}/beacon', 'x');
  new EventSource('{HOST}/events');
  try {{ new WebSocket('ws://127.0.0.1:@PORT@/socket') }} catch {{}}
  try {{ new Worker('{HOST}/worker.js') }} catch {{}}
  try {{ new Worker(URL.createObjectURL(new Blob(["fetch('{HOST}/in-worker')"]))) }} catch {{}}
  open('{HOST}/popup');
  document.forms[0].submit();
</script>
"""

# Name: the page, and its warnings.
CASES: dict[str, tuple[str, tuple[str, ...]]] = {
    "remote_img_css_js": (REACHING_OUT, ("blocked_requests", "popups")),
    "cdn_tailwind": (
        "<script src='https://cdn.tailwindcss.com'></script>"
        "<link rel=stylesheet href='https://fonts.googleapis.com/css2?family=Inter'>",
        ("blocked_requests",),
    ),
    "metadata_169_254": (
        "<script>fetch('http://169.254.169.254/latest/meta-data').catch(() => {})</script>",
        ("blocked_requests",),
    ),
    "websocket": (
        "<script>for (const host of ['127.0.0.1', 'localhost', '[::1]'])"
        "new WebSocket(`ws://${host}:@PORT@/`)</script>",
        (),
    ),
    "webrtc_stun": (
        "<script>const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:@PORT@' }] });"
        "peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))"
        "</script>",
        (),
    ),
    "webtransport": (
        "<script>new WebTransport('https://127.0.0.1:@PORT@/').ready.catch(() => {})</script>",
        (),
    ),
    "preconnect": (
        f"<link rel=preconnect href='{HOST}'><link rel=dns-prefetch href='{HOST}'>"
        f"<link rel=preload as=image href='{HOST}/a.png'>",
        ("blocked_requests",),
    ),
    "file_iframe": ("<iframe src='file:///etc/passwd'></iframe>", ()),
    "file_object_css": (
        "<object data='file:///etc/passwd'></object><link rel=stylesheet href='file:///etc/passwd'>"
        "<img src='file:///etc/passwd'>",
        (),
    ),
    "base_href": (f"<base href='{HOST}/'><img src=a.png>", ("blocked_requests",)),
    "base_href_file": ("<base href='file:///etc/'><img src=passwd>", ()),
    "service_worker": ("<script>navigator.serviceWorker?.register('worker.js').catch(() => {})</script>", ()),
    "download": (
        "<a download=x.txt href='data:text/plain,x'>file</a><script>document.links[0].click()</script>",
        ("downloads",),
    ),
    "permissions": (
        "<script>navigator.geolocation.getCurrentPosition(() => document.body.append('granted'));"
        "navigator.mediaDevices?.getUserMedia({ video: true }).then(() => document.body.append('granted'));"
        "Notification.requestPermission().then((is) => is === 'granted' && document.body.append('granted'));"
        "</script>",
        (),
    ),
    "scheme_tricks": (
        "<iframe src='chrome://crash'></iframe><iframe src='view-source:file:///etc/passwd'></iframe>"
        "<iframe src='filesystem:http://page.test/x'></iframe><img src='HTTP://127.0.0.1:@PORT@/'>"
        "<iframe src='javascript:\"<p>inner\"'></iframe>",
        ("blocked_requests",),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_nothing_gets_out(trial: Any, name: str) -> None:
    body, codes = CASES[name]
    capture = trial.scored(body, *codes)

    text = " ".join(run.text for run in capture.text_runs)
    assert "root:" not in text
    assert "granted" not in text


def test_blocked_requests_are_counted_and_named(trial: Any) -> None:
    capture = trial.scored(
        "<img src='https://a.example/1.png'><img src='//b.example/2.png'>", "blocked_requests"
    )

    (warning,) = capture.warnings
    assert warning.count == 2
    assert "https://a.example/1.png, http://b.example/2.png" in warning.message.replace(
        "http://b.example/2.png, https://a.example/1.png", "https://a.example/1.png, http://b.example/2.png"
    )


def test_storage(trial: Any) -> None:
    """What one page stores, the next one (here: the same page again) does not find."""
    trial.scored(
        "<script>document.body.append(localStorage.getItem('seen') || document.cookie || 'Nothing kept');"
        "localStorage.setItem('seen', 'Kept'); document.cookie = 'seen=Kept; max-age=9999'</script>",
        shows="Nothing kept",
    )


def test_only_the_folder_of_the_page_is_served(trial: Any, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (tmp_path / "secret.css").write_text("h1::after { content: 'Leaked' }")
    (folder / "own.css").write_text("h1::after { content: 'Styled' }")
    (folder / "link.css").symlink_to(tmp_path / "secret.css")
    (folder / "frame.html").write_text("<!doctype html><p>Framed</p>")
    links = ["own.css", "link.css", "../secret.css", "%2e%2e/secret.css", "..%2fsecret.css", "/secret.css"]
    html = (
        "<!doctype html><html lang=en><title>Case</title>"
        + "".join(f"<link rel=stylesheet href='{link}'>" for link in links)
        + "<h1>Shown</h1><iframe src=frame.html></iframe></html>"
    )
    document = Document(label="page.html", html=html.encode(), folder=str(folder))

    capture = trial.scored(document, "blocked_requests", shows="Styled")

    text = " ".join(run.text for run in capture.text_runs)
    assert "Framed" in text
    assert "Leaked" not in text
