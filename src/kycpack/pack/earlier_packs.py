"""The earlier pack that a pack follows: its root, and the state to compare with. A sealed pack is never replaced."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.errors import InputError, PackError
from kycpack.evidence.store import file_digest
from kycpack.folders import folder_name, write_file
from kycpack.models.json import parse_json
from kycpack.pack.bag import TAG_MANIFEST
from kycpack.triage.customers.changes import NEEDED, state_of

SCHEMA = "kycpack-earlier-pack-1"
POINTER = "+latest"
"""Suffix of the file, named after a customer, that names the latest of several packs."""


def pack_root(pack: Path) -> str:
    """Return the root of a pack: the SHA-256 of its tag manifest, which covers every file.

    Raises:
        PackError: There is no pack.
    """
    try:
        return file_digest(pack / TAG_MANIFEST)
    except OSError:
        raise PackError(f"{pack} is not a pack: it has no {TAG_MANIFEST}") from None


def earlier_pack(pack: Path) -> dict[str, Any]:
    """Return what a later pack keeps about an earlier one: its root, its subject, the hashes of its answers, and its state.

    Args:
        pack: The earlier pack's folder.

    Raises:
        PackError: It cannot be read.
    """
    data = pack / "data"
    try:
        manifest = parse_json((data / "manifest.json").read_bytes())
        index = parse_json((data / "evidence" / "index.json").read_bytes())
        frames = {name: pd.read_parquet(data / "frames" / f"{name}.parquet") for name in NEEDED}
        decision = manifest["decision"]
        state = state_of(frames)
        about = {
            "customer_id": manifest["customer_id"],
            "case_id": manifest["case"]["id"],
            "as_of": manifest["as_of"],
            "evidence_root": manifest["evidence_root"],
            "policy": manifest["policy"],
            "answers": sorted({each["sha256"] for each in index["entries"] if each.get("sha256")}),
        }
    except (OSError, ValueError, KeyError, TypeError, InputError) as error:
        raise PackError(
            f"the earlier pack {pack} cannot be read ({type(error).__name__}); `kycpack verify` says why"
        ) from None
    if decision is not None and decision["evidence_root"] == manifest["evidence_root"]:
        state["decision"] = {name: decision[name] for name in ("decision_id", "outcome", "level")}
    return {"schema": SCHEMA, "root": pack_root(pack), **about, "state": state}


def new_place(out: Path, customer_id: str) -> Path:
    """Return the folder for a customer's next pack: the customer's own name, then `NAME+2`, `NAME+3` and so on.

    Args:
        out: The folder of packs.
        customer_id: The customer.
    """
    name = folder_name(customer_id)
    number = 1
    while (place := out / (name if number == 1 else f"{name}+{number}")).exists():
        number += 1
    return place


def packs_of(out: Path, customer_id: str) -> list[Path]:
    """Return the packs of a customer in a folder, the oldest first."""
    first = out / folder_name(customer_id)
    return packs_among(first, out.glob(f"{first.name}+*"))


def packs_among(first: Path, later: Iterable[Path]) -> list[Path]:
    """Return those of a customer's folders that are packs, the oldest first.

    Args:
        first: The folder for the customer's first pack.
        later: The files and folders beside it that have its name with a suffix.
    """
    numbered = {
        int(number): place
        for place in later
        if (number := place.name.removeprefix(f"{first.name}+")).isdecimal()
    }
    return [
        place
        for place in (first, *(numbered[number] for number in sorted(numbered)))
        if (place / TAG_MANIFEST).is_file()
    ]


def latest_pack(out: Path, customer_id: str) -> Path | None:
    """Return a customer's latest pack in a folder; None if there is none.

    If there is more than one, the file `NAME+latest` names the latest.

    Raises:
        PackError: That file does not name a pack of this customer.
    """
    name = folder_name(customer_id)
    pointer = out / f"{name}{POINTER}"
    try:
        named = pointer.read_text("utf-8").strip()
    except FileNotFoundError:
        named = name
    base, _, number = named.partition("+")
    if base != name or (number and not number.isdecimal()):
        raise PackError(f"{pointer} does not name a pack of this customer")
    place = out / named
    return place if (place / TAG_MANIFEST).is_file() else None


def pack_resting_on(
    folders: Iterable[Path], customer_id: str, evidence_root: str, policy_digest: str
) -> Path | None:
    """Return a customer's newest pack with this evidence and this policy, from the first folder that has one.

    Args:
        folders: Folders that may hold packs of the customer.
        customer_id: The customer.
        evidence_root: Root of the evidence.
        policy_digest: Digest of the policy.
    """
    for folder in folders:
        for pack in reversed(packs_of(folder, customer_id)):
            try:
                manifest = parse_json((pack / "data" / "manifest.json").read_bytes())
                rests_on = (manifest["evidence_root"], manifest["policy"]["digest"])
            except (OSError, ValueError, KeyError, TypeError, InputError):
                continue
            if rests_on == (evidence_root, policy_digest):
                return pack
    return None


def point_to(pack: Path, customer_id: str) -> None:
    """Make a pack the latest one of its customer."""
    name = folder_name(customer_id)
    if pack.name != name:
        write_file(pack.parent / f"{name}{POINTER}", f"{pack.name}\n".encode())
