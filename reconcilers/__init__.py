"""WHAT to do for each kind: no watches, queues or retries of its own."""
