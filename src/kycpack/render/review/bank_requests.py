"""What bank data was requested, and what was answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kycpack.evidence import Entry, Evidence
from kycpack.frames import Frames
from kycpack.frames.rows import rows, values_of
from kycpack.models.listed import counted
from kycpack.render.document_parts import Paragraph
from kycpack.render.origin import count_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.reasons import with_evidence
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import sentence_case

_LIST, _TRANSACTIONS = "bank_accounts.list", "bank_accounts.transactions"
_IN_PART = frozenset({"more_not_read", "count_differs", "page_repeated", "unreadable"})


def request_blocks(evidence: Evidence, frames: Frames, names: ShortNames) -> tuple[Paragraph, ...]:
    """Return what was requested of the bank data and what was answered: not requested, refused, empty, in part, or without transactions.

    Args:
        evidence: Evidence of one customer.
        frames: Its frames.
        names: Short names of the accounts.
    """
    lists, pages = evidence.select(_LIST), evidence.select(_TRANSACTIONS)
    accounts = set(frames.accounts["account_id"].astype(str))
    said = list(_of_list(lists, len(accounts)))
    given = Counter(map(str, values_of(frames.transactions["account_id"].array)))
    without: list[tuple[str, list[str]]] = []
    for account in sorted(accounts):
        mine = [one.id for one in pages if one.subject.get("account_id") == account and _is_answered(one)]
        if not any(one.subject.get("account_id") == account for one in pages):
            without.append((f"Transactions of {names.of(account)} were not requested", []))
        elif mine and not given[account]:
            without.append(
                (f"Transactions of {names.of(account)} were requested, and the answer has none", mine)
            )
    said += [with_evidence(*one) for one in without]
    about = {one.id for one in (*lists, *pages)}
    missing = [
        with_evidence(names.within(sentence_case(str(row.message))), [str(row.evidence_id)])
        for row in rows(frames.gaps, "area", "code", "message", "evidence_id")
        if row.area == "bank"
        and str(row.evidence_id) in about
        and (row.code in _IN_PART or not _is_answered(evidence.entry(str(row.evidence_id))))
    ]
    is_whole = bool(accounts) and not without and not missing
    text = " ".join(f"{one}." for one in (*said, *missing))
    origins = (count_of("accounts"), value_of("evidence", "status"), value_of("gaps", area="bank"))
    return (Paragraph(text, Tone.PLAIN if is_whole else Tone.UNKNOWN, origins),)


def _of_list(lists: tuple[Entry, ...], count: int) -> Iterator[str]:
    """Yield what became of the request for the list of accounts; one without an answer is among the gaps."""
    if not lists:
        yield "The list of bank accounts was not requested"
    answered = [one.id for one in lists if _is_answered(one)]
    if answered:
        named = counted(count, "account") if count else "no account"
        yield with_evidence(f"The list of bank accounts was requested, and the answer has {named}", answered)


def _is_answered(entry: Entry) -> bool:
    return entry.outcome == "answered"
