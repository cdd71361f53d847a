"""Observations about a session: its status and dates, the leaves of its results, and its document."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import chain, groupby, islice
from typing import Any

import pandas as pd

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.rows import arrays_of, values_of
from kycpack.models.dates import day_words
from kycpack.triage.case_file import Observation, SessionFile, one_path, value_of
from kycpack.triage.details.captures import names_file, shared_captures
from kycpack.triage.details.contradictions import (
    contradictions,
    distant_coordinates,
    has_no_codes,
    wrong_check_digits,
)
from kycpack.triage.details.doubtful_names import NONE
from kycpack.triage.details.repeated_details import AGREE, differing_details
from kycpack.triage.observations.due_dates import SESSION_LIFE
from kycpack.triage.paths import OWN_ROOTS, SANCTIONS_ENTRIES
from kycpack.triage.results.agreeing_members import other_answers
from kycpack.triage.results.identity_documents import names_authority, number_form, type_form
from kycpack.triage.results.leaf_details import is_listed
from kycpack.triage.results.list_entries import sanctions_entries, uncounted_matches, unnamed_matches
from kycpack.triage.results.result_dates import POSSIBLE, impossible_dates
from kycpack.triage.results.settled_leaves import settled_leaves
from kycpack.triage.results.verdicts import refusals
from kycpack.triage.results.vocabulary import Vocabulary, name_words
from kycpack.triage.results.vocabulary_file import load_vocabulary

# The service's clock may differ from ours by as much as it allows for a signed request.
_CLOCK_DIFFERENCE = dt.timedelta(seconds=300)
Sessions = Mapping[tuple[str, str], SessionFile]
OPTIONS = {
    "document": ("ordered_document_check",),
    "address": ("ordered_proof_of_address_check",),
    "identity": ("ordered_identity_check", "ordered_enhanced_identity_check"),
    "screening": ("ordered_aml_standard_screening", "ordered_aml_extensive_screening"),
}
_MORE_OPTIONS = {
    "extensive": "ordered_aml_extensive_screening",
    "enhanced": "ordered_enhanced_identity_check",
    "bank": "ordered_ais_accounts",
}
_MOMENTS = {
    "identity_completed_at": "its identity part was finished",
    "ais_completed_at": "access to the bank was given",
    "updated_at": "it was last changed",
}
_SCORES = ("identity.faceAnalysis.facialSimilarityScore", "identity.authenticityAnalysis.livenessCheckScore")
_WORDS_OF_SCREENING = frozenset({"aml", "screening", "check"})
_COUNTRY, _POST_CODE = "address.extractedAddress.country", "address.extractedAddress.postalCode"
_LEAF = ("customer_id", "session_id", "section", "path", "kind", "value", "evidence_id")
_FORMS: dict[str, tuple[str, Callable[[str], str]]] = {
    "document.document.documentNumber": ("plausible.document_number", number_form),
    "document.document.documentType": ("plausible.document_type", type_form),
}


def observe_results(checks: pd.DataFrame, sessions: Sessions) -> None:
    """Add every leaf of every results document to its session.

    Args:
        checks: The frame, which has too many rows per customer to keep them all as objects.
        sessions: By ids of customer and session.
    """
    if not len(checks.index):
        return
    customers, ids, sections, *leaf = (values_of(array) for array in arrays_of(checks, _LEAF))
    leaves, named = map(_leaf, *leaf), iter(sections)
    for key, run in groupby(zip(customers, ids, strict=True)):
        count, session = len(list(run)), sessions[key]
        session.seen += islice(leaves, count)
        session.sections |= {one_path(section) for section in {*islice(named, count)}}


# Many sessions have equal leaves, which then share memory.
@lru_cache(maxsize=65_536)
def _leaf(path: str, kind: str, value: Any, evidence_id: str) -> Observation:
    return Observation(_own_path(path), value_of(kind, value), (evidence_id,), of_results=True)


@lru_cache(maxsize=4_096)
def _own_path(path: str) -> str:
    """Return the path of a leaf; a section with one of kycpack's own names must not pass as one of its own observations."""
    plain = one_path(path)
    return f"results.{plain}" if plain.partition(".")[0] in OWN_ROOTS else plain


def observe_session(session: SessionFile, row: Any, as_of: dt.datetime) -> None:
    """Add what the status document and the register say about a session.

    Args:
        session: The session.
        row: Its row of `sessions`.
        as_of: The instant of the review.
    """
    session.status = row.status or ""
    session.created_at = None if row.created_at is pd.NaT else row.created_at.to_pydatetime()
    ended = row.identity_completed_at
    session.finished_at = None if ended is pd.NaT else ended.to_pydatetime()
    session.attempts = row.attempt_count
    session.ordered = _ordered(row)
    for name in ("status", "identity_completed", "ais_completed"):
        if (value := getattr(row, name)) is not None:
            session.add(f"session.{name}", value, row.evidence_id)
    _observe_confirmation(session, row)
    _observe_age(session, row, as_of)
    _observe_order(session, row)
    for section in SECTIONS:
        word = _request(session, section, row)
        note = "What was ordered is not known." if word is None and session.sections else ""
        session.add(f"requested.{section}", word, row.evidence_id, note=note)
    if "screening" in session.sections:
        session.add("session.screening_depth", *_screening_depth(session, row))
    scores = [seen for seen in session.seen if seen.path in _SCORES and isinstance(seen.value, Decimal)]
    if scores:
        scale = "of_100" if any(seen.value > 1 for seen in scores) else "of_1"
        session.add("session.score_scale", scale, *scores[0].evidence_ids)


def _observe_confirmation(session: SessionFile, row: Any) -> None:
    """Add whether the identity was confirmed; where it was not although the outcome of the check is clear, that is said."""
    if row.identity_confirmed is None:
        return
    note, outcome = "" if row.identity_confirmed else "not confirmed", ("identity.outcome", "clear")
    clear = [
        id_
        for seen in session.seen
        if note and (seen.path, seen.value) == outcome
        for id_ in seen.evidence_ids
    ]
    if clear:
        note += ", although the provider's outcome of the identity check is clear"
    ids = dict.fromkeys((row.evidence_id, *clear))
    session.add("session.identity_confirmed", row.identity_confirmed, *ids, note=note)


def _ordered(row: Any) -> frozenset[str] | None:
    if not row.order_known:
        return None
    ordered = {
        section for section, options in OPTIONS.items() if any(getattr(row, option) for option in options)
    }
    return frozenset(ordered | {name for name, option in _MORE_OPTIONS.items() if getattr(row, option)})


def _request(session: SessionFile, section: str, row: Any) -> str | None:
    if section in session.sections:
        return "answered"
    if not session.sections:
        # There are no results at all, so it is not this check that is missing.
        return None
    wanted = [getattr(row, option) for option in OPTIONS[section]]
    if any(wanted):
        return "absent"
    return None if None in wanted else "not_ordered"


def _observe_age(session: SessionFile, row: Any, as_of: dt.datetime) -> None:
    # A session lasts a week: if its dates are years apart, the least favourable one counts.
    moments = [row.identity_completed_at, row.updated_at, row.created_at]
    known = [moment.to_pydatetime() for moment in moments if moment is not pd.NaT]
    if not known:
        return
    latest = max(known)
    ahead = latest > as_of + _CLOCK_DIFFERENCE
    moment = latest if ahead else min(known)
    days = (as_of - moment).days if ahead else max(0, (as_of - moment).days)
    session.add("session.age_days", Decimal(days), row.evidence_id, note=f"dated {day_words(moment.date())}")


def _observe_order(session: SessionFile, row: Any) -> None:
    """Add whether every date of the session is after its creation, and whether its parts were finished within its life."""
    created = row.created_at
    later = {
        words: moment for name, words in _MOMENTS.items() if (moment := getattr(row, name)) is not pd.NaT
    }
    if created is pd.NaT or not later:
        return
    early = next((words for words, moment in later.items() if created - moment > _CLOCK_DIFFERENCE), "")
    ended = {words: moment for words, moment in later.items() if words != _MOMENTS["updated_at"]}
    life = SESSION_LIFE + _CLOCK_DIFFERENCE
    late = next((words for words, moment in ended.items() if moment - created > life), "")
    note = f"{early} before it was created" if early else f"{late} after it had expired" if late else ""
    session.add("session.times", "out_of_order" if note else "in_order", row.evidence_id, note=note)


def _screening_depth(session: SessionFile, row: Any) -> tuple[str, str]:
    """Return whether the screening is as extensive as ordered, and the entry that shows it."""
    said = [seen for seen in session.seen if seen.path == "screening.checkType" and seen.of_results]
    # `extensive`, `amlExtensiveScreening` and `extensive_screening_check` mean the same.
    kinds = {
        " ".join(word for word in name_words(seen.value) if word not in _WORDS_OF_SCREENING) or seen.value
        for seen in said
        if isinstance(seen.value, str)
    }
    evidence_id = said[0].evidence_ids[0] if said else session.evidence_id
    if not row.ordered_aml_extensive_screening:
        return ("as_ordered" if kinds else "not_stated"), evidence_id
    if kinds == {"extensive"}:
        return "as_ordered", evidence_id
    return ("standard" if "standard" in kinds else "not_stated"), evidence_id


def observe_documents(
    documents: Sequence[Any], media: Sequence[Any], sessions: Sessions, as_of: dt.datetime
) -> None:
    """Add observations about the identity document: when it expires, whether its number is plausible, and who holds it.

    Args:
        documents: Rows of `documents`.
        media: Rows of `media`.
        sessions: By ids of customer and session.
        as_of: The instant of the review.
    """
    for row in documents:
        session = sessions[row.customer_id, row.session_id]
        if row.expires_on is not pd.NaT:
            day = row.expires_on.date()
            days = (day - as_of.date()).days
            note = f"{'expired' if days < 0 else 'expires'} on {day_words(day)}"
            session.add("expiry.document_days", Decimal(days), row.evidence_id, note=note)
        if row.kind == "identity":
            session.holder = _holder(row)
    vocabulary = load_vocabulary()
    files: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in media:
        files[row.customer_id, row.session_id].append(row)
    for key, session in sessions.items():
        if session.sections:
            ids = {"customer_id": key[0], "session_id": session.id or ""}
            _observe_details(session, ids, files.get(key, ()), vocabulary, as_of.date())
            _observe_post_code(session)
        for seen in [seen for seen in session.seen if seen.path in _FORMS and seen.of_results]:
            path, form = _FORMS[seen.path]
            if isinstance(seen.value, str):
                session.add(path, form(seen.value), *seen.evidence_ids)


def _observe_details(
    session: SessionFile, ids: Mapping[str, str], media: Sequence[Any], vocabulary: Vocabulary, day: dt.date
) -> None:
    """Add contradictions within the results, files that are used for two captures, and impossible dates."""
    leaves = tuple(session.seen)
    telling = [one for one in leaves if _is_telling(one.path, vocabulary)]
    settled = settled_leaves(leaves, telling, vocabulary, day)
    if settled:
        session.seen = [one for one in leaves if one.path not in settled or not one.of_results]
    looked_at = (
        (
            "plausible.repeated_details",
            AGREE,
            chain(
                differing_details(leaves, telling, vocabulary, day, ids),
                distant_coordinates(leaves, telling, vocabulary),
                shared_captures(leaves, telling, media, vocabulary),
                contradictions(leaves),
                uncounted_matches(leaves, vocabulary),
                other_answers(leaves),
                wrong_check_digits(telling, vocabulary),
            ),
        ),
        (
            "plausible.result_dates",
            POSSIBLE,
            impossible_dates(leaves, telling, vocabulary, day, session.created_at, session.finished_at),
        ),
        ("plausible.refusals", NONE, refusals(leaves)),
    )
    for entry in sanctions_entries(session.seen, vocabulary):
        ids_shown = {id_ for one in entry.members for id_ in one.evidence_ids}
        session.add(SANCTIONS_ENTRIES, entry, *sorted(ids_shown))
    session.seen += unnamed_matches(leaves, vocabulary)
    for path, fine, wrong in looked_at:
        found = list(wrong)
        for seen, words in found:
            session.add(path, seen.value, *seen.evidence_ids, note=words)
        if not found:
            session.add(path, fine, session.evidence_id)


# Most sessions have the same leaves.
@lru_cache(maxsize=65_536)
def _is_telling(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether another leaf may repeat what a leaf says, so that the two can be compared."""
    return (
        not is_listed(path, vocabulary) or names_authority(path, vocabulary) or names_file(path, vocabulary)
    )


def _observe_post_code(session: SessionFile) -> None:
    """Add that an address in a country without post codes has none, in place of a missing or an empty one."""
    country = next((seen.value for seen in session.seen if seen.path == _COUNTRY and seen.of_results), None)
    codes = [seen for seen in session.seen if seen.path == _POST_CODE and seen.of_results]
    if isinstance(country, str) and has_no_codes(country) and all(one.value in (None, "") for one in codes):
        session.seen = [seen for seen in session.seen if seen not in codes]
        session.add(_POST_CODE, "a country without post codes", session.evidence_id)


def _holder(row: Any) -> tuple[str, str, str] | None:
    first, last, born = row.holder_first_name, row.holder_last_name, row.holder_date_of_birth_on
    if first is None or last is None or born is pd.NaT:
        return None
    return first, last, born.date().isoformat()
