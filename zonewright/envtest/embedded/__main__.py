"""`python -m zonewright.envtest.embedded`: an embedded Kubernetes API in the foreground, until it is interrupted."""

import argparse
import asyncio
import contextlib
import sys
import tempfile
from pathlib import Path

from zonewright import extras


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m zonewright.envtest.embedded", description=__doc__)
    parser.add_argument(
        "--directory", type=Path, help="for certificates, token and kubeconfig; a temporary one if not given"
    )
    parser.add_argument("--port", type=int, default=0, help="any free one if not given")
    parser.add_argument("--history", type=int, default=10_000, help="events kept for watches to resume from")
    given = parser.parse_args()
    if obstacle := extras.missing("envtest"):
        sys.exit(obstacle)
    from zonewright.envtest.embedded import codec  # noqa: PLC0415 (it needs the extra)
    from zonewright.envtest.embedded.server import Settings, serve  # noqa: PLC0415 (as above)

    with contextlib.ExitStack() as stack:
        # Only without --directory: a killed process leaves its temporary directory behind, a Run's is removed for it.
        directory = given.directory or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="embedded-api-")))
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        sys.setrecursionlimit(codec.MAX_DEPTH * codec.FRAMES_PER_LEVEL)
        asyncio.run(serve(Settings(directory.resolve(), given.port, history=given.history)))


if __name__ == "__main__":
    main()
