"""From keys to reconciles: the work queue, the controller that calls a reconciler, and the builder that wires both.

Knows keys and results; what a reconciler reads and writes is its own business.
"""
