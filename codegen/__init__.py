"""This operator's generation step: which CRDs become which files, and the scaffolding of record kinds.

The generator is `zonewright.codegen`; here is what only a DNS operator needs. Build time only: nothing at run time
imports this package.
"""
