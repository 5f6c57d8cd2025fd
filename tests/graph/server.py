"""A file server on 127.0.0.1 that misbehaves on request."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server:
    """Serves ``files``; the other attributes set the faults."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.requests: list[tuple[str, str | None]] = []  # path, Range header
        self.conditions: list[str | None] = []  # their If-Range headers
        self.break_after: list[int] = []  # bytes of the next answers before the connection drops
        self.status: list[int] = []  # codes of the next answers, instead of the file
        self.ranges = True
        self.etag: str | None = '"v1"'
        self.lie_about_range = False
        self.redirects = False
        self.headers: dict[str, str] = {}  # besides, or instead of the usual ones
        self.url = ""


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            server.requests.append((self.path, asked))
            server.conditions.append(self.headers.get("If-Range"))
            data = server.files.get(self.path.lstrip("/"))
            if server.status:
                self.send_error(server.status.pop(0))
                return
            if data is None:
                self.send_error(404)
                return
            if server.redirects:
                self.send_response(302)
                self.send_header("Location", server.headers["Location"])
                self.end_headers()
                return
            start = 0
            same = self.headers.get("If-Range") in (None, server.etag)
            if asked and server.ranges and same:
                found = re.fullmatch(r"bytes=(\d+)-", asked)
                start = int(found[1]) if found else 0
                if start >= len(data):
                    self.send_error(416)
                    return
                self.send_response(206)
                claimed = start + 1 if server.lie_about_range else start
                self.send_header("Content-Range", f"bytes {claimed}-{len(data) - 1}/{len(data)}")
            else:
                self.send_response(200)
            if server.etag:
                self.send_header("ETag", server.etag)
            for name, value in server.headers.items():
                self.send_header(name, value)
            if "Content-Length" not in server.headers:
                self.send_header("Content-Length", str(len(data) - start))
            self.end_headers()
            body = data[start:]
            if server.break_after:
                self.wfile.write(body[: server.break_after.pop(0)])
                self.wfile.flush()
                self.close_connection = True
                self.connection.close()
                return
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        httpd.handle_error = lambda *_: None  # connections that break are the point
        server.url = f"http://127.0.0.1:{httpd.server_address[1]}"
        thread = threading.Thread(target=httpd.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            httpd.shutdown()
            thread.join()
