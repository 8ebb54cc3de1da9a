"""Group F: further ways to reach out, all on one page and each on its own: nothing gets out by any."""

from __future__ import annotations

from typing import Any

import pytest

HOST = "http://127.0.0.1:@PORT@"

# Name: what the page does. Each asks for addresses of the logger.
MARKUP = {
    "modulepreload": f"<link rel=modulepreload href='{HOST}/m.js'>",
    "manifest": f"<link rel=manifest href='{HOST}/app.webmanifest' crossorigin=use-credentials>",
    "ping": f"<a id=a ping='{HOST}/ping' href='#x'>away</a><script>a.click()</script>",
    "image_button": f"<input type=image alt=x src='{HOST}/b.png'>",
    "track": f"<video muted autoplay><track default src='{HOST}/t.vtt'></video>",
    "poster": f"<video poster='{HOST}/p.png'></video>",
    "cursor": f"<style>h1 {{ cursor: url({HOST}/c.cur), auto }}</style>",
    "image_set": f"<style>h1 {{ background: image-set('{HOST}/1.png' 1x, '{HOST}/2.png' 2x) }}</style>",
    "list_marker": f"<ul style='list-style-image: url({HOST}/l.png)'><li>one</ul>",
    "border_image": f"<p style='border: 9px solid; border-image: url({HOST}/b.png) 3'>framed",
    "shape_outside": f"<i style='float: left; height: 9px; shape-outside: url({HOST}/s.png)'></i>",
    "import_layer": f"<style>@import url('{HOST}/a.css') layer(x) supports(display: grid) screen;</style>",
    "svg_use": f"<svg width=9 height=9><use href='{HOST}/i.svg#a' /><image href='{HOST}/i.png' /></svg>",
    "svg_filter": f"<svg><filter id=f><feImage href='{HOST}/f.png'/></svg><p style='filter: url(#f)'>",
    "svg_style": f"<svg><style>@import '{HOST}/svg.css'; text {{ fill: url({HOST}/f.svg#a) }}</style></svg>",
    "picture_source": f"<picture><source srcset='{HOST}/a.avif 1x'><img alt='' src='{HOST}/a.png'></picture>",
    "link_srcset": f"<link rel=preload as=image imagesrcset='{HOST}/a.png 1x, {HOST}/b.png 2x'>",
    "frame_of_frames": f"<iframe srcdoc=\"<iframe src='{HOST}/in'></iframe><img src='{HOST}/i'>\"></iframe>",
    "speculation": '<script type=speculationrules>{"prerender": [{"urls": ["/next"]}], "prefetch": [{"urls":'
    f' ["{HOST}/p"]}}]}}</script><link rel=prerender href="{HOST}/r">',
    "policy_report": "<meta http-equiv=Content-Security-Policy content=\"img-src 'none'; report-uri "
    f"{HOST}/report\"><img alt='' src=x.png>",
    "refresh_of_frame": f"<iframe srcdoc=\"<meta http-equiv=refresh content='0;url={HOST}/f'>\"></iframe>",
    "base_in_frame": f"<iframe srcdoc=\"<base href='{HOST}/'><img alt='' src=a.png><p>in\"></iframe>",
    "form_in_frame": '<iframe srcdoc="'
    f"<form action='{HOST}/f'></form><script>document.forms[0].submit()</script>\"></iframe>",
}
SCRIPTS = {
    "import": f"import('{HOST}/m.js').catch(() => {{}})",
    "import_scripts": "new Worker(URL.createObjectURL(new Blob(["
    f"`try {{ importScripts('{HOST}/w.js') }} catch {{}} new WebSocket('ws://127.0.0.1:@PORT@/')`])))",
    "worklet": f"CSS.paintWorklet?.addModule('{HOST}/w.js').catch(() => {{}});"
    f"new OfflineAudioContext(1, 9, 9000).audioWorklet?.addModule('{HOST}/a.js').catch(() => {{}})",
    "fetch_later": f"globalThis.fetchLater?.('{HOST}/later');"
    f"fetch('{HOST}/k', {{ keepalive: true }}).catch(() => {{}})",
    "beacon_when_hidden": f"addEventListener('pagehide', () => navigator.sendBeacon('{HOST}/bye'));"
    f"addEventListener('visibilitychange', () => navigator.sendBeacon('{HOST}/hidden'))",
    "socket_stream": "try { new WebSocketStream('ws://127.0.0.1:@PORT@/') } catch {}"
    "try { new WebSocket('ws://127.0.0.1:@PORT@/') } catch {}",
    "font_face": f"new FontFace('far', 'url({HOST}/f.woff2)').load().catch(() => {{}})",
    "constructed_image": f"new Image().src = '{HOST}/i.png';"
    f"new Audio('{HOST}/a.mp3').play().catch(() => {{}})",
    "event_source": f"new EventSource('{HOST}/events')",
    "credentials": f"navigator.credentials?.get({{ identity: {{ providers:"
    f"[{{ configURL: '{HOST}/c.json',"
    "clientId: '1' } ] } }).catch(() => {})",
    "payment": f"try {{ new PaymentRequest([{{ supportedMethods: '{HOST}/pay' }}],"
    "{ total: { label: 'x', amount:"
    "{ currency: 'EUR', value: '1' } } }).canMakePayment().catch(() => {}) } catch {}",
    "shared_storage": f"globalThis.sharedStorage?.worklet.addModule('{HOST}/s.js').catch(() => {{}})",
    "local_addresses": "for (const host of ['0.0.0.0', '[::]', '127.1', '2130706433', '0x7f.1'])"
    "fetch(`http://${host}:@PORT@/`, { mode: 'no-cors' }).catch(() => {})",
    "popup_of_data": f"open('data:text/html,<img src={HOST}/d.png>');open('{HOST}/popup', 'x', 'noopener')",
}
PAGES = {**MARKUP, **{name: f"<script>{code}</script>" for name, code in SCRIPTS.items()}}

# The browser asks for nothing here: it waits for a click, for support, or for the page's end.
UNTOLD = {
    *("ping", "track", "cursor", "manifest", "speculation", "policy_report", "beacon_when_hidden"),
    *("credentials", "payment", "shared_storage", "worklet"),
}


# These keep others on their page from asking.
ALONE = {"policy_report", "base_in_frame"}


def told_of(trial: Any, body: str) -> set[str]:
    """Capture a page from which nothing may get out; return what its warnings are about."""
    capture = trial.read(f"<!doctype html><html lang=en><title>Case</title><h1>Shown</h1>{body}</html>")

    assert "Shown" in {run.text for run in capture.text_runs}
    return {warning.code for warning in capture.warnings}


def test_no_way_leads_out_of_a_page_that_tries_nearly_all(trial: Any) -> None:
    told = told_of(trial, "".join(body for name, body in PAGES.items() if name not in ALONE))

    assert {"blocked_requests", "popups"} <= told


@pytest.mark.alike(12, is_long=True)
@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_no_way_leads_out(trial: Any, name: str) -> None:
    told = told_of(trial, PAGES[name])

    assert name in UNTOLD or told & {"blocked_requests", "popups", "navigations"}, told
