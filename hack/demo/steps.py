"""What steps are made of: things that a person types, and things that a person looks at.

kubectl and dig are run as they are shown, where they are installed; else the same goes over the API and by a DNS client
of our own."""

import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import dns.exception

from testbed.named import NameServer
from testbed.stage import Stage, path
from zonewright.envtest import kubectl
from zonewright.envtest.errors import Refused
from zonewright.envtest.waiting import condition, holds

NAMESPACE = "dns-system"
SECONDS = 60


class Act(Protocol):
    """One command or one look. What a look returns is false as long as things are not as they should be."""

    def typed(self, running: Stage) -> str: ...
    def __call__(self, running: Stage) -> object: ...


@dataclass(frozen=True, slots=True)
class Step:
    """What a person does, and what they must see then. `holds` may be false for a while: DNS takes a moment."""

    text: str
    does: Sequence[Act] = ()
    holds: Sequence[Act] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """At what needs no command, or at what a command shows."""

    look: Callable[[Stage], object]
    shown: str = ""

    def typed(self, _: Stage) -> str:
        return self.shown

    def __call__(self, running: Stage) -> object:
        return self.look(running)


@dataclass(frozen=True, slots=True)
class Kubectl:
    """A command of kubectl, and what does the same without it."""

    words: tuple[str, ...]
    otherwise: Callable[[Stage], object]
    stdin: str = ""

    def typed(self, _: Stage) -> str:
        return f"kubectl {shlex.join(self.words)}" + (f" <<'END'\n{self.stdin}END" if self.stdin else "")

    def __call__(self, running: Stage) -> object:
        if kubectl.search() is None:
            found = self.otherwise(running)
            return True if found is None else found
        running.cluster.kubectl(*self.words, stdin=self.stdin or None)
        return True


def apply(manifest: Path | str) -> Kubectl:
    """A file of the repository, or a text."""
    if isinstance(manifest, str):
        return Kubectl(("apply", "-f", "-"), lambda running: running.cluster.apply(manifest), manifest)
    return Kubectl(("apply", "-f", str(manifest)), lambda running: running.cluster.apply(manifest))


def patch(kind: str, name: str, body: str, *, how: str = "merge", status: bool = False) -> Kubectl:
    """`body` is JSON, of a merge patch or of a JSON patch."""
    words = ("-n", NAMESPACE, "patch", kind, name, f"--type={how}", "-p", body)
    where = path(f"{kind}s" if kind != "ingress" else "ingresses", name, NAMESPACE) + ("/status" if status else "")
    content_type = {"merge": "application/merge-patch+json", "json": "application/json-patch+json"}[how]

    def over_the_api(running: Stage) -> None:
        reply = running.cluster.request("PATCH", where, body.encode(), content_type=content_type)
        if not reply.ok:
            raise Refused(f"PATCH {where}: {reply.refusal}")

    return Kubectl((*words, "--subresource=status") if status else words, over_the_api)


def delete(kind: str, name: str, namespace: str = NAMESPACE) -> Kubectl:
    """And wait until it is gone: finalizers hold it until no server has it."""
    where = path(f"{kind}s" if kind != "ingress" else "ingresses", name, namespace)

    def over_the_api(running: Stage) -> None:
        running.cluster.delete(where)
        running.cluster.wait_gone(where, timeout=SECONDS)

    return Kubectl(("-n", namespace, "delete", kind, name), over_the_api)


def wait(kind: str, name: str, *, what: str = "Ready", reason: str = "", namespace: str = NAMESPACE) -> Kubectl:
    """Until a condition is true; with a reason, until it is what it is for that reason."""
    where = path(f"{kind}s", name, namespace)
    until = f"condition={what}"
    if reason:
        until = f'jsonpath={{.status.conditions[?(@.type=="{what}")].reason}}={reason}'

    def over_the_api(running: Stage) -> bool:
        found = running.cluster.get(where)
        return condition(found, what).get("reason") == reason if reason else holds(found, what)

    words = ("-n", namespace, "wait", f"--for={until}", f"{kind}/{name}", f"--timeout={SECONDS}s")
    return Kubectl(words, over_the_api)


@dataclass(frozen=True, slots=True)
class Dig:
    """A question to every server, and the one answer that is right."""

    name: str
    rdtype: str
    answers: frozenset[str]
    ttl: int | None = None

    def typed(self, running: Stage) -> str:
        first, *others = running.servers
        also = "".join(f" # and -p {each.port}" for each in others)
        return f"dig +noall +answer @{first.address} -p {first.port} {self.name} {self.rdtype}{also}"

    def __call__(self, running: Stage) -> str:
        """The answer, "" as long as a server gives another one, or none."""
        shown = [self._ask(running, server) for server in running.servers]
        return (shown[0] or "no such record") if all(map(self._is_right, shown)) else ""

    def _ask(self, running: Stage, server: NameServer) -> str | None:
        """None if the server does not answer."""
        program = shutil.which("dig")
        if program is None:
            try:
                return "\n".join(rrset.to_text() for rrset in running.answers(server, self.name, self.rdtype))
            except (OSError, dns.exception.DNSException):
                return None
        words = ["+noall", "+answer", f"@{server.address}", "-p", str(server.port), self.name, self.rdtype]
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=SECONDS, check=False)
        return done.stdout.strip() if done.returncode == 0 else None

    def _is_right(self, shown: str | None) -> bool:
        if shown is None:
            return False
        fields = [line.split(None, 4) for line in shown.splitlines()]
        found = [each for each in fields if each[3] == self.rdtype]
        ttls = {int(each[1]) for each in found}
        return {each[4] for each in found} == self.answers and self.ttl in {None, *ttls}


def dig(name: str, rdtype: str, *answers: str, ttl: int | None = None) -> Dig:
    return Dig(name, rdtype, frozenset(answers), ttl)


def deployed(flags: Sequence[str] = ()) -> Step:
    """The first step of every plan."""

    def deploy(running: Stage) -> None:
        running.install_crds()
        running.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        running.register_servers(NAMESPACE)
        for server in running.servers:
            joined: dict[str, Any] = {"spec": {"clusterRef": "my-cluster"}}
            running.cluster.patch(path("bind9instances", server.name, NAMESPACE), joined)
        running.start_manager(*flags)

    text = "deploy the operator: CRDs, name servers of `my-cluster`, the manager"
    return Step(text, [Look(deploy)], [Look(manager_works)])


def manager_works(running: Stage) -> bool:
    if running.manager is not None:
        running.manager.check()
    return '"working"' in running.manager_log()
