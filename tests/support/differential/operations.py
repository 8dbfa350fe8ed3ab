"""The operations of the differential test, drawn from a seed: right ones, wrong ones, and nonsense."""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.support.differential.sides import Fields, Operation, Side

GROUP = "/apis/envtest.example.org/v1"
MERGE, JSON = "application/merge-patch+json", "application/json-patch+json"
STRATEGIC, APPLY = "application/strategic-merge-patch+json", "application/apply-patch+yaml"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
PARTIAL_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"

# Values for the fields of a Widget: right ones and wrong ones.
RIGHT: dict[str, list[Any]] = {
    "color": ["red", "green", "blue"],
    "size": [1, 7, 100],
    "weight": [0.5, 2.5, 12.5],
    "replicas": [0, 1, 5],
    "name": ["ab", "abcdefghij"],
    "enabled": [True, False],
    "address": ["192.0.2.1"],
    "when": ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+02:00"],
    "payload": ["aGVsbG8="],
    "port": [80, "http"],
    "optional": ["text", None],
    "tags": [["a"], ["a", "b"], ["c", "a", "b"], []],
    "words": [["one"], ["one", "two", "one"]],
    "parts": [[{"name": "x"}], [{"name": "x", "count": 2}, {"name": "y", "notes": {"k": "v"}}], []],
    "selector": [{"a": "b"}, {"a": "b", "c": "d"}, {}],
    "limits": [{}, {"low": 3}, {"low": None, "high": 4}],
    "free": [{"any": {"thing": [1, "two", None]}}, {}],
    "choice": [{"a": "x"}, {"b": "y"}],
}
WRONG: dict[str, list[Any]] = {
    "color": ["pink", 3, None],
    "size": [0, 101, "7"],
    "weight": [0.3, -1.5, "1"],
    "replicas": [-1, "many"],
    "name": ["a", "abcdefghijk", "ABC", 5],
    "enabled": ["yes", 1],
    "address": ["192.0.2.256", "2001:db8::1", ""],
    "when": ["yesterday", "2026-13-01T00:00:00Z"],
    "payload": ["not base64!"],
    "port": [1.5, True, ["http"]],
    "optional": [5],
    "tags": [["a", "a"], ["a", "b", "c", "d"], [1], "a"],
    "words": [[], ["toolong"]],
    "parts": [
        [{"count": 1}],
        [{"name": "x"}, {"name": "x"}],
        [{"name": "x", "count": "2"}],
        [{"name": "x", "notes": {"k": 1}}],
    ],
    "selector": [{"a": 1}, ["a"]],
    "limits": [{"low": "3"}, 5],
    "free": [5, "text"],
    "choice": [{}, {"a": "x", "b": "y"}, {"a": 1}],
}
STATUS_RIGHT = [
    {"phase": "Up"},
    {"replicas": 2, "conditions": [{"type": "Ready", "status": "True"}]},
    {"conditions": [{"type": "Ready", "status": "False", "reason": "Why"}, {"type": "Late", "status": "Unknown"}]},
    {},
]
STATUS_WRONG: list[Any] = [
    {"phase": 1},
    {"conditions": [{"type": "Ready", "status": "Maybe"}]},
    {"conditions": [{"type": "Ready", "status": "True"}, {"type": "Ready", "status": "True"}]},
    {"conditions": [{"status": "True"}]},
    "text",
]
LABELS: list[Any] = [{"a": "b"}, {"a": "c", "d": "e"}, {}, {"app.example.org/x": "y"}]
LABELS_WRONG: list[Any] = [{"a": "-"}, {"-a": "b"}, {"a": 1}, {"x/y/z": "b"}, {"": "b"}, {"a": "b" * 64}]
SELECTORS = ["a=b", "a==c", "a!=b", "a in (b,c)", "a notin (b)", "d", "!d", "a,d", "app.example.org/x=y", "a=b,!d"]
FIELD_SELECTORS = [
    "metadata.name=w1",
    "metadata.name!=w1",
    "spec.color=red",
    "spec.color!=red",
    "spec.size=7",
    "nonsense",
]


class Generator:
    """Draws operations from a seed, without looking at the answers."""

    def __init__(self, seed: int, namespace: str) -> None:
        self._dice = random.Random(seed)
        self.namespace = namespace
        self.widgets = f"{GROUP}/namespaces/{namespace}/widgets"
        self.core = f"/api/v1/namespaces/{namespace}"

    def operations(self, count: int) -> Iterator[Operation]:
        table: list[tuple[int, Callable[[], list[Operation]]]] = [
            (14, self.create),
            (4, self.create_odd),
            (8, self.read),
            (8, self.list_),
            (10, self.update),
            (8, self.update_status),
            (12, self.merge_patch),
            (6, self.json_patch),
            (12, self.apply),
            (6, self.scale),
            (10, self.delete),
            (1, self.delete_collection),
            (4, self.family),
            (10, self.built_in),
            (4, self.built_in_dry_run),
            (3, self.nonsense),
            (1, self.namespace_life),
        ]
        weights = [weight for weight, _ in table]
        made = 0
        while made < count:
            for operation in self._dice.choices([make for _, make in table], weights)[0]():
                yield operation
                made += 1

    # -- drawing --

    def one(self, choices: list[Any]) -> Any:
        return copy.deepcopy(self._dice.choice(choices))

    def often(self, share: float) -> bool:
        return self._dice.random() < share

    def name(self) -> str:
        return f"w{self._dice.randrange(6)}"

    def path(self) -> str:
        return f"{self.widgets}/{self.name()}"

    def spec(self, *, wrong: float = 0.25, required: bool = True) -> Fields:
        names = self._dice.sample(sorted(RIGHT), self._dice.randrange(0, 6))
        spec = {name: self.one(RIGHT[name]) for name in names}
        if required or self.often(0.5):
            spec["color"] = self.one(RIGHT["color"])
        if self.often(wrong):
            for name in self._dice.sample(sorted(WRONG), self._dice.choice([1, 1, 1, 2, 3])):
                spec[name] = self.one(WRONG[name])
        if self.often(0.12):
            spec["surprise"] = 1
        return spec

    def metadata(self, name: str) -> Fields:
        meta: Fields = {"name": name}
        if self.often(0.4):
            meta["labels"] = self.one(LABELS if self.often(0.85) else LABELS_WRONG)
        if self.often(0.15):
            meta["annotations"] = self.one([{"note": "x"}, {"example.org/note": ""}, {"bad key": "x"}])
        if self.often(0.15):
            meta["finalizers"] = self.one(
                [["example.org/hold"], ["example.org/hold", "example.org/other"], ["bad/"], []]
            )
        if self.often(0.05):
            meta["surprise"] = 1
        return meta

    def options(self) -> Fields:
        query: Fields = {}
        if self.often(0.15):
            query["dryRun"] = "All"
        if self.often(0.4):
            query["fieldValidation"] = self.one(["Strict", "Warn", "Ignore"])
        if self.often(0.5):
            query["fieldManager"] = self.one(["alice", "bob"])
        return query

    def widget(self, name: str, **spec: Any) -> Fields:
        return {
            "apiVersion": "envtest.example.org/v1",
            "kind": "Widget",
            "metadata": self.metadata(name),
            "spec": self.spec(**spec),
        }

    # -- custom resources --

    def create(self) -> list[Operation]:
        body = self.widget(self.name())
        if self.often(0.2):
            body["status"] = self.one(STATUS_RIGHT)
        return [Operation("POST", self.widgets, body, self.options())]

    def create_odd(self) -> list[Operation]:
        body = self.widget(self.name(), wrong=0)
        change = self._dice.randrange(9)
        if change == 0:
            del body["metadata"]["name"]
        elif change == 1:
            body["metadata"] = {"generateName": "made-"}
            return [
                Operation("POST", self.widgets, body, {"dryRun": "All"}),
                Operation("POST", self.widgets, body),
                Operation("DELETE", self.widgets, query={"fieldSelector": f"metadata.namespace={self.namespace}"}),
            ]
        elif change == 2:
            body["metadata"]["namespace"] = "elsewhere"
        elif change == 3:
            body["kind"] = "Gadget"
        elif change == 4:
            body["apiVersion"] = self.one(["envtest.example.org/v2", "", "v1"])
        elif change == 5:
            del body["spec"]
        elif change == 6:
            body["metadata"]["name"] = self.one(["UPPER", "dot.ted", "-x", "x" * 254, "a_b"])
        elif change == 7:
            body["metadata"]["resourceVersion"] = "5"
        else:
            return [Operation("POST", self.widgets.replace(self.namespace, "no-such-namespace"), body)]
        return [Operation("POST", self.widgets, body)]

    def read(self) -> list[Operation]:
        accept = self._dice.choices(["application/json", TABLE, PARTIAL], [3, 1, 1])[0]
        suffix = self._dice.choices(["", "/status"], [4, 1])[0] if accept == "application/json" else ""
        return [Operation("GET", self.path() + suffix, accept=accept)]

    def list_(self) -> list[Operation]:
        query: Fields = {}
        if self.often(0.4):
            query["labelSelector"] = self.one(SELECTORS)
        if self.often(0.3):
            query["fieldSelector"] = self.one(FIELD_SELECTORS)
        accept = self._dice.choices(["application/json", TABLE, PARTIAL_LIST, PARTIAL], [12, 3, 3, 1])[0]
        if self.often(0.3):
            query["limit"] = self.one(["1", "2", "500"])
            more = query | {"continue": lambda side: side.tokens.get(self.widgets, "")}
            return [Operation("GET", self.widgets, query=query), Operation("GET", self.widgets, query=more)]
        return [Operation("GET", self.widgets, query=query, accept=accept)]

    def update(self) -> list[Operation]:
        path, wanted = self.path(), self._dice.choices(["current", "stale", "none"], [8, 1, 1])[0]
        body = self.widget(path.rpartition("/")[2])
        if self.often(0.1):
            body["status"] = self.one(STATUS_RIGHT)

        def complete(side: Side) -> Fields:
            made = copy.deepcopy(body)
            if wanted != "none":
                made["metadata"]["resourceVersion"] = side.revision(path, stale=wanted == "stale")
            return made

        return [Operation("GET", path), Operation("PUT", path, complete, self.options())]

    def update_status(self) -> list[Operation]:
        path = self.path()
        status = self.one(STATUS_RIGHT if self.often(0.75) else STATUS_WRONG)
        if self.often(0.5):
            change = {"status": status, "metadata": {"labels": {"z": "z"}}, "spec": {"size": 55}}
            return [Operation("PATCH", f"{path}/status", change, self.options(), MERGE)]
        body = self.widget(path.rpartition("/")[2], wrong=0) | {"status": status}

        def complete(side: Side) -> Fields:
            made = copy.deepcopy(body)
            made["metadata"]["resourceVersion"] = side.revision(path, stale=False)
            return made

        return [Operation("GET", path), Operation("PUT", f"{path}/status", complete, self.options())]

    def merge_patch(self) -> list[Operation]:
        path, change = self.path(), {}
        if self.often(0.7):
            spec = self.spec(required=False)
            for name in self._dice.sample(sorted(RIGHT), self._dice.randrange(3)):
                spec[name] = None
            change["spec"] = spec
        if self.often(0.5):
            change["metadata"] = {"labels": self.one([{"a": None}, {"a": "z"}, None, {"n": "m"}])}
        if self.often(0.25):
            finalizers = self.one([[], None, ["example.org/hold"], ["example.org/new"]])
            change.setdefault("metadata", {})["finalizers"] = finalizers
        if self.often(0.05):
            change.setdefault("metadata", {})["name"] = "other"
        return [Operation("PATCH", path, change, self.options(), MERGE)]

    def json_patch(self) -> list[Operation]:
        steps = [
            {"op": "replace", "path": "/spec/color", "value": "blue"},
            {"op": "replace", "path": "/spec/nothing", "value": 1},
            {"op": "add", "path": "/spec/tags", "value": ["q"]},
            {"op": "add", "path": "/spec/tags/-", "value": "r"},
            {"op": "add", "path": "/spec/tags/0", "value": "s"},
            {"op": "add", "path": "/spec/tags/9", "value": "t"},
            {"op": "remove", "path": "/spec/tags"},
            {"op": "remove", "path": "/spec/words"},
            {"op": "test", "path": "/spec/color", "value": "red"},
            {"op": "copy", "from": "/spec/color", "path": "/spec/name"},
            {"op": "move", "from": "/spec/free", "path": "/spec/limits"},
            {"op": "add", "path": "/metadata/labels", "value": {"j": "p"}},
            {"op": "add", "path": "/metadata/annotations/a~1b", "value": "x"},
            {"op": "replace", "path": "/spec/size", "value": 500},
            {"op": "remove", "path": "/metadata/finalizers"},
        ]
        chosen = self._dice.sample(steps, self._dice.choice([1, 1, 2, 3]))
        return [Operation("PATCH", self.path(), chosen, self.options(), JSON)]

    def apply(self) -> list[Operation]:
        path = self.path()
        body: Fields = {"apiVersion": "envtest.example.org/v1", "kind": "Widget"}
        spec = self.spec(wrong=0.1, required=self.often(0.7))
        # Nulls fail deep in Go's typed conversion; for the replicas see DIFFERENCES.
        body["spec"] = {name: value for name, value in spec.items() if value is not None and name != "surprise"}
        for name in ("optional", "replicas"):
            body["spec"].pop(name, None)
        if body["spec"].get("limits") == {"low": None, "high": 4}:
            del body["spec"]["limits"]
        body["metadata"] = {"name": path.rpartition("/")[2]} if self.often(0.9) else {}
        if self.often(0.3):
            body["metadata"]["labels"] = self.one(LABELS)
        query = {"fieldManager": self.one(["alice", "bob", "carol"])}
        if self.often(0.5):
            query["force"] = "true"
        if self.often(0.15):
            status = self.one(STATUS_RIGHT)
            body = body | {"status": status}
            del body["spec"]
            return [Operation("PATCH", f"{path}/status", body, query, APPLY)]
        return [Operation("PATCH", path, body, query, APPLY)]

    def scale(self) -> list[Operation]:
        path = f"{self.path()}/scale"
        if self.often(0.4):
            return [Operation("GET", path)]
        change = {"spec": {"replicas": self.one([0, 2, 9, -1])}}
        return [Operation("PATCH", path, change, {}, MERGE)]

    def delete(self) -> list[Operation]:
        path = self.path()
        choice = self._dice.randrange(8)
        if choice == 0:
            return [Operation("DELETE", path, {"preconditions": {"uid": "wrong"}})]
        if choice == 1:
            return [Operation("DELETE", path, lambda side: {"preconditions": {"uid": side.uid(path)}})]
        if choice == 2:
            return [Operation("DELETE", path, {"preconditions": {"resourceVersion": "1"}})]
        if choice == 3:
            return [Operation("DELETE", path, query={"dryRun": "All"})]
        if choice == 4:
            return [Operation("DELETE", path, {"propagationPolicy": self.one(["Background", "Nonsense"])})]
        release = Operation("PATCH", path, {"metadata": {"finalizers": None}}, {}, MERGE)
        return [Operation("DELETE", path), release] if choice == 5 else [Operation("DELETE", path)]

    def delete_collection(self) -> list[Operation]:
        return [Operation("DELETE", self.widgets, query={"labelSelector": self.one(SELECTORS)})]

    def family(self) -> list[Operation]:
        """An owner with dependents, deleted in one of the three ways."""
        names = ["owner", "child-a", "child-b"]
        paths = [f"{self.widgets}/{name}" for name in names]
        policy = self.one(["Background", "Foreground", "Orphan"])
        finalized = self.often(0.3)

        def child(name: str) -> Callable[[Side], Fields]:
            def body(side: Side) -> Fields:
                owner: Fields = {"apiVersion": "envtest.example.org/v1", "kind": "Widget", "name": "owner"}
                owner |= {"uid": side.uid(paths[0]), "blockOwnerDeletion": True}
                meta: Fields = {"name": name, "ownerReferences": [owner]}
                if finalized and name == "child-a":
                    meta["finalizers"] = ["example.org/hold"]
                return simple(meta)

            return body

        steps = [Operation("POST", self.widgets, simple({"name": "owner"}))]
        steps += [Operation("POST", self.widgets, child(name)) for name in names[1:]]
        steps.append(Operation("DELETE", paths[0], {"propagationPolicy": policy}))
        if policy == "Orphan":
            steps.append(Operation("GET", paths[0], until_gone=True))
            steps += [Operation("DELETE", path) for path in paths[1:]]
        if policy != "Orphan":
            steps.append(Operation("GET", paths[2], until_gone=True))
        if finalized:
            steps.append(Operation("PATCH", paths[1], {"metadata": {"finalizers": None}}, {}, MERGE))
        return [*steps, *(Operation("GET", path, until_gone=True) for path in paths)]

    # -- built-in kinds --

    def built_in(self) -> list[Operation]:
        plural, kind = self.one(
            [("configmaps", "ConfigMap"), ("secrets", "Secret"), ("serviceaccounts", "ServiceAccount")]
        )
        collection, name = f"{self.core}/{plural}", f"b{self._dice.randrange(3)}"
        path = f"{collection}/{name}"
        body: Fields = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "labels": self.one(LABELS)}}
        if kind != "ServiceAccount":
            body["data"] = self.one([{}, {"k": "dGV4dA=="}, {"k": "dGV4dA==", "l": "bW9yZQ=="}])
        if kind == "Secret" and self.often(0.3):
            body["stringData"] = {"s": "plain"}
        if self.often(0.1):
            body["surprise"] = 1
        if self.often(0.1):
            body["metadata"]["labels"] = {"a": 5}
        change = self.one([{"metadata": {"labels": {"s": "t"}}}, {"metadata": {"annotations": {"x": None}}}])
        accept = self._dice.choices(["application/json", PARTIAL], [3, 1])[0]
        operations = [
            Operation("POST", collection, body, self.options()),
            Operation("PUT", path, body, self.options()),
            Operation("PATCH", path, change, self.options(), self.one([MERGE, STRATEGIC])),
            Operation("GET", path, accept=accept),
            Operation("GET", collection, query={"labelSelector": self.one(SELECTORS)}),
            Operation("DELETE", path),
        ]
        return [self._dice.choice(operations)]

    def built_in_dry_run(self) -> list[Operation]:
        """Defaults of kinds that controllers would touch at once if they were really created."""
        collection, body = self.one(DRY_RUN)
        return [Operation("POST", collection.format(namespace=self.namespace), body, {"dryRun": "All"})]

    def nonsense(self) -> list[Operation]:
        widget = self.path()
        return [
            self.one(
                [
                    Operation("GET", f"{GROUP}/namespaces/{self.namespace}/gizmos"),
                    Operation("GET", "/apis/nothing.example.org/v1/things"),
                    Operation("GET", f"{widget}/nothing"),
                    Operation("PUT", self.widgets, {}),
                    Operation("PATCH", widget, {"spec": {}}, {}, STRATEGIC),
                    Operation("PATCH", widget, {"spec": {}}, {}, "application/unknown+json"),
                    Operation("PATCH", widget, [], {}, MERGE),
                    Operation("PATCH", widget, {}, {}, APPLY),
                    Operation("PATCH", widget, {}, {"fieldManager": "alice"}, APPLY),
                    Operation("POST", self.widgets, b'{"kind": "Widget"'),
                    Operation("GET", self.widgets, query={"limit": "x"}),
                    Operation("GET", self.widgets, query={"labelSelector": "a=b=c"}),
                    Operation("GET", f"{GROUP}/widgets", query={"labelSelector": "none=such"}),
                ]
            )
        ]

    def namespace_life(self) -> list[Operation]:
        """A namespace ends with its contents, and only when their finalizers are gone."""
        name = f"{self.namespace}-{self._dice.randrange(10**6)}"
        space, inside = f"/api/v1/namespaces/{name}", f"{GROUP}/namespaces/{name}/widgets"
        held = {"name": "held", "finalizers": ["example.org/hold"]}
        return [
            Operation("POST", "/api/v1/namespaces", {"metadata": {"name": name}}),
            Operation("POST", inside, simple(held)),
            Operation("POST", inside, simple({"name": "free"})),
            Operation("DELETE", space),
            Operation("GET", f"{inside}/free", until_gone=True),
            Operation("POST", inside, simple({"name": "late"})),
            Operation("PATCH", f"{inside}/held", {"metadata": {"finalizers": None}}, {}, MERGE),
            Operation("GET", space, until_gone=True),
        ]


def simple(meta: Fields) -> Fields:
    return {"apiVersion": "envtest.example.org/v1", "kind": "Widget", "metadata": meta, "spec": {"color": "red"}}


CONTAINER = {"name": "c", "image": "example.org/x:1", "ports": [{"containerPort": 80}]}
PROBED = CONTAINER | {
    "image": "x",
    "livenessProbe": {"httpGet": {"port": 80}},
    "readinessProbe": {"tcpSocket": {"port": 1}},
}
VOLUMES = [{"name": "v", "configMap": {"name": "x"}}, {"name": "s", "secret": {"secretName": "x"}}, {"name": "e"}]
TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [PROBED], "volumes": VOLUMES}}
BACKEND = {"service": {"name": "a", "port": {"number": 80}}}
DEPLOYMENT = {"selector": {"matchLabels": {"a": "b"}}, "template": TEMPLATE}


def built(api_version: str, kind: str, **more: Any) -> Fields:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "dry"}, **more}


DRY_RUN: list[tuple[str, Fields]] = [
    ("/apis/apps/v1/namespaces/{namespace}/deployments", built("apps/v1", "Deployment", spec=DEPLOYMENT)),
    (
        "/apis/apps/v1/namespaces/{namespace}/deployments",
        built("apps/v1", "Deployment", spec=DEPLOYMENT | {"strategy": {"type": "Recreate"}, "replicas": 0}),
    ),
    (
        "/apis/apps/v1/namespaces/{namespace}/deployments",
        built("apps/v1", "Deployment", spec=DEPLOYMENT | {"selector": {"matchLabels": {"a": "c"}}}),
    ),
    ("/api/v1/namespaces/{namespace}/pods", built("v1", "Pod", spec={"containers": [CONTAINER]})),
    ("/api/v1/namespaces/{namespace}/services", built("v1", "Service", spec={"ports": [{"port": 80}]})),
    ("/api/v1/namespaces/{namespace}/services", built("v1", "Service", spec={"clusterIP": "None"})),
    *(
        ("/api/v1/namespaces/{namespace}/services", built("v1", "Service", spec=spec))
        for spec in (
            {"type": "LoadBalancer", "ports": [{"port": 80}], "allocateLoadBalancerNodePorts": False},
            {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30080}]},
            {"type": "ExternalName", "externalName": "x.example.org"},
            {"type": "ExternalName"},
            {"clusterIP": "nowhere", "ports": [{"port": 80}]},
        )
    ),
    *(
        (
            "/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses",
            built("networking.k8s.io/v1", "Ingress", spec=spec),
        )
        for spec in (
            {"defaultBackend": BACKEND},
            {
                "rules": [
                    {
                        "host": "*.example.org",
                        "http": {"paths": [{"pathType": "Exact", "path": "/", "backend": BACKEND}]},
                    }
                ]
            },
            {"rules": [{"host": "A.example.org", "http": {"paths": [{"path": "x", "backend": {}}]}}]},
            {},
        )
    ),
    (
        "/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets",
        built("policy/v1", "PodDisruptionBudget", spec={"maxUnavailable": 1, "selector": {"matchLabels": {"a": "b"}}}),
    ),
    (
        "/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices",
        built(
            "discovery.k8s.io/v1",
            "EndpointSlice",
            addressType="IPv4",
            endpoints=[{"addresses": ["192.0.2.1"]}],
            ports=[{"port": 80}],
        ),
    ),
    (
        "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases",
        built("coordination.k8s.io/v1", "Lease", spec={"holderIdentity": "x", "leaseDurationSeconds": 15}),
    ),
    ("/api/v1/namespaces", built("v1", "Namespace")),
]
