"""The verbs on objects: get, list, create, update, patch. Deletion has a module of its own (deletion.py).

Runs in the event loop and never waits: a verb reads the store, decides, and commits one revision. Knows no HTTP."""

import base64
import binascii
import datetime as dt
import secrets
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from zonewright.envtest.embedded import codec, errors, intake, metadata, ownership, patches, typed
from zonewright.envtest.embedded.intake import Options
from zonewright.envtest.embedded.ownership import Manager
from zonewright.envtest.embedded.resources import Fields, Registry, Resource
from zonewright.envtest.embedded.scales import read_scale, spec_path, write_scale
from zonewright.envtest.embedded.schema import Node
from zonewright.envtest.embedded.selectors import FieldTest, LabelTest, field_text
from zonewright.envtest.embedded.store import NO_LABELS, Entry, Key, Store

# The alphabet of generated names: no vowels and no digits that look like letters, so that no words come out.
SUFFIX = "bcdfghjklmnpqrstvwxz2456789"
NAMESPACES = "/namespaces"


@dataclass(frozen=True, slots=True)
class Written:
    """An object as it is after a write, and what the writer should hear beside it."""

    raw: bytes
    created: bool = False
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """Which objects a list or a watch is about."""

    namespace: str = ""
    labels: LabelTest | None = None
    fields: FieldTest | None = None
    # Set when only one object can match: there is nothing to look for beyond it.
    name: str = ""

    def matches(self, resource: Resource, entry: Entry) -> bool:
        if self.namespace and entry.key.namespace != self.namespace:
            return False
        if self.labels is not None and not self.labels(entry.labels):
            return False
        return self.fields is None or self.fields(reader(resource, entry))


def reader(resource: Resource, entry: Entry) -> Callable[[str], str]:
    """Reads a field for a selector; name and namespace without decoding anything."""

    def read(path: str) -> str:
        if path == "metadata.name":
            return entry.key.name
        if path == "metadata.namespace":
            return entry.key.namespace
        fields = codec.decode(entry.raw)
        if resource.kind == "Event" and path == "source":
            path = "source.component"
        return field_text(fields, path)

    return read


@dataclass(frozen=True, slots=True)
class Page:
    entries: list[Entry]
    revision: int
    remaining: int = 0
    token: str = ""


class Verbs:
    def __init__(self, store: Store, registry: Registry, now: Callable[[], dt.datetime]) -> None:
        self.store, self.registry, self._now = store, registry, now

    def timestamp(self) -> str:
        return self._now().isoformat(timespec="seconds")[:19] + "Z"

    # ---- reading ----

    def entry(self, resource: Resource, key: Key) -> Entry:
        found = self.store.get(resource.collection, key)
        if found is None:
            raise errors.not_found(resource.group, resource.plural, key.name)
        return found

    def shown(self, resource: Resource, entry: Entry) -> bytes:
        return codec.encode(resource.shown(codec.decode(entry.raw))) if resource.converts else entry.raw

    def page(self, resource: Resource, query: Query, *, limit: int = 0, token: str = "", exact: int = 0) -> Page:
        """One page of the objects; pages after the first show the revision of the first."""
        revision, start = parse_continue(token) if token else (exact, "")
        if revision:
            entries = self.store.entries_at(resource.collection, revision, query.namespace)
        else:
            revision, entries = self.store.revision, self.store.entries(resource.collection, query.namespace)
        if query.name and (query.namespace or not resource.namespaced):
            entries = [entry for entry in entries if entry.key.name == query.name]
        found = [entry for entry in entries if query.matches(resource, entry)]
        if start:
            found = [entry for entry in found if "/".join(entry.key) > start]
        page = found[:limit] if limit else found
        # As from etcd: there is more while keys follow, whether or not they match the selectors.
        if not page or not limit or len(page) < limit or page[-1].key == entries[-1].key:
            return Page(page, revision)
        return Page(page, revision, len(found) - len(page), make_continue(revision, page[-1].key))

    # ---- writing ----

    def create(self, resource: Resource, namespace: str, body: Any, options: Options) -> Written:
        fields, warnings = intake.take(resource, body, options)
        meta = fields["metadata"]
        self._place(resource, meta, namespace)
        if not meta.get("name") and meta.get("generateName"):
            meta["name"] = meta["generateName"][:58] + "".join(secrets.choice(SUFFIX) for _ in range(5))
        self._require_namespace(resource, namespace, meta.get("name", ""))
        if resource.has_status:
            for name in resource.status_fields:
                fields.pop(name, None)
        return Written(self._insert(resource, fields, options, []), created=True, warnings=tuple(warnings))

    def _place(self, resource: Resource, meta: Fields, namespace: str) -> None:
        if not resource.namespaced:
            if meta.get("namespace"):
                raise errors.bad_request("namespace may not be set on a cluster-scoped object")
            return
        if meta.setdefault("namespace", namespace) != namespace:
            why = "the namespace of the provided object does not match the namespace sent on the request"
            raise errors.bad_request(why)

    def _require_namespace(self, resource: Resource, namespace: str, name: str) -> None:
        """Nothing is created in a namespace that is not there or on its way out."""
        if not resource.namespaced:
            return
        found = self.store.get(NAMESPACES, Key("", namespace))
        if found is None:
            raise errors.not_found("", "namespaces", namespace)
        if '"deletionTimestamp"' in found.raw.decode() and codec.decode(found.raw)["metadata"].get("deletionTimestamp"):
            why = f"unable to create new content in namespace {namespace} because it is being terminated"
            cause = errors.Cause(
                "metadata.namespace", "NamespaceTerminating", f"namespace {namespace} is being terminated"
            )
            raise errors.forbidden(resource.group, resource.plural, name, why, [cause])

    def _insert(self, resource: Resource, fields: Fields, options: Options, shares: list[ownership.Share]) -> bytes:
        """Stores a new object; `shares` is who owns its fields where apply has worked that out already."""
        meta = fields["metadata"]
        fields = resource.stored(fields)
        intake.fill_defaults(resource, fields)
        metadata.keep_server_fields(meta, {})
        meta.update(uid=str(uuid.uuid4()), creationTimestamp=self.timestamp())
        if resource.has_generation:
            meta["generation"] = 1
        meta.pop("managedFields", None)
        metadata.drop_empty(meta)
        intake.check(resource, fields, None)
        if meta.pop("resourceVersion", ""):
            raise errors.ApiError(500, "", "resourceVersion should not be set on objects to be created")
        key = Key(meta.get("namespace", ""), meta["name"])
        if present := self.store.get(resource.collection, key):
            deleting = "deletionTimestamp" in codec.decode(present.raw)["metadata"]
            raise errors.already_exists(resource.group, resource.plural, key.name, deleting=deleting)
        if shares:
            meta["managedFields"] = ownership.dump(shares)
        else:
            manager = Manager(options.manager, "Update", resource.api_version)
            meta["managedFields"] = ownership.after_creation(typed_root(resource), fields, manager, self.timestamp())
        resource.allocate(fields, None)
        return self.commit(resource, fields, dry_run=options.dry_run)

    def update(self, resource: Resource, key: Key, body: Any, options: Options) -> Written:
        if options.subresource == "scale":
            return self._update_scale(resource, key, body, options)
        fields, warnings = intake.take(resource, body, options)
        require_name(fields["metadata"], key)
        self._place_update(resource, fields["metadata"], key)
        entry = self.entry(resource, key)
        self._check_versions(resource, fields["metadata"], entry, options)
        return Written(self.replace(resource, entry, fields, options), warnings=tuple(warnings))

    def _place_update(self, resource: Resource, meta: Fields, key: Key) -> None:
        if resource.namespaced and meta.setdefault("namespace", key.namespace) != key.namespace:
            why = "the namespace of the provided object does not match the namespace sent on the request"
            raise errors.bad_request(why)

    def _check_versions(self, resource: Resource, meta: Mapping[str, Any], entry: Entry, options: Options) -> None:
        version, uid = meta.get("resourceVersion", ""), meta.get("uid", "")
        name = entry.key.name
        if not version and not resource.unconditional_update:
            cause = errors.invalid_value("metadata.resourceVersion", "0", "must be specified for an update")
            raise errors.invalid(resource.group, resource.plural, name, [cause])
        if uid and uid != entry.uid:
            why = f"Precondition failed: UID in precondition: {uid}, UID in object meta: {entry.uid}"
            raise errors.conflict(resource.group, resource.plural, name, why)
        if version and version != str(entry.revision):
            raise errors.modified(resource.group, resource.plural, name)
        del options

    def replace(
        self,
        resource: Resource,
        entry: Entry,
        fields: Fields,
        options: Options,
        shares: list[ownership.Share] | None = None,
    ) -> bytes:
        """Puts `fields` in the place of `entry`, as far as this request may change it; no change, no revision."""
        before = codec.decode(entry.raw)
        fields = resource.stored(fields)
        fields = keep_other_half(resource, fields, before, options.subresource)
        intake.fill_defaults(resource, fields)
        resource.allocate(fields, before)
        meta = fields["metadata"]
        metadata.keep_server_fields(meta, before["metadata"])
        reset = meta.pop("managedFields", None) == [{}]
        metadata.drop_empty(meta)
        if resource.has_generation and not options.subresource and moves_generation(resource, fields, before):
            meta["generation"] = before["metadata"].get("generation", 0) + 1
        intake.check(resource, fields, before, options.subresource)
        if shares is None:
            shares = self._shares_after(resource, before, fields, options, reset=reset)
        meta["managedFields"] = ownership.dump(shares)
        metadata.drop_empty(meta)
        return self._put(resource, entry, before, fields, options)

    def _shares_after(
        self, resource: Resource, before: Fields, fields: Fields, options: Options, *, reset: bool
    ) -> list[ownership.Share]:
        shares = [] if reset else ownership.load(before["metadata"].get("managedFields") or ())
        manager = Manager(options.manager, "Update", resource.api_version, options.subresource)
        return ownership.after_update(typed_root(resource), before, fields, shares, manager, self.timestamp())

    def _put(self, resource: Resource, entry: Entry, before: Fields, fields: Fields, options: Options) -> bytes:
        meta = fields["metadata"]
        meta["resourceVersion"] = before["metadata"]["resourceVersion"]
        if fields == before:
            return self.shown(resource, entry)
        if meta.get("deletionTimestamp") and not meta.get("finalizers") and self.may_go(resource, fields):
            return self.remove(resource, entry, fields, dry_run=options.dry_run)
        return self.commit(resource, fields, dry_run=options.dry_run)

    def may_go(self, resource: Resource, fields: Fields) -> bool:
        """The last finalizer is gone; a namespace also waits for its contents, a pod for its kubelet."""
        if resource.collection == NAMESPACES:
            return not (fields.get("spec") or {}).get("finalizers")
        return not fields["metadata"].get("deletionGracePeriodSeconds")

    # ---- patches ----

    def patch(self, resource: Resource, key: Key, body: bytes, content_type: str, options: Options) -> Written:
        if content_type == patches.APPLY:
            return self.apply(resource, key, codec.read_yaml(body), options)
        require_patch_type(resource, content_type)
        entry = self.entry(resource, key)
        change = read_patch(resource, body, content_type)
        current = codec.decode(self.shown(resource, entry))
        if options.subresource == "scale":
            current = read_scale(resource, current, changing=True)
        patched = change(current)
        if not isinstance(patched, dict):
            raise patches.refused()
        self._check_patched(current, patched, key)
        if "metadata" not in patched:
            return self._nameless(resource, key)
        try:
            return self.update(resource, key, patched, options)
        except intake.UnknownFields as error:
            # What is wrong is the patch, not the object.
            cause = errors.invalid_value("patch", codec.encode(patched).decode(), error.message)
            raise errors.invalid("", "", "", [cause]) from error

    def _nameless(self, resource: Resource, key: Key) -> Written:
        cause = errors.required("metadata.name", "name or generateName is required")
        raise errors.invalid(resource.group, resource.kind, key.name, [cause])

    def _check_patched(self, current: Fields, patched: Fields, key: Key) -> None:
        name = (patched.get("metadata") or {}).get("name")
        if name is not None and name != key.name:
            raise errors.bad_request(f"the name of the object ({name}) does not match the name on the URL ({key.name})")
        if isinstance(patched.get("metadata"), dict):
            # A patch that takes the identity away has not asked for a new one.
            for field in ("resourceVersion", "name", "namespace", "uid"):
                if field in current["metadata"]:
                    patched["metadata"].setdefault(field, current["metadata"][field])

    def apply(self, resource: Resource, key: Key, config: Any, options: Options) -> Written:
        """Server-side apply: creates what is missing, else changes only what `config` names."""
        config, warnings = self._take_config(resource, key, config, options)
        manager = Manager(options.manager, "Apply", resource.api_version, options.subresource)
        root, now = typed_root(resource), self.timestamp()
        owned_part = owned_half(resource, config, options.subresource)
        entry = self.store.get(resource.collection, key)
        if entry is None:
            self._require_namespace(resource, key.namespace, key.name)
            share = ownership.Share(manager, ownership.applied_set(root, owned_part), now)
            return Written(self._insert(resource, owned_part, options, [share]), created=True, warnings=warnings)
        live = codec.decode(self.shown(resource, entry))
        self._check_versions_of_config(resource, config, entry)
        shares = ownership.load(live["metadata"].get("managedFields") or ())
        result = ownership.apply(root, live, owned_part, shares, manager, force=options.force, now=now)
        raw = self.replace(resource, entry, result.fields, options, result.shares)
        return Written(raw, warnings=warnings)

    def _take_config(
        self, resource: Resource, key: Key, config: Any, options: Options
    ) -> tuple[Fields, tuple[str, ...]]:
        if not isinstance(config, dict) or not config.get("kind") or not config.get("apiVersion"):
            raise errors.bad_request("invalid object type: /, Kind=")
        if (config.get("metadata") or {}).get("managedFields"):
            raise errors.bad_request("metadata.managedFields must be nil")
        typed.check(
            typed_root(resource), config, f"{key.namespace}/{key.name}; {resource.api_version}, Kind={resource.kind}"
        )
        fields, warnings = intake.take(resource, config, options)
        if options.subresource:
            self.entry(resource, key)
        if "name" not in fields["metadata"] and self.store.get(resource.collection, key) is None:
            why = f"the name of the object ({key.name} based on URL) was undeterminable: name must be provided"
            raise errors.bad_request(why)
        require_name(fields["metadata"], key)
        if resource.namespaced:
            fields["metadata"].setdefault("namespace", key.namespace)
        return fields, tuple(warnings)

    def _check_versions_of_config(self, resource: Resource, config: Fields, entry: Entry) -> None:
        version, uid = (config["metadata"].pop(name, "") for name in ("resourceVersion", "uid"))
        if (version and version != str(entry.revision)) or (uid and uid != entry.uid):
            raise errors.modified(resource.group, resource.plural, entry.key.name)

    def _update_scale(self, resource: Resource, key: Key, body: Any, options: Options) -> Written:
        entry = self.entry(resource, key)
        version = (body.get("metadata") or {}).get("resourceVersion", "") if isinstance(body, dict) else ""
        if version and version != str(entry.revision):
            raise errors.modified(resource.group, resource.plural, key.name)
        before = codec.decode(self.shown(resource, entry))
        fields = write_scale(resource, codec.decode(self.shown(resource, entry)), body)
        shares = self._shares_after_scale(resource, before, fields, options)
        options = Options(options.dry_run, options.manager, options.validation)
        raw = self.replace(resource, entry, fields, options, shares)
        return Written(codec.encode(read_scale(resource, codec.decode(raw))))

    def _shares_after_scale(
        self, resource: Resource, before: Fields, fields: Fields, options: Options
    ) -> list[ownership.Share]:
        """The replicas change hands only if they were in someone's: a quirk of kube-apiserver."""
        shares = ownership.load(before["metadata"].get("managedFields") or ())
        path = tuple(f"f:{name}" for name in spec_path(resource).strip(".").split("."))
        if not any(path in share.fields for share in shares):
            return shares
        manager = Manager(options.manager, "Update", resource.api_version, "scale")
        return ownership.after_update(typed_root(resource), before, fields, shares, manager, self.timestamp())

    # ---- the store ----

    def amend(self, resource: Resource, fields: Fields, manager: str) -> bytes:
        """Stores a change that a controller made to an object, with the ownership of what it changed."""
        key = Key(fields["metadata"].get("namespace", ""), fields["metadata"]["name"])
        before = codec.decode(self.entry(resource, key).raw)
        shares = self._shares_after(resource, before, fields, Options(manager=manager), reset=False)
        fields["metadata"]["managedFields"] = ownership.dump(shares)
        metadata.drop_empty(fields["metadata"])
        return self.commit(resource, fields)

    def commit(self, resource: Resource, fields: Fields, *, dry_run: bool = False) -> bytes:
        """Gives the object its revision and stores it; a dry run returns what would have been stored."""
        meta = fields["metadata"]
        if dry_run:
            return codec.encode(resource.shown(fields))
        revision = self.store.next_revision()
        meta["resourceVersion"] = str(revision)
        entry = entry_of(fields, revision)
        self.store.put(resource.collection, entry)
        return self.shown(resource, entry)

    def remove(self, resource: Resource, entry: Entry, fields: Fields, *, dry_run: bool = False) -> bytes:
        """Takes the object out of the store and returns its last state."""
        if dry_run:
            return codec.encode(resource.shown(fields))
        revision = self.store.next_revision()
        # Watchers see the object go as it was stored, not as its last writer would have had it.
        stored = codec.decode(entry.raw)
        for one in (stored, fields):
            one["metadata"]["resourceVersion"] = str(revision)
        self.store.remove(resource.collection, entry_of(stored, revision))
        return codec.encode(resource.shown(fields))


def require_name(meta: Fields, key: Key) -> None:
    if (name := meta.setdefault("name", key.name)) != key.name:
        raise errors.bad_request(f"the name of the object ({name}) does not match the name on the URL ({key.name})")


def entry_of(fields: Fields, revision: int) -> Entry:
    meta = fields["metadata"]
    return Entry(
        Key(meta.get("namespace", ""), meta["name"]),
        meta["uid"],
        revision,
        meta.get("labels") or NO_LABELS,
        tuple(owner["uid"] for owner in meta.get("ownerReferences") or ()),
        codec.encode(fields),
    )


def keep_other_half(resource: Resource, fields: Fields, before: Fields, subresource: str) -> Fields:
    """A write to /status changes nothing but status; a plain write changes everything but it."""
    if not resource.has_status:
        return fields
    if subresource == "status":
        kept = {name: value for name, value in before.items() if name not in resource.status_fields}
        changed = {name: fields[name] for name in resource.status_fields if name in fields}
        meta = dict(before["metadata"])
        return kept | changed | {"metadata": meta}
    kept = {name: value for name, value in fields.items() if name not in resource.status_fields}
    return kept | {name: before[name] for name in resource.status_fields if name in before}


def owned_half(resource: Resource, config: Fields, subresource: str) -> Fields:
    """What an apply to this endpoint can own: status on /status, everything else elsewhere."""
    if not resource.has_status:
        return config
    if subresource == "status":
        names = {"apiVersion", "kind", "metadata", *resource.status_fields}
        meta = {name: config["metadata"][name] for name in ("name", "namespace") if name in config["metadata"]}
        return {name: value for name, value in config.items() if name in names} | {"metadata": meta}
    return {name: value for name, value in config.items() if name not in resource.status_fields}


def moves_generation(resource: Resource, fields: Fields, before: Fields) -> bool:
    """The generation counts changes of what is wanted: not of metadata, and not of status where that is apart."""
    apart = {"metadata", "apiVersion", "kind", *(resource.status_fields if resource.has_status else ())}
    names = (fields.keys() | before.keys()) - apart
    return any(fields.get(name) != before.get(name) for name in names)


def typed_root(resource: Resource) -> Node:
    """The schema of the whole object, metadata included, for the ownership of fields."""
    found = TYPED.get(resource.schema)
    if found is None:
        found = TYPED[resource.schema] = intake.with_metadata(resource)
    return found


TYPED: WeakKeyDictionary[Node, Node] = WeakKeyDictionary()


def read_patch(resource: Resource, body: bytes, content_type: str) -> Callable[[Fields], Any]:
    if content_type == patches.JSON:
        operations = codec.read_json(body)
        return lambda current: patches.json_patch(current, operations)
    if content_type == patches.MERGE:
        change = codec.read_json(body)
        if not isinstance(change, dict):
            what = "array" if isinstance(change, list) else "value"
            why = f"json: cannot unmarshal {what} into Go value of type map[string]interface {{}}"
            raise errors.bad_request(f"error decoding patch: {why}")
        return lambda current: patches.merge(current, change)
    change = codec.read_json(body)
    return lambda current: patches.strategic(resource.schema, current, change)


def require_patch_type(resource: Resource, content_type: str) -> None:
    """Strategic merge needs Go types, so custom kinds have none."""
    accepted = [patches.JSON, patches.MERGE, *([] if resource.custom else [patches.STRATEGIC]), patches.APPLY]
    if content_type not in accepted:
        raise errors.unsupported_media_type(accepted)


def make_continue(revision: int, key: Key) -> str:
    return base64.urlsafe_b64encode(f"{revision} {'/'.join(key)}".encode()).decode().rstrip("=")


def parse_continue(token: str) -> tuple[int, str]:
    try:
        revision, _, start = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode().partition(" ")
        return int(revision), start
    except (ValueError, binascii.Error) as error:
        raise errors.bad_request(f"continue key is not valid: {error}") from error


def each_shown(verbs: Verbs, resource: Resource, entries: list[Entry]) -> Iterator[bytes]:
    return (verbs.shown(resource, entry) for entry in entries)
