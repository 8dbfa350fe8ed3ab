"""The client of bindcar behind a TLS terminator: the token must not travel to somebody who only claims to be it."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from reconcilers.servers.bindcar import BindcarClient, BindcarUnreachable
from zonewright.envtest.embedded.tls import Certificates, make_certificates


class _Status(BaseHTTPRequestHandler):
    tokens: list[str]

    def do_GET(self) -> None:
        self.tokens.append(self.headers["Authorization"])
        body = json.dumps({"success": True, "details": "server is up and running"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Tests are quiet."""


@pytest.fixture
def certificates(tmp_path) -> Certificates:
    return make_certificates(tmp_path)


@pytest.fixture
def server(certificates: Certificates) -> Iterator[ThreadingHTTPServer]:
    _Status.tokens = []
    with ThreadingHTTPServer(("127.0.0.1", 0), _Status) as listening:
        listening.socket = certificates.context().wrap_socket(listening.socket, server_side=True)
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield listening
        listening.shutdown()
        thread.join()


def test_https_is_spoken_to_a_server_that_the_systems_authorities_vouch_for(server, certificates, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.ca))
    client = BindcarClient(f"https://localhost:{server.server_port}", "secret", timeout=60)
    assert client.server_status().details == "server is up and running"
    client.close()
    assert _Status.tokens == ["Bearer secret"]


def test_a_server_that_nobody_vouches_for_never_sees_the_token(server):
    client = BindcarClient(f"https://localhost:{server.server_port}", "secret", timeout=60)
    with pytest.raises(BindcarUnreachable):
        client.server_status()
    client.close()
    assert _Status.tokens == []
