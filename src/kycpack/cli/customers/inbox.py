"""`kycpack inbox`: receiving webhook deliveries and acting on them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from kycpack.cli.connection import existing_workspace
from kycpack.cli.options import (
    AsJson,
    BaseUrl,
    FreePort,
    KeyId,
    ReceiverHost,
    SignerName,
    WorkspacePlace,
    client_of,
    settings,
)
from kycpack.cli.terminal import answer_table, print_json, print_line, print_table, say

inbox = typer.Typer(
    name="inbox",
    help="Receive webhooks and act on them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@inbox.command("serve")
def receive(
    host: ReceiverHost = "127.0.0.1",
    port: FreePort = 8090,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Receive webhook deliveries until Ctrl-C.

    Each delivery is stored before it is answered. Prints the address to register as a webhook; its path is a secret of
    this workspace. Deliveries are not signed, so their content is not trusted: `kycpack inbox work` asks the service itself.
    """
    from kycpack.workspace import Inbox, Receiver, Workspace

    with Workspace.open(settings(workspace=workspace).workspace) as opened:
        receiver = Receiver(Inbox(opened), host=host, port=port)
        if as_json:
            print_line({"url": receiver.url})
        else:
            say(f"register this address as a webhook: {receiver.url}  (Ctrl-C ends it)")
        receiver.serve()


@inbox.command()
def work(
    reconcile: Annotated[
        bool,
        typer.Option("--reconcile/--no-reconcile", help="Also ask about open sessions without a delivery."),
    ] = True,
    unknown: Annotated[
        bool,
        typer.Option("--unknown", help="Also ask about sessions that are not in the register."),
    ] = False,
    base_url: BaseUrl = None,
    key_id: KeyId = None,
    signer: SignerName = None,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Ask the service about the sessions named in deliveries.

    Also asks about open sessions, in case a delivery was lost. Lists the sessions that are complete and wait for their pack; `kycpack batch --completed` makes the packs.
    """
    from kycpack.workspace import Inbox, Workspace
    from kycpack.workspace import reconcile as ask_about_open

    chosen = settings(base_url=base_url, key_id=key_id, workspace=workspace, signer=signer)
    with client_of(chosen) as client, Workspace.open(chosen.workspace) as opened:
        box = Inbox(opened)
        delivered = box.work(client.onboarding.get, ask_unknown=unknown)
        asked = ask_about_open(opened, client.onboarding.get) if reconcile else None
        waiting, held = box.completions(), box.held()
    if as_json:
        print_json(
            {
                "deliveries": asdict(delivered),
                "reconciled": None if asked is None else asdict(asked),
                "completions": [asdict(each) for each in waiting],
                "held_sessions": held,
            }
        )
        return
    say(", ".join(f"{count} {name}" for name, count in asdict(delivered).items()))
    if asked is not None:
        say(", ".join(f"{count} {name.replace('_', ' ')}" for name, count in asdict(asked).items()))
    if held:
        say(
            f"{len(held)} sessions are held because they are not in the register: add them with `kycpack register "
            "import`, or ask the service about them with `kycpack inbox work --unknown`"
        )
    columns = ("session_id", "customer_id", "updated", "learned_from")
    print_table(
        "Complete and waiting for a pack",
        columns,
        [[getattr(each, name) for name in columns] for each in waiting],
    )


@inbox.command("list")
def list_states(workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """Count the deliveries by state."""
    from kycpack.workspace import Inbox

    with existing_workspace(settings(workspace=workspace)) as opened:
        counts = Inbox(opened).counts()
    answer_table(counts, "Deliveries", ("state", "count#"), sorted(counts.items()), as_json=as_json)
