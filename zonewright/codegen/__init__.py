"""CRD YAML in, Python and manifests out. Build time only: nothing at run time imports this package.

The flow, one module per step:

    load -> crd      files, documents, one `Crd` per definition; refuses what cannot be generated, naming file and path
    schema/          pure functions that turn a structural schema into the JSON Schema that the model writer gets right
    models           datamodel-code-generator, called as a library: classes
    render           jinja2: registry, informer factory, lazy packages, RBAC, API reference
    tidy             one ruff pass
    output           the finished tree: compared as a whole, or swapped in at once

`generate` strings them together; `zonewright.cli.generate` and `watch` are what people meet. Knows CRDs, and nothing of
any operator: what a project adds (names, rules, places) comes in with its `Target`.
"""
