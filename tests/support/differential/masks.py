"""What is left out before the answers of two servers are compared: see DIFFERENCES in test_differential.py."""

import copy
import json
import re
from collections.abc import Callable

from tests.support.differential.sides import Answer, Fields


def masked(answer: Answer) -> Answer:
    code, body, warnings = answer
    # A refused request may still bring warnings about its body; whether it does depends on who refused it.
    warnings = warnings if code < 400 else []
    if not isinstance(body, dict):
        return code, body, warnings
    body = copy.deepcopy(body)
    if body.get("kind") == "Status":
        return code, masked_status(body), warnings
    if body.get("kind") == "Table":
        return code, masked_table(body), warnings
    if "items" in body:
        # An empty list of metadata is null in Go.
        body["items"] = [item for item in body["items"] or [] if item["metadata"]["name"] not in MADE_BY_CONTROLLERS]
    for item in body.get("items", [body]):
        mask_object(item)
    if "items" in body:
        body["items"].sort(key=lambda item: item["metadata"]["name"])
        meta = body["metadata"]
        body["metadata"] = {"remaining": meta.get("remainingItemCount"), "more": bool(meta.get("continue"))}
    return code, body, warnings


MADE_BY_CONTROLLERS = frozenset({"default", "kube-root-ca.crt"})
IDENTITY = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|in record \(\d+\)")


def masked_status(body: Fields) -> Fields:
    details = body.get("details") or {}
    details.pop("uid", None)
    for cause in details.get("causes", []):
        if cause.get("field") == "patch":
            cause["message"] = cause["message"].partition("strict decoding error")[2]
    causes = sorted({json.dumps(one, sort_keys=True) for one in details.pop("causes", [])})
    status: Fields = {"code": body.get("code"), "reason": body.get("reason"), "details": details, "causes": causes}
    free_text = status["reason"] in {"Invalid", "BadRequest", "NotAcceptable", None}
    return status | ({} if free_text else {"message": IDENTITY.sub("<identity>", body.get("message", ""))})


def masked_table(body: Fields) -> Fields:
    columns = [(one["name"], one["type"], one["format"], one["priority"]) for one in body["columnDefinitions"]]
    ages = {index for index, one in enumerate(body["columnDefinitions"]) if one["name"] == "Age"}
    rows = [[("<age>" if index in ages else cell) for index, cell in enumerate(row["cells"])] for row in body["rows"]]
    return {"columns": columns, "rows": sorted(rows, key=lambda row: str(row[0]))}


def mask_object(fields: Fields) -> None:
    meta = fields.get("metadata", {})
    for name in ("uid", "resourceVersion", "creationTimestamp"):
        meta.pop(name, None)
    if meta.get("deletionTimestamp"):
        meta["deletionTimestamp"] = "<time>"
    if meta.get("generateName"):
        meta["name"] = "<generated>"
    for owner in meta.get("ownerReferences", []):
        owner["uid"] = "<uid>"
    mask_managed(fields, meta)
    MASKS.get(fields.get("kind", ""), lambda _: None)(fields)


def mask_managed(fields: Fields, meta: Fields) -> None:
    managed = meta.pop("managedFields", [])
    if fields.get("kind") == "Widget":
        # Owner references are keyed by uid.
        managed = json.loads(IDENTITY.sub("<uid>", json.dumps(managed)))
        for one in managed:
            one.pop("time", None)
            spec = one["fieldsV1"].get("f:spec", {})
            if spec.pop("f:replicas", None) is not None and not spec:
                del one["fieldsV1"]["f:spec"]
        managed = [one for one in managed if one["fieldsV1"]]
        meta["managedFields"] = sorted(managed, key=lambda one: json.dumps(one, sort_keys=True))


def mask_service(fields: Fields) -> None:
    spec = fields["spec"]
    if spec.get("clusterIP", "None") != "None":
        spec |= {"clusterIP": "<address>", "clusterIPs": ["<address>"] * len(spec["clusterIPs"])}
    for port in spec.get("ports") or ():
        if "nodePort" in port:
            port["nodePort"] = "<port>"


def mask_pod(fields: Fields) -> None:
    for name in ("tolerations", "volumes"):
        fields["spec"].pop(name, None)
    for container in fields["spec"]["containers"]:
        container.pop("volumeMounts", None)


MASKS: dict[str, Callable[[Fields], None]] = {"Service": mask_service, "Pod": mask_pod}
