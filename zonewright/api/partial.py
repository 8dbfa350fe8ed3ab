"""Objects of any kind of which only the metadata was asked for. Apart from `shaping`, because it loads pydantic."""

from zonewright.api.builtin.resource import Resource


class PartialObjectMetadata(Resource):
    """What a cache with `metadata_only=True` holds. `api_version` and `kind` are those of the object itself."""
