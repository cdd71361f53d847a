"""Checking a pack: nothing altered, nothing missing, nothing added, and the same figures everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kycpack.errors import KycpackError, PackError
from kycpack.pack.agreement import CHECKS, Check
from kycpack.pack.bag import check_bag
from kycpack.pack.parts import NEEDED, Parts

UNSIGNED = (
    "Who made the pack is not shown: it has no signature. Whoever makes a whole pack anew from altered evidence, order, "
    "policy or versions is found only by a signature, or by comparing the evidence root with a record kept elsewhere."
)
NOT_REPLAYED = "Whether the findings follow from the evidence is not shown: `kycpack replay` makes the pack again and compares."


@dataclass(frozen=True, slots=True)
class Verification:
    """What checking a pack found.

    Attributes:
        ok: Whether there is no problem.
        problems: Each names the file it is about.
        checked: How many files were hashed.
        not_shown: What these checks cannot show of this pack, in sentences.
    """

    ok: bool
    problems: tuple[str, ...]
    checked: int
    not_shown: tuple[str, ...] = ()


def verify_pack(path: Path | str, *, hashes_only: bool = False) -> Verification:
    """Check a pack.

    Args:
        path: The pack's folder.
        hashes_only: Whether to check hashes and structure only, and open no file.

    Returns:
        Every problem that was found. A part that cannot be read is one problem, and the other parts are checked all the same.

    Raises:
        PackError: There is no folder at that place.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise PackError(f"{folder} is not a folder")
    bag = check_bag(folder)
    problems = list(bag.problems)
    if not hashes_only:
        data = folder / "data"
        problems += [f"data/{name} is missing" for name in NEEDED if not (data / name).is_file()]
        parts = Parts(data, bag.info)
        for name, check in CHECKS.items():
            problems += _outcome(name, check, parts)
    unique = tuple(dict.fromkeys(problems))
    return Verification(not unique, unique, bag.checked, (UNSIGNED, NOT_REPLAYED))


def _outcome(name: str, check: Check, parts: Parts) -> Iterator[str]:
    try:
        yield from check(parts)
    except KycpackError as error:
        text = str(error).replace(f"{parts.data.parent}/", "")
        yield text if text.startswith("data/") else f"{name}: {text}"
    except Exception as error:  # noqa: BLE001 - whatever a forged file does to a reader is a defect of the pack, and recorded
        yield f"{name} cannot be checked: a part of the pack is not of the form that kycpack writes ({type(error).__name__})"
