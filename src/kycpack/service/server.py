"""Runs the service: for `kycpack serve`, and in a thread for the embedded service."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from kycpack.errors import InputError, ServiceError
from kycpack.service.address import ListenAddress, listen, require_safe
from kycpack.service.app import create_app
from kycpack.service.connections import LimitedProtocol
from kycpack.service.control.document import PREFIX
from kycpack.service.faults import FaultMiddleware
from kycpack.service.mail import MailServer
from kycpack.service.problems import RefusedError
from kycpack.service.request_log import LogStyle, RequestLogMiddleware
from kycpack.service.scenario import Scenario, apply_scenario, holds_scenario, read_scenario
from kycpack.service.state import POPULATION, Service, keep_fact, read_fact

_STOP_SECONDS = 4
_KEEP_ALIVE_SECONDS = 60  # longer than clients keep a connection, so that none is closed during a request
_POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class ServiceInfo:
    """What is announced once when a service is ready.

    Attributes:
        base_url: Its address.
        control_url: The control API's address; empty if there is none.
        key_id: Id of the first key.
        secret: The first key's secret.
        tenant_id: Id of the first tenant.
    """

    base_url: str
    control_url: str
    key_id: str
    secret: str = field(repr=False)
    tenant_id: str


def serve(  # noqa: PLR0913 - one argument for each option of the command
    database_url: str,
    *,
    address: ListenAddress | None = None,
    populate: int = 0,
    seed: int = 1,
    truth_dir: Path | None = None,
    announce: Callable[[ServiceInfo], None],
    as_of: date | None = None,
    requests_per_minute: int | None = None,
    log: LogStyle = "failures",
    mail_server: MailServer | None = None,
    control_token: str = "",
    scenarios: Sequence[Path] = (),
    say: Callable[[str], None] = lambda _line: None,
) -> None:
    """Run the service until it is interrupted.

    Args:
        database_url: A SQLAlchemy URL, or the path of a SQLite file.
        address: Where it listens; None for a free port on loopback.
        populate: Number of synthetic customers to load first.
        seed: Seed of the population.
        truth_dir: Folder for the population's truth; None to write none.
        announce: Called once with address and key when the service is ready.
        as_of: The day on which the population's histories end; None for today.
        requests_per_minute: Limit for each key; None for no limit.
        log: Which requests are logged on standard error, and how.
        mail_server: Sends email notifications; without one they stay in the outbox.
        control_token: Token for requests to the control API; beyond loopback there is no control API without it.
        scenarios: YAML files of scenarios to load, each once.
        say: Called with a line for each thing done before the service is ready.

    Raises:
        ConfigurationError: Personal data would cross a network unencrypted.
        ServiceError: The address is taken, the database cannot be used, or a scenario does not fit.
    """
    address = address or ListenAddress()
    require_safe(address)
    read = [read_scenario(path) for path in scenarios]
    listener = listen(address)
    try:
        app = create_app(
            database_url,
            requests_per_minute=requests_per_minute,
            log=log,
            mail_server=mail_server,
            loopback=address.is_loopback,
            public_url=address.public_url,
            control_token=control_token,
            host_name=address.proxy,
        )
        if populate:
            _populate(
                app.state.service,
                populate,
                seed,
                truth_dir,
                as_of or app.state.service.clock.now().date(),
                say,
            )
        for path, (scenario, digest) in zip(scenarios, read, strict=True):
            _add_scenario(app.state.service, path, scenario, digest, say)
        info = info_of(app.state.service, listener, address)
        server = make_server(app, address)
        threading.Thread(target=_announce_when_ready, args=(server, announce, info), daemon=True).start()
        server.run(sockets=[listener])
    finally:
        listener.close()


def info_of(service: Service, listener: socket.socket, address: ListenAddress) -> ServiceInfo:
    """Return the announcement of a service that listens on a socket."""
    base_url = address.url(listener.getsockname()[1])
    control_url = base_url + PREFIX if service.has_control else ""
    first = service.first
    return ServiceInfo(base_url, control_url, first.key.key_id, first.key.secret, first.tenant_id)


def make_server(app: FastAPI, address: ListenAddress) -> uvicorn.Server:
    """Return a server for the application, which itself dates answers and logs requests."""
    service: Service = app.state.service
    config = uvicorn.Config(
        RequestLogMiddleware(
            FaultMiddleware(app, service.faults, service.clock), service.requests, service.clock, app.routes
        ),
        http=LimitedProtocol,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        date_header=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_STOP_SECONDS,
        **address.tls_options(),
    )
    return uvicorn.Server(config)


def _announce_when_ready(
    server: uvicorn.Server, announce: Callable[[ServiceInfo], None], info: ServiceInfo
) -> None:
    while not server.started:  # uvicorn has only a flag for it
        if server.should_exit:
            return
        time.sleep(_POLL_SECONDS)
    try:
        announce(info)
    except OSError:
        # The key could not be announced, so nobody could call the service.
        server.should_exit = True


def _add_scenario(
    service: Service, path: Path, scenario: Scenario, digest: str, say: Callable[[str], None]
) -> None:
    if holds_scenario(service, digest):
        say(f"the database already has the scenario {path.name}; nothing was added")
        return
    try:
        given = apply_scenario(service, scenario, digest)
    except (RefusedError, InputError) as error:
        raise ServiceError(f"{path.name}: {error}") from None
    say(f"the scenario {path.name} was added:")
    for name, ids in given["organisations"].items():
        key = f", key {ids['key_id']}" if "key_id" in ids else ""
        say(f"  {name}: organisation {ids['tenant_id']}{key}")
    for name, ids in given["customers"].items():
        rest = [f"session {one}" for one in ids["sessions"]] + [f"payment {one}" for one in ids["payments"]]
        say(f"  {name}: " + ", ".join(["customer " + ids["id"], *rest]))


def _populate(
    service: Service, count: int, seed: int, truth_dir: Path | None, as_of: date, say: Callable[[str], None]
) -> None:
    # Generating needs pandas and a holiday calendar, which the service alone does not need.
    from kycpack.service.loader import ServiceTarget, load, write_truth  # noqa: PLC0415
    from kycpack.synthetic import generate  # noqa: PLC0415

    with service.database.read() as connection:
        held = read_fact(connection, POPULATION)
    if held is not None:
        say(f"the database already has invented customers ({held}); none were added")
        return
    population = generate(count, seed, as_of)
    ids = load(population, ServiceTarget(service))
    with service.database.write() as connection:
        keep_fact(connection, POPULATION, f"{count} of seed {seed}, as of {as_of}")
    say(f"{count} invented customers were added (seed {seed}, histories up to {as_of})")
    if truth_dir is not None:
        write_truth(population, ids, truth_dir)
