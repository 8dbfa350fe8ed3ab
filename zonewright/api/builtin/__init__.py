# Generated from the OpenAPI of Kubernetes v1.36.3. Do not edit: see zonewright/codegen/builtin.py.
"""Typed built-in kinds, as Kubernetes v1.36.3 describes them.

    from zonewright.api.builtin import kinds                     # kinds.Service: for informers, the client, the builder
    from zonewright.api.builtin.core_v1 import Service           # its model

Importing this package or `kinds` loads no model; a model's module loads when it is first asked for. The models read
the objects of older and newer clusters too: unknown fields are kept, and enums are text.
"""
