"""`kycpack doctor`: checks that a nightly run would have everything it needs."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kycpack.cli.connection import require_workspace
from kycpack.cli.extras import installed_extras
from kycpack.cli.options import AsJson, BaseUrl, KeyId, SignerName, WorkspacePlace, client_of, settings
from kycpack.cli.terminal import print_json, visible
from kycpack.errors import (
    ApiError,
    AuthenticationError,
    ConfigurationError,
    InputError,
    KycpackError,
    ObjectStoreError,
    StatusError,
)
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.api.answers import Answer

_TIMEOUT_SECONDS = 10.0
_LEAST_FREE_BYTES = 10**9
_OTHERS = stat.S_IRWXG | stat.S_IRWXO

State = Literal["ok", "warning", "failed"]


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check.

    Attributes:
        name: What was checked.
        state: `ok`; `warning`: a run works, but with limits; `failed`: a run would stop or be unsafe.
        message: What was found and what to do; never contains a secret.
    """

    name: str
    state: State
    message: str


def doctor(
    out: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="FOLDER|URL",
            help="Where packs go: a folder, or a place in an object store such as s3://bucket/packs.",
        ),
    ] = "reports/batch",
    base_url: BaseUrl = None,
    key_id: KeyId = None,
    signer: SignerName = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Check what a run needs, without changing anything.

    Checks the address, the key, the clock, the permissions of files, the workspace, known sessions, installed extras and
    free disk space. One request is sent. In an object store, an empty file is created and removed again. Each check is a
    line: ok, warning or failed.

    Exit codes: 0 when nothing failed, warnings included; 2 when a check failed.
    """
    chosen = settings(base_url=base_url, key_id=key_id, workspace=workspace, signer=signer)
    checks = tuple(_checks(chosen, out))
    has_failed = any(check.state == "failed" for check in checks)
    if as_json:
        print_json({"ok": not has_failed, "checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            typer.echo(f"{check.state:<8} {check.name:<12} {visible(check.message)}")
    raise typer.Exit(2 if has_failed else 0)


def _checks(chosen: Settings, out: str) -> Iterator[Check]:
    from kycpack.batch.remote_run import work_folder
    from kycpack.storage.object_folder import is_url

    yield from _service(chosen)
    yield from _permissions(chosen)
    yield from _workspace(chosen)
    yield _extras(chosen)
    if is_url(out):
        yield _store(out)
    yield _disk(work_folder(out, chosen.reports) if is_url(out) else Path(out))


def _service(chosen: Settings) -> Iterator[Check]:
    try:
        chosen.reuse_for()
        with client_of(chosen, timeout=_TIMEOUT_SECONDS, deadline=_TIMEOUT_SECONDS, max_retries=0) as client:
            answer = client.raw("customers.list")
    except (ApiError, ConfigurationError, InputError) as error:
        why = "the service did not answer" if isinstance(error, ApiError) else "the settings cannot be used"
        yield Check("address", "failed", str(error))
        yield from (Check(name, "failed", f"not checked: {why}") for name in ("key", "clock"))
        return
    yield Check("address", "ok", f"{chosen.base_url} answers")
    yield _key(answer, own_signer=bool(chosen.signer))
    yield _clock(answer)


def _key(answer: Answer[object], *, own_signer: bool) -> Check:
    try:
        answer.raise_for_status()
    except AuthenticationError:
        if own_signer:
            said = "the service refused the signature: check the function in KYCPACK_SIGNER, and its key"
        else:
            said = "the service refused the key: check KYCPACK_KEY_ID, and KYCPACK_SECRET or the keyring"
        return Check("key", "failed", said)
    except StatusError as error:
        why = (
            ": the key may not list customers" if error.status == 403 else ", so the key could not be checked"
        )
        if error.status == 404:
            why += "; if the provider does not offer this list, try `kycpack collect CUSTOMER_ID`"
        return Check("key", "failed", f"the service answered {error.status} to a list of customers{why}")
    except ApiError as error:
        return Check("key", "failed", str(error))
    return Check("key", "ok", "the service accepts the key")


def _clock(answer: Answer[object]) -> Check:
    from kycpack.api.failures import CLOCKS_DIFFER_SECONDS, clock_difference

    seconds = clock_difference(answer.headers, answer.requested_at)
    if seconds is None:
        return Check("clock", "warning", "the service's answer has no usable Date header")
    said = f"the service's clock is {abs(seconds)} s {'behind' if seconds < 0 else 'ahead of'} this machine's"
    if abs(seconds) > CLOCKS_DIFFER_SECONDS:
        return Check(
            "clock",
            "failed",
            f"{said}: set this machine's clock with NTP, or signed requests will be refused",
        )
    return Check("clock", "ok", said)


def _permissions(chosen: Settings) -> Iterator[Check]:
    """Check that only the owner can read the files that hold personal data or a key."""
    named = {
        "workspace": "" if "://" in chosen.workspace else chosen.workspace,
        "signing key": chosen.signing_key,
    }
    for name, text in named.items():
        if not text:
            continue
        path = Path(text)
        try:
            mode = path.stat().st_mode
        except OSError as error:
            if name == "signing key":
                yield Check("permissions", "failed", f"{name} {path}: {error.strerror or 'cannot be read'}")
            continue
        if sys.platform != "win32" and mode & _OTHERS:
            said = f"{name} {path}: other users of this machine may read or change it; run chmod 600 on it"
            yield Check("permissions", "failed", said)
        else:
            yield Check("permissions", "ok", f"{name} {path}: only its owner can read it")


def _workspace(chosen: Settings) -> Iterator[Check]:
    from kycpack.workspace import Register, Workspace

    try:
        require_workspace(chosen)
    except ConfigurationError as error:
        yield Check("workspace", "warning", str(error))
        yield Check("sessions", "warning", "not checked: there is no workspace")
        return
    try:
        with Workspace.open(chosen.workspace) as workspace:
            register = Register(workspace)
            customers = {row.customer_id for row in register.customers()}
            with_session = {row.customer_id for row in register.sessions() if row.customer_id}
    except (ModuleNotFoundError, KycpackError) as error:
        needs = "PostgreSQL needs the extra `postgres`: pip install 'kycpack[postgres]'"
        yield Check("workspace", "failed", str(error) if isinstance(error, KycpackError) else needs)
        yield Check("sessions", "failed", "not checked: the workspace cannot be opened")
        return
    file = Path(chosen.workspace)
    if "://" not in chosen.workspace and not all(os.access(each, os.W_OK) for each in (file, file.parent)):
        said = f"{file}: the workspace can only be read, not written to"
        yield Check("workspace", "failed", said)
    else:
        yield Check("workspace", "ok", "the workspace opens")
    missing = len(customers - with_session)
    said = f"{len(customers) - missing} of {len(customers)} customers have a known session"
    if missing or not customers:
        said += "; import the others with `kycpack register import`"
    yield Check("sessions", "warning" if missing or not customers else "ok", said)


def _extras(chosen: Settings) -> Check:
    found = installed_extras()
    here = ", ".join(name for name, installed in found.items() if installed) or "none"
    absent = ", ".join(name for name, installed in found.items() if not installed)
    said = f"installed: {here}; not installed: {absent}" if absent else f"installed: {here}"
    if chosen.signing_key and not found["signing"]:
        return Check("extras", "failed", f"{said}; a signing key needs pip install 'kycpack[signing]'")
    return Check("extras", "ok", said)


def _store(url: str) -> Check:
    from kycpack.batch.publication import Publication

    try:
        is_conditional = Publication(url, Path()).try_out()
    except (ConfigurationError, ObjectStoreError) as error:
        return Check("store", "failed", str(error))
    if not is_conditional:
        said = f"{url}: the store replaced a file that it was asked to create; packs there could be replaced"
        return Check("store", "failed", said)
    return Check("store", "ok", f"{url}: files can be listed, created, read and removed")


def _disk(out: Path) -> Check:
    from kycpack.batch.lock import refuse_inside_another

    place = out.absolute()
    while not place.exists():
        place = place.parent
    try:
        free = shutil.disk_usage(place).free
        refuse_inside_another(out)
    except ConfigurationError as error:
        return Check("disk", "failed", str(error))
    except OSError as error:
        return Check("disk", "failed", f"{out}: {error.strerror or 'cannot be read'}")
    if not place.is_dir():
        return Check("disk", "failed", f"{out}: packs cannot be written there, because {place} is a file")
    said = f"{free / 10**9:.1f} GB free where packs go ({out})"
    if not os.access(place, os.W_OK):
        return Check(
            "disk", "failed", f"{place}: packs cannot be written there; give its owner write permission"
        )
    if free < _LEAST_FREE_BYTES:
        return Check("disk", "failed", f"{said}: less than {_LEAST_FREE_BYTES / 10**9:.0f} GB")
    return Check("disk", "ok", said)
