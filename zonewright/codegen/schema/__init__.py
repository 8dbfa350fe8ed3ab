"""Structural schema -> the JSON Schema that the model writer gets right. Pure functions, one idea per module.

A CRD's schema looks like JSON Schema and is not: null is a flag, formats rewrite values, `oneOf` states rules rather
than types, and the root leaves out what every object has. `prepare` runs the steps in their order:

    structural  refuses what cannot be generated, naming the path
    keywords    keeps what says something about types; junctors, titles and formats go
    scalars     int-or-string, quantities, timestamps and numbers become shared aliases
    bounds      limits as JSON Schema writes them
    patterns    RE2 -> the Rust engine that pydantic uses, or nothing
    defaults    scalar defaults stay
    root        apiVersion and kind as literals; metadata comes with the base class
    hoist       every object becomes a named definition; equal ones share it; names are locked
    nullable    last, because it speaks of references too
"""
