"""Which packages the extras bring, and what to install when one of them is not here."""

from importlib.util import find_spec

EXTRAS = {
    "codegen": ("datamodel_code_generator", "jinja2", "ruff", "watchdog"),
    "envtest": ("aiohttp", "cryptography"),
}


def missing(extra: str) -> str | None:
    """What to do about an extra that is not installed; None if it is."""
    for package in EXTRAS[extra]:
        if find_spec(package) is None:
            return f"{package} is not installed: pip install 'zonewright[{extra}]'"
    return None
