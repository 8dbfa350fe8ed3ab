"""What kube-apiserver allocates for Services: cluster addresses and node ports, kept and given back as types change.

No packet is ever sent there; controllers read them, and a Service without one looks headless. The network and the
ports are those of the control plane backend."""

import ipaddress
from collections.abc import Iterable
from typing import Any

from zonewright.envtest.embedded import codec, errors
from zonewright.envtest.embedded.store import Change, Event, Store

COLLECTION = "/services"
NETWORK = ipaddress.ip_network("10.0.0.0/16")
# The first addresses are for those who choose their own, as on a real server.
FIRST_ADDRESS = int(NETWORK.network_address) + 256
NODE_PORTS = range(30000, 32768)
HEADLESS = "None"
# What a type of Service does not have; a real server takes it away when the type changes.
NOT_EXTERNAL = ("clusterIP", "clusterIPs", "internalTrafficPolicy", "ipFamilies", "ipFamilyPolicy")

Fields = dict[str, Any]


class Allocator:
    """Hears of every Service in the store: what a deleted one had is free again, and a dry run takes nothing."""

    def __init__(self, store: Store) -> None:
        self._addresses: set[str] = set()
        self._ports: set[int] = set()
        self._last_address, self._last_port = FIRST_ADDRESS, NODE_PORTS.start
        store.subscribe(self._heard)

    def _heard(self, event: Event) -> None:
        if event.collection != COLLECTION:
            return
        if event.before is not None:
            spec = codec.decode(event.before.raw)["spec"]
            self._addresses -= _addresses(spec)
            self._ports -= _node_ports(spec)
        if event.change is not Change.DELETED:
            spec = codec.decode(event.entry.raw)["spec"]
            self._addresses |= _addresses(spec)
            self._ports |= _node_ports(spec)

    def allocate(self, fields: Fields, before: Fields | None) -> None:
        """Keeps what the Service had, takes away what its type has not, and gives it what it lacks."""
        spec, old = fields["spec"], (before or {}).get("spec") or {}
        if spec["type"] == "ExternalName":
            _drop(spec, NOT_EXTERNAL)
        elif not spec.get("clusterIP"):
            spec["clusterIP"] = old.get("clusterIP") or self._free_address()
        elif not old.get("clusterIP"):
            self._check_address(fields, spec["clusterIP"])
        if spec.get("clusterIP"):
            spec["clusterIPs"] = [spec["clusterIP"]]
        if _has_node_ports(spec):
            self._allocate_ports(spec, old)
        elif spec["type"] in {"ClusterIP", "ExternalName"}:
            _drop(spec, ("externalTrafficPolicy", "allocateLoadBalancerNodePorts"))
            for port in spec.get("ports") or ():
                _drop(port, ("nodePort",))

    def _allocate_ports(self, spec: Fields, old: Fields) -> None:
        had = {(port.get("protocol"), port.get("port")): port.get("nodePort") for port in old.get("ports") or ()}
        for port in spec.get("ports") or ():
            if not port.get("nodePort"):
                port["nodePort"] = had.get((port.get("protocol"), port.get("port"))) or self._free_port()

    def _check_address(self, fields: Fields, address: str) -> None:
        if address == HEADLESS or not is_address(address):  # which rules.py refuses
            return
        if ipaddress.ip_address(address) not in NETWORK:
            why = "the provided network does not match the current range"
        elif address in self._addresses:
            why = "provided IP is already allocated"
        else:
            return
        quoted = f'["{address}"]'
        cause = errors.invalid_value("spec.clusterIPs", quoted, f"failed to allocate IP {address}: {why}")
        raise errors.invalid("", "Service", fields["metadata"]["name"], [cause])

    def _free_address(self) -> str:
        while str(ipaddress.ip_address(self._last_address)) in self._addresses:
            self._last_address += 1
        return str(ipaddress.ip_address(self._last_address))

    def _free_port(self) -> int:
        self._last_port = next(port for port in _round(self._last_port + 1) if port not in self._ports)
        return self._last_port


def is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _round(start: int) -> Iterable[int]:
    """All node ports, from one on: two ports of one Service must not get the same, so each call starts further on."""
    return (*range(start, NODE_PORTS.stop), *range(NODE_PORTS.start, start))


def _has_node_ports(spec: Fields) -> bool:
    return spec["type"] == "NodePort" or (
        spec["type"] == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is not False
    )


def _addresses(spec: Fields) -> set[str]:
    return set(spec.get("clusterIPs") or ()) - {HEADLESS}


def _node_ports(spec: Fields) -> set[int]:
    return {port["nodePort"] for port in spec.get("ports") or () if port.get("nodePort")}


def _drop(fields: Fields, names: Iterable[str]) -> None:
    for name in names:
        fields.pop(name, None)
