"""Kinds of tampering with what a pack carries of the ledger, by an author who had not read the checks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.pack.tampering import FIGURES, HASH, Kind, reseal
from tests.workspace.case_material import Office

from kycpack.evidence import sha256_hex
from kycpack.models.json import canonical_json, parse_json
from kycpack.pack import write_decided_pack
from kycpack.workspace import Decision, Disposition
from kycpack.workspace.entries.verify_ledger import (
    START,
    canonical,
    entry_hash,
    merkle_levels,
    merkle_path,
    merkle_root,
    payload_digest,
)

_EXCERPT = "data/ledger-excerpt.json"
_WHY = "what was reported cannot be explained by the documents"


@dataclass
class Desk:
    """An office with a case of one customer, and the folder of that customer's packs."""

    office: Office
    out: Path

    def decide(self, outcome: str = "escalate", code: str = "SUSPECTED-MATCH", text: str = _WHY) -> None:
        """Let anna decide the case and mia approve the decision."""
        cases, people = self.office.cases, self.office.people
        case = cases.get(cases.list(closed=True)[0].case_id)
        named = [each.finding_id for each in case.findings]
        wanted = Decision(
            outcome,
            code,
            f"{', '.join(named)}: {text}",
            {each: Disposition("inconclusive") for each in named},
        )
        decided = cases.decide(case.case_id, wanted, version=case.version, actor=people["anna"])
        if decided.state == "second_review":
            cases.approve(
                case.case_id,
                "Read every finding and the evidence; the decision stands",
                version=decided.version,
                actor=people["mia"],
            )

    def excerpt(self) -> dict[str, Any]:
        """Return what the ledger says of the case."""
        return self.office.ledger.excerpt(self.office.cases.list(closed=True)[0].case_id)

    def pack(self) -> Path:
        """Make the pack that carries the decision."""
        return write_decided_pack(self.out, self.excerpt())


def edit_excerpt(change: Callable[[dict[str, Any]], Any], *, chained: bool = False) -> Callable[[Path], None]:
    """Return what changes the excerpt of a pack.

    Args:
        change: What is done to it.
        chained: Whether numbers, hashes, paths and head are made anew, as of a ledger of these entries alone.
    """

    def act(pack: Path) -> None:
        excerpt = json.loads((pack / _EXCERPT).read_bytes())
        before = canonical_json(excerpt)
        change(excerpt)
        assert canonical_json(excerpt) != before
        if chained:
            _chain(excerpt)
        (pack / _EXCERPT).write_bytes(canonical_json(excerpt) + b"\n")

    return act


def _chain(excerpt: dict[str, Any]) -> None:
    prev, hashes = START, []
    for number, entry in enumerate(excerpt["entries"], 1):
        digest = payload_digest(entry["salt"], canonical(entry["payload"]))
        entry |= {"seq": number, "prev": prev, "digest": digest, "hash": entry_hash(number, prev, digest)}
        prev = entry["hash"]
        hashes.append(prev)
    levels = merkle_levels(hashes)
    for place, entry in enumerate(excerpt["entries"]):
        entry["path"] = merkle_path(levels, place)
    excerpt["head"] = {"ledger": hashes[0], "size": len(hashes), "hash": prev, "root": merkle_root(hashes)}


def reseal_with_ledger(pack: Path) -> None:
    """Make the order's hash of the excerpt anew, and then every hash that needs no key."""
    path = pack / "data/order.json"
    order = parse_json(path.read_bytes())
    if (pack / _EXCERPT).exists():
        order["ledger_excerpt"] = sha256_hex((pack / _EXCERPT).read_bytes())
    path.write_bytes(canonical_json(order) + b"\n")
    reseal(pack)


def _of(excerpt: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(_all(excerpt, kind))
    return found


def _all(excerpt: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    return (entry for entry in excerpt["entries"] if entry["payload"]["kind"] == kind)


def _data(kind: str, **values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda excerpt: _of(excerpt, kind)["payload"]["data"].update(values)


def _payload(kind: str, **values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda excerpt: _of(excerpt, kind)["payload"].update(values)


def _without(kind: str) -> Callable[[dict[str, Any]], None]:
    def change(excerpt: dict[str, Any]) -> None:
        excerpt["entries"] = [entry for entry in excerpt["entries"] if entry["payload"]["kind"] != kind]

    return change


def _own_hash(excerpt: dict[str, Any]) -> None:
    """Alter an entry and make its own hash anew, and nothing else."""
    entry = _of(excerpt, "case.decided")
    entry["payload"]["data"]["outcome"] = "approve"
    entry["digest"] = payload_digest(entry["salt"], canonical(entry["payload"]))
    entry["hash"] = entry_hash(entry["seq"], entry["prev"], entry["digest"])


def _member_twice(pack: Path) -> None:
    content = (pack / _EXCERPT).read_bytes()
    assert content.count(b'"outcome":"escalate"') >= 1
    (pack / _EXCERPT).write_bytes(
        content.replace(b'"outcome":"escalate"', b'"outcome":"approve","outcome":"escalate"', 1)
    )


def _unsigned_approval(excerpt: dict[str, Any]) -> None:
    _of(excerpt, "case.approved").update(key=None, signature=None)


def _other_head(excerpt: dict[str, Any]) -> None:
    excerpt["head"]["size"] += 1


def _gone(pack: Path) -> None:
    (pack / _EXCERPT).unlink()


def _gone_from_the_order(pack: Path) -> None:
    (pack / _EXCERPT).unlink()
    path = pack / "data/order.json"
    order = parse_json(path.read_bytes())
    del order["ledger_excerpt"]
    path.write_bytes(canonical_json(order) + b"\n")


def _gone_everywhere(pack: Path) -> None:
    """Take the decision out of order and manifest too; the documents still show it."""
    _gone_from_the_order(pack)
    path = pack / "data/manifest.json"
    manifest = parse_json(path.read_bytes())
    path.write_bytes(canonical_json({**manifest, "decision": None}) + b"\n")


LEDGER_KINDS = tuple(
    Kind(name, act, HASH, FIGURES, reseal_with_ledger)
    for name, act in (
        ("The outcome of the decision is changed", edit_excerpt(_data("case.decided", outcome="approve"))),
        ("The outcome is changed, and the ledger's hashes recomputed", edit_excerpt(_data("case.decided", outcome="approve"), chained=True)),
        ("The reason of the decision is changed", edit_excerpt(_data("case.decided", text="All is explained"), chained=True)),
        ("Another person is said to have decided", edit_excerpt(_payload("case.decided", actor="sam"), chained=True)),
        ("An entry is changed and its own hash recomputed", edit_excerpt(_own_hash)),
        ("An entry in the middle is left out", edit_excerpt(_without("case.decided"))),
        ("An entry in the middle is left out, and the rest are renumbered", edit_excerpt(_without("case.decided"), chained=True)),
        ("The approval is left out", edit_excerpt(_without("case.approved"), chained=True)),
        ("The approval has no signature", edit_excerpt(_unsigned_approval)),
        ("The excerpt is about another case", edit_excerpt(lambda excerpt: excerpt.update(case_id="case-of-another"))),
        ("The decision is dated earlier", edit_excerpt(_payload("case.decided", at="2026-01-01T00:00:00.000000Z"), chained=True)),
        ("The second person is the first under another spelling", edit_excerpt(_payload("case.approved", actor="Anna"), chained=True)),
        ("The key of the second person is exchanged", edit_excerpt(lambda excerpt: list(_all(excerpt, "key.enrolled"))[3]["payload"]["data"].update(public_key="ab" * 32), chained=True)),
        ("The second person was never enrolled", edit_excerpt(_without("key.enrolled"), chained=True)),
        ("An entry repeats a member", _member_twice),
        ("The head counts one entry more", edit_excerpt(_other_head)),
        ("The excerpt is taken away", _gone),
        ("The excerpt is taken away, and the order names none", _gone_from_the_order),
        ("The decision is taken out of order and manifest", _gone_everywhere),
    )
)  # fmt: skip
"""Each with what finds it; the ledger's people have keys."""
