"""`kycpack policy`: triage rules as a file that people can read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kycpack.cli.options import AsJson
from kycpack.cli.terminal import print_json, say

policy = typer.Typer(
    name="policy",
    help="Check the rules of triage.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@policy.callback()
def _group() -> None:
    # With a callback, a group of one command is still a group.
    pass


@policy.command()
def check(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="A policy file; the one that comes with kycpack by default.", exists=True, dir_okay=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read a policy and run the tests that it brings.

    A file that cannot be read is wrong input (exit code 2, with the line); a test that fails is a defect (1).
    """
    from kycpack.triage import check_policy, default_policy_file, read_policy

    source = default_policy_file() if file is None else file
    read = read_policy(source.read_bytes(), source.name)
    failures = check_policy(read)
    if as_json:
        print_json(
            {
                "policy_id": read.id,
                "version": read.version,
                "digest": read.digest,
                "rules": len(read.rules),
                "tests": len(read.tests),
                "failures": failures,
            }
        )
    else:
        say(
            f"{read.id} {read.version}: {len(read.rules)} rules, {len(read.tests)} tests, {len(failures)} failures"
        )
        for failure in failures:
            say(failure)
    if failures:
        raise typer.Exit(1)
