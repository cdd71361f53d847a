"""What a session leaves open: checks that were not ordered or are missing, and what the service does not show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

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


Open = tuple[str, GapCode, str]
"""One thing that a session leaves open: area, code and message of its gap."""


def list_open(ordered: Mapping[str, Any], sections: frozenset[str] | None) -> tuple[Open, ...]:
    """Return what is open after a session.

    Args:
        ordered: What was ordered according to the register, by column of `sessions`; empty if that is not known.
        sections: The sections in the results; None without results.
    """
    return _list_open(tuple(map(ordered.get, _COLUMNS)), sections)


# Many sessions share the same few orders.
@lru_cache(maxsize=1024)
def _list_open(values: tuple[bool | None, ...], sections: frozenset[str] | None) -> tuple[Open, ...]:
    return tuple(_iterate_open(dict(zip(_ASKED, values, strict=True)), sections))


def _iterate_open(ordered: Mapping[str, bool | None], sections: frozenset[str] | None) -> Iterator[Open]:
    if not ordered[_KNOWN]:
        yield (
            "session",
            "order_not_known",
            "It is not known what was ordered: the register has no record of it.",
        )
    for section in SECTIONS:
        if sections is None or section not in sections:
            wanted = [ordered[option] for option in _OPTIONS[section]]
            yield from _absence(section, wanted, answered=sections is not None)
    if ordered["amlStandardScreening"] and ordered["amlExtensiveScreening"] is False:
        yield (
            "screening",
            "standard_only",
            "Only standard screening was ordered: sanctions, without PEPs and adverse media.",
        )
    if sections is not None and "screening" in sections:
        yield ("screening", "list_date_not_visible", "The date of the screening lists is not shown.")
        yield (
            "screening",
            "matches_not_visible",
            "The service gives the number of matches and does not show each match.",
        )
    yield ("monitoring", "monitoring_not_visible", _monitoring([ordered[option] for option in _MONITORING]))
    if ordered[_KNOWN] and not ordered[_BANK]:
        yield ("bank", "not_ordered", "Bank access was not ordered in this session.")


def _absence(section: str, wanted: list[bool | None], *, answered: bool) -> Iterator[Open]:
    area = "screening" if section == "screening" else "session"
    if any(wanted):
        yield (area, "section_missing", f"The {section} check was ordered and has no result.")
    elif all(choice is False for choice in wanted):
        yield (area, "not_ordered", f"The {section} check was not ordered.")
    elif answered:
        yield (
            area,
            "section_missing",
            f"The {section} check is not in the results; it is not known whether it was ordered.",
        )


def _monitoring(wanted: list[bool | None]) -> str:
    if any(wanted):
        return "Monitoring was ordered; the service does not show whether it runs."
    if all(choice is False for choice in wanted):
        return "Monitoring was not ordered in this session; the service does not show whether any runs."
    return "It is not known whether monitoring was ordered, and the service does not show whether any runs."
