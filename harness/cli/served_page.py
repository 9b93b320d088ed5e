"""A report on the loopback, which shows a new one by itself."""

from __future__ import annotations

import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

import msgspec

from harness.errors import UsageError
from harness.report.page import environment

HOST = "127.0.0.1"
PATIENCE = 20.0
"""Seconds for which the page waits for a new report before it asks again."""


class ServedPage:
    """Serves the latest report to this machine alone; use it as a context manager.

    Parameters
    ----------
    port : int
        0 for any that is free.

    Raises
    ------
    UsageError
        The port is taken.
    """

    def __init__(self, port: int = 0) -> None:
        self._changed = threading.Condition()
        self._number = 0
        self._words = ""
        self._page = b""
        self.frame = environment().get_template("watch.html").render().encode()
        self._ended = False
        try:
            self._server = ThreadingHTTPServer((HOST, port), _handler_of(self))
        except (OSError, OverflowError) as error:
            raise UsageError(
                f"--port {port}: {getattr(error, 'strerror', None) or error}",
                advice="--port 0 takes any free one",
            ) from error
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://{self.host}/"

    @property
    def host(self) -> str:
        """Address and port."""
        return f"{HOST}:{self._server.server_address[1]}"

    @property
    def page(self) -> bytes:
        """The latest report."""
        with self._changed:
            return self._page

    def show(self, page: bytes, words: str) -> None:
        """Show a report, and what it comes to in a line."""
        with self._changed:
            self._number, self._words, self._page = self._number + 1, words, page
            self._changed.notify_all()

    def after(self, number: int) -> tuple[int, str]:
        """The number of the latest report and its words, as soon as it is another than this."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._number != number, PATIENCE)
            return self._number, self._words

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()


def _handler_of(served: ServedPage) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Answer with the frame, the report, or what is new."""
            # Another site's page, under a name that leads here, is not to read it.
            if self.headers.get("Host") != served.host:
                self.send_error(HTTPStatus.FORBIDDEN)
                return
            asked = urlsplit(self.path)
            match asked.path:
                case "/":
                    self._answer("text/html; charset=utf-8", served.frame)
                case "/report.html":
                    self._answer("text/html; charset=utf-8", served.page)
                case "/next":
                    text = parse_qs(asked.query).get("after", ["0"])[0]
                    number, words = served.after(int(text) if text.isdecimal() and len(text) < 10 else 0)
                    self._answer("application/json", msgspec.json.encode({"number": number, "words": words}))
                case _:
                    self.send_error(HTTPStatus.NOT_FOUND)

        def _answer(self, kind: str, content: bytes) -> None:
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing: the terminal has the verdicts."""

    return Handler
