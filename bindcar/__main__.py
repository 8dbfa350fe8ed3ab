"""`python -m bindcar`: check the command line, put the parts together, serve until told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from aiohttp import web

from bindcar.api import Api, application
from bindcar.auth import Anyone, Authenticator, ReviewApi, TokenFile, TokenReview
from bindcar.identity import server_id
from bindcar.metrics import MeasuredControl, Metrics
from bindcar.options import Options, UsageError, parse
from bindcar.rndc import Rndc, RndcKey
from bindcar.zones import Zones

log = logging.getLogger("bindcar")


def main() -> int:
    """The exit code: 2 when the command line cannot work, 0 after a stop by signal."""
    try:
        options = parse(sys.argv[1:])
        auth = authenticator(options)
        _check_files(options)
    except (UsageError, ValueError) as exc:
        print(f"bindcar: {exc}", file=sys.stderr)
        return 2
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    log.info("serving %s:%d for named at %s:%d", options.host, options.port, options.rndc_host, options.rndc_port)
    web.run_app(
        build(options, auth), host=options.host, port=options.port, print=None, access_log=None, shutdown_timeout=10
    )
    return 0


def build(options: Options, auth: Authenticator) -> web.Application:
    """The application for these options."""
    metrics = Metrics()
    # The key is read for every command: a rotated Secret is mounted in place.
    rndc = Rndc(options.rndc_host, options.rndc_port, lambda: RndcKey.load(options.rndc_key))
    control = MeasuredControl(rndc, metrics)
    zones = Zones(control, options.zones_dir)
    api = Api(control, zones, metrics, server_id=server_id(options.zones_dir))
    app = application(api, auth, metrics, max_in_flight=options.max_in_flight)

    async def running(_: web.Application) -> AsyncIterator[None]:
        tidying = asyncio.create_task(zones.keep_tidy())
        yield
        tidying.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await tidying
        await rndc.close()

    app.cleanup_ctx.append(running)
    return app


def authenticator(options: Options) -> Authenticator:
    """The one that the options ask for."""
    if options.token_file:
        tokens = TokenFile(options.token_file)
        try:
            tokens.load()
        except OSError as exc:
            raise UsageError(f"--token-file {options.token_file}: {exc.strerror}") from exc
        return tokens
    if options.token_review:
        return TokenReview(ReviewApi.in_cluster(), options.allow_users)
    return Anyone()


def _check_files(options: Options) -> None:
    """Say now what would otherwise be an error at the first request."""
    try:
        RndcKey.load(options.rndc_key)
    except (OSError, ValueError) as exc:
        raise UsageError(f"--rndc-key {options.rndc_key}: {getattr(exc, 'strerror', None) or exc}") from exc
    if not Path(options.zones_dir).is_dir():
        raise UsageError(f"--zones-dir {options.zones_dir} is no directory")


if __name__ == "__main__":
    sys.exit(main())
