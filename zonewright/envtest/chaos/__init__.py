"""A proxy in front of any backend that breaks what tests tell it to break, the same way for the same seed.

    with ChaosProxy(cluster, seed=1) as chaos:
        chaos.add(Fail(409), verb="PATCH", resource="widgets", times=3)
        chaos.add(DropReply(), verb="POST", probability=0.2)
        chaos.add(EndWatch(after=5), verb="WATCH")
        run(kubeconfig=chaos.kubeconfig)

faults.py says what can break, rules.py when, proxy.py does it. Knows HTTP and how Kubernetes URLs look, no kinds."""

from zonewright.envtest.chaos.faults import (
    CloseHalf,
    Delay,
    DropReply,
    Duplicate,
    EndWatch,
    ExpireWatch,
    Fail,
    Fault,
    Freeze,
    Hang,
    Reset,
)
from zonewright.envtest.chaos.proxy import ChaosProxy
from zonewright.envtest.chaos.rules import Call, Rule

__all__ = [
    "Call",
    "ChaosProxy",
    "CloseHalf",
    "Delay",
    "DropReply",
    "Duplicate",
    "EndWatch",
    "ExpireWatch",
    "Fail",
    "Fault",
    "Freeze",
    "Hang",
    "Reset",
    "Rule",
]
