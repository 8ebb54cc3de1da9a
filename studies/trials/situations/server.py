"""A local server for a site, which may answer late."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

EVENTS = ("first", "second", "end")
BETWEEN_EVENTS = 0.2


@contextmanager
def serving(root: Path, *, delays: Mapping[str, float], fallback: bool) -> Iterator[str]:
    """Serve a folder on the loopback interface; give the address of its root."""
    handler = partial(_Handler, directory=str(root), delays=delays, fallback=fallback)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".woff2": "font/woff2",
    }

    def __init__(self, *passed: Any, delays: Mapping[str, float], fallback: bool, directory: str) -> None:
        self.delays, self.fallback = delays, fallback
        super().__init__(*passed, directory=directory)

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        time.sleep(self.delays.get(path, 0))
        if self.fallback and not Path(self.translate_path(path)).exists():
            self.path = "/index.html"
        with suppress(ConnectionError):  # a page may leave before it has its answer
            if path == "/events":
                self._send_events()
            else:
                super().do_GET()

    def _send_events(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in EVENTS:
            self.wfile.write(f"data: {event}\n\n".encode())
            self.wfile.flush()
            time.sleep(BETWEEN_EVENTS)

    def log_message(self, *_: Any) -> None:
        """Say nothing: what is asked for is not news."""
