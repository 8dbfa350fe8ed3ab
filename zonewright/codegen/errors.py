"""The one error that people see: what is wrong, in which file, at which path in it."""

from pathlib import Path


class CodegenError(Exception):
    """Input that cannot be generated from. `str()` reads `file: path: reason`."""

    def __init__(self, reason: str, *, file: Path | None = None, path: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.file = file
        self.path = path

    def __str__(self) -> str:
        return ": ".join(part for part in (str(self.file or ""), self.path, self.reason) if part)

    def within(self, file: Path, path: str = "") -> "CodegenError":
        """The same error, told where it happened: checks deep in a schema know neither file nor what is above them."""
        joined = ".".join(part for part in (path, self.path) if part).replace(".[", "[")
        return CodegenError(self.reason, file=file, path=joined)
