"""Connections to a host that can be cut from another thread: what is read from them then ends."""

from __future__ import annotations

import socket
import time
import urllib.request
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any


class CuttableConnections:
    """The connections that one answer takes, redirects included.

    Attributes:
        end: When they are cut, in the time of `time.monotonic`; none is opened after that.
    """

    def __init__(self, end: float) -> None:
        self.end = end
        self._sockets: list[socket.socket] = []

    @property
    def handlers(self) -> tuple[urllib.request.BaseHandler, ...]:
        """What makes an opener of `urllib.request` connect by these."""
        return _Http(self), _Https(self)

    def cut(self) -> None:
        """End all of them, from any thread."""
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def connect(self, kind: type[HTTPConnection], *arguments: Any, **options: Any) -> HTTPConnection:
        """Make a connection, which is to be one of them as soon as it is open."""
        connection = kind(*arguments, **options)
        connection.connect = partial(self._open, connection, connection.connect)  # type: ignore[method-assign]
        return connection

    def _open(self, connection: HTTPConnection, connect: Any) -> None:
        if time.monotonic() > self.end:
            raise TimeoutError("no whole answer in time")
        connect()
        self._sockets.append(connection.sock)


class _Http(urllib.request.HTTPHandler):
    def __init__(self, connections: CuttableConnections) -> None:
        super().__init__()
        self._connections = connections

    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(self._connections.connect, HTTPConnection), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, connections: CuttableConnections) -> None:
        super().__init__()
        self._connections = connections

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(partial(self._connections.connect, HTTPSConnection), req)
