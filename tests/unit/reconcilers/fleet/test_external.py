"""An external server as its object describes it: what can be used, and what is wrong with what cannot."""

import base64
from typing import Any

import pytest

from generated.bindy_firestoned_io_v1beta1 import Bind9InstanceSpec
from reconcilers.engine.api import Bindcar, Role, ServerSpec
from reconcilers.fleet.credentials import ConfigurationError, Use, credentials
from reconcilers.fleet.external import NOT_FOR_EXTERNAL, connection, probe
from zonewright import Kind, NotFound

KEY = "c2VjcmV0LW9mLXRzaWc="  # what a Secret's entry has inside its own base64
TOKEN = "token-that-nobody-sees"
TSIG = {"key-name": "update.example.org", "algorithm": "hmac-sha512", "secret": KEY}
FULL: dict[str, Any] = {
    "address": "192.0.2.53",
    "port": 5353,
    "role": "primary",
    "bindcarUrl": "http://192.0.2.53:8080",
    "bindcarTokenSecretRef": {"name": "token"},
    "tsigSecretRef": {"name": "tsig"},
}


TYPES = {"tsig": "bindy.firestoned.io/tsig", "token": "bindy.firestoned.io/bindcar-token"}
USE, HOSTS = "bindy.firestoned.io/secret-use", "bindy.firestoned.io/hosts"


class Secrets:
    """Of the types that they are used for, unless a test marks them in another way."""

    def __init__(self, **secrets: dict[str, str]) -> None:
        self._data = {
            name: {entry: base64.b64encode(text.encode()).decode() for entry, text in entries.items()}
            for name, entries in secrets.items()
        }
        self._marks: dict[str, dict[str, Any]] = {name: {"type": TYPES[name]} for name in secrets}

    def marked(
        self, name: str, kind: str = "Opaque", labels: dict[str, str] | None = None, hosts: str | None = None
    ) -> "Secrets":
        metadata = {"labels": labels, "annotations": None if hosts is None else {HOSTS: hosts}}
        self._marks[name] = {"type": kind, "metadata": metadata}
        return self

    def get_fields(self, kind: Kind[Any], name: str, namespace: str = "") -> dict[str, Any]:
        if name not in self._data:
            raise NotFound(f"secrets {name!r} not found", status=404)
        return {"data": self._data[name], **self._marks[name]}


class Raw(Secrets):
    """Entries as they are, encoded or not."""

    def __init__(self, **entries: str) -> None:
        self._entries = entries

    def get_fields(self, kind: Kind[Any], name: str, namespace: str = "") -> dict[str, Any]:
        return {"type": TYPES[name], "data": self._entries}


GOOD = Secrets(tsig=TSIG, token={"token": f"{TOKEN}\n"})


def connect(external: dict[str, Any] | None, secrets: Secrets = GOOD, **spec: Any) -> ServerSpec:
    fields = {**({"external": external} if external is not None else {}), **spec}
    return connection("p1", "dns", Bind9InstanceSpec.model_validate(fields), secrets)


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in FULL.items() if name not in names}


def test_all_that_is_said_is_used():
    server = connect(FULL)
    assert (server.name, server.role, server.address, server.port) == ("dns/p1", Role.PRIMARY, "192.0.2.53", 5353)
    assert server.bindcar == Bindcar("http://192.0.2.53:8080", TOKEN)
    assert server.key is not None
    assert (server.key.name.to_text(), server.key.algorithm) == ("update.example.org.", "hmac-sha512")
    assert server.key.secret == base64.b64decode(KEY)


def test_the_least_that_can_be_said():
    server = connect({"address": "192.0.2.53"}, role="secondary")
    assert (server.role, server.port, server.key, server.bindcar) == (Role.SECONDARY, 53, None, None)
    assert server.adopted


def test_the_entries_of_a_secret_may_have_other_names():
    ref = {"name": "tsig", "keyNameKey": "n", "algorithmKey": "a", "secretKey": "s"}
    other = Secrets(tsig={"n": "k.example.org", "a": "hmac-sha256", "s": KEY}, token={"t": TOKEN})
    server = connect(FULL | {"tsigSecretRef": ref, "bindcarTokenSecretRef": {"name": "token", "key": "t"}}, other)
    assert server.key is not None
    assert (server.key.name.to_text(), server.key.algorithm) == ("k.example.org.", "hmac-sha256")


def test_the_usual_algorithm_need_not_be_said():
    secrets = Secrets(tsig={"key-name": "k", "secret": KEY})
    key = connect(without("bindcarUrl"), secrets).key
    assert key is not None
    assert key.algorithm == "hmac-sha256"


@pytest.mark.parametrize(
    ("sentence", "external", "secrets", "says"),
    [
        ("it is no external server", None, GOOD, "spec.external: is missing"),
        ("no role", without("role"), GOOD, "spec.external.role: "),
        ("no token", without("bindcarTokenSecretRef"), GOOD, "spec.external.bindcarTokenSecretRef: "),
        ("no Secret of the token", FULL, Secrets(tsig=TSIG), "bindcarTokenSecretRef: there is no Secret dns/token"),
        (
            "no entry of the token",
            FULL,
            Secrets(tsig=TSIG, token={"other": TOKEN}),
            "bindcarTokenSecretRef: Secret dns/token has no entry 'token'",
        ),
        (
            "an empty token",
            FULL,
            Secrets(tsig=TSIG, token={"token": "\n"}),
            "bindcarTokenSecretRef: entry 'token' of Secret dns/token is no bearer token",
        ),
        (
            "a token of two lines",
            FULL,
            Secrets(tsig=TSIG, token={"token": f"{TOKEN}\nx: y"}),
            "is no bearer token",
        ),
        ("no Secret of the key", FULL, Secrets(), "spec.external.tsigSecretRef: there is no Secret dns/tsig"),
        ("no key in it", FULL, Secrets(tsig={"key-name": "k"}), "tsigSecretRef: Secret dns/tsig has no entry 'secret'"),
        (
            "no name in it",
            FULL,
            Secrets(tsig={"secret": KEY}),
            "tsigSecretRef: Secret dns/tsig has no entry 'key-name'",
        ),
        (
            "an unknown algorithm",
            FULL,
            Secrets(tsig=TSIG | {"algorithm": "rot13"}),
            "spec.external.tsigSecretRef: entry 'algorithm' of Secret dns/tsig is not one of",
        ),
        (
            "a key that is no base64",
            FULL,
            Secrets(tsig=TSIG | {"secret": "!" + KEY}),
            "tsigSecretRef: entry 'secret' of Secret dns/tsig is not base64",
        ),
        ("an empty key", FULL, Secrets(tsig=TSIG | {"secret": ""}), "is empty"),
        ("a name that is none", FULL, Secrets(tsig=TSIG | {"key-name": f"a..{KEY}"}), "'key-name' of Secret dns/tsig"),
        ("a name for an algorithm", FULL, Secrets(tsig=TSIG | {"algorithm": KEY}), "'algorithm' of Secret dns/tsig"),
        ("a name that bindcar refuses", FULL, Secrets(tsig=TSIG | {"key-name": f"{KEY};"}), "'key-name' of Secret"),
        (
            "a key for its name",
            FULL | {"tsigSecretRef": {"name": "tsig", "keyNameKey": "secret", "secretKey": "key-name"}},
            GOOD,
            "spec.external.tsigSecretRef.keyNameKey: entry 'secret' holds a secret",
        ),
        (
            "one entry for both",
            FULL | {"tsigSecretRef": {"name": "tsig", "keyNameKey": "x", "secretKey": "x"}},
            Secrets(tsig={"x": KEY}),
            "spec.external.tsigSecretRef.keyNameKey: entry 'x' holds a secret",
        ),
        ("a port that is none", FULL | {"bindcarUrl": "http://192.0.2.53:99999"}, GOOD, "spec.external.bindcarUrl: "),
        (
            "entries that are no text",
            FULL,
            Raw(**{"key-name": "/w==", "secret": "/w=="}),
            "'key-name' of Secret dns/tsig",
        ),
        ("entries that are no base64", FULL, Raw(**{"key-name": KEY[1:], "secret": KEY}), "is no text"),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_what_cannot_be_used_names_its_field_and_no_secret(
    sentence: str, external: dict[str, Any] | None, secrets: Secrets, says: str
):
    with pytest.raises(ConfigurationError) as caught:
        connect(external, secrets)
    text = str(caught.value)
    assert says in text
    assert KEY not in text
    assert TOKEN not in text


VALUES: dict[str, Any] = {
    "configMapRefs": {},
    "image": {},
    "bindcarConfig": {},
    "config": {},
    "primaryServers": ["192.0.2.1"],
    "replicas": 2,
    "rndcKey": {},
    "rndcSecretRef": {"name": "rndc"},
    "storage": {},
    "version": "9.18",
    "volumeMounts": [],
    "volumes": [],
}


@pytest.mark.parametrize("field", NOT_FOR_EXTERNAL)
def test_what_has_no_effect_on_an_external_server_is_not_passed_over_in_silence(field: str):
    with pytest.raises(ConfigurationError, match=rf"^spec\.{field}: has no effect"):
        connect(FULL, **{field: VALUES[field]})


def test_a_server_prints_without_its_secrets():
    text = repr(connect(FULL))
    for secret in (TOKEN, "secret-of-tsig", KEY, "update.example.org", "hmac-sha512"):
        assert secret not in text


# --- Secrets say that they may be used, and where


@pytest.mark.parametrize(("name", "use"), [("tsig", "tsig"), ("token", "bindcar-token")])
def test_a_secret_says_by_type_or_label_what_it_is_for(name: str, use: str):
    def secrets() -> Secrets:
        return Secrets(tsig=TSIG, token={"token": TOKEN})

    for kind in ("Opaque", "kubernetes.io/tls", "bindy.firestoned.io/other"):
        assert connect(FULL, secrets().marked(name, kind, {USE: use})) == connect(FULL)
    assert connect(FULL, secrets().marked(name, TYPES[name])) == connect(FULL)
    command = f"kubectl label secret {name} --namespace dns {USE}={use}"
    for kind, labels in (("Opaque", None), ("Opaque", {}), (TYPES["tsig" if name == "token" else "token"], None)):
        with pytest.raises(ConfigurationError) as caught:
            connect(FULL, secrets().marked(name, kind, labels))
        assert str(caught.value).endswith(command)
    for word in ("", "yes", "Tsig", "bindcar-token" if use == "tsig" else "tsig"):
        with pytest.raises(ConfigurationError) as caught:
            connect(FULL, secrets().marked(name, labels={USE: word}))
        assert str(caught.value).endswith(f"{command} --overwrite")


@pytest.mark.parametrize("name", ["tsig", "token"])
@pytest.mark.parametrize(
    ("address", "hosts", "may"),
    [
        ("192.0.2.53", "192.0.2.53", True),
        ("192.0.2.53", "bind.example.org, 192.0.2.53 ,192.0.2.54", True),
        ("192.0.2.53", "192.0.2.5", False),
        ("192.0.2.53", "192.0.2.530", False),
        ("192.0.2.53", "192.0.2.0/24", False),
        ("192.0.2.53", "*", False),
        ("192.0.2.53", "", False),
        ("192.0.2.53", ",", False),
        ("bind.example.org", "BIND.Example.org.", True),
        ("bind.example.org", "example.org", False),
        ("bind.example.org", "evil-bind.example.org", False),
        ("2001:db8::53", "[2001:DB8:0::53]", True),
    ],
)
def test_a_secret_that_names_hosts_is_used_for_these_only(name: str, address: str, hosts: str, may: bool):
    bracketed = f"[{address}]" if ":" in address else address
    external = FULL | {"address": address, "bindcarUrl": f"http://{bracketed}:8080"}
    secrets = Secrets(tsig=TSIG, token={"token": TOKEN}).marked(name, TYPES[name], hosts=hosts)
    if may:
        assert connect(external, secrets).address == address
        return
    with pytest.raises(ConfigurationError) as caught:
        connect(external, secrets)
    field = "tsigSecretRef" if name == "tsig" else "bindcarTokenSecretRef"
    may_not = f"Secret dns/{name} may not be used for {address}: its annotation {HOSTS} does not name it"
    assert str(caught.value) == f"spec.external.{field}: {may_not}"


def test_the_token_is_held_against_bindcars_host_and_the_key_against_the_servers():
    external = FULL | {"address": "192.0.2.53", "bindcarUrl": "http://192.0.2.66:8080"}
    both = Secrets(tsig=TSIG, token={"token": TOKEN}).marked("tsig", TYPES["tsig"], hosts="192.0.2.53")
    assert not connect(external, both.marked("token", TYPES["token"], hosts="192.0.2.66")).adopted
    with pytest.raises(ConfigurationError, match=r"bindcarTokenSecretRef: .* 192\.0\.2\.66"):
        connect(external, both.marked("token", TYPES["token"], hosts="192.0.2.53"))


def test_a_secret_prints_as_where_it_is():
    assert repr(credentials(GOOD, "spec.x", ("dns", "token"), Use.BINDCAR_TOKEN, host="h")) == (
        "Credentials(field='spec.x', secret='dns/token')"
    )


class Refusing:
    """Nobody listens."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def connect(self, address: str, port: int, timeout: float) -> Any:
        self.asked.append((address, port))
        raise ConnectionRefusedError(111, "Connection refused")


def test_a_server_that_does_not_answer_is_unreachable_and_its_bindcar_is_not_asked():
    dial = Refusing()
    health = probe(connect(FULL), dial)
    assert (health.ready, health.reason) == (False, "ServerUnreachable")
    assert "192.0.2.53" in health.message
    assert set(dial.asked) == {("192.0.2.53", 5353)}
