"""Group C: pages that reach out, to the network, to files, to the machine, to the next page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.capture.isolation import remote
from pytest_design2a11y.models.page import Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

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
        ("blocked_requests",),
    ),
    "webrtc_stun": (
        "<script>const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:@PORT@' }] });"
        "peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))"
        "</script>",
        ("blocked_requests",),
    ),
    "shared_worker": (
        "<script>try { new SharedWorker(URL.createObjectURL(new Blob([`fetch('http://127.0.0.1:@PORT@/');"
        "new WebSocket('ws://127.0.0.1:@PORT@/')`]))) } catch {}</script>",
        ("blocked_requests",),
    ),
    "file_iframe": ("<iframe src='file:///etc/passwd'></iframe>", ()),
    "base_href": (f"<base href='{HOST}/'><img src=a.png>", ("blocked_requests",)),
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
    "webrtc_turn_tcp": (
        "<iframe></iframe><script>for (const where of [self, frames[0]])"
        "for (const Peer of [where.RTCPeerConnection, where.webkitRTCPeerConnection])"
        "try { const peer = new Peer({ iceServers: [{ urls: ['turn:127.0.0.1:@PORT@?transport=tcp',"
        "'turn:localhost:@PORT@?transport=tcp'], username: 'a', credential: 'b' }] });"
        "peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))"
        "} catch {}</script>",
        ("blocked_requests",),
    ),
    "webtransport": (
        "<script>new WebTransport('https://127.0.0.1:@PORT@/').ready.catch(() => {})</script>",
        ("blocked_requests",),
    ),
    "preconnect": (
        f"<link rel=preconnect href='{HOST}'><link rel=dns-prefetch href='{HOST}'>"
        f"<link rel=preload as=image href='{HOST}/a.png'>",
        ("blocked_requests",),
    ),
    "file_object_css": (
        "<object data='file:///etc/passwd'></object><link rel=stylesheet href='file:///etc/passwd'>"
        "<img src='file:///etc/passwd'>",
        (),
    ),
    "base_href_file": ("<base href='file:///etc/'><img src=passwd>", ()),
}


# Of each kind of way, one.
TELLING = ("remote_img_css_js", "websocket", "webrtc_stun", "shared_worker", "file_iframe", "permissions")


@pytest.mark.alike(len(TELLING), is_long=True)
@pytest.mark.parametrize("name", dict.fromkeys((*TELLING, *CASES)))
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

    capture = trial.scored(document, "refused_files", "missing_files", shows="Styled")

    text = " ".join(run.text for run in capture.text_runs)
    assert "Framed" in text
    assert "Leaked" not in text


# What the browser writes into its log of the network when something leaves it, by whichever way.
SENDING = {
    "DNS_TRANSACTION",
    "HOST_RESOLVER_SYSTEM_TASK",
    "TCP_CONNECT_ATTEMPT",
    "UDP_BYTES_SENT",
    "SOCKET_BYTES_SENT",
}
NAMES = """
<link rel=dns-prefetch href='//prefetch.secret.test'><link rel=preconnect href='//preconnect.secret.test'>
<script>
  const code = `fetch('http://worker.secret.test/'); new WebSocket('ws://worker-socket.secret.test/')`;
  const attempts = [
    () => new WebSocket('ws://socket.secret.test/'),
    () => new WebTransport('https://transport.secret.test/'),
    () => new Worker(URL.createObjectURL(new Blob([code]))),
    () => new SharedWorker(URL.createObjectURL(new Blob([code]))),
    () => {
      const urls = ['turn:turn.secret.test?transport=tcp', 'turns:turns.secret.test', 'stun:x.secret.test'];
      const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
      peer.createDataChannel('x');
      peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    },
  ];
  for (const attempt of attempts) try { attempt() } catch {}
</script>"""


def test_the_browser_itself_sends_nothing(
    make_renderer: Callable[..., Renderer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where the user's own arguments, or a missing script of ours, would let it."""
    log = tmp_path / "network.json"
    monkeypatch.setattr(remote, "WITHHELD", ())
    arguments = [f"--log-net-log={log}", "--host-resolver-rules=MAP * 127.0.0.1"]
    renderer = make_renderer(launch_options={"args": arguments})
    html = f"<!doctype html><html lang=en><title>Case</title><h1>Shown</h1>{NAMES}</html>".encode()

    renderer.capture(Document(label="<html>", html=html), role="candidate", audit=None)
    renderer.close()

    written = json.loads(log.read_text())
    names = {number: name for name, number in written["constants"]["logEventTypes"].items()}
    events = {names[event["type"]] for event in written["events"]}
    assert "WEBSOCKET_ALIVE" in events, "the log does not tell"
    assert not events & SENDING
