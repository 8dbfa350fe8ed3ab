"""bindcar (9): the sidecar of every BIND9 server, an HTTP API over named's control channel.

It creates, changes and deletes zones, and remembers beside each zone file whose zone it is. It stands alone in its
pod: it knows neither Kubernetes objects nor the operator, and publishes no records (those travel by DNS UPDATE).
"""
