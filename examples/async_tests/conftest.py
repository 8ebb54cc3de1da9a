"""The suite's event loop, and what is served from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def site(anyio_backend: str) -> AsyncIterator[str]:
    """Serve the generated pages from the test's own loop; gives the address."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    request = await reader.readuntil(b"\r\n\r\n")
    path = EXAMPLES / "generated/prompt-a" / Path(request.split()[1].decode()).name
    body = path.read_bytes() if path.is_file() else b""
    status = "200 OK" if path.is_file() else "404 Not Found"
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
    await writer.drain()
    writer.close()
