"""The defaults that kube-apiserver computes in Go for built-in kinds, as far as an operator reads them back.

Values are those of the v1 API's defaulting functions; the differential test holds them to the real server."""

import base64
from typing import Any

Fields = dict[str, Any]


def fill(fields: Fields, **values: Any) -> None:
    for name, value in values.items():
        if fields.get(name) is None:
            fields[name] = value


def config_map(fields: Fields) -> None:
    for name in ("data", "binaryData"):
        if not fields.get(name):
            fields.pop(name, None)


def secret(fields: Fields) -> None:
    fill(fields, type="Opaque")
    # stringData is write-only: it joins data as base64.
    for name, text in (fields.pop("stringData", None) or {}).items():
        fields.setdefault("data", {})[name] = base64.b64encode(text.encode()).decode()
    if not fields.get("data"):
        fields.pop("data", None)


def namespace(fields: Fields) -> None:
    fields["spec"] = fields.get("spec") or {}
    fill(fields["spec"], finalizers=["kubernetes"])
    fill(fields, status={"phase": "Active"})
    meta = fields["metadata"]
    meta["labels"] = (meta.get("labels") or {}) | {"kubernetes.io/metadata.name": meta.get("name", "")}


def service(fields: Fields) -> None:
    spec = fields["spec"] = fields.get("spec") or {}
    fill(spec, type="ClusterIP", sessionAffinity="None")
    for port in spec.get("ports") or []:
        fill(port, protocol="TCP")
        fill(port, targetPort=port.get("port"))
    if spec.get("clusterIP") == "None" and not spec.get("selector"):
        # Nobody says which addresses its endpoints will have: both kinds are allowed.
        fill(spec, ipFamilies=["IPv4", "IPv6"], ipFamilyPolicy="RequireDualStack")
    if spec["type"] != "ExternalName":
        fill(spec, internalTrafficPolicy="Cluster", ipFamilies=["IPv4"], ipFamilyPolicy="SingleStack")
        if spec.get("clusterIP"):
            spec["clusterIPs"] = [spec["clusterIP"]]
    if spec["type"] in {"NodePort", "LoadBalancer"}:
        fill(spec, externalTrafficPolicy="Cluster")
    if spec["type"] == "LoadBalancer":
        fill(spec, allocateLoadBalancerNodePorts=True)
    fill(fields, status={})
    fill(fields["status"], loadBalancer={})
    for point in fields["status"]["loadBalancer"].get("ingress") or []:
        if point.get("ip"):
            fill(point, ipMode="VIP")


def ingress(fields: Fields) -> None:
    fill(fields, spec={}, status={})
    fill(fields["status"], loadBalancer={})


def deployment(fields: Fields) -> None:
    spec = fields["spec"] = fields.get("spec") or {}
    fill(spec, replicas=1, progressDeadlineSeconds=600, revisionHistoryLimit=10, strategy={})
    fill(spec["strategy"], type="RollingUpdate")
    if spec["strategy"]["type"] == "RollingUpdate":
        rolling = spec["strategy"]["rollingUpdate"] = spec["strategy"].get("rollingUpdate") or {}
        fill(rolling, maxSurge="25%", maxUnavailable="25%")
    template = spec.get("template") or {}
    fill(template, metadata={})
    pod_spec(template.setdefault("spec", {}))
    fill(fields, status={})


def pod(fields: Fields) -> None:
    spec = fields["spec"] = fields.get("spec") or {}
    pod_spec(spec)
    fill(spec, enableServiceLinks=True, preemptionPolicy="PreemptLowerPriority", priority=0)
    fill(spec, serviceAccountName="default")
    spec["serviceAccount"] = spec["serviceAccountName"]
    fill(fields, status={"phase": "Pending", "qosClass": "BestEffort"})


def pod_spec(spec: Fields) -> None:
    fill(spec, dnsPolicy="ClusterFirst", restartPolicy="Always", schedulerName="default-scheduler")
    fill(spec, securityContext={}, terminationGracePeriodSeconds=30)
    if spec.get("serviceAccountName"):
        fill(spec, serviceAccount=spec["serviceAccountName"])
    for one in [*(spec.get("initContainers") or []), *(spec.get("containers") or [])]:
        container(one)
    for one in spec.get("volumes") or []:
        volume(one)


def container(one: Fields) -> None:
    fill(one, imagePullPolicy=pull_policy(one.get("image", "")), resources={})
    fill(one, terminationMessagePath="/dev/termination-log", terminationMessagePolicy="File")
    for port in one.get("ports") or []:
        fill(port, protocol="TCP")
    for variable in one.get("env") or []:
        if "fieldRef" in (variable.get("valueFrom") or {}):
            fill(variable["valueFrom"]["fieldRef"], apiVersion="v1")
    for name in ("livenessProbe", "readinessProbe", "startupProbe"):
        if one.get(name) is not None:
            probe(one[name])


def pull_policy(image: str) -> str:
    """Moving tags are pulled always; a digest or a fixed tag is not."""
    tag = image.rpartition("/")[2].partition(":")[2]
    return "Always" if "@" not in image and tag in {"", "latest"} else "IfNotPresent"


def probe(one: Fields) -> None:
    fill(one, failureThreshold=3, periodSeconds=10, successThreshold=1, timeoutSeconds=1)
    if one.get("httpGet") is not None:
        fill(one["httpGet"], path="/", scheme="HTTP")


def volume(one: Fields) -> None:
    for name in ("configMap", "secret", "downwardAPI", "projected"):
        if one.get(name) is not None:
            fill(one[name], defaultMode=420)
    if len(one) == 1:
        one["emptyDir"] = {}


def disruption_budget(fields: Fields) -> None:
    fill(fields, status={})
    fill(fields["status"], currentHealthy=0, desiredHealthy=0, disruptionsAllowed=0, expectedPods=0)


def endpoint_slice(fields: Fields) -> None:
    fill(fields, endpoints=None)
    for endpoint in fields["endpoints"] or []:
        fill(endpoint, conditions={})
    for port in fields.get("ports") or []:
        fill(port, name="", protocol="TCP")
    fields.setdefault("ports", None)


def core_event(fields: Fields) -> None:
    fill(fields, source={}, reportingComponent="", reportingInstance="")
    for name in ("eventTime", "firstTimestamp", "lastTimestamp"):
        fields.setdefault(name, None)


def crd(fields: Fields) -> None:
    spec = fields.get("spec") or {}
    names = spec.get("names") or {}
    if kind := names.get("kind"):
        fill(names, singular=kind.lower(), listKind=f"{kind}List")
    fill(spec, conversion={"strategy": "None"})
