"""Kinds and objects: what a kind is, an object as the API server sent it, pure helpers on its metadata and status.

Knows JSON and the conventions of the Kubernetes API; does no I/O and starts no threads.
"""
