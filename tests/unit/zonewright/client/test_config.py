"""Where the API server is: which file is read, what is read here, and what the official loader must read."""

import base64
import json

import pytest
import yaml

from tests.unit.zonewright.client.test_credentials import pem_pair
from zonewright.api.errors import ConfigError
from zonewright.client import config as module
from zonewright.client.config import Config, Unusual, from_kubeconfig, load


@pytest.fixture(scope="module")
def pair():
    return pem_pair("client")


def tls(config):
    assert config.tls is not None
    return config.tls


def encoded(text):
    return base64.b64encode(text.encode()).decode()


@pytest.fixture
def write(tmp_path, pair):
    """Writes a kubeconfig of one cluster, user and context."""

    def write(user=None, cluster=None, context=None, as_text=json.dumps, name="kubeconfig"):
        cluster = {
            "server": "https://api.example.org:6443",
            "certificate-authority-data": encoded(pair[0]),
            **(cluster or {}),
        }
        document = {
            "current-context": "c",
            "clusters": [{"name": "k", "cluster": cluster}],
            "users": [{"name": "u", "user": user or {}}],
            "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u", **(context or {})}}],
        }
        file = tmp_path / name
        file.write_text(as_text(document))
        return file

    return write


@pytest.mark.parametrize("as_text", [json.dumps, yaml.safe_dump], ids=["JSON", "YAML"])
def test_a_token(write, as_text):
    config = from_kubeconfig(str(write({"token": "t"}, as_text=as_text)), None)
    assert (config.server, config.authorization(), config.namespace) == (
        "https://api.example.org:6443",
        "Bearer t",
        "default",
    )
    assert tls(config).material.verify


def test_nothing_secret_is_printed(write):
    assert "hush" not in repr(from_kubeconfig(str(write({"token": "hush"})), None))


def test_a_token_file_is_relative_to_the_kubeconfig_and_goes_before_a_token(write, tmp_path):
    (tmp_path / "token").write_text("from-file\n")
    config = from_kubeconfig(str(write({"tokenFile": "token", "token": "t"})), None)
    assert config.authorization() == "Bearer from-file"


def test_a_client_certificate_as_files(write, tmp_path, pair):
    (tmp_path / "c.pem").write_text(pair[0])
    (tmp_path / "k.pem").write_text(pair[1])
    config = from_kubeconfig(str(write({"client-certificate": "c.pem", "client-key": "k.pem"})), None)
    assert config.authorization() is None
    assert tls(config).material.cert_file == str(tmp_path / "c.pem")


def test_data_goes_before_files(write, pair):
    user = {
        "client-certificate": "missing",
        "client-certificate-data": encoded(pair[0]),
        "client-key": "missing",
        "client-key-data": encoded(pair[1]),
    }
    material = tls(from_kubeconfig(str(write(user)), None)).material
    assert (material.cert_file, material.cert_data) == (None, pair[0])


def test_the_clusters_options(write):
    cluster = {"insecure-skip-tls-verify": True, "tls-server-name": "other.example.org"}
    config = from_kubeconfig(str(write(cluster=cluster, context={"namespace": "dns"})), None)
    assert (tls(config).material.verify, tls(config).material.server_name) == (False, "other.example.org")
    assert config.namespace == "dns"


def test_a_plain_server_needs_no_tls(write):
    config = from_kubeconfig(str(write(cluster={"server": "http://127.0.0.1:8001/"})), None)
    assert (config.server, config.tls) == ("http://127.0.0.1:8001", None)


@pytest.mark.parametrize(
    ("user", "cluster"),
    [
        pytest.param({"exec": {"command": "x"}}, {}, id="an exec plugin"),
        pytest.param({"auth-provider": {"name": "oidc"}}, {}, id="an auth provider"),
        pytest.param({"username": "u", "password": "p"}, {}, id="a password"),
        pytest.param({"as": "somebody"}, {}, id="impersonation"),
        pytest.param({}, {"proxy-url": "http://proxy"}, id="a proxy"),
        pytest.param({}, {"server": "api.example.org"}, id="a server without a scheme"),
    ],
)
def test_what_is_unusual_is_for_the_official_loader(write, user, cluster):
    with pytest.raises(Unusual):
        from_kubeconfig(str(write(user, cluster)), None)


def test_several_files_are_for_the_official_loader():
    with pytest.raises(Unusual):
        from_kubeconfig("a:b", None)


@pytest.mark.parametrize(
    ("context", "message"),
    [("other", "no entry 'other' in its contexts"), (None, "no entry 'k' in its clusters")],
)
def test_what_is_missing_is_named(write, context, message):
    file = write()
    document = json.loads(file.read_text())
    document["clusters"] = None
    file.write_text(json.dumps(document))
    with pytest.raises(ConfigError, match=message):
        from_kubeconfig(str(file), context)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read"),
        ("- a", "k is not a mapping"),
        ("a: b\nclusters: b: c", "k is not valid YAML: line 2: mapping values are not allowed"),
        ("a: \0", "k is not valid YAML: "),
        ('{"clusters":', "k is not valid YAML"),
        ("{}", "no entry None in its contexts: it has none"),
        ("contexts: [a]", "k: contexts is not a list of named entries"),
        ("contexts: a", "k: contexts is not a list of named entries"),
    ],
)
def test_a_file_that_is_no_kubeconfig(tmp_path, text, message):
    if text:
        (tmp_path / "k").write_text(text)
    with pytest.raises(ConfigError, match=message):
        from_kubeconfig(str(tmp_path / "k"), None)


@pytest.fixture
def pod(tmp_path, pair):
    """A pod's service account directory and environment."""
    directory = tmp_path / "serviceaccount"
    directory.mkdir()
    (directory / "token").write_text("pod-token")
    (directory / "ca.crt").write_text(pair[0])
    (directory / "namespace").write_text("here\n")
    return directory, {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}


def test_in_a_pod_the_service_account(pod):
    directory, environ = pod
    config = load(environ=environ, service_account=directory)
    assert (config.server, config.authorization(), config.namespace) == (
        "https://10.0.0.1:443",
        "Bearer pod-token",
        "here",
    )


def test_an_ipv6_service_address_is_bracketed(pod):
    directory, environ = pod
    (directory / "namespace").unlink()
    config = load(environ={**environ, "KUBERNETES_SERVICE_HOST": "fd00::1"}, service_account=directory)
    assert (config.server, config.namespace) == ("https://[fd00::1]:443", "default")


def test_a_kubeconfig_goes_before_the_pod_and_the_one_given_before_the_environment(write, pod):
    directory, environ = pod
    named = write({"token": "environment"}, name="named")
    given = write({"token": "given"}, name="given")
    environ = {**environ, "KUBECONFIG": str(named)}
    assert load(environ=environ, service_account=directory).authorization() == "Bearer environment"
    assert load(given, environ=environ, service_account=directory).authorization() == "Bearer given"


def test_at_home_the_default_kubeconfig(write, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".kube").mkdir()
    write({"token": "home"}, name=".kube/config")
    assert load(environ={}, service_account=tmp_path / "none").authorization() == "Bearer home"


def test_nowhere_says_what_was_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(ConfigError, match="KUBECONFIG"):
        load(environ={}, service_account=tmp_path / "none")


def test_reloading_reads_everything_again(write):
    file = write({"token": "one"})
    config = Config.load(file)
    write({"token": "two"})
    assert config.reload is not None
    assert config.reload().authorization() == "Bearer two"


@pytest.mark.parametrize(
    ("user", "options"),
    [
        pytest.param({"exec": {}}, {}, id="the kubeconfig needs it"),
        pytest.param({}, {"official": True}, id="it was asked for"),
        pytest.param({}, {"environ": {"HTTPS_PROXY": "http://proxy"}}, id="there is a proxy"),
    ],
)
def test_the_official_loader_is_used_where(write, monkeypatch, user, options):
    monkeypatch.setattr(module, "_official", lambda path, context: Config("https://official"))
    environ = options.pop("environ", {})
    assert load(write(user), environ=environ, **options).server == "https://official"


def test_common_configurations_never_import_the_official_client(write, run_python):
    code = f"""
        import sys
        from zonewright.client.client import Client
        from zonewright.client.config import Config
        Client.from_config(Config.load({str(write({"token": "t"}))!r}))
        assert not [name for name in sys.modules if name.split(".")[0] in ("kubernetes", "urllib3", "yaml", "pydantic")]
    """
    run_python(code)
