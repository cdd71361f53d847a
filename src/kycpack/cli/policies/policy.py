"""`kycpack policy`: the triage rules, as a file that people can read."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import kycpack as kp
from kycpack.cli.cases.case_steps import Text
from kycpack.cli.connection import opened
from kycpack.cli.options import AsJson, PolicyArgument, PolicyFile, WorkspacePlace
from kycpack.cli.policies.policy_backtest import backtest_policies
from kycpack.cli.terminal import answer, answer_table, print_json, say

policy = typer.Typer(
    name="policy",
    help="Check, explain, compare and approve policies.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@policy.command()
def check(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="Policy file. Default: the policy that comes with kycpack.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read a policy and run the tests in it.

    Exit codes: 2 if the file cannot be used (the error names the line), 1 if a test fails.
    """
    from kycpack.triage import check_policy, default_policy_file, read_policy

    source = default_policy_file() if file is None else file
    read = read_policy(source.read_bytes(), source.name)
    failures = check_policy(read)
    answer(
        {
            "policy_id": read.id,
            "version": read.version,
            "digest": read.digest,
            "rules": len(read.rules),
            "tests": len(read.tests),
            "failures": failures,
        },
        f"{read.id} {read.version}: {len(read.rules)} rules, {len(read.tests)} tests, {len(failures)} failures",
        *failures,
        as_json=as_json,
    )
    if failures:
        raise typer.Exit(1)


@policy.command()
def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Id of the rule, such as PEP-1.")],
    policy_file: PolicyFile = None,
    run: Annotated[
        list[Path] | None,
        typer.Option(
            "--run",
            metavar="RUN",
            help="Output folder of a finished batch, to count how often the rule was hit. May be repeated.",
            file_okay=False,
            exists=True,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Explain a rule and its legal basis.

    With --run, also says how often the rule was hit.
    """
    from kycpack.triage.policies.policy_differences import explain_rule

    read = kp.load_policy(policy_file)
    explanation = explain_rule(read, rule)
    counts = [_outcomes(folder, read.digest, explanation[0][1]) for folder in run or ()]
    if as_json:
        print_json(
            {
                "policy_id": read.id,
                "version": read.version,
                "digest": read.digest,
                **dict(explanation),
                "runs": counts,
            }
        )
        return
    say(f"Policy: {read.id} {read.version}", *(f"{label}: {text}" for label, text in explanation))
    for count in counts:
        said = (
            f"{count['unknown']} not known, {count['clear']} clear, {count['not_applicable']} not applicable"
        )
        say(f"Run {count['run_id']}: a hit for {count['hits']} of {count['customers']} customers; {said}")
        if count["other_policy"]:
            say(f"  {count['other_policy']} of these customers were judged by another version of the policy")


def _outcomes(folder: Path, digest: str, rule_id: str) -> dict[str, str | int]:
    """Return how many customers of a run had each outcome of a rule; the most severe counts for each customer."""
    from kycpack.triage.levels import OUTCOMES, weight

    opened_run = kp.open_run(folder)
    found = opened_run.triage["findings"]
    judged = opened_run.triage["recommendations"]
    of_rule = found[found["rule_id"] == rule_id] if len(found) else found
    heaviest: dict[str, str] = {}
    for row in of_rule.to_dict("records"):
        customer_id, outcome = str(row["customer_id"]), str(row["outcome"])
        heaviest[customer_id] = max(heaviest.get(customer_id, outcome), outcome, key=weight)
    said = list(heaviest.values())
    names = {"HIT": "hits", "UNKNOWN": "unknown", "CLEAR": "clear", "NOT_APPLICABLE": "not_applicable"}
    return {
        "run_id": opened_run.run_id,
        "customers": len(judged),
        **{names[outcome]: said.count(outcome) for outcome in reversed(OUTCOMES)},
        "other_policy": int((judged["policy_digest"] != digest).sum()) if len(judged) else 0,
    }


@policy.command()
def diff(before: PolicyArgument, now: PolicyArgument, as_json: AsJson = False) -> None:
    """Show in words how two policies differ.

    Marks each difference that makes the policy softer, judged by its text alone.
    """
    from kycpack.triage.policies.policy_differences import policy_differences

    found = policy_differences(kp.load_policy(before), kp.load_policy(now))
    answer(
        {"items": [asdict(each) for each in found]},
        *(f"{'SOFTER ' if each.softer else ''}{each.sentence}" for each in found),
        f"{len(found)} differences, {sum(each.softer for each in found)} of them softer, judged by the text alone",
        as_json=as_json,
    )


policy.command("backtest")(backtest_policies)


@policy.command()
def approve(
    file: PolicyArgument, text: Text, workspace: WorkspacePlace = None, as_json: AsJson = False
) -> None:
    """Approve a version of a policy.

    The approval goes into the ledger together with the gaps that apply to every customer, for example that the date of the
    screened lists and ongoing monitoring cannot be seen. You need the role senior_manager.
    """
    _record(file, text, workspace, as_json=as_json, state="approved")


@policy.command()
def withdraw(
    file: PolicyArgument, text: Text, workspace: WorkspacePlace = None, as_json: AsJson = False
) -> None:
    """Withdraw a version of a policy.

    The withdrawal goes into the ledger. You need the role senior_manager or MLRO.
    """
    _record(file, text, workspace, as_json=as_json, state="withdrawn")


def _record(file: Path, text: str, workspace: str | None, *, as_json: bool, state: str) -> None:
    read = kp.load_policy(file)
    with opened(workspace) as work:
        (work.policies.approve if state == "approved" else work.policies.withdraw)(read, text)
        approval = work.policies.approval(read)
        work.anchor("policy")
    answer(
        {"policy_id": read.id, "version": read.version, "digest": read.digest, **approval},
        f"{read.id} {read.version} is {state}: ledger entry {approval['seq']}",
        as_json=as_json,
    )


@policy.command("list")
def list_policies(workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """List the policies of the workspace.

    Each is approved, withdrawn, or only used in a run.
    """
    with opened(workspace) as work:
        rows = work.policies.rows()
    table = [[row[name] or None for name in ("id", "version", "digest", "state", "by", "at")] for row in rows]
    columns = ("policy", "version", "digest", "state", "by", "at")
    answer_table({"items": rows}, "Policies", columns, table, as_json=as_json)
