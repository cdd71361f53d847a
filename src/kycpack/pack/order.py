"""What a pack is ordered with, besides evidence and policy: a small file of its own, so that a replay can use it too.

The ledger's entries about the case, and the earlier pack that this one follows, are in files beside it; the order names each
by its hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kycpack.errors import InputError
from kycpack.evidence import sha256_hex
from kycpack.evidence.citations import CITED_AT_END
from kycpack.models.instants import read_as_of
from kycpack.models.json import canonical_json, parse_json

EXCERPT_FILE = "ledger-excerpt.json"
EARLIER_FILE = "earlier-pack.json"
NEWER_FILE = "newer-pack.json"
NEWER_SCHEMA = "kycpack-newer-pack-1"
HEAD_MEMBERS = ("ledger", "size", "hash", "root")
APPROVAL_MEMBERS = ("state", "by", "at", "seq", "signed")
_TEXTS = ("as_of", "case_id", "prepared_by", "reviewed_by", "country")
_FILES = {"ledger_excerpt": EXCERPT_FILE, "earlier_pack": EARLIER_FILE, "newer_pack": NEWER_FILE}


@dataclass(frozen=True, slots=True)
class Order:
    """The choices of the person who asks for a pack.

    Attributes:
        as_of: The instant everything is measured against, ISO 8601 UTC.
        case_id: Id of the case.
        prepared_by: Who prepares it; empty if nobody was named.
        reviewed_by: The second person; empty if nobody was named.
        country: The country whose business days and words apply, such as `GB`.
        ledger_head: The ledger's head (ledger, size, hash, root) when the run was created; None without a ledger.
        policy_approval: Whether the policy was approved when the run was created, as returned by `Policies.approval`; None
            without a workspace.
        excerpt: The ledger's entries about the case, as returned by `Ledger.excerpt`; None before a decision.
        earlier: The earlier pack that this one follows, as returned by `earlier_pack`; None if there is none.
        newer: The pack of the run that reopened the case, as returned by `newer_pack`; None if there is none, or it was not at hand.
    """

    as_of: str
    case_id: str
    prepared_by: str = ""
    reviewed_by: str = ""
    country: str = "GB"
    ledger_head: Mapping[str, Any] | None = None
    policy_approval: Mapping[str, Any] | None = None
    excerpt: Mapping[str, Any] | None = None
    earlier: Mapping[str, Any] | None = None
    newer: Mapping[str, Any] | None = None

    @property
    def instant(self) -> datetime:
        """`as_of` as an instant.

        Raises:
            InputError: It is not a date or an instant with an offset.
        """
        return read_as_of(self.as_of)

    def files(self) -> dict[str, bytes]:
        """Return the bytes of the order's file and of the files that it names, by file name."""
        given = {EXCERPT_FILE: self.excerpt, EARLIER_FILE: self.earlier, NEWER_FILE: self.newer}
        beside = {
            name: canonical_json(document) + b"\n" for name, document in given.items() if document is not None
        }
        order: dict[str, Any] = {name: getattr(self, name) for name in _TEXTS}
        if self.ledger_head is not None:
            order["ledger_head"] = dict(self.ledger_head)
        if self.policy_approval is not None:
            order["policy_approval"] = dict(self.policy_approval)
        order |= {member: sha256_hex(beside[name]) for member, name in _FILES.items() if name in beside}
        return {"order.json": canonical_json(order) + b"\n", **beside}

    def dump(self) -> bytes:
        """Return the bytes of the order's own file."""
        return self.files()["order.json"]


def read_order(path: Path | str) -> Order:
    """Read an order, and the files beside it that it names.

    Raises:
        InputError: A file is missing, altered or not an order; `place` names it.
    """
    source = Path(path)
    document = _document(source.read_bytes(), source.name)
    known = {*_TEXTS, "ledger_head", "policy_approval", *_FILES}
    if not set(document) <= known or not {"as_of", "case_id"} <= set(document):
        raise InputError(f"is not an order: expected an object of {', '.join(_TEXTS)}", place=source.name)
    head = document.pop("ledger_head", None)
    if head is not None and not is_head(head):
        raise InputError(f"its ledger_head is not an object of {', '.join(HEAD_MEMBERS)}", place=source.name)
    approval = document.pop("policy_approval", None)
    if approval is not None and not (
        isinstance(approval, Mapping) and set(approval) == set(APPROVAL_MEMBERS)
    ):
        raise InputError(
            f"its policy_approval is not an object of {', '.join(APPROVAL_MEMBERS)}", place=source.name
        )
    if not all(isinstance(value, str) for value in document.values()):
        raise InputError("is not an order: every member is text", place=source.name)
    beside = {
        member: _beside(source.parent / name, document.pop(member))
        for member, name in _FILES.items()
        if member in document
    }
    if "newer_pack" in beside and not _is_newer(beside["newer_pack"]):
        raise InputError(
            "is not what a pack keeps of a newer pack: its root, customer and evidence, and for each finding its sentence with the values after it",
            place=NEWER_FILE,
        )
    return Order(
        **document,
        ledger_head=head,
        policy_approval=approval,
        excerpt=beside.get("ledger_excerpt"),
        earlier=beside.get("earlier_pack"),
        newer=beside.get("newer_pack"),
    )


class _Newer(BaseModel):
    """The form of what a pack keeps of the pack of the run that reopened the case."""

    model_config = ConfigDict(strict=True, extra="forbid")

    schema_: str = Field(alias="schema")
    root: str
    customer_id: str
    evidence_root: str
    sentences: dict[str, str]


def _is_newer(document: Any) -> bool:
    """Return whether each finding of the ledger is only followed by values, so that none is replaced by other words."""
    try:
        newer = _Newer.model_validate(document)
    except ValidationError:
        return False
    said = newer.sentences
    bare = {sentence: CITED_AT_END.sub("", sentence) for sentence in said}
    return newer.schema_ == NEWER_SCHEMA and all(
        values.startswith(bare[sentence]) and values.endswith(sentence.removeprefix(bare[sentence]))
        for sentence, values in said.items()
    )


def is_head(value: Any) -> bool:
    """Return whether a value has the form of a ledger's head."""
    return (
        isinstance(value, Mapping)
        and set(value) == set(HEAD_MEMBERS)
        and isinstance(value["size"], int)
        and not isinstance(value["size"], bool)
        and value["size"] > 0
        and all(isinstance(value[name], str) for name in HEAD_MEMBERS if name != "size")
    )


def _beside(path: Path, digest: str) -> dict[str, Any]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"the order names this file, but it cannot be read: {error.strerror}", place=path.name
        ) from None
    if sha256_hex(content) != digest:
        raise InputError("is not the file that the order names", place=path.name)
    return _document(content, path.name)


def _document(content: bytes, name: str) -> dict[str, Any]:
    try:
        document = parse_json(content)
    except InputError as error:
        raise InputError(f"is not readable: {error}", place=name) from None
    if not isinstance(document, dict):
        raise InputError("is not an object", place=name)
    return document
