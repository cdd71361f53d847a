"""The end of the demo: one case decided by two people, one that waits, and one that a later run reopens."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kycpack.cli.terminal import print_table, program, say
from kycpack.errors import ConfigurationError

if TYPE_CHECKING:
    from kycpack.settings import Settings
    from kycpack.workspace import Decision, OpenWorkspace
    from kycpack.workspace.case_records import Case
    from kycpack.workspace.signing import Actor

_PEOPLE = ("Demo Administrator", "Demo Analyst", "Demo Officer", "Demo Manager")
ANALYST = 1
"""The place of the person who prepares the packs, among those of `enrol_people`."""
_DECIDED = 3
_MATCHES = ("SAN-", "WAT-", "PEP-")
_IDENTITY = ("CON-", "ADR-", "IDN-")
_WHY = "the evidence leaves open what was reported, and the customer has not explained it"


def enrol_people(chosen: Settings, desk: Path) -> list[Actor]:
    """Enrol the demo's people, with keys if the extra `signing` is installed; the manager approves the policy.

    Args:
        chosen: The demo's settings.
        desk: The folder of the demo's workspace, for their keys.

    Returns:
        The administrator, the analyst, the officer and the manager, in this order.
    """
    from kycpack.triage import load_policy
    from kycpack.workspace.opened import open_chosen

    with open_chosen(chosen) as work:
        people = _people(work, desk)
        work.policies.approve(
            load_policy(), "The policy that comes with kycpack, for this demo", actor=people[-1]
        )
    return people


def decide_cases(
    chosen: Settings,
    out: Path,
    desk: Path,
    people: list[Actor],
    later_run: Callable[[str, Path], object],
    *,
    quiet: bool,
) -> None:
    """Decide cases of invented customers, and export the ledger.

    Args:
        chosen: The demo's settings.
        out: The run's output; the export goes to `.kycpack/ledger` in it.
        desk: The folder of the demo's workspace, for the packs of the later run.
        people: Administrator, analyst, officer and manager, as returned by `enrol_people`.
        later_run: Gives a customer new results and runs a batch into a folder.
        quiet: Whether to print nothing.
    """
    from kycpack.pack import write_decided_pack
    from kycpack.workspace.ledger_files import add_anchor, write_export
    from kycpack.workspace.opened import open_chosen
    from kycpack.workspace.redaction_key import folder_of, redaction_key

    with open_chosen(chosen) as work:
        _, analyst, officer, _ = people
        waiting = list(reversed(work.cases.list()))  # the least severe first
        if len(waiting) < _DECIDED:
            return
        alone, waits, decided = choose_cases(waiting)
        _decide(work, decided, "escalate", escalation_code(decided), "inconclusive", analyst)
        version = work.cases.get(decided.case_id).version
        work.cases.approve(
            decided.case_id,
            "Read the findings and the evidence; the escalation stands",
            version=version,
            actor=officer,
        )
        work.cases.wait(waits.case_id, "Asked the customer for a recent document", actor=analyst)
        _decide(work, alone, "reject", rejection_code(alone), "inconclusive", analyst)
        pack = write_decided_pack(
            out, work.ledger.excerpt(decided.case_id), redaction_key=redaction_key(folder_of(chosen))
        )
    later_run(alone.customer_id, desk / "later-run")
    with open_chosen(chosen) as work:
        export = out / ".kycpack" / "ledger"
        shutil.rmtree(export, ignore_errors=True)
        head = write_export(work.ledger, export)
        anchor = out / ".kycpack" / "ledger-anchor.jsonl"
        anchor.unlink(missing_ok=True)
        add_anchor(anchor, head, work.now(), "export")
        if quiet:
            return
        rows = [
            _row(title, work.cases.get(case.case_id), work.cases.history(case.case_id)[-1])
            for title, case in (
                ("decided by two people", decided),
                ("waits for the customer", waits),
                ("reopened by a later run", alone),
            )
        ]
        print_table("Cases", ("what", "case", "state", "recommended", "last step", "by"), rows)
        say(f"the pack with the decision, beside the pack decided on: {pack}")
        say(
            f"check who decided what: python3 {export / 'verify_ledger.py'} {export / 'ledger.jsonl'} --anchor {anchor}"
        )
        who = {"KYCPACK_WORKSPACE": chosen.workspace, "KYCPACK_ANALYST": analyst.name}
        if analyst.key:
            who["KYCPACK_SIGNING_KEY"] = str(desk / "analyst.pem")
        say(
            "to act as the analyst: export "
            + " ".join(f"{name}={shlex.quote(value)}" for name, value in who.items())
        )
        say(f"then: {program()} case queue; {program()} case show {waits.case_id}; {program()} case --help")


def choose_cases(waiting: Sequence[Case]) -> tuple[Case, Case, Case]:
    """Return the case that the demo rejects, the one that waits, and the one that is escalated.

    Args:
        waiting: At least three open cases, the least severe first.

    Returns:
        A mild case about the customer's identity, if there is one; another mild case; and the most severe case, about a match
        if there is one.
    """
    hardest = [case for case in waiting if case.level == waiting[-1].level]
    decided = next((case for case in hardest if _shows(case, *_MATCHES)), waiting[-1])
    rest = [case for case in waiting if case is not decided]
    # One person closes this case, which is not allowed for a match.
    unmatched = [case for case in rest if not _shows(case, *_MATCHES)]
    alone = next((case for case in unmatched if _shows(case, *_IDENTITY)), (unmatched or rest)[0])
    return alone, next(case for case in rest if case is not alone), decided


def escalation_code(case: Case) -> str:
    """Return a reason code that fits an escalation of the case."""
    return "SUSPECTED-MATCH" if _shows(case, *_MATCHES) else "PRECAUTION"


def rejection_code(case: Case) -> str:
    """Return a reason code that fits a rejection of the case."""
    return "NOT-VERIFIED" if _shows(case, *_IDENTITY) else "OUTSIDE-APPETITE"


def _shows(case: Case, *rules: str) -> bool:
    return any(finding.rule_id.startswith(rules) for finding in case.findings)


def _people(work: OpenWorkspace, desk: Path) -> list[Actor]:
    from kycpack.workspace.signing import Actor, make_key

    actors = []
    for name in _PEOPLE:
        try:
            key = make_key(desk / f"{name.split()[-1].casefold()}.pem")
        except ConfigurationError:
            key = None
        actors.append(Actor(name, key))
        work.keys.enrol(name, key.public_key if key else "", actor=actors[0])
    work.keys.grant(_PEOPLE[2], "MLRO", actor=actors[0])
    work.keys.grant(_PEOPLE[3], "senior_manager", actor=actors[0])
    return actors


def _decide(work: OpenWorkspace, case: Case, outcome: str, code: str, verdict: str, actor: Actor) -> None:
    work.cases.decide(
        case.case_id, _decision(case, outcome, code, verdict), version=case.version, actor=actor
    )


def _decision(case: Case, outcome: str, code: str, verdict: str) -> Decision:
    from kycpack.workspace import Decision, Disposition

    named = [finding.finding_id for finding in case.findings]
    text = f"{', '.join(named) or 'The customer'}: {_WHY}"
    return Decision(outcome, code, text, {each: Disposition(verdict) for each in named})


def _row(title: str, case: Case, last: dict[str, Any]) -> tuple[object, ...]:
    what = str(last["kind"]).removeprefix("case.")
    return (title, case.case_id, case.state_words, case.level, what, last["actor"])
