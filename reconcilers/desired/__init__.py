"""What a zone should contain: objects in, RRsets with their contributors out. Pure, but for the lock of `selection`.

    views -> rdata -> merge -> selection      a record as a value, its data in a zone, one name of a zone, all zones

Knows no API server and no name server.
"""
