"""The HTTP server on a real socket: routes, methods, privacy, and handlers that raise."""

import http.client
import socket

import pytest

from zonewright.manager.httpserver import CannotListen, HttpServer, Reply


@pytest.fixture
def server():
    server = HttpServer("127.0.0.1", 0)
    server.route("/hello", lambda query: Reply.text(f"hello {query.get('name', 'you')}"))
    server.route("/json", lambda query: Reply.json({"a": 1}), private=True)

    def broken(query):
        raise KeyError("oops")

    server.route("/broken", broken)
    server.start()
    yield server
    server.stop()


def ask(server: HttpServer, path: str, method: str = "GET") -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request(method, path)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, reply.headers["Content-Type"], text


def test_a_route_answers(server):
    assert ask(server, "/hello") == (200, "text/plain; charset=utf-8", "hello you\n")
    assert ask(server, "/hello/?name=me")[2] == "hello me\n"


def test_a_private_route_answers_to_this_machine(server):
    assert ask(server, "/json")[:2] == (200, "application/json")


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("192.0.2.1", "403 Forbidden"),
        ("2001:db8::1", "403 Forbidden"),
        ("::1", "200 OK"),
        ("::ffff:127.0.0.1", "200 OK"),
    ],
)
def test_a_private_route_answers_to_nobody_else(server, address, status):
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/json", "REMOTE_ADDR": address}
    assert server._reply(environ).status == status


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_it_listens_on_ipv6_too():
    try:
        server = HttpServer("::1", 0)
    except OSError:
        pytest.skip("this machine has no IPv6")
    server.route("/json", lambda query: Reply.json({}), private=True)
    server.start()
    connection = http.client.HTTPConnection("::1", server.port, timeout=60)
    connection.request("GET", "/json")
    assert connection.getresponse().status == 200
    connection.close()
    server.stop()


def test_what_is_not_there_is_404_and_says_what_is(server):
    status, _, text = ask(server, "/nonsense")
    assert status == 404
    assert "/hello" in text


def test_a_handler_that_raises_is_500_and_the_server_goes_on(server, caplog):
    status, _, text = ask(server, "/broken")
    assert (status, text) == (500, "KeyError: see the log\n")
    assert "oops" in caplog.text
    assert ask(server, "/hello")[0] == 200


def test_only_reading_is_possible(server):
    assert ask(server, "/hello", "POST")[0] == 405
    assert ask(server, "/hello", "HEAD") == (200, "text/plain; charset=utf-8", "")


def test_a_server_that_never_started_can_be_stopped():
    HttpServer("127.0.0.1", 0).stop()


def test_an_address_in_use_is_named(server):
    with pytest.raises(CannotListen, match=f"cannot listen on 127.0.0.1:{server.port}: Address already in use"):
        HttpServer("127.0.0.1", server.port)
