"""Every reason that a condition can carry, in the words that people and programs match on."""

# Records
RECORD_PUBLISHED = "RecordPublished"
NOT_SELECTED = "NotSelected"
ZONE_NOT_FOUND = "ZoneNotFound"
ZONE_NOT_READY = "ZoneNotReady"
NO_PRIMARY_INSTANCES = "NoPrimaryInstances"
INVALID_RECORD_DATA = "InvalidRecordData"
RECORD_CONFLICT = "RecordConflict"
SERVER_UNREACHABLE = "ServerUnreachable"

# Propagation of a record
PROPAGATED = "Propagated"
NO_SECONDARIES = "NoSecondaries"
TRANSFER_PENDING = "TransferPending"

# Zones
ZONE_PUBLISHED = "ZonePublished"
DUPLICATE_ZONE = "DuplicateZone"
INVALID_ZONE = "InvalidZone"
PROGRESSING = "Progressing"
SETTLED = "Settled"
ALL_SERVERS_HEALTHY = "AllServersHealthy"
SERVERS_FAILING = "ServersFailing"
WAITING_FOR_CONSENT = "WaitingForConsent"
DELETING = "Deleting"

# Instances
ALL_READY = "AllReady"
NOT_READY = "NotReady"
CONFIGURATION_VALID = "ConfigurationValid"
CONFIGURATION_INVALID = "ConfigurationInvalid"
