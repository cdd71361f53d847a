"""The Latin form of a name in another script, as the evidence gives it: it is never made here."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from kycpack.frames import Frames
from kycpack.frames.rows import records
from kycpack.models.listed import listed
from kycpack.render.document_parts import Cell
from kycpack.render.origin import Origin, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.compared_values import quoted
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import is_absent
from kycpack.triage.details.doubtful_names import parts_by_script
from kycpack.triage.judge.sentences import evidence_words
from kycpack.triage.likeness import DIFFERENT
from kycpack.triage.names.account_holders import compare_holder
from kycpack.triage.names.person_names import compare_names
from kycpack.triage.names.readable_names import is_name
from kycpack.triage.results.leaf_details import detail_of
from kycpack.triage.results.machine_readable import details_of
from kycpack.triage.results.vocabulary_file import load_vocabulary

_NONE = "No Latin form in the evidence"
_FILLER = "<<"  # between the names in a machine-readable zone


def with_label(found: Cell | None) -> Cell | None:
    """Return a Latin form with its label; one that is not known, or not needed, as it is.

    Args:
        found: The Latin form of a name, or that there is none; None for a name in Latin letters.
    """
    if found is None or found.tone == Tone.UNKNOWN:
        return found
    return replace(found, text=f"Latin form: {found.text}")


def without_evidence(found: Cell | None) -> str:
    """Return a Latin form with its source, for a reader who does not have the evidence; empty where none is known or needed.

    Args:
        found: As for `with_label`.
    """
    return "" if found is None or found.tone == Tone.UNKNOWN else found.text.rpartition(" (")[0]


class _Form(NamedTuple):
    """A name as a source writes it: the name, where it stands, the evidence, and the origin."""

    name: str
    place: str
    evidence_id: str
    origin: Origin


def latin_name(name: str, frames: Frames, names: ShortNames) -> Cell | None:
    """Return the Latin form of a name on the record that the evidence gives, or that there is none.

    Args:
        name: The name on the record.
        frames: Frames of one customer.
        names: Short names of accounts.

    Returns:
        The form with its source; None for a name in Latin letters, and for one that the record gives in both.
    """
    if not is_other_script(name) or not is_name(name):
        return None
    found = [one for one in _of_documents(frames) if _is_latin(one.name)]
    of_bank = [one for one in _of_accounts(frames, names) if _is_latin(one.name)]
    for one in found:
        if compare_names(name, one.name).verdict != DIFFERENT:
            return Cell(f"{one.name}, {one.place} ({one.evidence_id})", origins=(one.origin,))
    for one in of_bank:
        if compare_holder(name, one.name).verdict != DIFFERENT:
            said = f"{_NONE} of record and document; {quoted(one.name)} {one.place} ({one.evidence_id})"
            return Cell(said, Tone.UNKNOWN, origins=(one.origin,))
    return Cell(f"{_NONE} that agrees with this name" if found or of_bank else _NONE, Tone.UNKNOWN)


def is_other_script(name: str) -> bool:
    """Return whether a name has letters that are not Latin, and does not give as many words in Latin letters as well."""
    parts = parts_by_script(name)
    latin = sum(len(part.split()) for part in parts if _is_latin(part))
    other = sum(len(part.split()) for part in parts if not _is_latin(part))
    return other > latin


def _is_latin(text: str) -> bool:
    letters = [each for each in text if each.isalpha()]
    return bool(letters) and all("LATIN" in unicodedata.name(each, "") for each in letters)


def _of_documents(frames: Frames) -> Iterator[_Form]:
    """Yield the name of the holder of each document, then those in machine-readable zones and in further members of the document."""
    columns = ("kind", "holder_first_name", "holder_last_name", "evidence_id")
    for row in records(frames.documents, *columns):
        parts = [row[name] for name in columns[1:3]]
        if row["kind"] == "identity" and not any(map(is_absent, parts)):
            origin = value_of("documents", kind="identity")
            yield _Form(" ".join(map(str, parts)), "on the document", str(row["evidence_id"]), origin)
    vocabulary = load_vocabulary()
    for row in records(frames.checks, "path", "kind", "value", "evidence_id"):
        path, value, entry = str(row["path"]), str(row["value"]), str(row["evidence_id"])
        if row["kind"] != "string" or not path.startswith("document."):
            continue
        origin = value_of("checks", path=path)
        if _FILLER in value:
            for detail, said in details_of(value):
                if detail == "full_name":
                    yield _Form(_in_order(said), "in the machine-readable zone", entry, origin)
        elif detail_of(path, vocabulary) == "full_name":
            yield _Form(value, "on the document", entry, origin)


def _in_order(zone: str) -> str:
    """Return a name of a machine-readable zone, where two spaces divide it, with the given names first."""
    family, _, given = zone.partition("  ")
    return " ".join(f"{given} {family}".split())


def _of_accounts(frames: Frames, names: ShortNames) -> Iterator[_Form]:
    """Yield the name of each holder, with all accounts that have it."""
    held: dict[str, dict[str, str]] = {}
    for row in records(frames.accounts, "account_id", "holder_name", "evidence_id"):
        if not is_absent(row["holder_name"]):
            held.setdefault(str(row["holder_name"]), {})[str(row["account_id"])] = str(row["evidence_id"])
    for name, accounts in held.items():
        origin = value_of("accounts", "holder_name", account_id=list(accounts))
        place = f"on the bank account{'s' * (len(accounts) > 1)} {listed([*map(names.of, accounts)])}"
        yield _Form(name, place, evidence_words(sorted({*accounts.values()})), origin)
