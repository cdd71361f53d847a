"""Check an exported kycpack ledger, or the excerpt of one case, with nothing but this file and Python 3.11.

    python verify_ledger.py ledger.jsonl --anchor ledger-anchor.jsonl --trust FINGERPRINT
    python verify_ledger.py --excerpt ledger-excerpt.json --anchor ledger-anchor.jsonl

Exit codes: 0 nothing found, 1 something is wrong, 2 the files cannot be read.

What is covered. Each entry has a number, the hash of the entry before it and the salted digest of its payload. Its own hash is
SHA-256 over these three as canonical JSON (RFC 8785). The payload itself may have been erased: the chain still holds. An anchor
is a copy of the ledger's head that was kept elsewhere. A signature (Ed25519, RFC 8032) is over the hash of the entry, and so
over every entry before it. Without an anchor or signatures, somebody who rewrites the whole file is not found, and the report
says so.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeGuard

START = "0" * 64
"""The previous hash in the first entry."""

SYSTEM = "kycpack"
"""The actor of entries that kycpack makes itself."""

SYSTEM_KINDS = frozenset({"ledger.opened", "run.recorded", "case.opened", "case.updated", "case.reopened"})
_BY_SYSTEM = SYSTEM_KINDS - {"case.reopened"}
PEOPLE_KINDS = frozenset({"key.enrolled", "key.revoked", "role.granted", "role.revoked"})
SAMPLE_KINDS = frozenset({"sample.drawn", "sample.reviewed"})
RETENTION_KINDS = frozenset({"retention.proposed", "retention.started", "retention.executed"})
"""One person proposes the erasure of data past its retention date; another starts and completes it."""
ADMINISTRATOR = "administrator"
PREPARED = "prepared"
"""The part in a case of whoever started the run that it is based on."""
PREPARED_BEFORE = "prepared an earlier run of"
"""The part in a case of whoever started the run that it was based on before it was reopened."""
OCCASIONS = ("onboarding", "periodic_review", "event")
"""Why a customer is reviewed; a customer has one case for each occasion."""

ACCEPTED_GAPS = (
    "list_date_not_visible", "matches_not_visible", "monitoring_not_visible", "not_linked", "not_listable",
)  # fmt: skip
"""The gaps that every pack has, and that are accepted with the approval of a policy."""
POLICY_ROLES = {"policy.approved": ("senior_manager",), "policy.withdrawn": ("senior_manager", "MLRO")}
"""Who approves and withdraws a policy, by kind of entry. Source: MLR 2017 reg. 19(2)(b), approval by senior management."""

LONGEST_TEXT = 20_000
"""Most characters in a text that a person writes."""
LONGEST_NAME = 100
"""Most characters in the name of a person."""
_FEWEST_LETTERS = 12
_FEWEST_KINDS = 5
_FINDING = re.compile(r"\bF-[0-9]+\b")
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Joiners and direction marks are left out, since Persian, Indian scripts and mixed lines need them.
_UNSEEN = frozenset("\u00ad\u034f\u115f\u1160\u200b\u3164\ufeff\uffa0").union(
    map(chr, (*range(0x2060, 0x2065), *range(0x206A, 0x2070), *range(0xE0000, 0xE0080)))
)
# In a text they choose between two forms of a sign; a name needs none.
_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
VERDICTS_OF_SAMPLES = ("agrees", "disagrees")
"""The verdicts on a customer in a sample."""
REPEATED = "text used before"
"""The stratum of customers whose approval uses the same text as another decision."""
_REPEATED_PART = 2
_SAMPLE_DIGITS = 12

LEVELS = ("approve", "review", "edd", "escalate", "reject")
"""What a policy can recommend, from mild to severe."""
SANCTIONS, PEP = "sanctions", "pep"
"""The subjects of findings for which a decision must meet further conditions."""
MLRO, SENIOR_MANAGER = "MLRO", "senior_manager"
ROLES = (ADMINISTRATOR, MLRO, SENIOR_MANAGER)
"""The roles that can be granted to a person."""
FREEZES = frozenset({"hold", "escalate"})
"""Outcomes that take effect immediately."""
OUTSIDE = ("list_entry", "list_date", "file_sha256")
"""What external evidence the service names."""
SAMPLE_RULE = "SAMPLE"
"""The rule of a finding that a person added while reviewing a sample of the cleared customers."""
SUBJECTS = {SANCTIONS: "sanctions or terrorism", PEP: "a politically exposed person"}

_STRENGTH = {"approve": 0, "hold": 3, "escalate": 3, "reject": 4}  # as places in `LEVELS`
RESTING_KINDS = frozenset({"case.decided", "case.approved"}) | POLICY_ROLES.keys() | RETENTION_KINDS
"""Entries that count only if the actor held a key or a role."""

_REASONED = {
    "case.waiting": "reason", "case.resumed": "reason", "case.snoozed": "reason", "case.reopened": "reason",
    "case.checked": "evidence", "case.returned": "text",
}  # fmt: skip
"""The text that a person must give with a step, by the kind of step."""
TEXTS_COUNTED = {"case.decided": "text_used_before", "case.approved": "own_text_used_before"}
"""Steps whose text is compared with earlier texts, each with the member that counts earlier uses."""
_JUDGING = frozenset({"case.opened", "case.updated", "case.reopened"})
"""The entries in which a run states its result for a case."""
_WORKED_ON = ("open", "in_review", "waiting_for_customer", "snoozed")
_STAYS = {state: (state,) for state in (*_WORKED_ON, "second_review")}
_STATES_AFTER: dict[str, Mapping[str, Sequence[str]]] = {
    "case.opened": {"": ("open",)},
    "case.reopened": {"closed": ("open",)},
    "case.updated": {state: (state,) if state == "open" else (state, "in_review") for state in _STAYS},
    "case.assigned": _STAYS | {"open": ("in_review",)},
    "case.checked": _STAYS,
    "case.waiting": dict.fromkeys(_WORKED_ON, ("waiting_for_customer",)),
    "case.resumed": dict.fromkeys(_WORKED_ON, ("in_review",)),
    "case.snoozed": dict.fromkeys(_WORKED_ON, ("snoozed",)),
    "case.decided": dict.fromkeys(_STAYS, ("in_review", "second_review", "closed")),
    "case.returned": {"second_review": ("in_review",)},
    "case.approved": {"second_review": ("closed",)},
}
"""The states in which each step can leave a case, by the state before it; empty if there was no case."""
KINDS = (
    SYSTEM_KINDS
    | PEOPLE_KINDS
    | SAMPLE_KINDS
    | POLICY_ROLES.keys()
    | RETENTION_KINDS
    | _STATES_AFTER.keys()
    | {"payload.erased"}
)
"""Every kind of entry."""
_DECIDED_STATES = ("in_review", "second_review", "closed")
"""The states to which a decision can lead; the final one is last."""

ONLY_INCONSISTENT = "without an anchor or a trusted key, only inconsistent edits are found: somebody who rewrites every entry is not"
NO_END = "without an anchor, newest entries that were taken away are not found"
NO_RULES = "whether a second person was needed is not computed: its run was recorded without the policy's rules about decisions"
UNREAD = "it rests on entries of its case that were erased: whether it was allowed is not known"
NO_EFFECT = (
    "entries of its case before it were erased: the hold or escalation in force is only what it says itself"
)
_FAR = timedelta(days=1)
"""How far back a clock may go before the report mentions it."""
_APART = timedelta(minutes=5)
"""How far the clocks of two machines that write to one ledger may be apart."""
LATER_ENTRIES = "whether the case has later entries than these is shown by the whole ledger alone"
NOT_AUTHENTICATED = "second person not authenticated"
THROUGH_OTHERS = " or by people whom that person made"

DATE_REACHED = "the date was reached"
"""Why kycpack resumes a snoozed case."""
NEW_EVIDENCE, ANOTHER_POLICY = "new evidence", "another policy"
"""Why a run changes a case."""
_ENDED = {"approve": "approval", "escalate": "escalation"}
_DISPOSITION = re.compile(r"disposition ([1-9][0-9]*)")
_SOME = 10
"""Most cases that one note names."""
_NOBODY_CLEARED = hashlib.sha256(b"[]").hexdigest()
_ENTRY = b"kycpack-ledger-entry-1\x00"
_PAYLOAD = b"kycpack-ledger-payload-1\x00"
_SIGNED = b"kycpack-ledger-signature-1\x00"
_HEX = 64
_NODE = 32
"""Bytes of a node of the Merkle tree."""
_PAYLOAD_MEMBERS = frozenset(
    {"kind", "at", "actor", "data", "people_entries", "clock_behind_seconds", "case_id", "case_entry"}
)
_OF_STEP = frozenset({"customer_id", "state"})
_OF_RUN = _OF_STEP | {
    "prepared_by", "run_id", "evidence_root", "policy", "level", "findings", "reason", "sample_id",
}  # fmt: skip
_OF_CHANGE = _OF_RUN | {"level_before", "new", "gone"}
_MEMBERS_OF = {
    "ledger.opened": frozenset({"ledger_id"}),
    "key.enrolled": frozenset({"name", "public_key"}),
    "key.revoked": frozenset({"name"}),
    "role.granted": frozenset({"name", "role"}),
    "role.revoked": frozenset({"name", "role"}),
    "policy.approved": frozenset({"id", "version", "digest", "text", "accepted_gaps"}),
    "policy.withdrawn": frozenset({"id", "version", "digest", "text"}),
    "run.recorded": frozenset(
        {"run_id", "occasion", "policy", "rules", "prepared_by", "counts", "cleared_digest"}
    ),
    "case.opened": _OF_RUN,
    "case.updated": _OF_CHANGE,
    "case.reopened": _OF_CHANGE,
    "case.assigned": _OF_STEP | {"from", "to", "reason"},
    "case.snoozed": _OF_STEP | {"until", "reason"},
    "case.waiting": _OF_STEP | {"reason"},
    "case.resumed": _OF_STEP | {"reason"},
    "case.checked": _OF_STEP | {"item", "evidence"},
    "case.returned": _OF_STEP | {"decision_id", "text"},
    "case.decided": _OF_STEP | {
        "decision_id", "corrects", "outcome", "reason_code", "reason", "text", "text_used_before", "dispositions",
        "second_person", "roles", "effect", "reopens_on", "looked_at",
    },
    "case.approved": _OF_STEP | {
        "decision_id", "outcome", "text", "authenticated", "note", "text_used_before", "own_text_used_before",
    },
    "sample.drawn": frozenset({"sample_id", "run_id", "seed", "size", "sizes", "customers_digest"}),
    "sample.reviewed": frozenset({"customer_id", "sample_id", "text", "verdict"}),
    "payload.erased": frozenset({"seq", "reason", "case_entry"}),
    "retention.proposed": frozenset({"proposal", "as_of", "rules", "customers"}),
    "retention.started": frozenset(
        {"proposal", "number", "as_of", "customers", "due", "packs", "not_reached"}
    ),
    "retention.executed": frozenset({"proposal", "number", "rows"}),
}  # fmt: skip
"""The members that an entry can have, by kind."""
_OF_FINDING = frozenset(
    {"id", "key", "rule", "outcome", "level", "subject", "senior", "sentence", "evidence", "disposition"}
)
_WITHIN = {
    "policy": frozenset({"id", "version", "digest", "alone_up_to", "override_days", "state"}),
    "rules": frozenset(
        {
            "alone_up_to", "override_days", "sanctions", "pep", "senior_approval", "checklist", "reason_codes",
        }
    ),
    "counts": frozenset({"opened", "updated", "reopened", "unchanged", "cleared"}),
    "looked_at": _OF_RUN,
}  # fmt: skip
"""The members that nested objects of an entry can have."""
_MEMBERS = frozenset({"seq", "prev", "digest", "hash", "key", "signature", "salt", "payload"})
_MEMBERS_WITH_PROOF = _MEMBERS | {"path"}
"""Those of an excerpt: the path in the tree is checked against the root."""
EXCERPT_SCHEMA = "kycpack-ledger-excerpt-1"
_MEMBERS_OF_EXCERPT = frozenset({"schema", "case_id", "head", "entries"})
_MEMBERS_OF_HEAD = frozenset({"ledger", "size", "hash", "root"})

_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z")

Verify = Callable[[bytes, bytes, bytes], bool]


# --- hashes


def canonical(value: Any) -> bytes:
    """Return JSON in the form of RFC 8785; names are ASCII and there are no floats, so Python's own writer gives it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def payload_digest(salt: str, payload: bytes) -> str:
    """Return the digest that the chain covers.

    Args:
        salt: Hex; it keeps the payload from being guessed after it was erased.
        payload: Canonical JSON.
    """
    return hashlib.sha256(_PAYLOAD + bytes.fromhex(salt) + payload).hexdigest()


def entry_hash(seq: int, prev: str, digest: str) -> str:
    """Return the hash of an entry.

    Args:
        seq: Its number, from 1.
        prev: Hash of the entry before it.
        digest: Salted digest of its payload.
    """
    return hashlib.sha256(_ENTRY + canonical({"digest": digest, "prev": prev, "seq": seq})).hexdigest()


def signed_bytes(hash_: str) -> bytes:
    """Return the bytes that a signature covers."""
    return _SIGNED + bytes.fromhex(hash_)


def fingerprint(public_key: str) -> str:
    """Return the short name of a public key: the first 32 hex digits of its SHA-256."""
    return hashlib.sha256(bytes.fromhex(public_key)).hexdigest()[:32]


def merkle_levels(hashes: Iterable[str]) -> list[bytes]:
    """Return the levels of the Merkle tree of RFC 6962 over the hashes of entries, leaves first, 32 bytes for each node."""
    level = bytearray()
    for each in hashes:
        level += hashlib.sha256(b"\x00" + bytes.fromhex(each)).digest()
    levels = [bytes(level)]
    while len(below := levels[-1]) > _NODE:
        level = bytearray()
        for at in range(0, len(below), 2 * _NODE):
            pair = below[at : at + 2 * _NODE]
            level += hashlib.sha256(b"\x01" + pair).digest() if len(pair) > _NODE else pair
        levels.append(bytes(level))
    return levels


def merkle_root(hashes: Iterable[str]) -> str:
    """Return the root of the tree; without entries, the hash of an empty text."""
    roots: list[bytes] = []  # of the full trees so far, the largest first
    for number, each in enumerate(hashes):
        node = hashlib.sha256(b"\x00" + bytes.fromhex(each)).digest()
        full = number
        while full % 2:
            node = hashlib.sha256(b"\x01" + roots.pop() + node).digest()
            full //= 2
        roots.append(node)
    while len(roots) > 1:
        node = roots.pop()
        roots[-1] = hashlib.sha256(b"\x01" + roots[-1] + node).digest()
    return roots[0].hex() if roots else hashlib.sha256(b"").hexdigest()


def merkle_path(levels: Sequence[bytes], index: int) -> list[str]:
    """Return the hashes that lead from a leaf to the root.

    Args:
        levels: From `merkle_levels`.
        index: The leaf, from 0.
    """
    path: list[str] = []
    for level in levels[:-1]:
        beside = _NODE * (index ^ 1)
        if beside < len(level):
            path.append(level[beside : beside + _NODE].hex())
        index //= 2
    return path


def root_from_path(hash_: str, index: int, size: int, path: Sequence[str]) -> str | None:
    """Return the root that a path leads to; None if the path has the wrong length.

    Args:
        hash_: Hash of the entry.
        index: Its place, from 0.
        size: Entries in the tree.
        path: From `merkle_path`.
    """
    node = hashlib.sha256(b"\x00" + bytes.fromhex(hash_)).digest()
    left = list(path)
    while size > 1:
        if index ^ 1 < size:
            if not left:
                return None
            beside = bytes.fromhex(left.pop(0))
            node = hashlib.sha256(b"\x01" + (beside + node if index % 2 else node + beside)).digest()
        index //= 2
        size = (size + 1) // 2
    return None if left else node.hex()


# --- Ed25519 (RFC 8032, section 5.1), verification alone

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)
_Point = tuple[int, int, int, int]


def _recover(encoded: bytes) -> _Point | None:
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return (x, y, 1, x * y % _P)


def _add(one: _Point, two: _Point) -> _Point:
    a = (one[1] - one[0]) * (two[1] - two[0]) % _P
    b = (one[1] + one[0]) * (two[1] + two[0]) % _P
    c = 2 * one[3] * two[3] * _D % _P
    d = 2 * one[2] * two[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(number: int, point: _Point) -> _Point:
    result: _Point = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = _add(result, point)
        point = _add(point, point)
        number >>= 1
    return result


_BASE = _recover((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))


def verify_ed25519(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether an Ed25519 signature is valid.

    Args:
        public_key: 32 bytes.
        message: What was signed.
        signature: 64 bytes.

    Source: RFC 8032, section 5.1.7.
    """
    if len(public_key) != 32 or len(signature) != 64 or _BASE is None:
        return False
    key, nonce = _recover(public_key), _recover(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or nonce is None or scalar >= _L:
        return False
    challenge = hashlib.sha512(signature[:32] + public_key + message).digest()
    left = _times(scalar, _BASE)
    right = _add(nonce, _times(int.from_bytes(challenge, "little") % _L, key))
    return (left[0] * right[2] - right[0] * left[2]) % _P == 0 and (
        left[1] * right[2] - right[1] * left[2]
    ) % _P == 0


def is_key(public_key: str) -> bool:
    """Return whether 64 hex digits are a public key that only the holder of a private key can sign for.

    For the eight points of small order anybody can make a signature (RFC 8032, section 7, asks for keys of the full order).
    """
    point = _recover(bytes.fromhex(public_key))
    if point is None:
        return False
    multiple = _times(8, point)
    return multiple[0] % _P != 0 or (multiple[1] - multiple[2]) % _P != 0


_LOOK_ALIKE = {
    ord(one): other
    for letters, alike in (
        ("АВЕЅІЈКМНОРСТУҮХаеіјкорсуүхѕһԁԛԝѵӏ", "ABESlJKMHOPCTYYXaeijkopcyyxshdqwvl"),
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυγϲ", "ABEZHlKMNOPTYXaikvopuyc"),
        ("օոսհզցıɑɡɩǀI10|", "onuhqgiagilllol"),  # noqa: RUF001 - Armenian, further Latin, digits
    )
    for one, other in zip(letters, alike, strict=True)
}
"""Letters that look like another letter, each with that letter. Source: Unicode TR39, confusables, for the letters of European names."""
_WRITTEN_TOGETHER = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"})


def is_same_name(one: str, two: str) -> bool:
    """Return whether two names look the same to a reader.

    They may differ in capitals, blanks, punctuation, the form of accents, and in letters that look alike.
    """
    return _plain(one) == _plain(two) or _seen(one) == _seen(two)


def name_fault(name: str) -> str:
    """Return why a name is not allowed for a person; empty if it is."""
    if not name.strip():
        return "is empty"
    if len(name) > LONGEST_NAME or not name.isprintable() or name != name.strip():
        return f"a person's name has 1 to {LONGEST_NAME} printable characters"
    for position, character in enumerate(name, 1):
        if character in _UNSEEN | _SELECTORS:
            return (
                f"character {position} (U+{ord(character):04X}) of this name would not be seen; take it out"
            )
    if is_same_name(name, SYSTEM):
        return f"this is the name of {SYSTEM} itself"
    if mixed := mixed_scripts(name):
        return f"a word of this name mixes letters of {' and '.join(mixed)}, which look alike"
    return ""


def _plain(name: str) -> str:
    seen = "".join(
        each for each in name if unicodedata.category(each) != "Cf" and each not in _UNSEEN | _SELECTORS
    )
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


def _seen(name: str) -> str:
    shown = _plain(unicodedata.normalize("NFKC", name).translate(_LOOK_ALIKE)).replace("rn", "m")
    return " ".join("".join(" " if unicodedata.category(each)[0] == "P" else each for each in shown).split())


def mixed_scripts(name: str) -> tuple[str, ...]:
    """Return the scripts that are mixed in one word of a name, as in `Cyrillic, Latin`; empty if no word mixes scripts.

    Those of East Asia are written together.
    """
    for word in re.split(r"[\W\d_]+", unicodedata.normalize("NFKC", name)):
        letters = [each for each in word if unicodedata.category(each) in {"Lu", "Ll", "Lt", "Lo"}]
        scripts = {unicodedata.name(each, "UNKNOWN").split()[0].partition("-")[0] for each in letters}
        if len(scripts - _WRITTEN_TOGETHER) > 1:
            return tuple(sorted(each.capitalize() for each in scripts))
    return ()


# --- people: who may do what, by the ledger alone


@dataclass(slots=True)
class Person:
    """A person named in the ledger.

    Attributes:
        name: As settings and decisions name the person.
        public_key: Hex; empty in a ledger without keys, or after the key was revoked.
        enrolled_by: Who enrolled the person.
        roles: Who granted it, by role.
        behind: Who stood behind each act when it was done: its actor, and everybody who stood behind the actor; by role, and
            under an empty one for the key.
    """

    name: str
    public_key: str = ""
    enrolled_by: str = ""
    roles: dict[str, str] = field(default_factory=dict)
    behind: dict[str, frozenset[str]] = field(default_factory=dict)


@dataclass(slots=True)
class People:
    """Who is enrolled, with which key and which roles.

    Attributes:
        persons: By name.
        keys: Every key that was ever enrolled, by fingerprint, with whose it was.
        founder: Fingerprint of the first key; empty in a ledger without keys.
        signed: Whether the ledger's people have keys, so that what they do must be signed.
        policies: Whether each policy was approved or withdrawn last, as the kind of that entry, by its digest.
        labels: Id and version of each policy that an entry names, by its digest.
        reasons: The words of each reason code that a decision gives, by the policy's digest and the code.
        proposals: The entry that proposed an erasure, by the digest of its list.
        started: The entry that started one, by the same digest.
        executed: The digests of the erasures that have ended.
        entries: How many entries about keys and roles there are, as the entries themselves count them.
        read: How many of them could be read.
        counts: Whether entries count them; those of an early version did not.
    """

    persons: dict[str, Person] = field(default_factory=dict)
    keys: dict[str, tuple[str, str]] = field(default_factory=dict)
    founder: str = ""
    signed: bool = False
    policies: dict[str, str] = field(default_factory=dict)
    labels: dict[str, tuple[str, str]] = field(default_factory=dict)
    reasons: dict[tuple[str, str], str] = field(default_factory=dict)
    proposals: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    started: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    executed: set[str] = field(default_factory=set)
    entries: int = 0
    read: int = 0
    counts: bool = False

    def take_in(self, payload: Mapping[str, Any]) -> str:
        """Return why an entry about keys, roles, policies or retention is not allowed; apply it if it is."""
        refusal = self.refusal(payload) or self.policy_refusal(payload) or self.retention_refusal(payload)
        if not refusal:
            self.apply(payload)
        return refusal

    def refusal(self, payload: Mapping[str, Any]) -> str:  # noqa: C901, PLR0911 - a reason each
        """Return why an entry about keys or roles is not allowed; empty if it is, or if it is about something else."""
        kind, actor, data = payload["kind"], payload["actor"], payload["data"]
        if kind not in PEOPLE_KINDS:
            return ""
        subject, key = data.get("name", ""), data.get("public_key", "")
        if kind == "key.enrolled" and (fault := name_fault(subject)):
            return f"nobody can be enrolled under this name: {fault}"
        if not self.persons:
            founds = kind == "key.enrolled" and actor == subject
            return "" if founds else "the first person enrols themselves; nobody is enrolled yet"
        if not self.administers(actor):
            return f"only an administrator may do this, and {actor} is not one"
        if actor == subject:
            return "keys and roles are granted and revoked by another person"
        if kind == "key.enrolled":
            if bool(key) != self.signed:
                return (
                    "this ledger's people have keys, so a public key is needed"
                    if self.signed
                    else "this ledger was founded without keys"
                )
            if key and fingerprint(key) in self.keys:
                return "this key has been enrolled before"
            if key and not is_key(key):
                return "this is not a public key that one person alone can sign for"
            return self.name_refusal(subject)
        if subject not in self.persons:
            return f"{subject} is not enrolled"
        if kind == "role.granted" and data.get("role") not in ROLES:
            return f"there is no such role; there are {', '.join(ROLES)}"
        return ""

    def name_refusal(self, name: str) -> str:
        """Return why nobody is enrolled under a name that could be read as another's; empty where somebody may be."""
        other = next((each for each in self.persons if each != name and is_same_name(each, name)), "")
        return (
            f"{other} is enrolled, and {name} is the same name in another spelling, or looks the same"
            if other
            else ""
        )

    def replaced_key(self, payload: Mapping[str, Any]) -> str:
        """Return who replaced a person's key, and when; empty if the entry replaces no key."""
        name, key = str(payload["data"].get("name", "")), str(payload["data"].get("public_key", ""))
        earlier = [print_ for print_, (whose, _) in self.keys.items() if whose == name]
        if payload["kind"] != "key.enrolled" or not key or not earlier:
            return ""
        return (
            f"{payload['actor']} replaced the key of {name} at {payload['at']}, {earlier[-1]}, by {fingerprint(key)}: "
            f"ask {name} whether that is their key"
        )

    def able(self) -> list[str]:
        """Return the people who can act, by name: those who are enrolled and whose key is not revoked."""
        return sorted(name for name, person in self.persons.items() if person.public_key or not self.signed)

    def administers(self, name: str) -> bool:
        """Return whether a person is an administrator."""
        return name in self.persons and ADMINISTRATOR in self.persons[name].roles

    def lacking(self, roles: Iterable[str], names: Sequence[str]) -> list[str]:
        """Return the roles that none of these people holds."""
        held = {role for name in names if name in self.persons for role in self.persons[name].roles}
        return [role for role in roles if role not in held]

    def policy_refusal(self, payload: Mapping[str, Any]) -> str:
        """Return why an entry about a policy is not allowed; empty if it is, or if it is about something else."""
        needed = POLICY_ROLES.get(payload["kind"], ())
        person = self.persons.get(payload["actor"])
        if not needed or (person is not None and any(role in person.roles for role in needed)):
            return ""
        act = payload["kind"].partition(".")[2]
        return f"a policy is {act} by somebody with the role {' or '.join(needed)}, and {payload['actor']} does not hold it"

    def retention_refusal(self, payload: Mapping[str, Any]) -> str:
        """Return why an entry about retention is not allowed; empty if it is, or if it is about something else."""
        kind, actor = payload["kind"], payload["actor"]
        if kind not in RETENTION_KINDS:
            return ""
        if not self.signed or actor not in self.persons:
            return "records are erased by two enrolled people with keys"
        if kind == "retention.proposed":
            return self._proposal_refusal(payload)
        if not self.administers(actor):
            return f"only an administrator may erase records, and {actor} is not one"
        return self._start_refusal(payload) if kind == "retention.started" else self._end_refusal(payload)

    def _proposal_refusal(self, payload: Mapping[str, Any]) -> str:
        if str(payload["data"].get("proposal", "")) in self.proposals:
            return "this erasure was proposed before"
        day = _text_of(payload["data"], "as_of")
        if not _is_date(day) or day > payload["at"][:10]:
            return "what is proposed is not past its date on the day of the proposal"
        return ""

    def _start_refusal(self, payload: Mapping[str, Any]) -> str:
        actor, proposal = payload["actor"], str(payload["data"].get("proposal", ""))
        if proposal not in self.proposals:
            return "nobody proposed this erasure"
        if proposal in self.started:
            return "this erasure was started before"
        proposer = self.proposals[proposal]["actor"]
        if proposer == actor:
            return f"{actor} proposed this erasure; another person has to start it"
        if proposer in self.behind(actor):
            return f"{actor} was enrolled or given a role by {proposer}{THROUGH_OTHERS}, who proposed this erasure"
        return list_refusal(self.proposals[proposal]["data"], payload["data"])

    def _end_refusal(self, payload: Mapping[str, Any]) -> str:
        proposal = str(payload["data"].get("proposal", ""))
        if proposal not in self.started:
            return "it ends an erasure that nobody started"
        if proposal in self.executed:
            return "it ends an erasure that had ended"
        number = _member(self.started[proposal]["data"], "number")
        is_same = _is_number(payload["data"].get("number"), number)
        return "" if is_same else f"it ends erasure {number} under another number"

    def erased_customers(self) -> set[str]:
        """Return the customers whose decisions were erased, as the entries about these erasures name them."""
        return {
            customer for proposal in self.executed for customer in erased_by(self.started[proposal]["data"])
        }

    def apply(self, payload: Mapping[str, Any]) -> None:
        """Apply an entry that is allowed; only those about keys, roles and retention change anything."""
        kind, proposal = payload["kind"], str(payload["data"].get("proposal", ""))
        if kind in PEOPLE_KINDS:
            self._apply_to_person(payload)
        elif kind == "retention.proposed":
            self.proposals[proposal] = payload
        elif kind == "retention.started":
            self.started[proposal] = payload
        elif kind == "retention.executed":
            self.executed.add(proposal)

    def _apply_to_person(self, payload: Mapping[str, Any]) -> None:
        kind, actor, data = payload["kind"], payload["actor"], payload["data"]
        subject, key = data["name"], data.get("public_key", "")
        founds = not self.persons
        behind = self.behind(actor) | {actor}
        person = self.persons.setdefault(subject, Person(subject))
        if kind == "key.enrolled":
            person.public_key, person.enrolled_by = key, actor
            person.behind[""] = behind
            if key:
                self.keys[fingerprint(key)] = (subject, key)
            if founds:
                self.signed = bool(key)
                self.founder = fingerprint(key) if key else ""
                person.roles[ADMINISTRATOR] = actor
        elif kind == "key.revoked":
            person.public_key = ""
        elif kind == "role.granted":
            person.roles[data["role"]], person.behind[data["role"]] = actor, behind
        else:
            person.roles.pop(data["role"], None)
            person.behind.pop(data["role"], None)

    def count(self, payload: Mapping[str, Any]) -> list[str]:
        """Take in how many entries about keys and roles an entry counts before it; return what is wrong with that.

        A grant or a revocation whose payload somebody erased is missed by what comes after it.
        """
        counted: Any = payload.get("people_entries")
        problems: list[str] = []
        self.counts |= counted is not None
        if self.counts and (type(counted) is not int or counted < self.entries):
            problems.append("it does not count the entries about keys and roles that are before it")
        elif self.counts:
            self.entries = counted
        unread = self.entries - self.read
        if payload.get("kind") in RESTING_KINDS and unread:
            what = "an entry" if unread == 1 else f"{unread} entries"
            problems.append(
                f"it rests on {what} about keys and roles that cannot be read: who may do what is not known"
            )
        if payload.get("kind") in PEOPLE_KINDS:
            self.entries, self.read = self.entries + 1, self.read + 1
        return problems

    def behind(self, name: str) -> frozenset[str]:
        """Return who enrolled a person or granted them a role, and who stood behind these people when they did it."""
        person = self.persons.get(name)
        return frozenset[str]() if person is None else frozenset().union(*person.behind.values())

    def puppet_of(self, name: str, hands: Mapping[str, str]) -> str:
        """Return who of those that decided or edited a case stands behind a person; empty for nobody.

        Who merely prepared the evidence, as by starting the batch, may be the administrator.
        """
        harmless = {PREPARED, PREPARED_BEFORE}
        made_by = sorted(self.behind(name) - {name})
        return next((each for each in made_by if hands.get(each, PREPARED) not in harmless), "")


# --- what a policy says of decisions, as a run records it


def rules_of(data: Any) -> Mapping[str, Any]:
    """Return what a run recorded of its policy's rules about decisions; empty where it is not of that form.

    Its members: alone_up_to, override_days, sanctions, pep, senior_approval, checklist (each a list of texts) and reason_codes (a list
    of code, wording and outcomes).
    """
    rules = _member(data, "rules")
    lists = [_member(rules, name) for name in ("sanctions", "pep", "senior_approval", "checklist")]
    codes = _member(rules, "reason_codes")
    is_whole = (
        all(isinstance(each, list) and all(isinstance(one, str) for one in each) for each in lists)
        and isinstance(codes, list)
        and all(
            isinstance(each, list)
            and len(each) == 3
            and isinstance(each[0], str)
            and isinstance(each[1], str)
            and isinstance(each[2], list)
            for each in codes
        )
    )
    return rules if is_whole and isinstance(rules, dict) else {}


def rules_faults(rules: Mapping[str, Any], judged: Mapping[str, Any]) -> Iterator[str]:
    """Yield where a run says otherwise of a case than the rules about decisions of its policy do.

    What a rule looks at may make it one about sanctions or about politically exposed persons as well; the policy need not list it.

    Args:
        rules: As of `rules_of`.
        judged: What the run says of the case: policy, findings.
    """
    said = judged.get("policy")
    if any(_member(said, name) != rules.get(name) for name in ("alone_up_to", "override_days")):
        yield "it records other rules about decisions than its policy has"
    for name, each in _listed(judged):
        rule, subject = _text_of(each, "rule"), _text_of(each, "subject")
        about = SANCTIONS if rule in rules["sanctions"] else PEP if rule in rules["pep"] else ""
        if about and subject not in {about, SANCTIONS}:
            yield f"{name} is by {rule}, which is about {SUBJECTS[about]} by its policy"
        if (each.get("senior") is True) != (rule in rules["senior_approval"]):
            yield f"{name} is by {rule}, and the policy says otherwise of senior management"


def _code_problems(data: Mapping[str, Any], rules: Mapping[str, Any]) -> Iterator[str]:
    """Yield why a reason code is wrong: not in the policy, or not for this outcome."""
    code, outcome = _text_of(data, "reason_code"), _text_of(data, "outcome")
    found = [each for each in rules["reason_codes"] if each[0] == code]
    if not found:
        yield f"its policy has no reason code {code}"
        return
    _, wording, outcomes = found[0]
    if data.get("reason") != wording:
        yield "it gives its reason code other words than its policy does"
    if outcome not in outcomes:
        yield f"{code} is by its policy a reason for {', '.join(map(str, outcomes))} alone"


# --- erasures


def proposal_digest(as_of: str, rules: str, due: Iterable[Sequence[str]]) -> str:
    """Return the digest of a list of data to be erased; it shows that two people saw the same list.

    Args:
        as_of: The day by which it was made.
        rules: SHA-256 of the rules of retention.
        due: Customer, class of record and end of the relationship, of each class that is erased.
    """
    listed = [list(each) for each in due]
    return hashlib.sha256(canonical({"as_of": as_of, "rules": rules, "due": listed})).hexdigest()


def list_refusal(proposed: Mapping[str, Any], started: Mapping[str, Any]) -> str:
    """Return how an erasure that is started differs from the one that was proposed; empty if it does not.

    Args:
        proposed: What the proposal says.
        started: What the start says; that of an early version does not list what is due.
    """
    if started.get("as_of") != proposed.get("as_of"):
        return "it erases as of another day than was proposed"
    customers = _of_records(started.get("customers"))
    if not _is_number(proposed.get("customers"), len(customers)):
        return f"it erases {len(customers)} customers, and {proposed.get('customers')} were proposed"
    if "due" not in started:
        return ""
    due = started["due"]
    if not isinstance(due, list) or not all(
        isinstance(each, list) and len(each) == 3 and all(isinstance(one, str) for one in each)
        for each in due
    ):
        return "what it lists as due cannot be read"
    digest = proposal_digest(_text_of(started, "as_of"), _text_of(proposed, "rules"), due)
    named = {(_text_of(each, "customer_id"), _text_of(each, "ended_on")) for each in customers}
    if digest != started.get("proposal") or named != {(each[0], each[2]) for each in due}:
        return "its list is not the one that was proposed"
    return ""


def erased_by(started: Mapping[str, Any]) -> set[str]:
    """Return the customers whose cases an erasure removes, according to the entry that starts it."""
    return {
        _text_of(each, "customer_id")
        for each in _of_records(started.get("customers"))
        if isinstance(each.get("stores"), list) and "decisions" in each["stores"]
    }


def disposition_reason(number: int) -> str:
    """Return why a payload was erased that an erasure by two people erased."""
    return f"disposition {number}"


def disposition_of(reason: str) -> int:
    """Return the number of the erasure that a reason names; 0 if it names none."""
    found = _DISPOSITION.fullmatch(reason)
    return int(found[1]) if found else 0


def erasure_refusal(payload: Mapping[str, Any]) -> str:
    """Return why a payload cannot be erased for the reason in an entry; empty if it can, or for other entries."""
    if payload["kind"] != "payload.erased":
        return ""
    fault = text_fault(_text_of(payload["data"], "reason"))
    return f"its reason cannot be used: {fault}" if fault else ""


def _of_records(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def hand_of(name: str, hands: Mapping[str, str]) -> str:
    """Return how a person worked on a case, whatever the spelling of the name; empty if they did not.

    Args:
        name: Of the person.
        hands: As of `hands_after`.
    """
    return next((how for each, how in hands.items() if is_same_name(each, name)), "")


def hands_after(hands: Mapping[str, str], payload: Mapping[str, Any]) -> dict[str, str]:
    """Return who worked on a case after one of its entries, and how; none of them can be its second person.

    Args:
        hands: Who had before, since the case was opened.
        payload: The entry's payload.
    """
    kind, data, actor = payload["kind"], payload["data"], payload["actor"]
    known = {} if kind == "case.opened" else dict(hands)
    if kind == "case.reopened":
        known = _hands_anew(hands, is_by_run="prepared_by" in data)
    if data.get("prepared_by"):
        known = {str(data["prepared_by"]): PREPARED} | {
            name: PREPARED if how == PREPARED_BEFORE and name == data["prepared_by"] else how
            for name, how in known.items()
        }
    if kind == "case.decided":
        prepared = known.get(actor, "").startswith(PREPARED)
        known[actor] = f"{PREPARED} and decided" if prepared else "decided"
    elif kind == "case.checked":
        known.setdefault(actor, "edited")
    return known


def _hands_anew(hands: Mapping[str, str], *, is_by_run: bool) -> dict[str, str]:
    """Return who has worked on a case at the time it is reopened.

    Reopened by a date or a person, it rests on what was prepared before. A run brings other evidence, but nobody signs that it
    did: who prepared what the case rested on stays until people have closed the case once more.
    """
    prepared = {name: how for name, how in hands.items() if how.startswith(PREPARED)}
    now = {name: how for name, how in prepared.items() if how != PREPARED_BEFORE}
    if is_by_run:
        return dict.fromkeys(now, PREPARED_BEFORE)
    return prepared | dict.fromkeys(now, PREPARED)


# --- decisions: whether one person may take them


@dataclass(frozen=True, slots=True)
class Finding:
    """The parts of a finding that the rules about second persons depend on.

    Attributes:
        finding_id: Its id in the case, as in `F-1`.
        is_hit: Whether it is a hit, and not something unknown.
        subject: `sanctions`, `pep` or empty.
        is_senior: Whether the policy asks for senior management where it is a hit.
        disposition: What was said of it; empty where nothing was.
    """

    finding_id: str
    is_hit: bool
    subject: str
    is_senior: bool
    disposition: str


def verdicts_of(*, is_hit: bool) -> tuple[str, ...]:
    """Return what a person can say of a finding: of what is not known, neither that it is true nor that it is false."""
    said = ("inconclusive", "accepted", "escalated")
    return ("false_positive", "true_match", *said) if is_hit else said


def evidence_faults(evidence: Any, day: str) -> dict[str, str]:
    """Return the errors in the form of external evidence, by member.

    Args:
        evidence: What was given.
        day: The day of the decision in UTC, ISO 8601; a list can have the date of the next day, as it is east of here.
    """
    said = {name: _text_of(evidence, name) for name in OUTSIDE}
    faults = {}
    if not any(map(str.isalnum, said["list_entry"])):
        faults["list_entry"] = "expected an entry of a list"
    elif fault := text_fault(said["list_entry"]):
        faults["list_entry"] = fault
    if not _is_date(said["list_date"]):
        faults["list_date"] = "expected a date, as in 2026-01-31"
    elif date.fromisoformat(said["list_date"]).toordinal() > date.fromisoformat(day).toordinal() + 1:
        faults["list_date"] = f"expected a date that is not after the decision, {day}"
    if not _is_hash(said["file_sha256"]):
        faults["file_sha256"] = "expected 64 hex digits"
    return faults


def text_fault(text: str) -> str:
    """Return why a person's text cannot be shown as it was written; empty if it can."""
    if not text.strip():
        return "is empty"
    if len(text) > LONGEST_TEXT:
        return f"has {len(text):,} characters; {LONGEST_TEXT:,} are the most"
    for position, character in enumerate(text, 1):
        if character in "\n\t":
            continue
        if unicodedata.category(character) in {"Cc", "Cs"} or character in _TURNING | _UNSEEN:
            return f"character {position} (U+{ord(character):04X}) would not be seen as it was written; take it out"
    return ""


def rationale_fault(text: str, cited: Iterable[str], known: Iterable[str]) -> str:
    """Return why a text is not enough as the reason for a decision; empty if it is.

    Args:
        text: What a person wrote, in any script.
        cited: Ids of findings that it has to name.
        known: Ids of the findings of the case.
    """
    if fault := text_fault(text):
        return fault
    named = set(_FINDING.findall(text))
    if unknown := sorted(named - set(known)):
        return f"the case has no finding {', '.join(unknown)}"
    if missing := sorted(set(cited) - named, key=lambda each: (len(each), each)):
        return f"it does not name {', '.join(missing)}; each finding that it disposes of is cited"
    # What has a digit in it is an id, of whatever kind, and no reason.
    words = [each for each in text.casefold().split() if not any(sign.isdigit() for sign in each)]
    letters = [each for each in "".join(words) if each.isalpha()]
    if len(letters) < _FEWEST_LETTERS or len(set(letters)) < _FEWEST_KINDS:
        return "beside the ids of findings, the text has to give a reason in words; this is too little"
    return ""


def rationale_digest(text: str) -> str:
    """Return a digest that is the same for texts that differ only in case, spaces, punctuation or ids of findings."""
    plain = unicodedata.normalize("NFKC", _FINDING.sub(" ", text)).casefold()
    return hashlib.sha256("".join(filter(str.isalnum, plain)).encode()).hexdigest()


def rest_refusal(subjects: Iterable[str], effect: str) -> str:
    """Return why a case cannot be snoozed; empty if it can.

    Args:
        subjects: What its findings are about.
        effect: The hold or the escalation that is in force; empty where none is.
    """
    if SANCTIONS in subjects:
        return f"is about {SUBJECTS[SANCTIONS]} and cannot be snoozed"
    return f"cannot be snoozed while it has a {effect}" if effect else ""


def rests_on_erased(history: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether entries of a case were erased since a run last judged it anew: what it rests on is not known.

    Args:
        history: The payloads of the case that are left, in their order.
    """
    unread = False
    for payload in history:
        unread = payload["kind"] == "payload.erased" or (unread and not _is_judged_anew(payload))
    return unread


def _is_judged_anew(payload: Mapping[str, Any]) -> bool:
    """Return whether a run brings all that a decision on a case rests on that was closed before."""
    return payload["kind"] in _JUDGING and "prepared_by" in payload["data"] and _has_rules(payload["data"])


def kind_refusal(payload: Mapping[str, Any]) -> str:
    """Return why there is no entry of this kind about this case, or about none; empty where there is one."""
    kind, is_of_case = payload["kind"], bool(payload.get("case_id"))
    if kind not in KINDS:
        return f"there are no entries of the kind {kind}"
    if kind.startswith("case.") and not is_of_case:
        return f"{kind} names no case"
    if is_of_case and not kind.startswith("case.") and kind != "payload.erased":
        return f"{kind} names a case but is not a step of one"
    if kind in _BY_SYSTEM and payload["actor"] != SYSTEM:
        return f"{SYSTEM} records {kind}, and no person does"
    return ""


def case_id_of(customer_id: str, occasion: str) -> str:
    """Return the id of a customer's case of an occasion, which packs have as well before there is a decision.

    Args:
        customer_id: The customer's id.
        occasion: One of `OCCASIONS`.
    """
    known = hashlib.sha256(json.dumps([customer_id, occasion]).encode()).hexdigest()
    return f"{customer_id}-{known[:8]}"


def case_ids_of(customer_id: str) -> dict[str, str]:
    """Return the ids that the cases of a customer can have, with the occasion of each."""
    return {case_id_of(customer_id, each): each for each in OCCASIONS}


@dataclass(slots=True)
class RecordedRun:
    """What the first entry of a run says of it, with the policies that judged it.

    Attributes:
        place: Its place in the order in which runs were recorded first, from 0.
        occasion: What its cases are opened for.
        at: When it was recorded first.
        prepared_by: Who prepared it; None where an early version did not record it.
        has_rules: Whether the policy's rules about decisions are recorded with it.
        policies: Digests of its policies.
        cleared: How many customers it cleared and the digest of their list, by the policy's digest, as was recorded last.
    """

    place: int
    occasion: str
    at: str
    prepared_by: str | None = None
    has_rules: bool = False
    policies: set[str] = field(default_factory=set)
    cleared: dict[str, tuple[int, str]] = field(default_factory=dict)


def record_refusal(payload: Mapping[str, Any], recorded: Mapping[str, RecordedRun]) -> str:
    """Return why a run cannot be recorded as an entry has it; empty where it can.

    A run that is continued, or imported again, is recorded again; its occasion and its policy are what they were.

    Args:
        payload: Of an entry `run.recorded`.
        recorded: The runs before it, by id.
    """
    data = payload["data"]
    name = _text_of(data, "run_id")
    before = recorded.get(name)
    if before is None:
        return ""
    if _text_of(data, "occasion") != before.occasion:
        return f"run {name} was recorded before, for the occasion {before.occasion}"
    # Parts of one run that two policies judged are recorded at once.
    if _policy_of(data) not in before.policies and payload["at"] != before.at:
        return f"run {name} was recorded before, and another policy judged it"
    said = data.get("prepared_by")
    if before.prepared_by is not None and said != before.prepared_by:
        return f"run {name} was recorded before, prepared by {before.prepared_by or 'nobody who was named'}"
    return ""


def take_in_run(payload: Mapping[str, Any], recorded: dict[str, RecordedRun]) -> None:
    """Take in an entry `run.recorded`; see `record_refusal`."""
    data = payload["data"]
    name = _text_of(data, "run_id")
    said = data.get("prepared_by")
    known = recorded.setdefault(name, RecordedRun(len(recorded), _text_of(data, "occasion"), payload["at"]))
    known.prepared_by = said if isinstance(said, str) else known.prepared_by
    known.has_rules |= "rules" in data
    known.policies.add(_policy_of(data))
    count = _member(data.get("counts"), "cleared")
    if type(count) is int:
        known.cleared[_policy_of(data)] = count, _text_of(data, "cleared_digest")


def judged_again_refusal(
    before: Mapping[str, Any], now: Mapping[str, Any], recorded: Mapping[str, RecordedRun]
) -> str:
    """Return why a run cannot say of a case what it does, after what was said of it before; empty where it can.

    A run that is continued may bring other evidence of a customer of whom it lacked something. It takes no hit back.

    Args:
        before: What a run said of the case last; empty where none has.
        now: What a run says of it.
        recorded: The runs that were recorded so far, by id.
    """
    one, two = _text_of(before, "run_id"), _text_of(now, "run_id")
    if not before or "sample_id" in before:
        return ""
    if one != two:
        if one in recorded and two in recorded and recorded[two].place < recorded[one].place:
            return f"it rests on run {one}, which was recorded after run {two}: an earlier run does not take its place"
        return ""
    then, again = _of_a_run(before), _of_a_run(now)
    if _text_of(before, "evidence_root") == _text_of(now, "evidence_root"):
        is_same = (_text_of(before, "level"), then) == (_text_of(now, "level"), again)
        return "" if is_same else f"run {two} says otherwise of the same evidence than it did before"
    hits = [name for name, (_, outcome, *_) in then.items() if outcome == "HIT"]
    if gone := [name for name in hits if name not in again]:
        return f"run {two} found {', '.join(gone)} before, and it is said to have found no such thing"
    return ""


def sample_id_of(run_id: str, size: int, seed: str) -> str:
    """Return the id of a sample; the same run, size and seed always give the same id."""
    named = hashlib.sha256(repr((run_id, size, seed)).encode()).hexdigest()
    return f"sample-{named[:_SAMPLE_DIGITS]}"


def sample_part(stratum: str, count: int, total: int, size: int) -> int:
    """Return how many customers of a stratum are drawn: in proportion, at least one, and twice as many of `REPEATED`.

    Args:
        stratum: Its name.
        count: How many customers it has.
        total: How many all strata have.
        size: How many are to be drawn in all.
    """
    part = size * (_REPEATED_PART if stratum == REPEATED else 1)
    return min(count, max(1, -(-part * count // total)))


def sample_digest(customers: Iterable[str], *, is_early: bool) -> str:
    """Return what the ledger keeps of the customers of a sample.

    Args:
        customers: Their ids.
        is_early: Whether the entry that drew it is of an early version, which does not say how many were to be drawn.
    """
    early = hashlib.sha256(repr(sorted(customers)).encode()).hexdigest()
    return early if is_early else list_digest(customers)


def list_digest(customers: Iterable[str]) -> str:
    """Return what the ledger keeps of a list of customers: it shows later that the list is the same."""
    return sorted_list_digest(sorted(customers))


def sorted_list_digest(customers: Iterable[str]) -> str:
    """Return the same of customers in the order of their ids, which are taken one by one."""
    digest = hashlib.sha256(b"[")
    for number, customer_id in enumerate(customers):
        digest.update(b", " * (number > 0) + json.dumps(customer_id).encode())
    digest.update(b"]")
    return digest.hexdigest()


def _of_a_run(judged: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the findings of a run, without those that a person added while reviewing a sample."""
    return {name: what for name, what in _signs(judged).items() if what[0] != SAMPLE_RULE}


def last_judged(history: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the last result of a run for a case; empty if it was erased.

    Args:
        history: The payloads of the case that are left, in their order.
    """
    judged: Mapping[str, Any] = {}
    for payload in history:
        if payload["kind"] in _JUDGING and "findings" in payload["data"]:
            judged = payload["data"]
    return judged


def is_softer(outcome: str, level: str) -> bool:
    """Return whether an outcome is milder than the recommendation of the policy."""
    return _STRENGTH[outcome] < LEVELS.index(level)


def roles_needed(outcome: str, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the roles that the two people of a decision must have between them."""
    roles = []
    if any(each.is_hit and each.subject == SANCTIONS and each.disposition for each in findings):
        roles.append(MLRO)
    if outcome == "approve" and any(
        each.is_hit and (each.is_senior or each.subject == PEP) and each.disposition != "false_positive"
        for each in findings
    ):
        roles.append(SENIOR_MANAGER)
    return tuple(roles)


def second_person_reasons(
    outcome: str, level: str, alone_up_to: str, effect: str, findings: Sequence[Finding]
) -> tuple[str, ...]:
    """Return every reason why a decision needs a second person.

    Args:
        outcome: approve, hold, escalate or reject.
        level: What the policy recommends.
        alone_up_to: The highest level that the policy lets one person approve.
        effect: The hold or the escalation that is in force; empty where none is.
        findings: What the case has, with what was said of each.
    """
    why = []
    for each in findings:
        if each.is_hit and each.subject and each.disposition == "false_positive":
            why.append(f"{each.finding_id}: a false positive on {SUBJECTS[each.subject]}")
        elif each.subject == SANCTIONS and each.disposition == "true_match":
            why.append(f"{each.finding_id}: a true match on sanctions or terrorism")
        elif each.is_hit and each.subject == SANCTIONS and outcome in {"approve", "reject"}:
            why.append(f"{each.finding_id}: a hit on sanctions or terrorism")
    may_approve = outcome == "approve" and LEVELS.index(level) <= LEVELS.index(alone_up_to)
    if is_softer(outcome, level) and not may_approve:
        why.append(f"{outcome} is softer than the recommendation, {level}")
    if effect and outcome in {"approve", "reject"}:
        why.append(f"it ends what is in force: {effect}")
    if outcome == "escalate":
        why.append("an escalation is closed by two people")
    if outcome == "approve" and SENIOR_MANAGER in roles_needed(outcome, findings):
        why.append("senior management has to approve")
    return tuple(why)


def effect_after(outcome: str, effect: str) -> str:
    """Return the hold or the escalation that is in force after a decision; an escalation outlasts a hold put beside it."""
    if outcome not in FREEZES:
        return effect
    return "escalate" if "escalate" in {effect, outcome} else "hold"


# --- the checks


@dataclass(slots=True)
class Report:
    """The result of a check.

    Attributes:
        problems: Each names the entry it is about.
        notes: What a reader must know beside.
        size: Entries.
        head: Hash of the last entry.
        root: Root of the Merkle tree over all entries.
        signatures: Valid signatures.
        anchors: Anchors that agree.
    """

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    size: int = 0
    head: str = START
    root: str = ""
    signatures: int = 0
    anchors: int = 0

    @property
    def ok(self) -> bool:
        """Whether no error was found."""
        return not self.problems


@dataclass(slots=True)
class _Case:
    entries: int = 0
    customer: Any = None
    judged: Mapping[str, Any] = field(default_factory=dict)  # what a run said of it last
    hands: dict[str, str] = field(default_factory=dict)
    state: Any = None
    verdicts: dict[str, str] = field(default_factory=dict)  # of each finding, since it has to be looked at
    effect: str = ""  # the hold or escalation in force
    decided: str = ""
    decider: str = ""
    outcome: Any = None
    decided_on: Any = None  # level, policy and findings when it was decided
    policy: str = ""  # digest of the one that the decision was taken by
    roles: tuple[str, ...] = ()  # which the decision asks of the two people
    is_unread: bool = False  # whether entries were erased since a run last judged the case anew
    is_anew: bool = False  # whether it was opened again since
    lacks_effect: bool = False  # whether what was in force was erased, and no decision has said it since
    assignee: str | None = ""  # empty while nobody has it, None where that was erased
    number: int = 0  # of its last decision
    used: Any = None  # how often its text was used before
    text: str = ""  # digest of the text of its last decision
    shown: dict[str, tuple[Any, Any]] = field(
        default_factory=dict
    )  # sentence and evidence of each finding, as decisions show it
    items: set[str] = field(default_factory=set)  # of the checklist, since it was opened last
    ends_on: str = ""  # when what was decided ends
    rests_until: str = ""
    deciders: set[str] = field(default_factory=set)  # who decided, or approved a decision

    @property
    def closed(self) -> bool:
        return str(self.state) == "closed"


@dataclass(slots=True)
class _Sample:
    """A sample, as recorded by the entry that drew it.

    Attributes:
        size: How many customers are in it; None where that cannot be read.
        digest: Of their list.
        is_early: Whether an early version drew it, which took the digest in another way.
        reviewed: Who of them was looked at.
    """

    size: int | None = None
    digest: str = ""
    is_early: bool = False
    reviewed: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Run:
    """What the ledger says of runs and samples so far."""

    since: list[tuple[int, Mapping[str, Any]]] = field(
        default_factory=list
    )  # what runs said of cases since one was recorded: a run is recorded after its cases, before anybody does anything else
    unread: int = 0  # entries since that were erased
    samples: dict[str, _Sample] = field(default_factory=dict)  # by id, all that were drawn or named
    drawn: dict[str, str] = field(default_factory=dict)  # run of each sample that was drawn
    disagreed: set[tuple[str, str]] = field(default_factory=set)  # sample and customer
    awaited: tuple[str, str] | None = (
        None  # sample and customer of a disagreement that the next entry opens a case for
    )
    notes: list[str] = field(default_factory=list)

    def problems(
        self, number: int, payload: Mapping[str, Any], cases: _Cases, people: People
    ) -> Iterator[str]:
        """Yield what is wrong with an entry beside those of its run and its sample, and take it in.

        Args:
            number: Of the entry.
            payload: Its payload.
            cases: As they are before it.
            people: As they are before it.
        """
        kind, data = payload["kind"], payload["data"]
        if kind in _JUDGING and _has_rules(data) and "sample_id" not in data:
            self.since.append((number, payload))
            yield from _of_entry(number, self.missing_case(payload))
            return
        if kind == "run.recorded":
            yield from _of_entry(number, self._record_problems(payload, cases))
        yield from _of_entry(number, self.missing_case(payload))
        yield from _of_entry(number, self._sample_problems(number, payload, cases, people))
        expected = 1 + len(people.started)
        if kind == "retention.started" and not _is_number(data.get("number"), expected):
            yield f"entry {number}: it is erasure {data.get('number')}, and {expected} was expected"
        if kind == "retention.executed":
            yield from _of_entry(number, self._left_problems(payload, cases, people))
        if payload["actor"] != SYSTEM:
            yield from self.unrecorded()

    def _record_problems(self, payload: Mapping[str, Any], cases: _Cases) -> Iterator[str]:
        data = payload["data"]
        counts = data.get("counts")
        held = (
            {what: each for what, each in counts.items() if type(each) is int}
            if isinstance(counts, dict)
            else {}
        )
        if refusal := record_refusal(payload, cases.recorded):
            yield refusal
        judged = [each["data"] for _, each in self.since]
        said = Counter(each["kind"].removeprefix("case.") for _, each in self.since)
        if any(held.get(what, -1) < count for what, count in said.items()):
            yield "more cases were changed for this run than it counts"
        about = (_text_of(data, "run_id"), _policy_of(data))
        if any((_text_of(each, "run_id"), _policy_of(each)) != about for each in judged):
            yield "the cases recorded for it name another run, or another policy"
        opened = [
            case_ids_of(_text_of(each["data"], "customer_id")).get(each.get("case_id", ""), "")
            for _, each in self.since
            if each["kind"] == "case.opened"
        ]
        if set(opened) - {_text_of(data, "occasion")}:
            yield "the cases opened for it are of another occasion"
        prepared_by = {_text_of(each, "prepared_by") for each in judged}
        if len(prepared_by) > 1 or ("prepared_by" in data and prepared_by - {_text_of(data, "prepared_by")}):
            yield "the cases recorded for it name another person who prepared it"
        changed = {what: held.get(what, 0) for what in ("opened", "updated", "reopened")}
        if cases.has_rules and any(each > said[what] + self.unread for what, each in changed.items()):
            yield "it counts more cases than were changed for it"
        if _text_of(data, "occasion") not in OCCASIONS:
            yield "there is no such occasion"
        digest = data.get("cleared_digest")
        if (held.get("cleared", 0) == 0) != (digest == _NOBODY_CLEARED) or (
            "rules" in data and not _is_hash(digest)
        ):
            yield "how many customers it cleared is not what the digest of their list says"
        if sum(changed.values()) + held.get("unchanged", 0) > len(cases.known) + len(cases.erased.numbers):
            yield "it counts more cases than there are"
        yield from self._rules_problems(data, cases)
        take_in_run(payload, cases.recorded)
        self.since, self.unread = [], 0

    def _rules_problems(self, data: Mapping[str, Any], cases: _Cases) -> Iterator[str]:
        """Yield where a run records other rules of its policy than there are, or none; take them in."""
        rules = rules_of(data)
        if not rules:
            if cases.policies or data.keys() & {"rules", "prepared_by"}:  # an early version recorded neither
                yield "it lacks its policy's rules about decisions"
            return
        unruled = [each for each in self.since if _policy_of(each[1]["data"]) not in cases.policies]
        if cases.policies.setdefault(_policy_of(data), rules) != rules:
            yield "it records other rules about decisions than an earlier entry does of the same policy"
        if not isinstance(data.get("prepared_by"), str):
            yield "it does not say who prepared it"
        for number, payload in unruled:
            faults = rules_faults(rules, payload["data"])
            yield from (f"of the case of entry {number}, {each}" for each in faults)

    def _left_problems(self, payload: Mapping[str, Any], cases: _Cases, people: People) -> Iterator[str]:
        """Yield what the end of an erasure leaves of what was to be erased."""
        started = people.started.get(_text_of(payload["data"], "proposal"))
        customers = erased_by(started["data"]) if started else set()
        ids = {each for customer in sorted(customers) for each in case_ids_of(customer)}
        for each in sorted(ids & cases.known.keys()):
            if cases.known[each].state is not None:
                yield f"it ends an erasure and leaves the case {each}"
        if any(sample.reviewed & customers for sample in self.samples.values()):
            yield "it ends an erasure and leaves a look at a customer in a sample"

    def _sample_problems(
        self, number: int, payload: Mapping[str, Any], cases: _Cases, people: People
    ) -> Iterator[str]:
        kind, data = payload["kind"], payload["data"]
        about = (_text_of(data, "sample_id"), _text_of(data, "customer_id"))
        if kind == "sample.drawn":
            earlier = sorted(each for each, run in self.drawn.items() if run == _text_of(data, "run_id"))
            if earlier:
                self.notes.append(
                    f"entry {number}: of this run, {', '.join(earlier)} had been drawn: ask why there is another sample"
                )
            yield from self._drawing_problems(data, about[0], cases, people)
        elif kind == "sample.reviewed":
            yield from self._review_problems(payload, about, cases)
        elif (
            kind in _JUDGING
            and "sample_id" in data
            and about not in self.disagreed
            and not cases.erased.reviews
        ):
            yield "nobody disagreed on its customer in this sample"

    def _drawing_problems(
        self, data: Mapping[str, Any], sample_id: str, cases: _Cases, people: People
    ) -> Iterator[str]:
        if sample_id in self.drawn:
            yield "a sample of this id was drawn before"
        self.drawn[sample_id] = _text_of(data, "run_id")
        sample = self.samples.setdefault(sample_id, _Sample())
        sample.digest, sample.is_early = _text_of(data, "customers_digest"), "size" not in data
        run = cases.recorded.get(_text_of(data, "run_id"))
        if run is None:
            yield "no run of this id is recorded before it"
        if not _is_hash(sample.digest):
            yield "it has no digest of the list of its customers"
        if fault := text_fault(_text_of(data, "seed")):
            yield f"its seed cannot be used: {fault}"
        sizes = data.get("sizes")
        if not _are_sizes(sizes):
            yield "it does not say of each kind how many of how many were drawn"
            return
        sample.size = sum(drawn for drawn, _ in sizes.values())
        if run is not None:
            yield from _population_problems(sizes, _text_of(data, "run_id"), run, cases, people)
            yield from _draw_problems(data, sizes, run)
            yield from _whole_problems(sizes, sample, run, people)

    def _review_problems(
        self, payload: Mapping[str, Any], about: tuple[str, str], cases: _Cases
    ) -> Iterator[str]:
        data = payload["data"]
        sample = self.samples.setdefault(about[0], _Sample())
        if about[0] not in self.drawn:
            yield "no sample of this id was drawn before it"
        if about[1] in sample.reviewed:
            yield "somebody had looked at this customer in this sample"
        sample.reviewed.add(about[1])
        if sample.size is not None and len(sample.reviewed) > sample.size:
            yield "more customers were looked at than the sample has"
        elif len(sample.reviewed) == sample.size and sample.digest != sample_digest(
            sample.reviewed, is_early=sample.is_early
        ):
            yield "those who were looked at are not those whom the sample drew"
        verdict = _text_of(data, "verdict")
        if verdict not in VERDICTS_OF_SAMPLES:
            yield f"{verdict or 'nothing'} is not a verdict on a customer in a sample"
        if fault := text_fault(_text_of(data, "text")):
            yield f"its text cannot be used: {fault}"
        theirs = [cases.known[each] for each in case_ids_of(about[1]) if each in cases.known]
        if any(payload["actor"] in case.deciders for case in theirs):
            yield "who decided on a customer cannot be the one who looks at them in a sample"
        if verdict == "disagrees":
            self.disagreed.add(about)
            self.awaited = about

    def missing_case(self, payload: Mapping[str, Any] | None) -> Iterator[str]:
        """Yield that no case follows a disagreement; None stands for the end of the ledger."""
        awaited, self.awaited = self.awaited, None
        data = payload["data"] if payload is not None and payload["kind"] in _JUDGING else None
        is_it = data is not None and awaited == (_text_of(data, "sample_id"), _text_of(data, "customer_id"))
        if awaited is not None and not is_it:
            yield "somebody disagreed on a customer in a sample, and the next entry opens no case for it"

    def unrecorded(self) -> Iterator[str]:
        if self.since:
            yield f"entry {self.since[-1][0]}: no run is recorded that said this of the case"
        self.since, self.unread = [], 0


def _of_entry(number: Any, problems: Iterable[str]) -> Iterator[str]:
    """Yield problems or notes, each with the number of the entry that it is about."""
    for each in problems:
        yield f"entry {number}: {each}"


def _are_sizes(value: Any) -> TypeGuard[Mapping[str, Sequence[int]]]:
    """Return whether a value says of each stratum how many customers were drawn of how many."""
    return (
        isinstance(value, dict)
        and bool(value)
        and all(
            isinstance(each, list)
            and len(each) == 2
            and _is_size(each[1])
            and type(each[0]) is int
            and each[0] in range(each[1] + 1)
            for each in value.values()
        )
    )


def _population_problems(
    sizes: Mapping[str, Sequence[int]], run_id: str, run: RecordedRun, cases: _Cases, people: People
) -> Iterator[str]:
    """Yield why a sample cannot have been drawn of as many customers as it says."""
    cleared, erased = sum(count for count, _ in run.cleared.values()), len(people.erased_customers())
    said = sum(size for stratum, (_, size) in sizes.items() if stratum != REPEATED)
    # Of customers whose records were erased since, none could be drawn.
    if run.cleared and not cleared - erased <= said <= cleared:
        yield f"it is drawn of {said} customers whom the run cleared, and the run cleared {cleared}"
    if cases.erased.numbers:
        return  # the texts of decisions may be among them
    repeated = [
        case
        for case in cases.known.values()
        if case.closed
        and case.outcome == "approve"
        and _text_of(case.judged, "run_id") == run_id
        and cases.texts.get(case.text, 0) > 1
    ]
    most = len({str(case.customer) for case in repeated})
    # Whoever was cleared and has a case from a sample alone is counted among the cleared.
    least = len({str(case.customer) for case in repeated if "sample_id" not in case.judged})
    if not least <= (count := sizes.get(REPEATED, (0, 0))[1]) <= most:
        yield f"it is drawn of {count} customers approved with a text that was used before, and there are {most}"


def _draw_problems(
    data: Mapping[str, Any], sizes: Mapping[str, Sequence[int]], run: RecordedRun
) -> Iterator[str]:
    """Yield why a sample is not the one that its run, its seed and its size give."""
    size = data.get("size")
    if size is None and not run.has_rules:
        return  # drawn of a run that an early version recorded, and perhaps by it
    if not _is_size(size):
        yield "it does not say how many customers were to be drawn"
        return
    if data.get("sample_id") != sample_id_of(_text_of(data, "run_id"), size, _text_of(data, "seed")):
        yield "its id is not that of a sample of this run, size and seed"
    total = sum(each[1] for each in sizes.values())
    if other := [
        stratum
        for stratum, (drawn, count) in sorted(sizes.items())
        if drawn != sample_part(stratum, count, total, size)
    ]:
        yield f"it drew another part than its size gives of {', '.join(other)}"


def _whole_problems(
    sizes: Mapping[str, Sequence[int]], sample: _Sample, run: RecordedRun, people: People
) -> Iterator[str]:
    """Yield that a sample of everybody whom a run cleared is of others; of a part the ledger does not show whom it has."""
    is_whole = all(drawn == count for drawn, count in sizes.values()) and REPEATED not in sizes
    lists = {digest for _, digest in run.cleared.values()}
    is_shown = is_whole and not sample.is_early and len(lists) == 1 and not people.executed
    if is_shown and sample.digest not in lists:
        yield "it is of everybody whom the run cleared, and its list is not theirs"


@dataclass(slots=True)
class _Erased:
    """Which payloads entries say were erased, and can have been."""

    numbers: set[int] = field(default_factory=set)
    reviews: set[int] = field(default_factory=set)  # of no case: those of a sample
    places: set[tuple[str, int]] = field(default_factory=set)  # case, and place in it


@dataclass(slots=True)
class _Cases:
    erased: _Erased
    known: dict[str, _Case] = field(default_factory=dict)
    recorded: dict[str, RecordedRun] = field(
        default_factory=dict
    )  # by id, in the order of their first entries
    has_rules: bool = False  # whether a run was recorded with the policy's rules about decisions
    rules: dict[tuple[str, ...], Any] = field(
        default_factory=dict
    )  # what a policy says, by its digest and what about
    policies: dict[str, Mapping[str, Any]] = field(
        default_factory=dict
    )  # by digest, the rules that runs recorded; see `rules_of`
    texts: dict[str, int] = field(
        default_factory=dict
    )  # how many decisions and approvals have a text, by its digest


def check_ledger(
    entries: Iterable[Mapping[str, Any]],
    *,
    anchors: Sequence[Mapping[str, Any]] = (),
    trusted: Sequence[str] = (),
    verify: Verify = verify_ed25519,
) -> Report:
    """Check a whole ledger.

    Args:
        entries: In their order: seq, prev, digest, hash, key, signature, salt, payload.
        anchors: Heads that were kept elsewhere: ledger, size, hash, root.
        trusted: Fingerprints, one of which is the key that the ledger was founded with.
        verify: Checks a signature; this file's own by default.
    """
    report = Report()
    listed: list[Any] = list(entries)
    erased, report.problems = _erasures(listed, is_whole=True)
    people, cases, run, gone = People(), _Cases(erased), _Run(), []
    hashes: list[str] = []
    times: list[datetime | None] = []
    covered, before = 0, None
    for entry in listed:
        number = len(hashes) + 1
        problems, payload = _entry_problems(entry, number, hashes[-1] if hashes else START)
        report.problems += problems
        if not isinstance(entry, Mapping) or not _is_hash(entry.get("hash")):
            break
        hashes.append(str(entry["hash"]))
        times.append(_moment(payload))
        if payload is None:
            gone.append(number)
            run.unread += 1
            run.awaited = None
            before = None  # it may have been the one that the clock was compared with
            continue
        report.problems += _of_entry(number, _order_problems(payload, number, before))
        report.problems += _of_entry(number, _policy_claims(payload, people))
        report.notes += _clock_notes(payload, number, before)
        before = payload
        report.problems += run.problems(number, payload, cases, people)
        if _check_content(report, entry, payload, people, cases, verify):
            covered = number
    report.problems += [*run.unrecorded(), *run.missing_case(None), *_gone_problems(gone, cases)]
    report.notes += [*run.notes, *_overdue_notes(cases, times)]
    report.size, report.head = len(hashes), hashes[-1] if hashes else START
    report.root = merkle_root(hashes)
    anchored = _anchor_problems(report, hashes, times, anchors)
    _trust_problems(report, people, trusted, anchored)
    known = bool(trusted) and people.founder in trusted
    covered = max(anchored, covered if known or anchored else 0)
    if 0 < covered < report.size:
        report.notes.append(
            f"entries {covered + 1} to {report.size} came after the last anchor or signature: "
            "whether any was changed, taken away or added there cannot be seen"
        )
    return report


def check_excerpt(  # noqa: C901, PLR0912 - one check after another, each with its sentence
    document: Mapping[str, Any],
    *,
    anchors: Sequence[Mapping[str, Any]] = (),
    trusted: Sequence[str] = (),
    policies: Mapping[str, Mapping[str, Any]] | None = None,
    verify: Verify = verify_ed25519,
) -> Report:
    """Check the excerpt of one case, or of one erasure: its entries and those about keys and roles, each with its way to the root.

    Args:
        document: The excerpt: case_id (None for an erasure), head, entries.
        anchors: As of `check_ledger`.
        trusted: As of `check_ledger`.
        policies: What policies say of decisions, by digest, as a run records it; the excerpt has no runs.
        verify: As of `check_ledger`.
    """
    report = Report()
    if fault := _excerpt_fault(document):
        report.problems.append(fault)
        return report
    head, entries, case_id = document["head"], document["entries"], document["case_id"]
    size, root = head["size"], head.get("root")
    erased, report.problems = _erasures(entries, is_whole=False)
    # Nothing covers a further member, and a reader could take it for a part of the record.
    if further := sorted(
        map(str, (document.keys() - _MEMBERS_OF_EXCERPT) | (head.keys() - _MEMBERS_OF_HEAD))
    ):
        report.problems.append(f"the excerpt has members that no hash covers: {', '.join(further)}")
    people, last, gone = People(), 0, []
    cases = _Cases(
        erased, policies={digest: rules_of({"rules": each}) for digest, each in (policies or {}).items()}
    )
    report.size, report.head, report.root = size, str(head.get("hash", "")), str(root)
    for entry in entries:
        number = entry.get("seq") if isinstance(entry, Mapping) else None
        if isinstance(number, bool) or not isinstance(number, int) or not last < number <= size:
            report.problems.append("an entry has no number, or stands out of order")
            continue
        last = number
        problems, payload = _entry_problems(entry, number, None, _MEMBERS_WITH_PROOF)
        report.problems += problems
        if problems:
            continue
        if not _reaches(entry, size, root):
            report.problems.append(f"entry {number}: it is not in the ledger with this head")
        if (number == size and entry["hash"] != head.get("hash")) or (
            _first_hash(entry, number) not in {None, head.get("ledger")}
        ):
            report.problems.append(f"entry {number}: the head names another last or first entry")
        if payload is None:
            gone.append(number)
            continue
        about = RETENTION_KINDS if case_id is None else frozenset[str]()
        if payload["kind"] not in PEOPLE_KINDS | about and (
            case_id is None or payload.get("case_id") != case_id
        ):
            report.problems.append(f"entry {number}: it belongs to another case")
            continue
        report.problems += _of_entry(number, _member_problems(payload))
        _check_content(report, entry, payload, people, cases, verify)
    report.problems += _gone_problems(gone, cases)
    if case_id is not None and case_id not in cases.known:
        report.problems.append("the excerpt has no entry of its case")
    agreeing = [
        each for each in anchors if each.get("size") == size and each.get("ledger") == head.get("ledger")
    ]
    if any((each.get("hash"), each.get("root")) != (head.get("hash"), root) for each in agreeing):
        report.problems.append("the head differs from the anchor of the same size")
    report.anchors = len(agreeing)
    if anchors and all(each.get("ledger") != head.get("ledger") for each in anchors):
        report.problems.append("the head belongs to a ledger with another first entry than the anchors")
    elif anchors and not agreeing:
        report.notes.append("no anchor has the size of this excerpt's head, so the head is not confirmed")
    _trust_problems(report, people, trusted, size if agreeing else 0)
    report.notes.append(LATER_ENTRIES)
    return report


def _excerpt_fault(document: Any) -> str:
    """Return why an excerpt cannot be read; empty if it can."""
    head = _member(document, "head")
    if _text_of(document, "schema") != EXCERPT_SCHEMA or not _is_size(_member(head, "size")):
        return f"the excerpt is not of the form {EXCERPT_SCHEMA}, or lacks its head"
    if not isinstance(head.get("ledger"), str | None):
        return "the excerpt's head does not name the first entry of its ledger by a hash"
    if not isinstance(document.get("entries"), list) or not isinstance(
        document.get("case_id", 0), str | None
    ):
        return "the excerpt's entries are not a list, or its case is not an id"
    return ""


def _entry_problems(
    entry: Any, number: int, prev: str | None, members: frozenset[str] = _MEMBERS
) -> tuple[list[str], Mapping[str, Any] | None]:
    if not isinstance(entry, Mapping) or not all(
        _is_hash(entry.get(each)) for each in ("prev", "digest", "hash")
    ):
        return [f"entry {number}: it cannot be read"], None
    problems: list[str] = []
    # Nothing covers a further member, and a reader could take it for a part of the record.
    if further := sorted(str(name) for name in entry.keys() - members):
        problems.append(f"entry {number}: it has members that no hash covers: {', '.join(further)}")
    if entry.get("seq") != number or type(entry["seq"]) is not int:
        problems.append(
            f"entry {number}: its number is {entry.get('seq')}: an entry is missing, added or moved"
        )
    if prev is not None and entry["prev"] != prev:
        problems.append(f"entry {number}: it does not follow the entry before it")
    seq = entry["seq"] if isinstance(entry.get("seq"), int) else number
    if entry["hash"] != entry_hash(seq, entry["prev"], entry["digest"]):
        problems.append(f"entry {number}: its hash is not that of its number, its forerunner and its digest")
    payload = entry.get("payload")
    if payload is None:
        if entry.get("salt") is not None:
            problems.append(
                f"entry {number}: its payload is missing, and the salt is there, by which it can be guessed"
            )
        return problems, None
    if _has_float(payload) or not _is_payload(payload):
        return [*problems, f"entry {number}: its payload cannot be read"], None
    salt = entry.get("salt")
    if not _is_hex(salt) or entry["digest"] != payload_digest(str(salt), canonical(payload)):
        problems.append(f"entry {number}: its payload is not the one that was recorded")
    return problems, payload


def _member_problems(payload: Mapping[str, Any]) -> list[str]:
    """Return what an entry says that entries of its kind do not, which a reader could take for a part of the record, or in another form."""
    kind, data = payload["kind"], payload["data"]
    known = _MEMBERS_OF.get(kind, data.keys())
    if kind == "case.reopened" and payload["actor"] != SYSTEM:
        known = _OF_STEP | {"reason"}  # a person gives a reason, and finds nothing
    further = (payload.keys() - _PAYLOAD_MEMBERS) | (data.keys() - known)
    for document in (data, data.get("looked_at")):
        for name, within in _WITHIN.items():
            held = _member(document, name)
            further |= held.keys() - within if isinstance(held, dict) else set[str]()
        further |= {name for _, each in _listed(document) for name in each.keys() - _OF_FINDING}
    given = data.get("dispositions")
    for each in given.values() if isinstance(given, dict) else ():
        further |= each.keys() - {"verdict", "evidence"} if isinstance(each, dict) else set[str]()
    found = [f"it says what entries of its kind do not: {', '.join(sorted(further))}"] if further else []
    if not _INSTANT.fullmatch(payload["at"]):
        found.append("its time is not written as in 2026-01-31T09:30:00.000000Z")
    return found


def _order_problems(
    payload: Mapping[str, Any], number: int, before: Mapping[str, Any] | None
) -> Iterator[str]:
    """Yield what is wrong with the place of an entry: who opens the ledger, and whether a clock that went back is marked."""
    yield from _member_problems(payload)
    if (payload["kind"] == "ledger.opened") != (number == 1):
        yield "a ledger is opened by its first entry and by no other"
    try:
        at = datetime.fromisoformat(payload["at"])
        behind = (datetime.fromisoformat(before["at"]) - at).total_seconds() if before else 0.0
    except (ValueError, TypeError):
        yield "its time cannot be read"
        return
    said = payload.get("clock_behind_seconds")
    if behind > 0 and said != int(behind):
        yield "it is dated before the entry before it, and does not say by how much"
    # An early version said it of every entry of one moment.
    is_repeated = before is not None and behind == 0 and said == before.get("clock_behind_seconds")
    if before is not None and behind <= 0 and said is not None and not is_repeated:
        yield "it says that its clock was behind, and it is dated after the entry before it"
    if at.utcoffset() != timedelta(0):
        yield "its time is not in UTC"


def _clock_notes(payload: Mapping[str, Any], number: int, before: Mapping[str, Any] | None) -> Iterator[str]:
    at, earlier = _moment(payload), _moment(before)
    if at is not None and earlier is not None and earlier - at > _FAR:
        yield f"entry {number}: the clock went back by {(earlier - at).days} days before it; what it is dated may be wrong"


def _overdue_notes(cases: _Cases, times: Sequence[datetime | None]) -> list[str]:
    """Note the cases whose decision or whose rest has ended by the date of the last entry, and that nothing opened again."""
    last = next((at for at in reversed(times) if at is not None), None)
    if last is None:
        return []
    day = last.date().isoformat()
    ended = [name for name, case in cases.known.items() if case.closed and "" < case.ends_on < day]
    rested = [
        name for name, case in cases.known.items() if case.state == "snoozed" and "" < case.rests_until < day
    ]
    words = (("decision", "opened", ended), ("rest", "woken", rested))
    return [
        f"by the date of the last entry, {day}, the {what} of {_some(sorted(names))} had ended, and nothing has {done} "
        f"{'it' if len(names) == 1 else 'them'} again: ask why"
        for what, done, names in words
        if names
    ]


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SOME
    return ", ".join(names[:_SOME]) + (f" and {more} more" if more > 0 else "")


def _moment(payload: Mapping[str, Any] | None) -> datetime | None:
    """Return the date of an entry; None if it cannot be read."""
    try:
        at = datetime.fromisoformat(_text_of(payload, "at"))
    except ValueError:
        return None
    return at if at.tzinfo is not None else None


def _policy_claims(payload: Mapping[str, Any], people: People) -> Iterator[str]:
    """Yield where an entry says that a policy was approved, and no entry before it does."""
    data = payload["data"]
    about = [each for each in (data, data.get("looked_at")) if _policy_of(each)]
    states = [
        (_text_of(each["policy"], "state"), people.policies.get(_policy_of(each)) == "policy.approved")
        for each in about
    ]
    if any(state == "approved" and not is_approved for state, is_approved in states):
        yield "it says that its policy was approved, and no entry before it approves that policy"
    if any(state not in {"", "approved"} and is_approved for state, is_approved in states):
        yield "it says that its policy was not approved, and an entry before it approves that policy"
    named = [each["policy"] for each in about] + ([data] if payload["kind"] in POLICY_ROLES else [])
    for each in named:
        label = (_text_of(each, "id"), _text_of(each, "version"))
        if people.labels.setdefault(_text_of(each, "digest"), label) != label:
            yield "it gives its policy another id or version than an entry before it gives the same policy"


def _check_content(
    report: Report,
    entry: Mapping[str, Any],
    payload: Mapping[str, Any],
    people: People,
    cases: _Cases,
    verify: Verify,
) -> bool:
    """Check the content and the signer of an entry; return whether it is signed."""
    replaced = people.replaced_key(payload)
    found = [*people.count(payload), *_people_problems(payload, people)]
    notes = [replaced] if replaced and not found else []
    signed, problem = _signature(entry, payload, people, verify)
    found += [problem] if problem else []
    found += _case_problems(payload, cases, people, notes)
    if payload["kind"] == "case.approved" and not signed:
        notes.append(NOT_AUTHENTICATED)
    report.notes += _of_entry(entry.get("seq"), notes)
    report.problems += _of_entry(entry.get("seq"), found)
    report.signatures += signed
    return signed


def _erasures(entries: Iterable[Any], *, is_whole: bool) -> tuple[_Erased, list[str]]:
    """Return which payloads were erased, and the errors in the entries that record it.

    Args:
        entries: As they were read.
        is_whole: Whether they are the whole ledger; an excerpt of a case does not have the erasure that erased it.
    """
    read = [each for each in entries if isinstance(each, Mapping) and type(each.get("seq")) is int]
    missing = {each["seq"] for each in read if each.get("payload") is None}
    said = [(each["seq"], each["payload"]) for each in read if _is_payload(each.get("payload"))]
    of_case: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
    for number, payload in said:
        of_case.setdefault(payload.get("case_id", ""), []).append((number, payload))
    started: list[Mapping[str, Any]] = []
    erased, problems = _Erased(), []
    block: list[tuple[int, Mapping[str, Any]]] = []  # what was erased, until the next entry of another kind
    for number, payload in said:
        if payload["kind"] != "payload.erased":
            problems += _block_problems(block, (number, payload), started) if is_whole else []
            block = []
            if payload["kind"] == "retention.started":
                started.append(payload["data"])
            continue
        block.append((number, payload))
        seq, case_id = payload["data"].get("seq"), payload.get("case_id", "")
        problem = ""
        if type(seq) is not int or seq not in missing or seq >= number:
            problem = f"it says that entry {seq} was erased, and no entry before it lacks its payload with that number"
        elif seq in erased.numbers:
            problem = f"it says that entry {seq} was erased, and an entry before it says so as well"
        elif case_id:
            problem = _misplaced(of_case[case_id], payload)
            if not problem:
                erased.places.add((case_id, payload["data"]["case_entry"]))
                problem = _left(of_case[case_id], number, seq)
            erased.numbers.add(seq)
        else:
            erased.numbers.add(seq)
            erased.reviews.add(seq)
        problems += [f"entry {number}: {problem}"] if problem else []
    return erased, problems + (_block_problems(block, None, started) if is_whole else [])


def _block_problems(
    block: Iterable[tuple[int, Mapping[str, Any]]],
    after: tuple[int, Mapping[str, Any]] | None,
    started: Sequence[Mapping[str, Any]],
) -> list[str]:
    """Return what is wrong with entries about erased payloads that follow one another, by what follows them.

    An erasure by two people writes them at once, just before it ends.

    Args:
        block: Their numbers and payloads.
        after: Number and payload of the entry after them; None at the end.
        started: What the erasures before them say that began.
    """
    ends = after[1] if after is not None and after[1]["kind"] == "retention.executed" else None
    number = 0 if ends is None else _member(ends["data"], "number")
    erased = {
        case_id
        for each in started
        if ends is not None and each.get("proposal") == ends["data"].get("proposal")
        for customer in erased_by(each)
        for case_id in case_ids_of(customer)
    }
    problems, count = [], 0
    for place, payload in block:
        case_id, named = payload.get("case_id", ""), disposition_of(_text_of(payload["data"], "reason"))
        is_part = ends is not None and payload["actor"] == ends["actor"] and 0 < named == number
        count += is_part
        if named and not is_part:
            problems.append(f"entry {place}: it names erasure {named} but is not part of it")
        elif is_part and case_id and case_id not in erased:
            problems.append(f"entry {place}: erasure {named} was not to erase this case")
        elif not case_id and not is_part:
            problems.append(
                f"entry {place}: it says that entry {payload['data'].get('seq')} was erased, which is of no case, "
                "and this is not part of an erasure by two people"
            )
    rows = None if ends is None else _member(ends["data"], "rows")
    if after is not None and ends is not None and (type(rows) is not int or rows < count):
        problems.append(
            f"entry {after[0]}: it counts {rows} rows, and {count} payloads were erased just before"
        )
    return problems


def _misplaced(of_case: Sequence[tuple[int, Mapping[str, Any]]], payload: Mapping[str, Any]) -> str:
    """Return why an erased entry cannot be the one of its case that an entry says it was; empty where it can."""
    seq, place, own = payload["data"]["seq"], payload["data"].get("case_entry"), payload.get("case_entry")
    after = bisect_left(of_case, seq, key=itemgetter(0))
    before = of_case[after - 1][1].get("case_entry") if after else 0
    following = of_case[after][1].get("case_entry") if after < len(of_case) else own
    if (
        any(type(each) is not int for each in (place, own, before, following))
        or not before < place < following
    ):
        return f"it says that entry {seq} was number {place} of its case, and it cannot have been"
    return ""


def _left(of_case: Sequence[tuple[int, Mapping[str, Any]]], number: int, seq: int) -> str:
    """Return which entry of a case was left when others were erased, where only a whole case can be; empty for none."""
    kept = next((at for at, each in of_case if each["kind"] != "payload.erased"), number)
    return f"it erases entry {seq} and leaves entry {kept} of the same case" if kept < number else ""


def _gone_problems(gone: Iterable[int], cases: _Cases) -> list[str]:
    return [
        f"entry {number}: its payload is missing and no entry says that it was erased"
        for number in gone
        if number not in cases.erased.numbers
    ]


def _people_problems(payload: Mapping[str, Any], people: People) -> Iterator[str]:
    """Yield why a person may not do this; take in what people may do by an entry that is allowed."""
    kind, actor = payload["kind"], payload["actor"]
    if kind == "payload.erased" and not people.administers(actor):
        yield f"only an administrator may erase a payload, and {actor} is not one"
    elif refusal := people.take_in(payload) or erasure_refusal(payload):
        yield refusal
    elif kind in POLICY_ROLES:
        yield from _policy_problems(payload["data"], people, kind)


def _policy_problems(data: Mapping[str, Any], people: People, kind: str) -> Iterator[str]:
    """Yield what is wrong with the words of an approval or a withdrawal; take it in where nothing is."""
    gaps = data.get("accepted_gaps", [])
    if fault := text_fault(_text_of(data, "text")):
        yield f"its text cannot be used: {fault}"
    elif not isinstance(gaps, list) or not all(each in ACCEPTED_GAPS for each in gaps):
        yield "it accepts gaps that are not those of every pack"
    else:
        people.policies[str(data.get("digest"))] = kind


def _signature(
    entry: Mapping[str, Any], payload: Mapping[str, Any], people: People, verify: Verify
) -> tuple[bool, str]:
    """Return whether an entry has the signature that it needs, and any errors."""
    if payload["actor"] == SYSTEM and payload["kind"] not in SYSTEM_KINDS:
        return False, "a person has to do this, and the entry names none"
    if payload["actor"] == SYSTEM or not people.signed:
        is_bare = entry.get("key") is None and entry.get("signature") is None
        return False, "" if is_bare else "it has a signature, and nobody has to sign it"
    person = people.persons.get(payload["actor"])
    signature, key = entry.get("signature") or "", entry.get("key") or ""
    if not signature:
        return False, f"it is not signed by {payload['actor']}, although this ledger's people have keys"
    if person is None or not person.public_key or fingerprint(person.public_key) != key:
        return False, f"it is not signed with the enrolled key of {payload['actor']}"
    if not _is_hex(signature) or not verify(
        bytes.fromhex(person.public_key), signed_bytes(str(entry["hash"])), bytes.fromhex(signature)
    ):
        return False, f"the signature of {payload['actor']} is not valid"
    return True, ""


def _case_problems(
    payload: Mapping[str, Any], cases: _Cases, people: People, notes: list[str]
) -> Iterator[str]:
    """Yield the errors in an entry of a case, and add to the notes what cannot be checked."""
    kind, case_id, data = payload["kind"], payload.get("case_id"), payload["data"]
    if refusal := kind_refusal(payload):
        yield refusal
    if refusal or not case_id:
        return
    case, problems = _next_of_case(payload, case_id, cases)
    yield from problems
    if kind == "payload.erased":
        return
    if case.is_unread and kind in RESTING_KINDS:
        yield UNREAD
        return
    case.is_anew |= case.is_unread and kind in {"case.opened", "case.reopened"}
    # A run that judges such a case anew brings all that its decisions rest on, but not what was in force.
    if case.is_unread and case.is_anew and _is_judged_anew(payload):
        case.is_unread, case.is_anew, case.lacks_effect = False, False, True
    yield from _end_of_case_problems(kind, case)
    if kind == "case.returned" and case.decided not in ("", data.get("decision_id")):
        yield "it sends back another decision than the last one of its case"
    notes += _run_notes(kind, data, case)
    yield from _step_problems(kind, case_id, data, case, cases)
    yield from _rest_problems(payload, case)
    yield from _text_problems(payload, case, cases)
    yield from _time_problems(payload, case)
    if kind == "case.assigned":
        yield from _assignment_problems(payload, case, people, notes)
    yield from _checklist_problems(kind, data, case, cases, people)
    case.hands = hands_after(case.hands, payload)
    if kind == "case.decided":
        notes += [] if _has_rules(case.judged) else [NO_RULES]
        notes += [NO_EFFECT] if case.lacks_effect else []
        yield from _decision_problems(payload, case, people, cases.policies)
    elif kind == "case.approved":
        yield from _approval_problems(payload, case, people)
    case.state = data.get("state", case.state)


def _end_of_case_problems(kind: str, case: _Case) -> Iterator[str]:
    """Yield why a case that was closed, or was erased since, cannot go on with a step."""
    if case.closed and kind not in {"case.reopened", "case.updated"}:
        yield "the case was closed before"
    elif case.is_unread and case.state is None and kind not in {"case.opened", "case.reopened"}:
        yield "its case was erased, as closed ones alone are, and it does not open the case again"


def _run_notes(kind: str, data: Mapping[str, Any], case: _Case) -> Iterator[str]:
    """Yield that a run says something of a case which it had said something of before."""
    run = _text_of(data, "run_id")
    if kind in _JUDGING and run and run == _text_of(case.judged, "run_id"):
        yield f"run {run} says something of this case once more: ask whether it was continued"


def _next_of_case(payload: Mapping[str, Any], case_id: str, cases: _Cases) -> tuple[_Case, list[str]]:
    """Return a case as it is before its next entry, and whether that entry is the one that follows."""
    case, place = cases.known.setdefault(case_id, _Case()), payload.get("case_entry")
    case.entries += 1
    while (case_id, case.entries) in cases.erased.places:
        # What was in force, in which state the case was and who worked on it is no longer known.
        case = cases.known[case_id] = _Case(
            case.entries + 1, case.customer, is_unread=True, assignee=None, number=case.number
        )
    if place == case.entries:
        return case, []
    problem = f"it is number {place} of its case, and {case.entries} was expected"
    case.entries = place if isinstance(place, int) else case.entries
    return case, [problem]


def _step_problems(
    kind: str, case_id: str, data: Mapping[str, Any], case: _Case, cases: _Cases
) -> Iterator[str]:
    """Yield why a step cannot be one of this case or cannot lead where it says, and take in what a run says of the case."""
    # Of a customer who was erased and returns, a case is opened anew; its number goes on.
    if case.state is not None if kind == "case.opened" else case.entries == 1:
        yield "a case is opened by its first entry and by no other"
    before, after = str(case.state or ""), str(data.get("state", ""))
    if after not in _states_after(kind, case):
        was = f" that was {before}" if before else ""
        yield f"{kind} cannot leave a case {data.get('state')}{was}"
    if case.customer not in (None, data.get("customer_id", case.customer)):
        yield "it is about another customer than the entries of its case before it"
    case.customer = data.get("customer_id", case.customer)
    if kind == "case.opened":
        yield from _opening_problems(case_id, data)
    if cases.has_rules and not _has_rules(data) and (kind == "case.opened" or "findings" in data):
        yield "it lacks the policy's rules about decisions, which the runs before it have"
    if "sample_id" in data:
        case.decided_on = None  # whoever disagreed in a sample added a finding
        if (kind != "case.opened" and "findings" in data) or _rules_named(data) - {SAMPLE_RULE}:
            yield "a sample adds its own finding, and says nothing else of a case"
    if kind in _JUDGING and "findings" in data:
        yield from _judged_problems(kind, data, case, cases)
    # A decision that waited and is sent back, or whose case a run changed, is looked at as a whole once more.
    if kind in {"case.opened", "case.reopened"} or (
        case.state == "second_review" and (kind == "case.decided" or data.get("state") == "in_review")
    ):
        case.verdicts, case.decided = {}, ""


def _judged_problems(kind: str, data: Mapping[str, Any], case: _Case, cases: _Cases) -> Iterator[str]:
    """Yield what is wrong with what a run says of a case; take it in."""
    yield from _form_problems(data)
    yield from _other_rules(data, case, cases)
    yield from _level_problems(data)
    yield from _taken_problems(data, case)
    yield from _change_problems(kind, data, case)
    if refusal := judged_again_refusal(case.judged, data, cases.recorded):
        yield refusal
    rules = cases.policies.get(_policy_of(data))
    if rules and _has_rules(data):
        yield from rules_faults(rules, data)
    case.shown = {}  # the same finding may read otherwise on other evidence
    known, case.judged = _signs(case.judged), data
    cases.has_rules |= _has_rules(data)
    same = {name for name, what in _signs(data).items() if known.get(name) == what}
    case.verdicts = {name: said for name, said in case.verdicts.items() if name in same}


def _checklist_problems(
    kind: str, data: Mapping[str, Any], case: _Case, cases: _Cases, people: People
) -> list[str]:
    """Return why an item of the checklist cannot be recorded; take it in, and forget those of a case that is opened anew."""
    if kind in {"case.opened", "case.reopened"}:
        case.items = set()
    if kind != "case.checked":
        return []
    policy, item = _policy_of(case.judged), _text_of(data, "item")
    case.items.add(item)
    if people.policies.get(policy) == "policy.withdrawn":
        return ["it records an item of the checklist of a policy that was withdrawn"]
    rules = cases.policies.get(policy)
    return [f"its policy's checklist has no {item}"] if rules and item not in rules["checklist"] else []


def _form_problems(judged: Mapping[str, Any]) -> list[str]:
    """Return which findings of a run are none that a run can have: what is neither a hit nor unknown would count as nothing."""
    if not _has_rules(judged):
        return []  # of an early version, or named as lacking them
    found = judged.get("findings")
    if not isinstance(found, list):
        return ["its findings cannot be read"]
    names = [_text_of(each, "id") for each in found]
    wrong = [
        name or "one"
        for name, each in zip(names, found, strict=True)
        if not (
            _FINDING.fullmatch(name)
            and _text_of(each, "rule")
            and _text_of(each, "outcome") in {"HIT", "UNKNOWN"}
            and _text_of(each, "level") in LEVELS
            and each.get("subject") in ("", SANCTIONS, PEP)
            and type(each.get("senior")) is bool
        )
    ]
    problems = ["two of its findings have one id"] if len(set(names)) < len(names) else []
    return problems + ([f"of its findings, {', '.join(wrong)} cannot be read"] if wrong else [])


def _level_problems(judged: Mapping[str, Any]) -> Iterator[str]:
    """Yield why the level that a run gives a case is wrong."""
    hits = [
        level
        for _, each in _listed(judged)
        if each.get("outcome") == "HIT"
        and _text_of(each, "rule") != SAMPLE_RULE
        and (level := _text_of(each, "level")) in LEVELS
    ]
    said, hardest = _text_of(judged, "level"), max(hits, key=LEVELS.index, default=LEVELS[0])
    if said in LEVELS and LEVELS.index(said) < LEVELS.index(hardest):
        yield f"its level is {said}, and a finding of it asks for {hardest}"


def _change_problems(kind: str, judged: Mapping[str, Any], case: _Case) -> Iterator[str]:
    """Yield where a run says otherwise of what changed than what it said before and says now."""
    if "level_before" not in judged or not _has_rules(case.judged) or "sample_id" in case.judged:
        return
    # What a person found in a sample is in the case and may not be in what the run before said.
    before, now = set(_signs(case.judged)), set(_signs(judged))
    added = {name for name, what in _signs(judged).items() if what[0] == SAMPLE_RULE}
    new, gone = (
        {str(each) for each in said} if isinstance(said := judged.get(name), list) else set()
        for name in ("new", "gone")
    )
    if judged["level_before"] != case.judged["level"]:
        yield f"it says that the level was {judged['level_before']} before, and it was {case.judged['level']}"
    reason = NEW_EVIDENCE if _policy_of(judged) == _policy_of(case.judged) else ANOTHER_POLICY
    if judged.get("reason") != reason:
        yield f"it says that the case changed by {judged.get('reason')}, and it did by {reason}"
    if new & before or not new <= now or now - before - new - added:
        yield "the findings that it calls new are not those that are"
    if gone & now or not before - now <= gone:
        yield "the findings that it says are gone are not those that are"
    if kind == "case.reopened" and not new | gone and judged["level"] == judged["level_before"]:
        yield "it opens the case again, and nothing of it changed"


def _taken_problems(judged: Mapping[str, Any], case: _Case) -> list[str]:
    """Return which findings of a sample a run leaves out though nobody has disposed of them."""
    left = {
        name
        for name, each in _listed(case.judged)
        if _text_of(each, "rule") == SAMPLE_RULE and not case.verdicts.get(name)
    }
    kept = {name for name, each in _listed(judged) if _text_of(each, "rule") == SAMPLE_RULE}
    return [f"a run takes away {name}, which somebody found in a sample" for name in sorted(left - kept)]


def _opening_problems(case_id: str, data: Mapping[str, Any]) -> Iterator[str]:
    if case_id not in case_ids_of(_text_of(data, "customer_id")):
        yield "its id is not that of a case of its customer: of each occasion, a customer has one"
    if "sample_id" in data and not _rules_named(data):
        yield "a sample opens a case for its finding, and it names none"


def _rest_problems(payload: Mapping[str, Any], case: _Case) -> Iterator[str]:
    """Yield why a case cannot rest that a step lets rest, or that a run leaves at rest."""
    kind, data = payload["kind"], payload["data"]
    if data.get("state") != "snoozed" or kind not in {"case.snoozed", "case.updated"}:
        return
    if refusal := rest_refusal({_text_of(each, "subject") for _, each in _listed(case.judged)}, case.effect):
        yield f"the case {refusal}"
    if kind == "case.snoozed" and not _within(payload["at"], data.get("until"), date.max.toordinal()):
        yield "it lets the case rest until no date after its own"


def _text_problems(payload: Mapping[str, Any], case: _Case, cases: _Cases) -> Iterator[str]:
    """Yield what is wrong with the words of a step, and take in a text of a decision or an approval."""
    kind, data = payload["kind"], payload["data"]
    if kind in _REASONED and payload["actor"] != SYSTEM:
        for name in (_REASONED[kind], "item") if kind == "case.checked" else (_REASONED[kind],):
            if fault := text_fault(_text_of(data, name)):
                yield f"its {name} cannot be used: {fault}"
    if kind not in TEXTS_COUNTED:
        return
    text, given = _text_of(data, "text"), _member(data, "dispositions")
    known = {name for shown in (case.judged, data.get("looked_at")) for name, _ in _listed(shown)}
    known |= case.verdicts.keys()
    cited = given if kind == "case.decided" and isinstance(given, dict) else ()
    if fault := rationale_fault(text, cited, known):
        yield f"its text cannot be used: {fault}"
    digest = rationale_digest(text)
    used, said = cases.texts.get(digest, 0), data.get(TEXTS_COUNTED[kind])
    cases.texts[digest] = used + 1
    if said is not None and type(said) is not int:
        yield "it does not say how often its text was used before"
    elif type(said) is int and said < used:
        yield f"it says that its text was used {said} times before, and {used} earlier entries have it"


def _time_problems(payload: Mapping[str, Any], case: _Case) -> Iterator[str]:
    """Yield why kycpack cannot have opened or woken a case by a date, and take in the dates of a case."""
    kind, data, day = payload["kind"], payload["data"], payload["at"][:10]
    is_by_date = (
        payload["actor"] == SYSTEM and not {"findings", "sample_id"} & data.keys() and not case.is_unread
    )
    if is_by_date and kind == "case.reopened" and not (case.ends_on and case.ends_on <= day):
        yield f"it opens the case by a date, and what was decided ends on {case.ends_on or 'no date'}"
    elif (
        is_by_date
        and kind == "case.reopened"
        and data.get("reason") != (reason := end_reason(str(case.outcome), case.ends_on))
    ):
        yield f"it gives another reason than that {reason}"
    if is_by_date and kind == "case.updated" and data.get("reason") != DATE_REACHED:
        yield f"it gives another reason than that {DATE_REACHED}"
    if is_by_date and kind == "case.updated" and case.state != "snoozed":
        yield "it wakes the case by a date, and the case did not rest"
    elif is_by_date and kind == "case.updated" and case.rests_until > day:
        yield f"it wakes the case, which rests until {case.rests_until}"
    if kind == "case.snoozed":
        case.rests_until = _text_of(data, "until")
    elif kind == "case.decided":
        case.ends_on = _text_of(data, "reopens_on")
    elif kind in {"case.opened", "case.reopened", "case.returned"}:
        case.ends_on = ""


def end_reason(outcome: str, ends_on: str | None) -> str:
    """Return why kycpack opens a case again whose decision has ended.

    Args:
        outcome: What was decided.
        ends_on: The day on which it ended, ISO 8601.
    """
    return f"the {_ENDED.get(outcome, 'decision')} ended on {ends_on}"


def _assignment_problems(
    payload: Mapping[str, Any], case: _Case, people: People, notes: list[str]
) -> Iterator[str]:
    """Yield what is wrong with an assignment, and note what an auditor may want to know of it; take it in."""
    data, to, able = payload["data"], _text_of(payload["data"], "to"), people.able()
    if case.assignee is not None:
        if _text_of(data, "from") != case.assignee:
            yield f"it takes the case from another person than the one who had it, {case.assignee or 'nobody'}"
        if case.assignee not in {"", to} and text_fault(_text_of(data, "reason")):
            yield "it gives the case on to another person without a reason"
    case.assignee = to
    if fault := name_fault(to):
        yield f"it gives the case to a name that nobody can have: {fault}"
    if able and to not in able:
        why = "whose key was revoked" if to in people.persons else "whom nobody had enrolled"
        notes.append(f"{payload['actor']} gave the case to {to}, {why}, at {payload['at']}")


def _number_problems(payload: Mapping[str, Any], case: _Case) -> list[str]:
    """Return why the id of a decision is not the next one of its case, or what it corrects not the one before; take it in."""
    data, about = payload["data"], f"{payload['case_id']}-D"
    digits = _text_of(data, "decision_id").removeprefix(about)
    number = int(digits) if re.fullmatch("[1-9][0-9]{0,8}", digits) else 0
    before, case.number = case.number, number
    if case.assignee is None:  # entries before were erased, and with them the number of the last decision
        return [] if number else ["its id is not that of a decision of its case"]
    corrected = f"{about}{before}" if before else ""
    problems = (
        [] if number == before + 1 else [f"its id is not the next one of its case, {about}{before + 1}"]
    )
    if _text_of(data, "corrects") != corrected:
        problems.append(f"it corrects {corrected or 'no decision'}, and says otherwise")
    return problems


def _states_after(kind: str, case: _Case) -> Iterable[str]:
    """Return the states in which a step can leave a case; where the state before was erased, from whichever it may have been."""
    if kind not in _STATES_AFTER:
        return ("",)
    if case.state is None and case.entries > 1:
        return {after for states in _STATES_AFTER[kind].values() for after in states}
    return _STATES_AFTER[kind].get(str(case.state or ""), ())


def _decision_problems(
    payload: Mapping[str, Any], case: _Case, people: People, policies: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    data = payload["data"]
    case.decided, case.decider, case.outcome = (
        str(data.get("decision_id")),
        payload["actor"],
        data.get("outcome"),
    )
    case.roles, case.used = _roles_of(data), data.get("text_used_before")
    case.policy, case.text = _policy_of(data.get("looked_at")), rationale_digest(_text_of(data, "text"))
    case.decided_on = _basis(case.judged)
    if case.lacks_effect:
        case.effect = data["effect"] if data.get("effect") in tuple(FREEZES) else ""
        case.lacks_effect = False
    yield from _overlooked(data.get("looked_at"), case.judged)
    yield from _number_problems(payload, case)
    case.deciders.add(payload["actor"])
    if case.state == "second_review" and case.outcome not in FREEZES:
        yield "another decision of the case waits for its second person"
    if people.policies.get(case.policy) == "policy.withdrawn":
        yield "it decides by a policy that was withdrawn"
    given = data.get("dispositions")
    given = given if isinstance(given, dict) else {}
    case.verdicts |= {name: _text_of(each, "verdict") for name, each in given.items()}
    if str(case.outcome) in _STRENGTH and _has_rules(case.judged):
        yield from _rule_problems(payload, case, given)
    elif data.get("state") == "closed" and data.get("second_person"):
        yield "it closes a case that needs a second person"
    if str(case.outcome) not in _STRENGTH:
        yield f"{case.outcome} is not an outcome"
    if not (_text_of(data, "reason_code").strip() and _text_of(data, "reason").strip()):
        yield "it has no reason code, or not its words"
    elif case.policy in policies:
        yield from _code_problems(data, policies[case.policy])
        yield from _diligence_problems(case, policies[case.policy])
    elif people.reasons.setdefault((case.policy, data["reason_code"]), data["reason"]) != data["reason"]:
        yield "it gives its reason code other words than an entry before it does by the same policy"
    yield from _sentence_problems(data.get("looked_at"), case)
    case.effect = effect_after(str(case.outcome), case.effect)


def _diligence_problems(case: _Case, rules: Mapping[str, Any]) -> Iterator[str]:
    """Yield which items of the checklist an approval lacks where enhanced due diligence remains."""
    left = {
        _text_of(each, "level")
        for name, each in _listed(case.judged)
        if case.verdicts.get(name) != "false_positive"
    }
    missing = [item for item in rules["checklist"] if item not in case.items]
    if case.outcome == "approve" and missing and left & set(LEVELS[LEVELS.index("edd") :]):
        yield f"it approves, and enhanced due diligence lacks {', '.join(missing)}"


def _sentence_problems(looked_at: Any, case: _Case) -> list[str]:
    """Return which findings a decision words otherwise than one before it on the same evidence; take the words in."""
    shown = {name: (each.get("sentence"), each.get("evidence")) for name, each in _listed(looked_at)}
    other = [name for name, words in shown.items() if case.shown.get(name, words) != words]
    case.shown |= shown
    return [f"it words {name} otherwise than a decision before it on the same evidence" for name in other]


def _rule_problems(payload: Mapping[str, Any], case: _Case, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield where a decision says otherwise than the policy's rules about decisions do, as the run recorded them."""
    data, outcome, level = payload["data"], str(case.outcome), str(case.judged["level"])
    rules, findings = case.judged["policy"], _findings_of(case.judged, case.verdicts)
    why = second_person_reasons(outcome, level, rules["alone_up_to"], case.effect, findings)
    yield from _reason_problems(data.get("second_person"), why)
    yield from _end_problems(payload, outcome, level, rules)
    needed = roles_needed(outcome, findings)
    if missing := [role for role in needed if role not in case.roles]:
        yield f"it does not ask for the role {', '.join(missing)}, and it is needed"
        case.roles += tuple(missing)
    elif data.get("roles") != list(needed):
        yield f"it asks for other roles than are needed: {', '.join(needed) or 'none'}"
    known = {name for shown in (case.judged, data.get("looked_at")) for name, _ in _listed(shown)}
    if strange := sorted(given.keys() - known):
        yield f"it says something of {', '.join(strange)}, which the case does not have"
    undisposed = [each.finding_id for each in findings if not each.disposition]
    undisposed += [name for name, said in _added(data.get("looked_at"), case) if not said]
    if undisposed and outcome in {"approve", "reject"}:
        yield f"it ends a case in which nothing was said of {', '.join(undisposed)}"
    further = 0 if outcome == "hold" or undisposed else 1 if why else 2
    if data.get("state") in _DECIDED_STATES[further + 1 :]:
        yield f"it leaves the case {data['state']}, and {_DECIDED_STATES[further]} is as far as it leads"
    if data.get("effect", "") != (effect := effect_after(outcome, case.effect)):
        yield f"it says that {data.get('effect') or 'nothing'} is in force, and {effect or 'nothing'} is"
    yield from (
        f"{each.disposition or 'no verdict'} cannot be said of {each.finding_id}"
        for each in findings
        if each.finding_id in given and each.disposition not in verdicts_of(is_hit=each.is_hit)
    )
    if outcome == "approve" and (
        held := [each.finding_id for each in findings if each.disposition == "escalated"]
    ):
        yield f"it approves although {', '.join(held)} is escalated"
    shown = [(name, _text_of(each, "disposition")) for name, each in _listed(data.get("looked_at"))]
    if other := [name for name, said in shown if said != case.verdicts.get(name, "")]:
        yield f"it shows another verdict on {', '.join(other)} than was given"
    for each in (finding for finding in findings if finding.finding_id in given):
        yield from _evidence_problems(each, _member(given[each.finding_id], "evidence"), payload["at"][:10])


def _reason_problems(said: Any, why: Sequence[str]) -> Iterator[str]:
    """Yield how a decision's reasons for a second person differ from those that apply."""
    if why and not said:
        yield f"it says that no second person is needed, and one is: {'; '.join(why)}"
    elif said != list(why):
        yield f"it gives other reasons for a second person than there are: {'; '.join(why) or 'none'}"


def _end_problems(
    payload: Mapping[str, Any], outcome: str, level: str, rules: Mapping[str, Any]
) -> list[str]:
    """Return why the end date of a decision is wrong, or why one is missing."""
    until, days = payload["data"].get("reopens_on", ""), rules["override_days"]
    if is_softer(outcome, level) and outcome != "hold":
        return (
            []
            if _within(payload["at"], until, days)
            else [f"it is softer than {level} and has no end within {days} days"]
        )
    return (
        ["it has an end, and only a decision softer than the recommendation has one"] if until != "" else []
    )


def _evidence_problems(finding: Finding, evidence: Any, day: str) -> list[str]:
    """Return what is wrong with external evidence; only a false positive on a list needs some."""
    is_cleared = finding.subject and finding.disposition == "false_positive"
    if not evidence and not is_cleared:
        return []
    what = (
        f"a false positive on {SUBJECTS[finding.subject]}"
        if is_cleared
        else finding.disposition.replace("_", " ")
    )
    about = f"{finding.finding_id} is {what}"
    if not all(_text_of(evidence, name) for name in OUTSIDE):
        return [f"{about} without external evidence, or with a part of it"]
    faults = evidence_faults(evidence, day).items()
    problems = [f"{about}, and its {name.replace('_', ' ')} cannot be used: {why}" for name, why in faults]
    if further := sorted(evidence.keys() - set(OUTSIDE)):
        problems.append(f"{about}, and external evidence has no {', '.join(further)}")
    return problems


def _approval_problems(payload: Mapping[str, Any], case: _Case, people: People) -> Iterator[str]:
    data, actor = payload["data"], payload["actor"]
    case.deciders.add(actor)
    if case.state != "second_review":
        yield f"it approves a case that does not wait for a second person; it is {case.state}"
    if not case.decided or data.get("decision_id") != case.decided:
        yield "it approves another decision than the last one of its case"
    elif data.get("outcome") != case.outcome:
        yield "it approves another outcome than the one that was decided"
    if data.get("text_used_before") != case.used:
        yield f"it says that the text of the decision was used {data.get('text_used_before')} times before, and the decision says {case.used}"
    yield from _authentication_problems(data, people)
    yield from _basis_problems(case)
    if people.policies.get(case.policy) == "policy.withdrawn":
        yield "it approves a decision by a policy that was withdrawn"
    if how := hand_of(actor, case.hands):
        yield f"the second person, {actor}, {how} the case as well"
    if by := people.puppet_of(actor, case.hands):
        yield f"the second person was enrolled or given a role by {by}{THROUGH_OTHERS}, and {by} worked on the case"
    if missing := people.lacking(case.roles, (actor, case.decider)):
        yield f"neither {case.decider} nor {actor} held the role {', '.join(missing)}"
    case.effect = case.effect if case.outcome == "escalate" else ""


def _authentication_problems(data: Mapping[str, Any], people: People) -> Iterator[str]:
    """Yield where an approval says otherwise of whether its second person was authenticated than the enrolled keys do."""
    if data.get("note") != ("" if people.signed else NOT_AUTHENTICATED):
        yield "its note is not one that an approval has"
    if data.get("authenticated") is not people.signed:
        yield "it says otherwise of whether the second person was authenticated than the keys do"


def _basis_problems(case: _Case) -> Iterator[str]:
    """Yield why the decision of a case is not one to approve, or not one on the case as it is now."""
    if case.outcome == "hold":
        yield "it approves a hold, which ends no case and waits for no second person"
    if case.decided_on != _basis(case.judged):
        yield "the level, the policy or the findings of the case changed after the decision that it approves"
    findings = _findings_of(case.judged, case.verdicts)
    if undisposed := [each.finding_id for each in findings if not each.disposition]:
        yield f"it ends a case in which nothing was said of {', '.join(undisposed)}"


def _has_rules(judged: Mapping[str, Any]) -> bool:
    """Return whether a run was recorded with its policy's rules about decisions."""
    policy = judged.get("policy")
    return (
        _text_of(policy, "alone_up_to") in LEVELS
        and type(_member(policy, "override_days")) is int
        and _text_of(judged, "level") in LEVELS
    )


def _findings_of(judged: Mapping[str, Any], verdicts: Mapping[str, str]) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            finding_id=name,
            is_hit=each.get("outcome") == "HIT",
            subject=subject if (subject := _text_of(each, "subject")) in SUBJECTS else "",
            is_senior=each.get("senior") is True,
            disposition=verdicts.get(name, ""),
        )
        for name, each in _listed(judged)
    )


def _added(looked_at: Any, case: _Case) -> list[tuple[str, str]]:
    """Return the findings that a person added in a sample, with what was said of each; a run does not know of them."""
    known = {name for name, _ in _listed(case.judged)}
    return [(name, case.verdicts.get(name, "")) for name, _ in _listed(looked_at) if name not in known]


def _listed(document: Any) -> list[tuple[str, Mapping[str, Any]]]:
    found = _member(document, "findings")
    return [
        (str(each.get("id")), each)
        for each in (found if isinstance(found, list) else ())
        if isinstance(each, dict)
    ]


def _member(document: Any, name: str) -> Any:
    return document.get(name) if isinstance(document, dict) else None


def _text_of(document: Any, name: str) -> str:
    value = _member(document, name)
    return value if isinstance(value, str) else ""


def _is_date(value: Any) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == str(value)
    except (TypeError, ValueError):
        return False


def _within(at: str, until: Any, days: int) -> bool:
    """Return whether a date is after the day of an entry, by at most the given number of days."""
    if not _is_date(until):
        return False
    try:
        ahead = date.fromisoformat(until) - datetime.fromisoformat(at).date()
    except ValueError:
        return False
    return 0 < ahead.days <= days


def _overlooked(looked_at: Any, judged: Mapping[str, Any]) -> Iterator[str]:
    """Yield where what a decision looked at is not what the last run said of the case."""
    if not judged:
        return
    seen = looked_at if isinstance(looked_at, dict) else {}
    for name in ("level", "evidence_root", "run_id"):
        if seen.get(name) != judged.get(name):
            yield f"it was decided on another {name.replace('_', ' ')} than the case had"
    if _policy_of(seen) != _policy_of(judged):
        yield "it was decided by another policy than the case was judged by"
    names = [name for name, _ in _listed(seen)]
    if len(set(names)) < len(names):
        yield "it names a finding twice among those that it looked at"
    # A person may have added a finding since, in a sample; none can have gone.
    if missing := sorted(_named(judged) - _named(seen)):
        yield f"it was decided without {', '.join(each[0] for each in missing)} of the case"


def _rules_named(document: Mapping[str, Any]) -> set[str]:
    return {_text_of(each, "rule") for _, each in _listed(document)}


def _named(document: Mapping[str, Any]) -> set[tuple[str, ...]]:
    return {
        tuple(str(each.get(name)) for name in ("id", "rule", "outcome", "level"))
        for _, each in _listed(document)
    }


def _signs(judged: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return what a finding is known by again, by its id: a verdict is about this alone."""
    names = ("rule", "outcome", "level", "subject")
    return {name: tuple(str(each.get(sign)) for sign in names) for name, each in _listed(judged)}


def _basis(judged: Mapping[str, Any]) -> tuple[str, str, dict[str, tuple[str, ...]]]:
    """Return what a decision rests on, without the evidence: collected again, it may show the same."""
    return _text_of(judged, "level"), _policy_of(judged), _signs(judged)


def _other_rules(judged: Mapping[str, Any], case: _Case, cases: _Cases) -> Iterator[str]:
    """Yield where a run says otherwise of a policy than a run before it did, and take in what it says."""
    if not _has_rules(judged):
        return
    digest, policy = _policy_of(judged), judged["policy"]
    rules: dict[tuple[str, ...], Any] = {
        (digest, name): policy[name] for name in ("alone_up_to", "override_days")
    }
    rules |= {(digest, "rule", str(each.get("rule"))): each.get("senior") for _, each in _listed(judged)}
    if any(cases.rules.setdefault(about, said) != said for about, said in rules.items()):
        yield "it records other rules about decisions than an earlier entry does of the same policy"
    now = _signs(judged)
    for name, (*what, subject) in _signs(case.judged).items():
        if name in now and now[name][:-1] != tuple(what):
            yield f"{name} is another finding than it was before"
        elif (
            name in now
            and subject in SUBJECTS
            and now[name][-1] != subject
            and digest == _policy_of(case.judged)
        ):
            yield f"{name} was about {SUBJECTS[subject]} before, by the same policy"


def _policy_of(document: Any) -> str:
    return _text_of(_member(document, "policy"), "digest")


def _roles_of(data: Mapping[str, Any]) -> tuple[str, ...]:
    roles = data.get("roles")
    return tuple(str(role) for role in roles) if isinstance(roles, list) else ()


def _anchor_problems(
    report: Report,
    hashes: Sequence[str],
    times: Sequence[datetime | None],
    anchors: Sequence[Mapping[str, Any]],
) -> int:
    """Check the anchors, and return how many entries they cover."""
    covered, last = 0, max((each["size"] for each in anchors if _is_size(each.get("size"))), default=0)
    for number, anchor in enumerate(anchors, 1):
        size = anchor.get("size")
        if not _is_size(size) or ("at" in anchor and _moment(anchor) is None):
            report.problems.append(f"anchor {number}: it cannot be read")
        elif size > len(hashes):
            report.problems.append(
                f"anchor {number}: it was made with {size} entries, and there are {len(hashes)}: the end is missing"
            )
        elif anchor.get("ledger") != hashes[0]:
            report.problems.append(f"anchor {number}: it belongs to a ledger with another first entry")
        elif anchor.get("hash") != hashes[size - 1] or (
            # The chain covers all that the tree covers, so that one tree is enough.
            size == last and anchor.get("root") != merkle_root(hashes[:size])
        ):
            report.problems.append(
                f"anchor {number}: the first {size} entries are not those that it was made of"
            )
        else:
            report.anchors += 1
            report.problems += _late_entries(number, anchor, times[covered:size], covered + 1)
            covered = max(covered, size)
    _early_entries(report, times, anchors)
    return covered


def _early_entries(
    report: Report, times: Sequence[datetime | None], anchors: Sequence[Mapping[str, Any]]
) -> None:
    """Note entries written after an anchor was made whose date is before that anchor."""
    made = sorted(
        (each["size"], at)
        for each in anchors
        if _is_size(each.get("size")) and (at := _moment(each)) is not None
    )
    latest: datetime | None = None
    for number, at in enumerate(times, 1):
        while made and made[0][0] < number:
            latest = max(filter(None, (latest, made.pop(0)[1])))
        if at is not None and latest is not None and latest - at > _APART:
            report.notes.append(
                f"entry {number}: it is dated before an anchor of {latest.isoformat()}, which was made before it was written: ask why"
            )


def _late_entries(
    anchor: int, said: Mapping[str, Any], times: Sequence[datetime | None], first: int
) -> list[str]:
    """Return the entries whose date is after the anchor that covers them."""
    made = _moment(said)
    if made is None:
        return []
    return [
        f"entry {number}: it is dated after anchor {anchor}, which was made when it was written already"
        for number, at in enumerate(times, first)
        if at is not None and at - made > _APART
    ]


def _trust_problems(report: Report, people: People, trusted: Sequence[str], anchored: int) -> None:
    if trusted and people.founder not in trusted:
        report.problems.append("the ledger was not founded with a trusted key")
    if not trusted and not anchored:
        report.notes.append(ONLY_INCONSISTENT)
    if not anchored:
        report.notes.append(NO_END)
    if people.founder and not trusted:
        report.notes.append(
            f"founded with the key {people.founder}: compare it with what the firm has on file"
        )


def _first_hash(entry: Mapping[str, Any], number: int) -> str | None:
    """Return the hash of the ledger's first entry, where an entry shows it."""
    return {1: str(entry["hash"]), 2: str(entry["prev"])}.get(number)


def _reaches(entry: Mapping[str, Any], size: int, root: str) -> bool:
    path = entry.get("path")
    if not isinstance(path, list) or not all(_is_hash(each) for each in path):
        return False
    return root_from_path(str(entry["hash"]), entry["seq"] - 1, size, path) == root


def _is_number(value: Any, expected: Any) -> bool:
    return type(value) is int and value == expected


def _is_size(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_payload(payload: Any) -> bool:
    return (
        isinstance(payload, dict)
        and all(isinstance(payload.get(name), str) for name in ("kind", "actor", "at"))
        and isinstance(payload.get("data"), dict)
        and isinstance(payload.get("case_id", ""), str)
        and (payload["kind"] not in PEOPLE_KINDS or _names_person(payload["kind"], payload["data"]))
    )


def _names_person(kind: str, data: Mapping[str, Any]) -> bool:
    key = data.get("public_key", "")
    return (
        isinstance(data.get("name"), str)
        and (key == "" or _is_hash(key))
        and isinstance(data.get("role", None if kind.startswith("role.") else ""), str)
    )


def _has_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_float(each) for each in value.values())
    if isinstance(value, list):
        return any(_has_float(each) for each in value)
    return isinstance(value, float)


def _is_hash(value: Any) -> bool:
    return _is_hex(value) and len(value) == _HEX


def _is_hex(value: Any) -> bool:
    return isinstance(value, str) and len(value) % 2 == 0 and set(value) <= set("0123456789abcdef")


# --- the command


def read_lines(path: Path) -> list[Any]:
    """Return the documents of a file of JSON lines.

    Raises:
        ValueError: A line is not JSON, or has a name twice.
    """
    return [
        json.loads(line, object_pairs_hook=_once)
        for line in path.read_text("utf-8").split("\n")
        if line.strip()
    ]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("an object has the same name twice")
    return document


def _read_anchors(path: Path) -> list[Any]:
    """Return the anchors in a file; a file without anchors is an error, because it would protect nothing."""
    anchors = read_lines(path)
    if not anchors or not all(isinstance(each, dict) for each in anchors):
        raise ValueError(f"{path} has no anchor, or a line that is not an anchor")
    return anchors


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description="Check an exported kycpack ledger.")
    parser.add_argument("ledger", nargs="?", type=Path, help="ledger.jsonl of an export")
    parser.add_argument("--excerpt", type=Path, help="the excerpt of one case instead")
    parser.add_argument("--anchor", type=Path, help="the file of anchors, kept elsewhere")
    parser.add_argument("--trust", action="append", default=[], help="fingerprint of the founding key")
    given = parser.parse_args(arguments)
    try:
        anchors = _read_anchors(given.anchor) if given.anchor else []
        if given.excerpt:
            document = json.loads(given.excerpt.read_text("utf-8"), object_pairs_hook=_once)
            report = check_excerpt(document, anchors=anchors, trusted=given.trust)
        elif given.ledger:
            entries = read_lines(given.ledger)
            if len(entries) == 1 and isinstance(entries[0], dict) and "entries" in entries[0]:
                parser.error(f"{given.ledger} is the excerpt of a case: give it after --excerpt")
            report = check_ledger(entries, anchors=anchors, trusted=given.trust)
        else:
            parser.error("give ledger.jsonl or --excerpt")
    except (OSError, ValueError, RecursionError) as error:
        sys.stderr.write(f"cannot be read: {error}\n")
        return 2
    lines = [f"PROBLEM {each}" for each in report.problems] + [f"note: {each}" for each in report.notes]
    lines.append(
        f"{report.size} entries, head {report.head}, {report.signatures} signatures, {report.anchors} anchors agree: "
        + ("nothing found" if report.ok else f"{len(report.problems)} problems")
    )
    sys.stdout.write("\n".join(map(_visible, lines)) + "\n")
    return 0 if report.ok else 1


def _visible(line: str) -> str:
    """Return a line with its control characters as code points: a name in a ledger must not move a terminal's cursor."""
    return "".join(each if each.isprintable() else f"<U+{ord(each):04X}>" for each in line)


if __name__ == "__main__":
    raise SystemExit(main())
