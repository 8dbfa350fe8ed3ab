"""Every reason that a condition can carry: one closed set, because people and programs match on these words.

Below everything else of the operator: what talks to servers already knows the reason why it failed.
"""

from enum import StrEnum


class Reason(StrEnum):
    """What a condition's `reason` says. The comment is what it means."""

    # records
    RECORD_PUBLISHED = "RecordPublished"  # every primary that is Ready has this generation of the record
    NOT_SELECTED = "NotSelected"  # no DNSZone's recordsFrom selects the record
    ZONE_DELETED = "ZoneDeleted"  # the DNSZone that published the record is gone
    ZONE_NOT_SERVED = "ZoneNotServed"  # an adopted zone that its server does not serve
    ZONE_NOT_READY = "ZoneNotReady"  # the zone is not served yet: the record waits for it
    NO_PRIMARY_INSTANCES = "NoPrimaryInstances"  # the zone has no primary, or none that is Ready
    INVALID_RECORD_DATA = "InvalidRecordData"  # the spec cannot be said in DNS; the message names the field
    RECORD_CONFLICT = "RecordConflict"  # another object or somebody else has this name and type
    REJECTED = "Rejected"  # the server refused the UPDATE; its rcode is in the message
    SERVER_UNREACHABLE = "ServerUnreachable"  # no connection or no reply in time
    TSIG_VERIFICATION_FAILED = "TsigVerificationFailed"  # the server does not accept our key, or we not its signature

    # propagation of a record
    PROPAGATED = "Propagated"  # every secondary serves it
    TRANSFER_PENDING = "TransferPending"  # a secondary does not serve it yet

    # DNSEndpoints
    ENDPOINTS_ACCEPTED = "Accepted"  # every endpoint makes sense
    ENDPOINT_INVALID = "Invalid"  # an endpoint cannot be said in DNS; the message names the field
    SYNC_SUCCESSFUL = "SyncSuccessful"  # the last synchronisation had no error
    SYNC_FAILED = "SyncFailed"  # the last synchronisation had one; the message is the server's
    RECONCILING = "Reconciling"  # it is under way
    PROGRAMMED = "Programmed"  # every Ready primary has it
    ENDPOINT_FAILED = "Failed"  # a server refused it or cannot be reached, or its zone is not Ready
    ENDPOINT_FILTERED = "Filtered"  # no zone is for its name, or an option excludes its name, type or targets
    OWNER_MISMATCH = "OwnerMismatch"  # what stands in DNS belongs to another owner id, or to nobody
    CONFLICT_LOST = "ConflictLost"  # another object has this name and type

    # zones
    ZONE_PUBLISHED = "ZonePublished"  # every Ready primary has the wanted content
    DUPLICATE_ZONE = "DuplicateZone"  # an older DNSZone has this name on the same servers
    INVALID_ZONE = "InvalidZone"  # the spec cannot be used; the message names the field
    PROGRESSING = "Progressing"  # changes are under way
    SETTLED = "Settled"  # nothing is under way
    ALL_SERVERS_HEALTHY = "AllServersHealthy"  # every server of the zone is in order
    SERVERS_FAILING = "ServersFailing"  # the message names them
    WAITING_FOR_CONSENT = "WaitingForConsent"  # a mass removal waits for the annotation that allows it
    DELETING = "Deleting"  # the zone is being removed from its servers; an instance is used by no zone any more

    # a zone on one server
    ZONE_TRANSFER_FAILED = "ZoneTransferFailed"  # a secondary does not follow its primaries
    CONFLICT = "Conflict"  # the server holds a zone of this name for somebody else
    INTERNAL_ERROR = "InternalError"  # a fault in the operator itself: see its log

    # instances
    ALL_READY = "AllReady"  # the server answers and accepts its key
    NOT_READY = "NotReady"  # it does not
    DUPLICATE_SERVER = "DuplicateServer"  # another Bind9Instance stands for the same server; this one does nothing
    CONFIGURATION_VALID = "ConfigurationValid"  # the spec can be used
    CONFIGURATION_INVALID = "ConfigurationInvalid"  # the spec cannot be used; the message names the field

    # whatever is reconciled
    RECONCILE_ERROR = "ReconcileError"  # its reconcile keeps failing; the message is the exception

    # bindcar, by HTTP status
    BINDCAR_UNREACHABLE = "BindcarUnreachable"  # no connection, or an answer that nobody expects
    BINDCAR_BAD_REQUEST = "BindcarBadRequest"  # 400
    BINDCAR_AUTH_FAILED = "BindcarAuthFailed"  # 401, 403
    ZONE_NOT_FOUND = "ZoneNotFound"  # 404: bindcar knows no such zone, and nothing else
    BINDCAR_BUSY = "BindcarBusy"  # 429: retried
    BINDCAR_INTERNAL_ERROR = "BindcarInternalError"  # 500
    BINDCAR_NOT_IMPLEMENTED = "BindcarNotImplemented"  # 501
    GATEWAY_ERROR = "GatewayError"  # 502, 503, 504
    RNDC_AUTHENTICATION_FAILED = "RNDCAuthenticationFailed"  # named does not accept bindcar's control key
