"""`kycpack policy`: the triage rules, as a file that people can read."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kycpack.cli.options import AsJson, PolicyFile, WorkspacePlace, settings
from kycpack.cli.terminal import print_json, print_table, say

if TYPE_CHECKING:
    from kycpack.batch import Backtest
    from kycpack.triage.duplicates import PastDecision

_MOST_SHOWN = 20

PolicyArgument = Annotated[
    Path, typer.Argument(metavar="POLICY", help="A policy file.", exists=True, dir_okay=False)
]
Text = Annotated[str, typer.Option("--text", metavar="REASONS", help="Why, in words.")]

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
    from kycpack.triage import load_policy
    from kycpack.triage.policy_differences import explain_rule

    read = load_policy(policy_file)
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
    for label, text in (("Policy", f"{read.id} {read.version}"), *explanation):
        say(f"{label}: {text}")
    for count in counts:
        said = (
            f"{count['unknown']} not known, {count['clear']} clear, {count['not_applicable']} not applicable"
        )
        say(f"Run {count['run_id']}: a hit for {count['hits']} of {count['customers']} customers; {said}")
        if count["other_policy"]:
            say(f"  {count['other_policy']} of these customers were judged by another version of the policy")


def _outcomes(folder: Path, digest: str, rule_id: str) -> dict[str, str | int]:
    """Return how many customers of a run had each outcome of a rule; the most severe counts for each customer."""
    from kycpack.batch import open_run
    from kycpack.triage.levels import OUTCOMES, weight

    opened_run = open_run(folder)
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
    from kycpack.triage import load_policy
    from kycpack.triage.policy_differences import policy_differences

    found = policy_differences(load_policy(before), load_policy(now))
    if as_json:
        print_json({"items": [asdict(each) for each in found]})
        return
    for each in found:
        say(f"{'SOFTER ' if each.softer else ''}{each.sentence}")
    say(
        f"{len(found)} differences, {sum(each.softer for each in found)} of them softer, judged by the text alone"
    )


@policy.command("backtest")
def backtest_policies(
    before: PolicyArgument,
    now: PolicyArgument,
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN", help="Output folders of finished batches.", exists=True, file_okay=False
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="A new folder for the change memo (HTML, PDF), the customers and the sample (CSV).",
        ),
    ] = None,
    sample: Annotated[
        int,
        typer.Option(
            "--sample",
            min=1,
            metavar="NUMBER",
            help="Number of customers to sample for whom the second policy opens no case.",
        ),
    ] = 60,
    seed: Annotated[
        str, typer.Option("--seed", metavar="SEED", help="Any text; the same seed draws the same sample.")
    ] = "backtest",
    verdicts: Annotated[
        Path | None,
        typer.Option(
            "--verdicts",
            metavar="FILE",
            help="CSV file with customer_id and verdict (agrees, disagrees) for the sample.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    workload: Annotated[
        Path | None,
        typer.Option(
            "--workload",
            metavar="FILE",
            help="YAML file with the minutes that a case takes, by level.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    analysts: Annotated[
        int, typer.Option("--analysts", min=1, metavar="NUMBER", help="Number of people who decide cases.")
    ] = 1,
    hours_a_day: Annotated[
        int,
        typer.Option(
            "--hours-a-day",
            min=1,
            max=24,
            metavar="NUMBER",
            help="Hours per working day that each of them spends deciding cases.",
        ),
    ] = 7,
    workspace: WorkspacePlace = None,
    as_json: AsJson = False,
) -> None:
    """Apply two policies to finished runs and compare the results.

    Shows which customers move to another level, by which rule, and how much work each policy causes.
    """
    from kycpack.batch import backtest
    from kycpack.batch.policy_memo import hours
    from kycpack.triage.workload import read_workload

    if out is not None and out.exists():
        from kycpack.errors import InputError

        raise InputError("already exists; give a new folder", place=str(out))
    result = backtest(
        before,
        now,
        runs,
        sample_size=sample,
        seed=seed,
        verdicts=None if verdicts is None else _verdicts(verdicts),
        decisions=_past_decisions(workspace),
        workload=read_workload(workload),
    )
    if out is not None:
        _write_backtest(out, result, analysts, hours_a_day)
    document = {
        "before": f"{result.before.id} {result.before.version}",
        "now": f"{result.now.id} {result.now.version}",
        "customers": len(result.customers),
        "not_tested": len(result.not_tested),
        "softer": result.count("softer"),
        "harder": result.count("harder"),
        "other_findings": result.count("other findings"),
        "cases": {which: result.cases(which) for which in ("before", "now")},
        "minutes": {which: result.minutes(which) for which in ("before", "now")},
        "moves": result.moves.to_dict("records"),
        "moved": result.moved.drop(columns=["pack"]).to_dict("records"),
    }
    if as_json:
        print_json(document)
        return
    columns = ("customer", "before", "now", "by which rule", "decided")
    rows = [
        (
            row["customer_id"],
            row["level_before"],
            row["level_now"],
            ", ".join(row["because"]),
            row["decided"] or None,
        )
        for row in result.moved.head(_MOST_SHOWN).to_dict("records")
    ]
    print_table("Who moves", columns, rows)
    if len(result.moved) > _MOST_SHOWN:
        say(f"{len(result.moved) - _MOST_SHOWN:,} more; give --out or --json to see them")
    say(
        f"{len(result.customers)} customers: {document['softer']} softer, {document['harder']} harder, "
        f"{document['other_findings']} with other findings, {len(result.not_tested)} not tested"
    )
    say(f"cases: {result.cases('before')} before, {result.cases('now')} now")
    say(f"work: {hours(result.minutes('before'))} before, {hours(result.minutes('now'))} now")
    if out is not None:
        say(f"{out / 'change-memo.pdf'}")


def _write_backtest(out: Path, result: Backtest, analysts: int, hours_a_day: int) -> None:
    from kycpack.batch.policy_memo import policy_memo
    from kycpack.folders import write_file
    from kycpack.render import render_memo_html, render_memo_pdf

    memo = policy_memo(result, analysts=analysts, hours_a_day=hours_a_day)
    customers = result.customers.assign(because=result.customers["because"].map(" ".join)).drop(
        columns="pack"
    )
    out.mkdir(mode=0o700, parents=True)
    write_file(out / "change-memo.html", render_memo_html(memo).encode())
    write_file(out / "change-memo.pdf", render_memo_pdf(memo))
    write_file(out / "customers.csv", customers.to_csv(index=False).encode())
    write_file(
        out / "sample.csv", result.sample[["customer_id", "stratum", "verdict"]].to_csv(index=False).encode()
    )


def _verdicts(file: Path) -> dict[str, str]:
    """Return people's verdicts by customer; a customer without a verdict is left out."""
    import csv

    from kycpack.errors import InputError

    found: dict[str, str] = {}
    with file.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines)
        if not {"customer_id", "verdict"} <= set(reader.fieldnames or ()):
            raise InputError("has no columns customer_id and verdict", place=file.name)
        for row in reader:
            customer_id, verdict = (row["customer_id"] or "").strip(), (row["verdict"] or "").strip()
            if customer_id in found:
                raise InputError(
                    f"customer {customer_id} is named twice", place=f"{file.name}, line {reader.line_num}"
                )
            if verdict:
                found[customer_id] = verdict
    return found


def _past_decisions(workspace: str | None) -> dict[str, PastDecision]:
    """Return earlier decisions by customer; empty without a workspace."""
    from kycpack.cli.case import opened
    from kycpack.cli.connection import register_of

    with register_of(settings(workspace=workspace)) as register:
        if register is None:
            return {}
    with opened(workspace) as work:
        return work.cases.past_decisions()


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
    from kycpack.cli.case import opened
    from kycpack.triage import load_policy

    read = load_policy(file)
    with opened(workspace) as work:
        (work.policies.approve if state == "approved" else work.policies.withdraw)(read, text)
        approval = work.policies.approval(read)
        work.anchor("policy")
    if as_json:
        print_json({"policy_id": read.id, "version": read.version, "digest": read.digest, **approval})
    else:
        say(f"{read.id} {read.version} is {state}: ledger entry {approval['seq']}")


@policy.command("list")
def list_policies(workspace: WorkspacePlace = None, as_json: AsJson = False) -> None:
    """List the policies of the workspace.

    Each is approved, withdrawn, or only used in a run.
    """
    from kycpack.cli.case import opened

    with opened(workspace) as work:
        rows = work.policies.rows()
    if as_json:
        print_json({"items": rows})
        return
    table = [[row[name] or None for name in ("id", "version", "digest", "state", "by", "at")] for row in rows]
    print_table("Policies", ("policy", "version", "digest", "state", "by", "at"), table)
