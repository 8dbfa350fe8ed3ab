"""docs/how-to/migrate-from-external-dns.md, followed from top to bottom on a zone that external-dns wrote."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dns.query
import dns.rcode
import dns.tsigkeyring
import dns.update
import pytest

from testbed.named import NameServer, TsigKey
from testbed.stage import path
from tests.support import ROOT
from tests.support.documents import blocks, environment, shell, substitute
from zonewright.envtest.backend import backend
from zonewright.envtest.cluster import Cluster
from zonewright.envtest.ports import reserve
from zonewright.envtest.processes import Program, Run
from zonewright.testing import eventually

ARGUMENTS, BEFORE, TYPES, DESCRIBE, APPLY, FORETELL, STOP, FIRST, CHECK, REMOVALS, AGAIN, END = blocks(
    "docs/how-to/migrate-from-external-dns.md", "sh"
)
(DNS,) = blocks("docs/how-to/migrate-from-external-dns.md", "yaml")

OURS = "heritage=external-dns,external-dns/owner=my-cluster,external-dns/resource="
# What external-dns writes for the objects below. From 0.12 to 0.16 it wrote both formats of an entry.
PUBLISHED = [
    ("www", "A", "192.0.2.10", 300),
    ("a-www", "TXT", f'"{OURS}crd/shop/www"', 300),
    ("www", "TXT", f'"{OURS}crd/shop/www"', 300),
    ("www", "AAAA", "2001:db8::10", 300),
    ("aaaa-www", "TXT", f'"{OURS}crd/shop/www"', 300),
    ("pay", "CNAME", "www.example.org.", 300),
    ("cname-pay", "TXT", f'"{OURS}crd/shop/www"', 300),
    ("*.apps", "A", "192.0.2.11", 300),
    ("a-*.apps", "TXT", f'"{OURS}crd/shop/www"', 300),
    ("api", "A", "192.0.2.20", 120),
    ("a-api", "TXT", f'"{OURS}service/shop/api"', 120),
    ("blog", "A", "192.0.2.30", 300),
    ("a-blog", "TXT", f'"{OURS}ingress/blog/blog"', 300),
    ("orphan", "A", "192.0.2.99", 300),  # its object went while external-dns was stopped
    ("a-orphan", "TXT", f'"{OURS}crd/shop/orphan"', 300),
]
THEIRS = [
    ("blue", "A", "203.0.113.9", 300),
    ("a-blue", "TXT", '"heritage=external-dns,external-dns/owner=blue,external-dns/resource=crd/blue/web"', 300),
    ("printer", "A", "198.51.100.7", 300),
]
OBJECTS = """
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: blog}
---
apiVersion: v1
kind: Namespace
metadata: {name: external-dns}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: external-dns, namespace: external-dns}
spec:
  replicas: 1
  selector: {matchLabels: {app: external-dns}}
  template:
    metadata: {labels: {app: external-dns}}
    spec:
      containers:
        - name: external-dns
          image: external-dns
          args: [--source=crd, --source=service, --source=ingress, --provider=rfc2136, --txt-owner-id=my-cluster]
---
apiVersion: externaldns.k8s.io/v1alpha1
kind: DNSEndpoint
metadata: {name: www, namespace: shop}
spec:
  endpoints:
    - {dnsName: www.example.org, recordType: A, targets: [192.0.2.10], recordTTL: 300}
    - {dnsName: www.example.org, recordType: AAAA, targets: ["2001:DB8::10"]}
    - {dnsName: pay.example.org, recordType: CNAME, targets: [www.example.org]}
    - {dnsName: "*.apps.example.org", recordType: A, targets: [192.0.2.11]}
---
apiVersion: v1
kind: Service
metadata:
  name: api
  namespace: shop
  annotations:
    external-dns.alpha.kubernetes.io/hostname: api.example.org
    external-dns.alpha.kubernetes.io/ttl: "120"
spec:
  type: LoadBalancer
  externalIPs: [192.0.2.20]
  ports: [{port: 443}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: blog
  namespace: blog
  annotations: {external-dns.alpha.kubernetes.io/target: 192.0.2.30}
spec:
  rules:
    - host: blog.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: blog, port: {number: 80}}}}]}
"""


class Site:
    """The cluster and the server of somebody who runs external-dns."""

    def __init__(self, cluster: Cluster, server: NameServer, run: Run, directory: Path) -> None:
        self.cluster, self.server, self.directory = cluster, server, directory
        self.settings = {"KUBECONFIG": str(cluster.kubeconfig), "PYTHONPATH": str(ROOT)}
        self._run = run
        self._starts = 0
        (directory / "config").symlink_to(ROOT / "config")
        server.key.write(directory / "externaldns.key")
        self._changes = {
            "@192.0.2.53": f"@{server.address} -p {server.port}",
            "address: 192.0.2.53": f"address: {server.address}",
            "port: 53": f"port: {server.port}",
            "secret=BASE64": f"secret={server.key.secret}",
        }

    def text(self, block: Any) -> str:
        return substitute(block.text, {was: now for was, now in self._changes.items() if was in block.text})

    def type(self, block: Any) -> str:
        return shell(self.text(block), cwd=self.directory, **self.settings)

    def start(self, block: Any) -> Program:
        """The operator, as the page starts it; it goes on working."""
        self._starts += 1
        words = shlex.split(block.text.replace("\\\n", " "))
        assert words[0] == "python"
        words = [sys.executable, *words[1:], "--http", f"127.0.0.1:{reserve()}", "--poll-interval", "1"]
        settings = environment(**self.settings, ZONEWRIGHT_LOG_FORMAT="json")
        return self._run.start(f"zonewright-{self._starts}", words, cwd=ROOT, env=settings)

    def update(self, *records: tuple[str, str, str, int]) -> None:
        """As external-dns writes them."""
        key = self.server.key
        ring = dns.tsigkeyring.from_text({key.name: (key.algorithm, key.secret)})
        for name, rdtype, value, ttl in records:
            message = dns.update.UpdateMessage("example.org", keyring=ring)
            message.add(name, ttl, rdtype, value)
            reply = dns.query.tcp(message, self.server.address, port=self.server.port, timeout=30)
            assert reply.rcode() == dns.rcode.NOERROR, name

    def dig(self, *words: str) -> str:
        question = f"dig @{self.server.address} -p {self.server.port} +short {' '.join(words)}"
        return shell(question, cwd=self.directory).strip()


@pytest.fixture(params=["embedded", pytest.param("controlplane", marks=pytest.mark.controlplane)])
def site(request: pytest.FixtureRequest, background: Run, tmp_path: Path) -> Iterator[Site]:
    """A cluster and a server of its own: the operator of other tests would have the same objects."""
    with backend(request.param) as cluster:
        server = NameServer(background, role="primary", key=TsigKey.create("externaldns-key"), bindcar=False)
        server.start()
        try:
            server.add_zone("example.org")
            cluster.install_crds(ROOT / "config/crd/dnsendpoints.yaml")
            cluster.apply(OBJECTS)
            yield Site(cluster, server, background, tmp_path)
        finally:
            server.close()


@pytest.mark.kubectl
@pytest.mark.parametrize("prefix", ["", "xdns-"])
def test_no_record_is_lost_nor_made_again(site: Site, prefix: str):
    site.settings["ZONEWRIGHT_TXT_PREFIX"] = prefix
    site.update(*((prefix + name if OURS in value else name, kind, value, ttl) for name, kind, value, ttl in PUBLISHED))
    site.update(*THEIRS)

    assert "--txt-owner-id=my-cluster" in site.type(ARGUMENTS)
    assert site.type(BEFORE).count("owner=my-cluster") == len([each for each in PUBLISHED if each[1] == "TXT"])
    assert site.type(TYPES).split() == ["2", "A", "1", "AAAA", "1", "CNAME"]
    site.type(DESCRIBE)
    (site.directory / "dns.yaml").write_text(site.text(DNS))
    site.type(APPLY)
    assert site.type(FORETELL).endswith("No changes: nothing would be written.\n")
    site.type(STOP)
    assert site.cluster.get("/apis/apps/v1/namespaces/external-dns/deployments/external-dns")["spec"]["replicas"] == 0
    serial = site.dig("example.org", "SOA").split()[2]

    first = site.start(FIRST)
    site.type(CHECK)  # ends with a diff, which fails if there is one
    first.check()
    assert "192.0.2.30" in (site.directory / "after.txt").read_text()
    assert site.dig("example.org", "SOA").split()[2] == serial, "nothing was sent"
    first.stop(timeout=30)

    foretold = site.type(REMOVALS)
    assert sorted(line.split()[1] for line in foretold.splitlines() if line.startswith("  - ")) == [
        *sorted([f"{prefix}a-orphan.example.org", "orphan.example.org"]),
    ]
    assert not [line for line in foretold.splitlines() if line.startswith(("  + ", "  ~ "))]
    again = site.start(AGAIN)
    eventually(lambda: site.dig("orphan.example.org", "A") == "", what="the end of what nobody asks for")
    assert site.dig(f"{prefix}a-orphan.example.org", "TXT") == ""
    target = {"spec": {"endpoints": [{"dnsName": "www.example.org", "recordType": "A", "targets": ["192.0.2.12"]}]}}
    site.cluster.patch(path("dnsendpoints", "www", "shop"), target)
    eventually(lambda: site.dig("www.example.org", "A") == "192.0.2.12", what="the change")
    eventually(lambda: site.dig("pay.example.org", "CNAME") == "", what="the end of the alias")
    site.cluster.delete(path("services", "api", "shop"))
    eventually(lambda: site.dig("api.example.org", "A") == "", what="the end of the Service's record")
    for name, rdtype, value, _ in THEIRS:
        assert site.dig(f"{name}.example.org", rdtype) == value
    assert site.dig("blog.example.org", "A") == "192.0.2.30"
    site.type(END)
    again.stop(timeout=30)
