"""The sentence of a finding: plain words with the value and the evidence, and never a raw path."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.labels import code_words, member_label, spoken
from kycpack.models.visible_text import marked
from kycpack.triage.case_file import CaseFile, Nested, Observation, SessionFile, Unreadable
from kycpack.triage.countries import country_name, country_words, is_country
from kycpack.triage.levels import CLEAR, HIT, NOT_APPLICABLE
from kycpack.triage.paths import OWN_ROOTS, SOURCE_FOUND, UNNAMED_MATCHES
from kycpack.triage.policies.conditions import Judgement, Verdict
from kycpack.triage.policies.policy import Policy
from kycpack.triage.policies.rules import Rule
from kycpack.triage.results.list_entries import EntryMembers

_LONGEST = 80
_MOST_MEMBERS = 12
_FILL = re.compile(r"\{([a-z]+)\}")
_REACH = re.compile(r"\{(?:looked|unseen)\}")
_SHORTEST_SPAN = 3
_LABELS = {
    "session.status": "session status",
    "session.identity_completed": "completion of the identity check",
    "session.identity_confirmed": "identity confirmation",
    "session.age_days": "age of the results",
    "session.screening_depth": "type of screening",
    "session.score_scale": "scale of the face scores",
    "requested.document": "document check",
    "requested.address": "address check",
    "requested.identity": "identity check",
    "requested.screening": "screening",
    "requested.bank": "bank access",
    "expiry.document_days": "document expiry",
    "plausible.document_number": "document number",
    "plausible.document_type": "document type",
    "plausible.repeated_details": "consistency of details within the results",
    "plausible.result_dates": "date of the results",
    "plausible.name_letters": "alphabets of the names",
    "session.times": "sequence of the session's dates and times",
    "plausible.specimens": "names and addresses of specimens",
    "plausible.refusals": "refusal by the provider",
    UNNAMED_MATCHES: "number of screening matches on a list that is not named",
    "age.record": "age by the customer record",
    "age.document": "age by the document",
    "country.record": "country of residence by the customer record",
    "country.issuer": "issuing country",
    "country.nationality": "nationality",
    "country.address": "country of residence by the proof of address",
    "country.residences": "country of a further or former residence",
    "bank.expected": "bank data",
    "bank.currencies_compared": "currencies of the bank accounts",
    "bank.access_days": "bank access",
    "bank.history_days": "bank history",
    "wealth.derived": "analysis of the bank data",
    SOURCE_FOUND: "source of wealth",
    "wealth.linked_twice": "accounts that are or may be one",
    "wealth.silent_account": "months without a transaction",
    "wealth.payment_support": "support for a payment",
    "diligence.bank": "bank data",
    "diligence.completion": "customer due diligence",
    "risk.pep": "PEP status in the firm's file",
    "consistency.name.record.document": "name on the record and the name on the document",
    "consistency.name.record.bank": "name on the record and the name on the bank account",
    "consistency.name.document.bank": "name on the document and the name on the bank account",
    "consistency.name.document.document": "name on one document and the name on another document",
    "consistency.name.record.statement": "name on the record and the name on the service's statement",
    "consistency.name.document.statement": "name on the document and the name on the service's statement",
    "consistency.name.bank.statement": "name on the bank account and the name on the service's statement",
    "consistency.date_of_birth.record.document": "dates of birth on the record and on the document",
    "consistency.date_of_birth.document.document": "dates of birth on two documents",
    "consistency.address.record.address": "address on the record and on the proof of address",
    "consistency.town.record.statement": "towns on the record and on the service's statement",
    "consistency.town.likeness.record.statement": "towns on the record and on the service's statement",
    "consistency.name.likeness.record.document": "names on the record and on the document",
    "consistency.name.likeness.record.bank": "names on the record and on the bank account",
    "consistency.name.likeness.document.bank": "names on the document and on the bank account",
    "consistency.name.likeness.document.document": "names on two documents",
    "consistency.name.likeness.record.statement": "names on the record and on the service's statement",
    "consistency.name.likeness.document.statement": "names on the document and on the service's statement",
    "consistency.name.likeness.bank.statement": "names on the bank account and on the service's statement",
    "consistency.address.likeness.record.address": "addresses on the record and on the proof of address",
    "triage.level": "recommended level",
}
_SECTIONS = {
    "document": "document check",
    "address": "address check",
    "identity": "identity check",
    "screening": "screening",
}


_KINDS_OF_DATA = {"wealth": "bank data", **_SECTIONS}


def label_of(path: str) -> str:
    """Return what a path means, in words."""
    if path in _LABELS:
        return _LABELS[path]
    if path.partition(".")[0] in OWN_ROOTS:
        return spoken(path.rpartition(".")[2])
    return member_label(path)


def named_value(path: str, value: Any) -> str:
    """Return a value of frame `findings`, which has a truth value as text, with its name, as a section's outcome names it: `data integrity 'attention'`."""
    return f"{label_of(path)} {value_words({'true': True, 'false': False}.get(str(value), value))}"


def value_words(value: Any) -> str:  # noqa: PLR0911 - one return for each thing a value can be
    """Return a value for use in a sentence: words in quotes, codes as words, shortened, with a mark for a character that cannot be shown."""
    if value is None:
        return "no value"
    if isinstance(value, bool):
        return "'yes'" if value else "'no'"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, Unreadable):
        return f"unreadable ({value.reason})"
    if isinstance(value, Nested):
        return "several fields"
    if isinstance(value, EntryMembers):
        return _member_words(value)
    shown = marked(code_words(str(value)))
    return f"'{shown if len(shown) <= _LONGEST else shown[:_LONGEST] + '...'}'"


def _member_words(value: EntryMembers) -> str:
    """Return the members of an entry with their values, up to a number that can still be read."""
    named = value.named()
    said = [f"{name} {value_words(one)}".strip() for name, one in named[:_MOST_MEMBERS]]
    if more := len(named) - len(said):
        said.append(f"and {more} further value{'' if more == 1 else 's'}")
    return ", ".join(said)


def raw_value(value: Any) -> str:
    """Return a value in machine-readable form."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, Unreadable):
        return "unreadable"
    if isinstance(value, EntryMembers):
        return "; ".join(
            f"{name}: {raw_value(one)}" if name else raw_value(one) for name, one in value.named()
        )
    return "nested" if isinstance(value, Nested) else str(value)


def sentence(
    rule: Rule,
    outcome: str,
    seen: Observation | None,
    why: str,
    evidence_ids: Sequence[str],
    found: Sequence[Observation] = (),
    unseen: Callable[[], frozenset[str]] = frozenset,
) -> str:
    """Return the sentence of a finding.

    Args:
        rule: Its rule.
        outcome: HIT, UNKNOWN, CLEAR or NOT_APPLICABLE.
        seen: The observation that decided.
        why: Why it is unknown; empty if it is known.
        evidence_ids: The entries that show it; the sentence of a hit or an unknown ends with them.
        found: All deciding observations, if the rule gives one finding for all of them.
        unseen: Returns the roots of paths of which nothing was observed; called only if the text names them.
    """
    texts = {HIT: rule.texts.hit, CLEAR: rule.texts.clear, NOT_APPLICABLE: rule.texts.not_applicable}
    text = texts.get(outcome, rule.texts.unknown)
    # All at once, since the values filled in may contain braces themselves.
    reach = _reach(rule, unseen()) if _REACH.search(text) else {}
    text = _FILL.sub(lambda fill: reach.get(fill[1]) or _filled_in(fill, seen, why, found), text)
    text = " ".join(text.split()).rstrip(":").strip()
    if outcome in {CLEAR, NOT_APPLICABLE} or not evidence_ids:
        return text
    return f"{text.removesuffix('.')} ({evidence_words(evidence_ids)})"


def _reach(rule: Rule, unseen: frozenset[str]) -> dict[str, str]:
    """Return what a rule looked at and what it could not look at, in words, as they are filled in."""
    asked = dict.fromkeys(leaf.path.partition(".")[0] for leaf in rule.leaves)
    words = {root: _KINDS_OF_DATA[root] for root in asked if root in _KINDS_OF_DATA}
    looked = ", ".join(kind for root, kind in words.items() if root not in unseen)
    missing = "".join(f"{kind}, " for root, kind in words.items() if root in unseen)
    return {"looked": looked or "nothing", "unseen": missing.rstrip() or " "}


def evidence_words(evidence_ids: Sequence[str]) -> str:
    """Return ids of evidence as one text; three or more in a row become a range, as in `E-03, E-07 to E-18`.

    Args:
        evidence_ids: Ids, as in `E-07`; other forms are left as they are.
    """
    spans: list[list[str]] = []
    for one in evidence_ids:
        if spans and _follows(spans[-1][-1], one):
            spans[-1].append(one)
        else:
            spans.append([one])
    parts = [[f"{span[0]} to {span[-1]}"] if len(span) >= _SHORTEST_SPAN else span for span in spans]
    return ", ".join(part for span in parts for part in span)


def _follows(before: str, after: str) -> bool:
    (kind, _, number), (other, _, following) = before.partition("-"), after.partition("-")
    is_counted = number.isdecimal() and following.isdecimal() and kind == other
    return is_counted and int(following) == int(number) + 1


def _filled_in(fill: re.Match[str], seen: Observation | None, why: str, found: Sequence[Observation]) -> str:
    if fill[1] == "label":
        return "" if seen is None else _label_of(seen)
    if fill[1] == "value":
        return "" if seen is None else _value_of(seen)
    if fill[1] == "note":
        return "nothing was found" if seen is None else seen.note or value_words(seen.value)
    if fill[1] == "shown":
        return f"({evidence_words(seen.evidence_ids)})" if seen is not None and seen.evidence_ids else ""
    if fill[1] == "found":
        return "; ".join(dict.fromkeys(_in_short(one) for one in found))
    return why if fill[1] == "why" else fill[0]


def _label_of(seen: Observation) -> str:
    return label_of(seen.value.place if isinstance(seen.value, EntryMembers) else seen.path)


def _value_of(seen: Observation) -> str:
    """Return the value of an observation in words; a country by its name."""
    value = seen.value
    is_named = seen.path.startswith("country.") and isinstance(value, str) and country_name(value) is not None
    return country_words(value) if is_named else value_words(value)


def _in_short(seen: Observation) -> str:
    """Return an observation in a few words; for a red flag, its name."""
    if seen.path.startswith("wealth.flags.") and seen.note:
        name = seen.note.partition(":")[0]
        return name[:1].lower() + name[1:]
    return f"{label_of(seen.path)} {value_words(seen.value)}"


def cause_of(  # noqa: PLR0911 - one return for each cause
    policy: Policy, case: CaseFile, session: SessionFile, verdict: Verdict, judged: Judgement
) -> str:
    """Return why something is unknown, in a sentence that is the same for everything with the same cause."""
    seen = judged.seen
    if seen is None:
        return _absence(case, session, verdict.leaf.path)
    label = _label_of(seen)
    if isinstance(seen.value, EntryMembers):
        return f"The {label} has values that cannot be judged: {value_words(seen.value)}."
    if isinstance(seen.value, Unreadable):
        return f"The {label} cannot be read: {seen.value.reason}."
    if isinstance(seen.value, Nested):
        return f"The {label} has further fields where one value was expected."
    if seen.value is None:
        nothing = session.no_results if seen.path.startswith("requested.") else ""
        return seen.note or nothing or f"The {label} has no value."
    if seen.path == "session.status":
        return f"The {label} is {value_words(seen.value)}."
    if isinstance(seen.value, str) and seen.value in policy.not_processed:
        return f"The check did not run ({value_words(seen.value)})."
    if verdict.leaf.operator == "in_list" and isinstance(seen.value, str) and is_country(seen.value):
        return f"No edition of the list “{policy.lists[verdict.leaf.argument].title}” had been published by the date of the review."
    if judged.understood:
        return seen.note or f"The {label} is {value_words(seen.value)}."
    return f"The value of the {label} is {value_words(seen.value)}, which this policy does not know."


def _absence(case: CaseFile, session: SessionFile, path: str) -> str:  # noqa: PLR0911 - one return for each cause
    root = "screening" if path == "session.screening_depth" else path.partition(".")[0]
    if root in case.because:
        return case.because[root]
    if root in {*SECTIONS, "**"} or root not in OWN_ROOTS:
        if session.id is None:
            return "No session is known for this customer."
        if not session.sections:
            return session.no_results or "The session has no results."
        if root in SECTIONS and root not in session.sections:
            return f"The {_SECTIONS[root]} is not in the results."
        return (
            f"The results do not give the {label_of(path)}." if "*" not in path else "The results do not say."
        )
    if root in {"session", "requested"}:
        if session.id is None:
            return "No session is known for this customer."
        if session.status:
            return f"The session's record does not give the {label_of(path)}."
        return "The status of the session is not known."
    if root in {"expiry", "plausible"}:
        nothing = "" if session.sections else session.no_results
        return nothing or f"The results do not give the {label_of(path)} in a form that can be read."
    return f"The {label_of(path)} is not known."
