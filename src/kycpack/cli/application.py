"""The application: the list of commands, and the one place that turns an error into a line and an exit code.

Exit codes: 0 done; 1 a customer failed, or a check found a defect; 2 wrong usage, input or configuration, a refused
key, an unreachable service, or a workspace or an output that cannot be written to; 3 something is incomplete and will be
requested again, or the service is busy; 130 stopped by Ctrl-C; 143 stopped by SIGTERM. If several apply, 2 comes before 1,
and 1 before 3. A recommendation never changes the exit code.
"""

from __future__ import annotations

import errno
import logging
import signal
import sys
import traceback
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from kycpack import __version__
from kycpack.cli.cases.case import case
from kycpack.cli.cases.internal_report import internal_report
from kycpack.cli.cases.keys import keys
from kycpack.cli.cases.ledger import ledger
from kycpack.cli.cases.retain import retain
from kycpack.cli.cases.sample import sample
from kycpack.cli.customers.collect import collect
from kycpack.cli.customers.inbox import inbox
from kycpack.cli.customers.register import register
from kycpack.cli.customers.wealth import wealth
from kycpack.cli.exit_codes import INTERRUPTED, exit_code_of
from kycpack.cli.extras import extra_of
from kycpack.cli.failure_command import AlertingCommand
from kycpack.cli.help_pages import complete_help
from kycpack.cli.packs.redact import redact
from kycpack.cli.packs.replay import replay
from kycpack.cli.packs.review import review
from kycpack.cli.packs.sign import sign
from kycpack.cli.packs.trace import trace
from kycpack.cli.packs.verify import verify
from kycpack.cli.policies.policy import policy
from kycpack.cli.runs.batch import batch
from kycpack.cli.runs.finished_run import find, show
from kycpack.cli.runs.runs import runs
from kycpack.cli.runs.watch import watch
from kycpack.cli.service.curl_sign import curl_sign
from kycpack.cli.service.demo import demo
from kycpack.cli.service.serve import serve
from kycpack.cli.service.service_keys import service_keys
from kycpack.cli.setup.doctor import doctor
from kycpack.cli.setup.lab import init, lab
from kycpack.cli.setup.login import login
from kycpack.cli.stop import StopError
from kycpack.cli.streams import prepare_streams
from kycpack.cli.terminal import say_error
from kycpack.errors import KycpackError

_EPILOG = """\b
Start here:
  kycpack demo                       twelve invented customers, a review pack for each

\b
With a service of your own:
  export KYCPACK_BASE_URL=... KYCPACK_KEY_ID=... KYCPACK_SECRET=...
  kycpack batch CUSTOMER_ID --out reports/today
  kycpack verify reports/today

\b
Exit codes: 0 done; 1 a customer failed or a check found a defect; 2 wrong usage, input or configuration;
3 something is incomplete and will be requested again, or the service is busy.
A recommendation never changes the exit code."""


class _Commands(TyperGroup):
    """Turns kycpack's errors into one line and an exit code."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        complete_help(self)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say_error("stopped")
            raise typer.Exit(INTERRUPTED) from None
        except StopError as stop:
            say_error("stopped by the system (SIGTERM)")
            raise typer.Exit(stop.exit_code) from None
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            if _is_usage_error(error) or (isinstance(error, OSError) and error.errno == errno.EPIPE):
                raise  # click reports wrong usage, and ends quietly when the reader of a pipe has closed it
            _explain(_message_of(error), debug=bool(ctx.params.get("debug")))
            raise typer.Exit(exit_code_of(error)) from None


def _message_of(error: Exception) -> str:
    if isinstance(error, KycpackError):
        return str(error)
    if isinstance(error, ModuleNotFoundError):
        extra = extra_of(error)
        if extra is None:
            return f"the module {error.name} is missing: install kycpack again with pip"
        return f"this command needs the extra `{extra}`: pip install 'kycpack[{extra}]'"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or type(error).__name__}"
    # The message of an unforeseen error may quote data, so only the error's type is shown.
    return f"internal error ({type(error).__name__}); `kycpack --debug ...` shows where"


def _explain(message: str, *, debug: bool) -> None:
    if debug:
        traceback.print_exc()
    say_error(message)


def _is_usage_error(error: Exception) -> bool:
    # Typer has its own copy of click, whose exceptions print themselves.
    return hasattr(error, "exit_code") and hasattr(error, "show")


app = typer.Typer(
    name="kycpack",
    cls=_Commands,
    help="Make compliance review packs from a verification and payments service's data about a "
    "customer. An analyst decides on them, and an auditor can check them.",
    epilog=_EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in (
    demo,
    serve,
    collect,
    review,
    sign,
    verify,
    replay,
    trace,
    redact,
    retain,
    doctor,
    wealth,
    show,
    find,
    login,
    lab,
    init,
    curl_sign,
):
    app.command()(_command)
app.command(cls=AlertingCommand)(batch)
app.command(cls=AlertingCommand)(watch)
case.add_typer(sample)
for _group in (case, ledger, keys, internal_report, runs, register, inbox, policy, service_keys):
    app.add_typer(_group)


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"kycpack {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error. It may contain personal data.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and stop.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    del version  # its callback has already printed it
    if not debug:
        # A library's warnings may quote data; anything that matters is reported as a gap or an error of our own.
        logging.getLogger().addHandler(logging.NullHandler())


def main() -> None:
    """Run the command line."""
    prepare_streams()
    try:
        app(args=sys.argv[1:])
    finally:
        signal.signal(
            signal.SIGINT, signal.SIG_DFL
        )  # Python shows a traceback if it is interrupted as it ends
