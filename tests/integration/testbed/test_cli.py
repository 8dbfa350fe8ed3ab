"""`python -m testbed`: name servers for the length of a command."""

import subprocess
import sys

from zonewright.envtest.cluster import Cluster

GET = [sys.executable, "-m", "zonewright", "envtest", "get"]


def run_testbed(*args: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "testbed", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=False, env=env)


def test_it_serves_a_zone_on_all_its_servers() -> None:
    ask = "dig @127.0.0.1 -p $port +tries=5 example.org SOA +short"
    # The secondary needs a moment for its transfer; one that never answers is ended by the limit above.
    both = f"for port in $NAMED_0_PORT $NAMED_1_PORT; do until {ask} | grep hostmaster; do sleep 0.05; done; done"

    done = run_testbed("--zone", "example.org", "--", "sh", "-c", both)

    assert done.stdout.count("hostmaster.example.org.") == 2, done.stderr


def test_it_registers_its_servers(crds: Cluster, namespace: str) -> None:
    list_them = [*GET, "bind9instances", "-n", namespace]

    done = run_testbed("--namespace", namespace, "--", *list_them, env=crds.environment())

    _, *rows = [line.split()[:3] for line in done.stdout.splitlines()]
    assert rows == [["Bind9Instance", namespace, "primary-0"], ["Bind9Instance", namespace, "secondary-0"]], done.stderr
