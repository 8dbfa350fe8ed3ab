"""Requests to one API server: configuration, credentials, connections, typed calls.

Knows HTTP and TLS; knows nothing of caches, queues or controllers.
"""
