"""BIND9 servers: the instance, cluster and global cluster kinds, named.conf, and the client of their sidecar."""
