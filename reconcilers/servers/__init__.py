"""How name servers and their sidecars are talked to: dialers, port-forward, the client of bindcar."""
