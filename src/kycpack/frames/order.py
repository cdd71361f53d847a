"""What an order for a session leaves open: the checks that were not ordered or did not come, and what nobody can see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from kycpack.frames.answer_members import IDENTITY_OPTIONS, SECTIONS, ordered_column
from kycpack.frames.gaps import GapCode

_OPTIONS = {
    "document": ("documentCheck",),
    "address": ("proofOfAddressCheck",),
    "identity": ("identityCheck", "enhancedIdentityCheck"),
    "screening": ("amlStandardScreening", "amlExtensiveScreening"),
}
_MONITORING = ("amlStandardMonitoring", "amlExtensiveMonitoring")
_KNOWN, _BANK = "order_known", "ordered_ais_accounts"
_ASKED = (_KNOWN, _BANK, *IDENTITY_OPTIONS)
_COLUMNS = (_KNOWN, _BANK, *map(ordered_column, IDENTITY_OPTIONS))


class Open(NamedTuple):
    """One thing that an order leaves open, as a gap says it."""

    area: str
    code: GapCode
    message: str


def list_open(ordered: Mapping[str, Any], sections: frozenset[str] | None) -> tuple[Open, ...]:
    """Return what is open after a session.

    Args:
        ordered: What the register says was ordered, by column of `sessions`; empty when it does not say.
        sections: The sections that are in the results; None without results.
    """
    return _list_open(tuple(map(ordered.get, _COLUMNS)), sections)


# There are few orders and many sessions.
@lru_cache(maxsize=1024)
def _list_open(values: tuple[bool | None, ...], sections: frozenset[str] | None) -> tuple[Open, ...]:
    return tuple(_iterate_open(dict(zip(_ASKED, values, strict=True)), sections))


def _iterate_open(ordered: Mapping[str, bool | None], sections: frozenset[str] | None) -> Iterator[Open]:
    if not ordered[_KNOWN]:
        yield Open("session", "order_not_known", "What was ordered is not known: the register does not say.")
    for section in SECTIONS:
        if sections is None or section not in sections:
            wanted = [ordered[option] for option in _OPTIONS[section]]
            yield from _absence(section, wanted, answered=sections is not None)
    if ordered["amlStandardScreening"] and ordered["amlExtensiveScreening"] is False:
        yield Open(
            "screening",
            "standard_only",
            "Only standard screening was ordered: sanctions, without PEPs and adverse media.",
        )
    if sections is not None and "screening" in sections:
        yield Open(
            "screening", "list_date_not_visible", "The date of the lists screened against cannot be seen."
        )
        yield Open(
            "screening",
            "matches_not_visible",
            "The service counts matches and does not show them one by one.",
        )
    yield Open(
        "monitoring", "monitoring_not_visible", _monitoring([ordered[option] for option in _MONITORING])
    )
    if ordered[_KNOWN] and not ordered[_BANK]:
        yield Open("bank", "not_ordered", "Bank access was not ordered in this session.")


def _absence(section: str, wanted: list[bool | None], *, answered: bool) -> Iterator[Open]:
    area = "screening" if section == "screening" else "session"
    if any(wanted):
        yield Open(area, "section_missing", f"The {section} check was ordered and is not in the results.")
    elif all(choice is False for choice in wanted):
        yield Open(area, "not_ordered", f"The {section} check was not ordered.")
    elif answered:
        yield Open(
            area,
            "section_missing",
            f"The {section} check is not in the results; whether it was ordered is not known.",
        )


def _monitoring(wanted: list[bool | None]) -> str:
    if any(wanted):
        return "Monitoring was ordered; whether it runs cannot be seen."
    if all(choice is False for choice in wanted):
        return "Monitoring was not ordered in this session; whether any runs cannot be seen."
    return "Whether monitoring was ordered is not known, and whether any runs cannot be seen."
