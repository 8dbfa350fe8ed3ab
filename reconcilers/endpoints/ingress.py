"""The ingress source: an Ingress' host names, with the addresses of its load balancer. Pure."""

from collections.abc import Iterator

from reconcilers.ddns.presentation import InvalidField
from reconcilers.ddns.rdata import brief
from reconcilers.endpoints.endpoint import Endpoint
from reconcilers.endpoints.hosts import Asking, Host, Targets, load_balancer
from zonewright import InvalidObject, Object
from zonewright.api.builtin.networking_v1.ingress import Ingress

SOURCE = "ingress"
HOSTNAME_SOURCE = "ingress-hostname-source"


def endpoints(obj: Object[Ingress]) -> list[Endpoint]:
    """What an Ingress asks for; nothing while it has no address, or if it is for another controller."""
    asking = Asking.of(obj, SOURCE)
    if not asking.annotations.ours:
        return []
    try:
        ingress = obj.model()
        hosts = _hosts(asking, ingress)
    except InvalidObject as error:
        return [asking.unreadable(error.error)]
    except InvalidField as error:
        return [asking.unreadable(str(error))]
    targets = asking.own_targets or _addresses(ingress)
    return [endpoint for host in hosts for endpoint in asking.endpoints(host, targets)]


def _hosts(asking: Asking, ingress: Ingress) -> list[Host]:
    """Those of the spec and of the annotation, or of one of them; each once."""
    defined, annotated = dict(_defined(ingress)), asking.hosts("hostname")
    chosen = asking.annotations.values.get(HOSTNAME_SOURCE)
    choices = {
        None: {**annotated, **defined},
        "defined-hosts-only": defined,
        "annotation-only": annotated,
    }
    try:
        names = choices[chosen and chosen.lower()]
    except KeyError:
        field = asking.annotations.field(HOSTNAME_SOURCE)
        raise InvalidField(field, f"{brief(chosen or '')} is not defined-hosts-only or annotation-only") from None
    return [Host(name, field, position) for position, (name, field) in enumerate(names.items())]


def _defined(ingress: Ingress) -> Iterator[tuple[str, str]]:
    spec = ingress.spec
    for index, rule in enumerate((spec and spec.rules) or ()):
        if rule.host:
            yield rule.host, f"spec.rules[{index}].host"
    for index, tls in enumerate((spec and spec.tls) or ()):
        yield from ((host, f"spec.tls[{index}].hosts") for host in tls.hosts or () if host)


def _addresses(ingress: Ingress) -> Targets:
    balancer = ingress.status and ingress.status.load_balancer
    return load_balancer((balancer and balancer.ingress) or ())
