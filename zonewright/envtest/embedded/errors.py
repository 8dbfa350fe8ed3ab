"""What the API says when it refuses: one exception that carries a Kubernetes Status, and a constructor per reason.

The wording follows kube-apiserver, because people and programs match on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class ApiError(Exception):
    def __init__(
        self,
        code: int,
        reason: str,
        message: str,
        *,
        details: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.reason, self.message = code, reason, message
        self.details, self.headers = details, dict(headers or {})

    def status(self) -> dict[str, Any]:
        status: dict[str, Any] = {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
        }
        if self.reason:
            status["reason"] = self.reason
        if self.details is not None:
            status["details"] = dict(self.details)
        return status | {"code": self.code}


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing wrong with one field."""

    field: str
    reason: str
    message: str

    def fields(self) -> dict[str, str]:
        return {"reason": self.reason, "message": self.message, "field": self.field}


def required(field: str, why: str = "") -> Cause:
    return Cause(field, "FieldValueRequired", "Required value" + (f": {why}" if why else ""))


def invalid_value(field: str, value: str, why: str) -> Cause:
    return Cause(field, "FieldValueInvalid", f"Invalid value: {value}: {why}")


def forbidden_value(field: str, why: str) -> Cause:
    return Cause(field, "FieldValueForbidden", f"Forbidden: {why}")


def unsupported(field: str, value: str, supported: Sequence[str]) -> Cause:
    names = ", ".join(supported)
    return Cause(field, "FieldValueNotSupported", f"Unsupported value: {value}: supported values: {names}")


def named(group: str, kind: str, name: str, **more: Any) -> dict[str, Any]:
    details = {"name": name, "group": group, "kind": kind} | more
    return {key: value for key, value in details.items() if value}


def qualified(group: str, what: str) -> str:
    return f"{what}.{group}" if group else what


def not_found(group: str, plural: str, name: str) -> ApiError:
    details = named(group, plural, name)
    return ApiError(404, "NotFound", f'{qualified(group, plural)} "{name}" not found', details=details)


def already_exists(group: str, plural: str, name: str, *, deleting: bool = False) -> ApiError:
    message = f'{qualified(group, plural)} "{name}" already exists'
    message = f"object is being deleted: {message}" if deleting else message
    return ApiError(409, "AlreadyExists", message, details=named(group, plural, name))


def conflict(group: str, what: str, name: str, why: str) -> ApiError:
    message = f'Operation cannot be fulfilled on {qualified(group, what)} "{name}": {why}'
    return ApiError(409, "Conflict", message, details=named(group, what, name))


def modified(group: str, plural: str, name: str) -> ApiError:
    why = "the object has been modified; please apply your changes to the latest version and try again"
    return conflict(group, plural, name, why)


def invalid(group: str, kind: str, name: str, causes: Sequence[Cause]) -> ApiError:
    texts = [f"{cause.field}: {cause.message}" for cause in causes]
    listed = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
    details = named(group, kind, name, causes=[cause.fields() for cause in causes])
    return ApiError(422, "Invalid", f'{qualified(group, kind)} "{name}" is invalid: {listed}', details=details)


def bad_request(message: str) -> ApiError:
    return ApiError(400, "BadRequest", message)


def forbidden(group: str, plural: str, name: str, why: str, causes: Sequence[Cause] = ()) -> ApiError:
    details = named(group, plural, name, causes=[cause.fields() for cause in causes])
    return ApiError(403, "Forbidden", f'{qualified(group, plural)} "{name}" is forbidden: {why}', details=details)


def expired(message: str) -> ApiError:
    return ApiError(410, "Expired", message)


def unauthorized() -> ApiError:
    return ApiError(401, "Unauthorized", "Unauthorized")


def method_not_allowed() -> ApiError:
    message = "the server does not allow this method on the requested resource"
    return ApiError(405, "MethodNotAllowed", message, details={})


def unsupported_media_type(accepted: Sequence[str]) -> ApiError:
    message = f"the body of the request was in an unknown format - accepted media types include: {', '.join(accepted)}"
    return ApiError(415, "UnsupportedMediaType", message)


def internal(message: str) -> ApiError:
    details = {"causes": [{"message": message}]}
    return ApiError(500, "InternalError", f"Internal error occurred: {message}", details=details)
