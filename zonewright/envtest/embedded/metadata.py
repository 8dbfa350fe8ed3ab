"""What the server does to an object's metadata, and what it refuses in it. Pure: time and names are inputs."""

import re
from collections.abc import Mapping
from typing import Any

from zonewright.envtest.embedded.errors import Cause, forbidden_value, invalid_value, required
from zonewright.envtest.embedded.validation import quote

Fields = dict[str, Any]
SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\Z")
LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?\Z")
LABEL_VALUE = re.compile(r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?\Z")
QUALIFIED = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\Z")
SUBDOMAIN_RULE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and"
    " end with an alphanumeric character (e.g. 'example.com', regex used for validation is"
    " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
LABEL_RULE = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with"
    " an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is"
    " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
LABEL_VALUE_RULE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and"
    " end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is"
    " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
QUALIFIED_RULE = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
    " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
    " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
WITH_PREFIX = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
ANNOTATIONS_LIMIT = 256 * 1024
# What the server alone decides; what a client sends there is replaced by what is stored.
SERVER_OWNED = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink")


def check(meta: Mapping[str, Any], *, labelled: bool = False) -> list[Cause]:
    """`labelled`: the name must be a DNS label, as a namespace's or a service's."""
    return [
        *check_name(meta.get("name", ""), labelled=labelled),
        *check_labels(meta.get("labels") or {}),
        *check_annotations(meta.get("annotations") or {}),
        *check_owners(meta.get("ownerReferences") or []),
        *check_finalizers(meta.get("finalizers") or []),
    ]


def check_name(name: str, *, labelled: bool) -> list[Cause]:
    if not name:
        return [required("metadata.name", "name or generateName is required")]
    limit, rule, text = (63, LABEL, LABEL_RULE) if labelled else (253, SUBDOMAIN, SUBDOMAIN_RULE)
    causes = []
    if len(name) > limit:
        causes.append(invalid_value("metadata.name", quote(name), f"must be no more than {limit} characters"))
    if not rule.match(name):
        causes.append(invalid_value("metadata.name", quote(name), text))
    return causes


def check_labels(labels: Mapping[str, str]) -> list[Cause]:
    causes = []
    for key, value in labels.items():
        causes.extend(check_key("metadata.labels", key))
        if len(value) > 63:
            causes.append(invalid_value("metadata.labels", quote(value), "must be no more than 63 bytes"))
        if not LABEL_VALUE.match(value):
            causes.append(invalid_value("metadata.labels", quote(value), LABEL_VALUE_RULE))
    return causes


def check_key(field: str, key: str) -> list[Cause]:
    """A qualified name: an optional DNS prefix, a slash, a name."""
    if key.count("/") > 1:
        why = f"a valid label key must consist of {QUALIFIED_RULE.partition(' consist of ')[2]} {WITH_PREFIX}"
        return [invalid_value(field, quote(key), why)]
    prefix, slash, name = key.rpartition("/")
    causes = []
    if slash and not SUBDOMAIN.match(prefix):
        causes.append(invalid_value(field, quote(key), f"prefix part {SUBDOMAIN_RULE}"))
    if not name:
        causes.append(invalid_value(field, quote(key), "name part must be non-empty"))
    elif len(name) > 63:
        causes.append(invalid_value(field, quote(key), "name part must be no more than 63 bytes"))
    if not QUALIFIED.match(name):
        causes.append(invalid_value(field, quote(key), QUALIFIED_RULE))
    return causes


def check_annotations(annotations: Mapping[str, str]) -> list[Cause]:
    causes = [cause for key in annotations for cause in check_key("metadata.annotations", key.lower())]
    size = sum(len(key) + len(value) for key, value in annotations.items())
    if size > ANNOTATIONS_LIMIT:
        message = f"Too long: may not be more than {ANNOTATIONS_LIMIT} bytes"
        causes.append(Cause("metadata.annotations", "FieldValueTooLong", message))
    return causes


def check_owners(owners: list[Mapping[str, Any]]) -> list[Cause]:
    causes = []
    for index, owner in enumerate(owners):
        field = f"metadata.ownerReferences[{index}]"
        for name, what in (("apiVersion", "version"), ("kind", ""), ("name", ""), ("uid", "")):
            if not owner.get(name):
                why = "version must not be empty" if what else "must not be empty"
                causes.append(invalid_value(f"{field}.{name}", '""', why))
    controllers = [owner for owner in owners if owner.get("controller")]
    if len(controllers) > 1:
        names = [f"{owner.get('kind')}/{owner.get('name')}" for owner in controllers]
        why = (
            f'Only one reference can have Controller set to true. Found "true" in references for {" and ".join(names)}'
        )
        causes.append(invalid_value("metadata.ownerReferences", "", why))
    return causes


def check_finalizers(finalizers: list[str]) -> list[Cause]:
    return [cause for name in finalizers for cause in check_key("metadata.finalizers", name)]


def check_new_finalizers(before: list[str], after: list[str]) -> list[Cause]:
    """An object on its way out takes no new obligations."""
    added = [name for name in after if name not in before]
    if not added:
        return []
    listed = ", ".join(quote(name) for name in added)
    why = f"no new finalizers can be added if the object is being deleted, found new finalizers []string{{{listed}}}"
    return [forbidden_value("metadata.finalizers", why)]


def keep_server_fields(meta: Fields, before: Mapping[str, Any]) -> None:
    for name in SERVER_OWNED:
        if name in before:
            meta[name] = before[name]
        else:
            meta.pop(name, None)


def drop_empty(meta: Fields) -> None:
    """Go leaves empty maps and lists out of what it writes."""
    for name in ("labels", "annotations", "ownerReferences", "finalizers", "managedFields", "generateName", "selfLink"):
        if name in meta and not meta[name]:
            del meta[name]
