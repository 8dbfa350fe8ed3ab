"""What external-dns' objects ask for: DNSEndpoints, Services and Ingresses in, endpoints out. Pure.

    crd, service, ingress -> chain -> filters        one object's endpoints, all of them together, which of them count

An endpoint that is refused on the way is never dropped: it goes on with its problem, so that its object can be told.
Knows no zones, no servers, and not what stands in DNS. Facts about external-dns are those of v0.22.
"""
