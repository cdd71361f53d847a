"""`kycpack serve`: the service itself, on loopback."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.terminal import say

if TYPE_CHECKING:
    from kycpack.service.server import ServiceInfo

ServiceDatabase = Annotated[
    str,
    typer.Option("--db", help="The service's database, as a URL: sqlite:///FILE or postgresql+psycopg://..."),
]


class _Log(StrEnum):
    """How requests are logged; `failures` writes only where the service itself failed."""

    PLAIN = "plain"
    JSON = "json"
    FAILURES = "failures"


def serve(
    db: ServiceDatabase = "sqlite:///kycpack-service.db",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port on 127.0.0.1; 0 for a free one.")
    ] = 8080,
    populate: Annotated[
        int, typer.Option("--populate", min=0, help="Fill it with so many invented customers.")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", help="Which customers are invented.")] = 1,
    truth: Annotated[
        Path | None, typer.Option("--truth", help="Folder for the truth about the invented customers.")
    ] = None,
    smtp: Annotated[
        str, typer.Option("--smtp", help="Mail server for notifications: smtp://USER:PASSWORD@HOST:PORT.")
    ] = "",
    mail_from: Annotated[
        str, typer.Option("--mail-from", help="The address that notifications come from.")
    ] = "",
    log: Annotated[
        _Log, typer.Option("--log", help="How requests are logged on standard error, one line a request.")
    ] = _Log.PLAIN,
    rate_limit: Annotated[
        int | None,
        typer.Option(
            "--rate-limit", min=1, help="Requests a minute that each key may make; no limit by default."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON with address and key when it is ready.")
    ] = False,
) -> None:
    """Run the service on this machine.

    It prints its address and a key, and runs until Ctrl-C.
    It stands in for a provider: customers, payments, onboarding with its portal, bank data, source of wealth, webhooks.
    A control API finishes sessions, loads bank data and sets the clock; it answers on loopback only.
    """
    from kycpack.service.postman import MailServer
    from kycpack.service.server import serve as run

    def announce(info: ServiceInfo) -> None:
        if as_json:
            names = ("base_url", "control_url", "key_id", "secret", "tenant_id")
            sys.stdout.write(json.dumps({name: getattr(info, name) for name in names}) + "\n")
            sys.stdout.flush()
            return
        say(f"the service answers at {info.base_url} (control API: {info.control_url}); Ctrl-C ends it")
        say("for another terminal:")
        sys.stdout.write(
            f"export KYCPACK_BASE_URL={info.base_url} KYCPACK_KEY_ID={info.key_id} KYCPACK_SECRET={info.secret}\n"
        )
        sys.stdout.flush()

    mail_server = MailServer.read(smtp, mail_from) if smtp else None
    run(
        db,
        port=port,
        populate=populate,
        seed=seed,
        truth_dir=truth,
        announce=announce,
        log=log.value,
        requests_per_minute=rate_limit,
        mail_server=mail_server,
        say=say,
    )
