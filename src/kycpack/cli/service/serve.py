"""`kycpack serve`: running the service."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.terminal import print_line, say
from kycpack.errors import ConfigurationError

if TYPE_CHECKING:
    from kycpack.service.server import ServiceInfo

ServiceDatabase = Annotated[
    str,
    typer.Option(
        "--db",
        metavar="URL",
        help="The service's database, as a URL: sqlite:///FILE or postgresql+psycopg://...",
    ),
]


_SHORTEST_TOKEN = 20


class _Log(StrEnum):
    """How requests are logged; with `failures`, only requests for which the service itself failed."""

    PLAIN = "plain"
    JSON = "json"
    FAILURES = "failures"


def serve(
    db: ServiceDatabase = "sqlite:///kycpack-service.db",
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Address to listen on. Access from other machines needs TLS or a proxy.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, metavar="PORT", help="Port to listen on; 0 for a free one."),
    ] = 8080,
    tls_cert: Annotated[
        Path | None, typer.Option("--tls-cert", help="Certificate chain, PEM.", metavar="FILE")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option("--tls-key", help="The certificate's private key, PEM.", metavar="FILE")
    ] = None,
    behind_proxy: Annotated[
        str,
        typer.Option(
            "--behind-proxy",
            help="Host name of the TLS proxy in front; only requests with that host are answered.",
            metavar="NAME",
        ),
    ] = "",
    control_token_file: Annotated[
        Path | None,
        typer.Option(
            "--control-token-file",
            help="File with the token of the control API. Without it, only programs on this machine can use that API.",
            metavar="FILE",
        ),
    ] = None,
    populate: Annotated[
        int,
        typer.Option("--populate", min=0, metavar="NUMBER", help="Number of invented customers to add."),
    ] = 0,
    seed: Annotated[
        list[str] | None,
        typer.Option(
            "--seed",
            metavar="NUMBER|FILE",
            help="A number that selects which customers --populate invents, or a YAML file with a scenario. May be repeated.",
        ),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            "--truth",
            metavar="FOLDER",
            help="Folder for the true facts about the invented customers, and register.csv with their sessions.",
        ),
    ] = None,
    smtp: Annotated[
        str,
        typer.Option(
            "--smtp", metavar="URL", help="Mail server for notifications: smtp://USER:PASSWORD@HOST:PORT."
        ),
    ] = "",
    mail_from: Annotated[
        str, typer.Option("--mail-from", metavar="EMAIL", help="Sender address of notifications.")
    ] = "",
    log: Annotated[
        _Log,
        typer.Option(
            "--log", metavar="FORM", help="How to log requests to standard error: plain, json or failures."
        ),
    ] = _Log.PLAIN,
    rate_limit: Annotated[
        int | None,
        typer.Option(
            "--rate-limit",
            min=1,
            metavar="NUMBER",
            help="Requests per minute for each key. Default: no limit.",
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print one line of JSON with address and key when the service is ready."),
    ] = False,
) -> None:
    """Run the service on this machine.

    It prints its address and a key, and runs until Ctrl-C.
    It stands in for a provider: customers, payments, onboarding with its portal, bank data, source of wealth, webhooks.
    A control API finishes sessions, loads bank data and sets the clock; it answers programs on this machine.
    """
    from kycpack.service.address import ListenAddress
    from kycpack.service.mail import MailServer
    from kycpack.service.server import serve as run

    def announce(info: ServiceInfo) -> None:
        if as_json:
            names = ("base_url", "control_url", "key_id", "secret", "tenant_id")
            print_line({name: getattr(info, name) for name in names})
            return
        control = f" (control API: {info.control_url})" if info.control_url else ""
        say(f"the service answers at {info.base_url}{control}; Ctrl-C ends it")
        if not address.is_loopback:
            # Text printed here ends up in a log that other people read.
            say(
                f"its first key is {info.key_id}; `kycpack service-keys rotate {info.key_id}` prints a secret"
            )
            return
        say("in another terminal, run:")
        sys.stdout.write(
            f"export KYCPACK_BASE_URL={info.base_url} KYCPACK_KEY_ID={info.key_id} KYCPACK_SECRET={info.secret}\n"
        )
        sys.stdout.flush()

    address = ListenAddress(host, port, tls_cert, tls_key, behind_proxy)
    number, scenarios = _read_seeds(seed or [])
    mail_server = MailServer.read(smtp, mail_from) if smtp else None
    run(
        db,
        address=address,
        populate=populate,
        seed=number,
        truth_dir=truth,
        announce=announce,
        log=log.value,
        requests_per_minute=rate_limit,
        mail_server=mail_server,
        control_token=_read_token(control_token_file),
        scenarios=scenarios,
        say=say,
    )


def _read_seeds(seeds: list[str]) -> tuple[int, list[Path]]:
    numbers = [int(text) for text in seeds if text.removeprefix("-").isdecimal()]
    files = [Path(text) for text in seeds if not text.removeprefix("-").isdecimal()]
    missing = [str(path) for path in files if not path.is_file()]
    if missing:
        raise ConfigurationError(f"--seed: scenario file not found: {', '.join(missing)}")
    return (numbers[-1] if numbers else 1), files


def _read_token(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        token = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"the token file {path} cannot be read as ASCII text") from None
    if len(token) < _SHORTEST_TOKEN:
        raise ConfigurationError(f"the token in {path} is shorter than {_SHORTEST_TOKEN} characters")
    return token
