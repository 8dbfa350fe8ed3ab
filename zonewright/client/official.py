"""The official client, for configurations that `config.py` does not read itself: exec plugins, auth providers, proxies.

Uses four entry points and no more, because they are what versions 36 and 37 of `kubernetes` have in common:
`Configuration`, `config.load_*`, `get_api_key_with_prefix` and `ApiClient(configuration).rest_client.pool_manager`.
Importing this module imports all its generated models; nothing else in the runtime does.
"""

from typing import NamedTuple

import urllib3
from kubernetes import client, config

from zonewright.api.errors import ConfigError
from zonewright.client.credentials import Authorization, LockedToken, Tls, TlsMaterial


class Settings(NamedTuple):
    """What the official client makes of a configuration."""

    server: str
    authorization: Authorization
    tls: Tls | None
    pool: urllib3.PoolManager | None


def load(kubeconfig: str | None, context: str | None) -> Settings:
    """`kubeconfig` None means the pod's service account."""
    configuration = client.Configuration()
    try:
        if kubeconfig is None:
            config.load_incluster_config(configuration)  # type: ignore[no-untyped-call]
        else:
            config.load_kube_config(kubeconfig, context, configuration, persist_config=False)  # type: ignore[no-untyped-call]
    except (config.ConfigException, OSError) as error:
        raise ConfigError(f"the official client cannot read {kubeconfig or 'the service account'}: {error}") from error
    return Settings(
        server=configuration.host.rstrip("/"),
        authorization=LockedToken(lambda: configuration.get_api_key_with_prefix("BearerToken", "authorization")),
        tls=Tls(_material(configuration)) if configuration.host.startswith("https://") else None,
        pool=_proxied_pool(configuration),
    )


def _material(configuration: client.Configuration) -> TlsMaterial:
    return TlsMaterial(
        ca_file=configuration.ssl_ca_cert,
        cert_file=configuration.cert_file,
        key_file=configuration.key_file,
        verify=configuration.verify_ssl,
        server_name=configuration.tls_server_name,
    )


def _proxied_pool(configuration: client.Configuration) -> urllib3.PoolManager | None:
    """The client's pool where it is more than a plain one: it knows HTTP, HTTPS and SOCKS proxies, and no_proxy."""
    configuration.connection_pool_maxsize = 64  # watches pin connections, and the default is ten
    pool = client.ApiClient(configuration).rest_client.pool_manager
    return None if type(pool) is urllib3.PoolManager else pool
