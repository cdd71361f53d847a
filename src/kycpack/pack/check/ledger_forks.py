"""Whether several packs come from one ledger: packs that differ in an entry or head of a ledger show that it was forked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kycpack.errors import InputError, PackError
from kycpack.models.json import parse_json
from kycpack.pack.limits import read_limited
from kycpack.pack.order import EXCERPT_FILE

_MALFORMED = (InputError, PackError, OSError, KeyError, TypeError, AttributeError)


def ledger_forks(packs: Iterable[Path]) -> Iterator[str]:
    """Yield a sentence for each contradiction between packs about a ledger.

    One pack alone cannot show that its ledger was forked, since each fork has a valid chain. A pack that cannot be read is left
    out here; `verify_pack` says why.

    Args:
        packs: The folders of the packs.
    """
    seen: dict[tuple[str, str, int], tuple[str, str]] = {}
    for pack in packs:
        for what, ledger, number, digest in _statements(pack):
            name, before = seen.setdefault((what, ledger, number), (pack.name, digest))
            if before != digest:
                yield (
                    f"{name} and {pack.name} have different hashes of {what} {number} of one ledger: the ledger was forked, "
                    "or one of the packs was forged"
                )


def _statements(pack: Path) -> Iterator[tuple[str, str, int, str]]:
    excerpt = _read(pack, EXCERPT_FILE)
    head = excerpt.get("head")
    order_head = _read(pack, "order.json").get("ledger_head")
    for one in (head, order_head):
        if isinstance(one, Mapping):
            found = _head(one)
            if found is not None:
                yield found
    if isinstance(head, Mapping):
        for entry in _entries(excerpt):
            yield "entry", str(head.get("ledger")), entry[0], entry[1]


def _head(head: Mapping[str, Any]) -> tuple[str, str, int, str] | None:
    try:
        return (
            "the head after entry",
            str(head["ledger"]),
            int(head["size"]),
            f"{head['hash']} {head['root']}",
        )
    except (KeyError, TypeError, ValueError):
        return None


def _entries(excerpt: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    entries = excerpt.get("entries")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, Mapping) and isinstance(entry.get("seq"), int) and entry.get("hash"):
            yield entry["seq"], str(entry["hash"])


def _read(pack: Path, name: str) -> Mapping[str, Any]:
    try:
        document = parse_json(read_limited(pack / "data" / name, name))
    except _MALFORMED:
        return {}
    return document if isinstance(document, Mapping) else {}
