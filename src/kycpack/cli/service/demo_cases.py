"""The end of the demo: one case decided by two people, one that waits, and one that a later run reopens."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from kycpack.cli.terminal import print_table, program, say
from kycpack.errors import ConfigurationError
from kycpack.models.dates import day_words
from kycpack.models.json import canonical_json, parse_json
from kycpack.settings import Settings

if TYPE_CHECKING:
    from kycpack.workspace import Decision, OpenWorkspace
    from kycpack.workspace.cases.case_records import Case, CaseFinding
    from kycpack.workspace.entries.signing import Actor

_PEOPLE = ("Demo Administrator", "Demo Analyst", "Demo Officer", "Demo Manager")
ANALYST = 1
"""The place of the person who prepares the packs, among those of `enrol_people`."""
_DECIDED = 3
_MATCHES = ("SAN-", "WAT-", "PEP-", "SCR-6")
_ABOUT_MATCHES = ("OUT-screening", "ADV-", "SCR-")  # where there is a match, these say that there is one
_NOTE = "Invented for this demo: the provider's answer about every match that the screening reported."
_MATCH_COUNT = re.compile("screening matches .*: ([0-9]+)")
_IDENTITY = ("CON-", "ADR-", "IDN-", "OUT-address", "OUT-identity", "OUT-document", "DOC-")
_NOT_CONFIRMED = "SES-2"
_REASONS = {
    "accepted": "the provider's results{} show this, and nothing in the evidence contradicts it",
    "compared": "the details{} were compared word by word and are not those of one person",
    "paid": "the payments were checked against the bank data{}, and their amounts and dates agree with the finding",
    "false_positive": "the provider's reply of {}, which came from outside and is not among the results collected, gives the year of birth of every person listed, and the customer's is different",
    "escalated": "the person listed may be the customer, and the results{} do not rule that out, so it was passed to the MLRO",
    "purpose": "the bank data{} shows the payments but not what they were for, which only the customer could say, and asking could have been tipping off",
    "inconclusive": "the evidence{} does not settle this either way",
}
_COMPARED, _PAID = ("CON-", "ADR-", "IDN-"), ("WLT-",)
_REJECTED_ON = "{}: the policy rejects a customer on this alone, so the decision was made without waiting for an answer about it"
_BESIDE = "{}: the policy calls for less than a rejection on this, and the decision does not depend on it"
_NOT_ASKED = "the decision was made without waiting for answers to the questions of the review, as the findings accepted as correct are reason enough to reject the customer"
"""What is said of the open questions of a rejection that the policy does not recommend."""


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
    from kycpack.workspace.ledger.ledger_files import add_anchor, write_export
    from kycpack.workspace.opened import open_chosen
    from kycpack.workspace.redaction_key import folder_of, redaction_key

    with open_chosen(chosen) as work:
        _, analyst, officer, _ = people
        waiting = list(reversed(work.cases.list()))  # the least severe first
        if len(waiting) < _DECIDED:
            return
        alone, waits, decided = choose_cases(waiting)
        _decide(work, decided, hardest_outcome(decided), analyst, officer, desk)
        work.cases.wait(waits.case_id, "Asked the customer for a recent document", actor=analyst)
        _decide(work, alone, "reject", analyst, officer, desk)
    later = desk / "later-run"
    later_run(alone.customer_id, later)
    with open_chosen(chosen) as work:
        # Made after the later run, so that the pack of the rejection says that the case was opened again.
        key = redaction_key(folder_of(chosen))
        packs = [
            write_decided_pack(out, work.ledger.excerpt(each.case_id), folders=[later], redaction_key=key)
            for each in (decided, alone)
        ]
        export = out / ".kycpack" / "ledger"
        shutil.rmtree(export, ignore_errors=True)
        head = write_export(work.ledger, export)
        anchor = out / ".kycpack" / "ledger-anchor.jsonl"
        anchor.unlink(missing_ok=True)
        add_anchor(anchor, head, work.now(), "export")
        if quiet:
            return
        rows = [
            _row(work, title, case)
            for title, case in (
                ("decided", decided),
                ("waits for the customer", waits),
                ("reopened by a later run", alone),
            )
        ]
        print_table("Cases", ("what", "case", "state", "recommended", "decision"), rows)
        who = {"KYCPACK_WORKSPACE": chosen.workspace, "KYCPACK_ANALYST": analyst.name}
        if analyst.key:
            who["KYCPACK_SIGNING_KEY"] = str(desk / "analyst.pem")
        say(
            f"the packs with the decisions, beside the packs decided on: {packs[0]} and {packs[1]}",
            f"the later run, which found a sanctions match and reopened the case: {later / 'index.html'}",
            f"check who decided what: python3 {export / 'verify_ledger.py'} {export / 'ledger.jsonl'} --anchor {anchor}",
            "to act as the analyst: export "
            + " ".join(f"{name}={shlex.quote(value)}" for name, value in who.items()),
            f"then: {program()} case queue; {program()} case show {waits.case_id}; {program()} case --help",
        )


def choose_cases(waiting: Sequence[Case]) -> tuple[Case, Case, Case]:
    """Return the case that the demo rejects, the one that waits, and the one that two people decide.

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
    identity = (case for case in unmatched if _shows(case, *_IDENTITY))
    alone = next(identity, (unmatched or rest)[0])
    return alone, next(case for case in rest if case is not alone), decided


def hardest_outcome(case: Case) -> str:
    """Return the outcome for the hardest case: what the policy recommends, if that is to reject, or else an escalation."""
    return "reject" if case.level == "reject" else "escalate"


def first_hold(case: Case) -> Decision | None:
    """Return the hold that the policy asks for before a case is decided; None if it asks for none."""
    from kycpack.workspace import Decision

    held = _held(case)
    if not held:
        return None
    why = "the policy requires a hold, which stays in force until the MLRO agrees to lift it"
    return Decision("hold", "PRECAUTION", f"{held}: {why}")


def second_words(case: Case, outcome: str) -> str:
    """Return what the officer, who is the MLRO, says of a decision: of the match, which is settled before a hold ends, and of the hold.

    Args:
        case: The case before it.
        outcome: `reject` or `escalate`.
    """
    verdict = _of_match(outcome)
    matches = ", ".join(each.finding_id for each in case.findings if _verdict(each, case, outcome) == verdict)
    of_match = (
        "the year of birth in the provider's reply, which came from outside, is another person's"
        if verdict == "false_positive"
        else "whether the match is the customer is not settled, and is for the MLRO to decide"
    )
    said = [f"{matches}: {of_match}" if matches else "Read the findings, the evidence and the reasons"]
    if case.effect == "hold":
        said.append(f"the hold on {_held(case)} ends with this decision, as the MLRO agrees")
    return "; ".join((*said, f"agreed to {outcome}"))


def matched_entries(case: Case) -> str:
    """Return what the provider's answer says of the matches: on which lists they are, how many, and of whom; so also of those whose list the screening does not name."""
    lists = next((each.title.lower() for each in case.findings if each.rule_id.startswith(_MATCHES)), "lists")
    counts = (_MATCH_COUNT.search(each.sentence) for each in case.findings)
    count = next((found[1] for found in counts if found), "")
    which = f"all {count} matches are" if count else "every match is"
    return f"Provider's reply (demonstration): {which} on {lists}, each of a person born in 1901"


def listing_of(answer: Path, day: str) -> dict[str, str]:
    """Return what the provider's answer shows about a match, as the external evidence that a false positive needs.

    Args:
        answer: The file with the answer.
        day: The day on which it came, ISO 8601, which is the date of the list.
    """
    entry = parse_json(answer.read_bytes())["list_entry"]
    return {"list_entry": entry, "list_date": day, "file_sha256": sha256(answer.read_bytes()).hexdigest()}


def reasoned(case: Case, outcome: str, listing: Mapping[str, str]) -> Decision:
    """Return a decision of a case: a verdict on each finding, and a text that gives the reason for each kind of verdict, with the evidence that was looked at.

    Args:
        case: The case.
        outcome: `reject` or `escalate`.
        listing: The external evidence for a match of another person, as returned by `listing_of`.
    """
    from kycpack.workspace import Decision, Disposition

    verdicts = {each.finding_id: _verdict(each, case, outcome) for each in case.findings}
    day = day_words(date.fromisoformat(listing["list_date"])) if listing else ""
    kinds = {kind: [one for one in case.findings if _kind(one, verdicts) == kind] for kind in _REASONS}
    said = [
        f"{', '.join(one.finding_id for one in mine)}: {_REASONS[kind].format(day if kind == 'false_positive' else _seen(mine))}"
        for kind, mine in kinds.items()
        if mine
    ]
    if outcome == "reject":
        said += _not_asked(case, verdicts)
    return Decision(
        outcome,
        _reason_code(case, outcome),
        "; ".join(said) or "The customer: the evidence does not settle this either way",
        {
            name: Disposition(verdict, listing if verdict == "false_positive" else {})
            for name, verdict in verdicts.items()
        },
    )


def _not_asked(case: Case, verdicts: Mapping[str, str]) -> list[str]:
    """Return what is said of a rejection's open questions about what was accepted: the policy rejects on some findings, and calls for less on others."""
    if case.level != "reject":
        return [_NOT_ASKED]
    alone = [one.finding_id for one in _grounds(case, verdicts)]
    accepted = [name for name, verdict in verdicts.items() if verdict == "accepted"]
    others = [name for name in accepted if name not in alone]
    return [words.format(", ".join(ids)) for words, ids in ((_REJECTED_ON, alone), (_BESIDE, others)) if ids]


def _grounds(case: Case, verdicts: Mapping[str, str]) -> list[CaseFinding]:
    """Return the accepted findings on which a rejection rests: those on which the policy rejects, or all of them where it recommends less."""
    accepted = [one for one in case.findings if verdicts[one.finding_id] == "accepted"]
    return [one for one in accepted if case.level != "reject" or one.level == case.level]


def _kind(finding: CaseFinding, verdicts: Mapping[str, str]) -> str:
    """Return the kind of reason that a verdict has."""
    verdict, is_paid = verdicts[finding.finding_id], finding.rule_id.startswith(_PAID)
    if verdict == "accepted":
        return "paid" if is_paid else "compared" if finding.rule_id.startswith(_COMPARED) else verdict
    return "purpose" if verdict == "inconclusive" and is_paid else verdict


def _seen(findings: Sequence[CaseFinding]) -> str:
    """Return the evidence of findings in brackets, with a space before it; empty for none."""
    from kycpack.triage.judge.sentences import evidence_words

    ids = sorted({id_ for one in findings for id_ in one.evidence_ids})
    return f" ({evidence_words(ids)})" if ids else ""


def _held(case: Case) -> str:
    """Return the findings for which the policy asks for a hold."""
    from kycpack.triage import load_policy

    holding = {rule.id for rule in load_policy().rules if rule.action == "hold"}
    return ", ".join(
        each.finding_id for each in case.findings if each.outcome == "HIT" and each.rule_id in holding
    )


def _of_match(outcome: str) -> str:
    """Return what is said of a match: a rejection ends the hold, so it is settled before; otherwise it goes to the MLRO."""
    return "false_positive" if outcome == "reject" else "escalated"


def _verdict(finding: CaseFinding, case: Case, outcome: str) -> str:
    """Return what the analyst says of a finding: of a match as `_of_match` says; what led to the recommended level stands, with all that rests on the same fact, and where the document was rejected, that the identity was not confirmed."""
    from kycpack.workspace.cases.same_facts import rests_with

    if _shows(case, *_MATCHES) and finding.rule_id.startswith((*_MATCHES, *_ABOUT_MATCHES)):
        return _of_match(outcome)
    stands = any(
        each.outcome == "HIT" and each.level == case.level
        for each in (finding, *rests_with(finding, case.findings))
    )
    stands = stands or (case.level == "reject" and finding.rule_id == _NOT_CONFIRMED)
    return "accepted" if stands else "inconclusive"


def _reason_code(case: Case, outcome: str) -> str:
    """Return the code for what the decision rests on: a match of another person is no ground for a rejection."""
    if outcome == "escalate":
        return "SUSPECTED-MATCH" if _shows(case, *_MATCHES) else "PRECAUTION"
    verdicts = {each.finding_id: _verdict(each, case, outcome) for each in case.findings}
    about_identity = any(each.rule_id.startswith(_IDENTITY) for each in _grounds(case, verdicts))
    return "NOT-VERIFIED" if about_identity else "OUTSIDE-APPETITE"


def _shows(case: Case, *rules: str) -> bool:
    return any(finding.rule_id.startswith(rules) for finding in case.findings)


def _people(work: OpenWorkspace, desk: Path) -> list[Actor]:
    from kycpack.workspace.entries.signing import Actor, make_key

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


def _decide(
    work: OpenWorkspace, case: Case, outcome: str, analyst: Actor, officer: Actor, desk: Path
) -> None:
    """Decide a case as the analyst: after the hold that the policy asks for, with the provider's answer where there is a match, and with the officer where the policy asks for two people."""
    if outcome == "reject" and (held := first_hold(case)):
        case = work.cases.decide(case.case_id, held, version=case.version, actor=analyst)
    listing = {}
    if _shows(case, *_MATCHES):
        answer = desk / f"listing-{case.case_id}.json"
        answer.write_bytes(canonical_json({"note": _NOTE, "list_entry": matched_entries(case)}))
        listing = listing_of(answer, work.now()[:10])
    wanted = reasoned(case, outcome, listing)
    made = work.cases.decide(case.case_id, wanted, version=case.version, actor=analyst)
    if made.state == "second_review":
        said = second_words(case, outcome)
        work.cases.approve(case.case_id, said, version=made.version, actor=officer)


def _row(work: OpenWorkspace, title: str, case: Case) -> tuple[object, ...]:
    from kycpack.pack.compute.decision import record_of

    now, record = work.cases.get(case.case_id), record_of(work.ledger.excerpt(case.case_id))
    made = None if record is None else record.decision
    said = None if made is None else f"{made.sentence}. {made.standing}".strip()
    return (title, case.case_id, now.state_words, now.level, said)
