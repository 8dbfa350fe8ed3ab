"""How long the operator waits, and why: every duration in one place. Seconds, unless the name says otherwise.

Flags (`--poll-interval`, `--drain-seconds`) and the client's own time-outs are not here: people choose the ones, the
others belong to a protocol.
"""

# --- status

PASSING = 2.0
"""A state that a change passes through is written only if it lasts this long: most changes end in one write."""

BETWEEN_WRITES = 1.0
"""Between two writes of a zone's status: a burst of records is one status of the zone, not one per record."""

CATCHING_UP = 0.25
"""Secondaries get this long before Ready is written without Propagated: one write in place of two."""

FORBIDDEN = 30.0
"""Between two tries of a write that the API server does not permit: no watch tells when somebody grants it."""

SUPERSEDED = 0.1
"""A zone that was being handed to the engine while a record took its data back most likely has been by then."""

MOMENT = 0.05
"""The engine's reports about one zone within this time are one reconcile of it."""

# --- installing a zone

REST_FACTOR = 4.0
"""A zone rests so many times as long as it last took to install it: in a burst, records get their share of the CPU."""

LONGEST_REST = 0.5
"""A change in the largest zone waits no longer than this for its turn."""

# --- servers

HEALTHY_INTERVAL = 30.0
"""Between probes of a server that is well."""

FAILING_INTERVAL = 5.0
"""Between probes of one that is not: people who mend it want to see it."""

PROBE_TIMEOUT = 5.0
"""A server that takes longer to answer a probe is not one to send updates to."""

FIRST_LOOK = 0.004
"""A secondary usually has a change within milliseconds of the NOTIFY: the first look comes this soon, each next one
twice as late as the one before."""

LOOKS = 9
"""After so many looks (about 4 s together) a secondary is told to transfer."""
