"""Thresholds and a firm's own known payers from a policy, checked and combined with the defaults.

The payers are lines, by kind, that take precedence over those in `data/entities/`. They are part of the policy's file, so that its digest, its approval, a
replay and a comparison of two policies cover them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from kycpack.errors import PolicyError
from kycpack.models.money import known_currency
from kycpack.wealth.flag_levels import to_levels
from kycpack.wealth.prepare.entities import EntityIndex, load_entities
from kycpack.wealth.prepare.listed_entities import read_lines
from kycpack.wealth.thresholds import DEFAULT_THRESHOLDS, Thresholds

_MOST_DAYS, _MOST, _LARGEST_FACTOR, _LARGEST_AMOUNT = 3_660, 100_000, 100, 1_000_000_000_000
_SMALLEST_AMOUNT = 10  # of a default; a smaller default is a multiple
SOURCE = "the policy, thresholds.payers"
KINDS: Mapping[str, str | None] = {
    "bank": None,
    "broker": None,
    "car_buyer": "asset_sale",
    "collecting_society": "self_employment",
    "crypto": "crypto",
    "employer": None,
    "gambling": "gambling",
    "gig_platform": "self_employment",
    "government": None,
    "insurer": None,
    "law_firm": None,
    "lender": "loan",
    "letting_agent": "rental_income",
    "letting_platform": "rental_income",
    "marketplace": "business_income",
    "payment_processor": None,
    "payroll": "employment",
    "pension_provider": "pension",
    "registrar": "investment_income",
    "retailer": None,
    "staffing": "employment",
    "state_benefits": "state_benefit",
    "state_paymaster": None,
    "student_finance": "loan",
    "tax_office": "tax_refund",
    "university": None,
}
"""Kinds of payers that a policy may name, and the type of wealth of a credit about which nothing else is known."""


def to_thresholds(given: Thresholds | Mapping[str, Any] | None) -> Thresholds:
    """Return the thresholds: the given ones, and the defaults for the others.

    Args:
        given: Thresholds, a mapping of some of their names as written in a policy, or None for the defaults.

    Raises:
        PolicyError: A name is not known, or a value is not a number in its range: a share is above 0 and at most 1, an amount is above 0.
        TypeError: The argument is none of these.
    """
    if given is None:
        return DEFAULT_THRESHOLDS
    if isinstance(given, Thresholds):
        return given
    wanted: object = given
    if not isinstance(wanted, Mapping):
        raise TypeError(
            f"thresholds must be Thresholds, a mapping of their names such as `policy.thresholds`, or None, not {type(given).__name__}"
        )
    kinds = {one.name: type(getattr(DEFAULT_THRESHOLDS, one.name)) for one in fields(Thresholds)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        place = f"thresholds.{name}"
        if name not in kinds:
            raise PolicyError("no such threshold", place=place)
        values[name] = (
            _OTHERS[name](value) if name in _OTHERS else kinds[name](_number(name, value, kinds[name], place))
        )
    return Thresholds(**values)


def _number(name: str, value: object, kind: type, place: str) -> Decimal:
    """Return a threshold's number, checked."""
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise PolicyError("expected a number", place=place) from None
    if isinstance(value, bool) or not number.is_finite():
        raise PolicyError("expected a number", place=place)
    if kind is int and number != int(number):
        raise PolicyError("expected a whole number", place=place)
    words, lowest, highest = _range(name)
    if not lowest <= number <= highest or number == 0:
        raise PolicyError(f"{number:f} is out of range: expected {words}", place=place)
    return number


def _range(name: str) -> tuple[str, int, int]:
    """Return the kind of threshold in words, and its valid range; 0 is never in it."""
    default = getattr(DEFAULT_THRESHOLDS, name)
    if name.endswith("_days"):
        return f"a number of days from 1 to {_MOST_DAYS}", 1, _MOST_DAYS
    if isinstance(default, int):
        return f"a number from 1 to {_MOST}", 1, _MOST
    if default < 1:
        return "a share above 0 and at most 1, such as 0.2 for 20%", 0, 1
    if default < _SMALLEST_AMOUNT:
        return f"a multiple above 0 and at most {_LARGEST_FACTOR}", 0, _LARGEST_FACTOR
    return f"an amount above 0 and at most {_LARGEST_AMOUNT}", 0, _LARGEST_AMOUNT


def _to_currency(given: object) -> str:
    """Return the currency of the amounts, checked."""
    if not isinstance(given, str) or not known_currency(given):
        raise PolicyError("expected an ISO 4217 currency code, such as GBP", place="thresholds.currency")
    return given


def to_payers(given: Any) -> Mapping[str, str]:
    """Return the payers in a policy: kind -> lines, each a name and its other names, separated by semicolons.

    Raises:
        PolicyError: A kind is not known, or a line contains no name.
    """
    if not isinstance(given, Mapping):
        raise PolicyError("expected lines of payers for each kind", place="thresholds.payers")
    for kind, lines in given.items():
        place = f"thresholds.payers.{kind}"
        if kind not in KINDS:
            raise PolicyError(f"no such kind of payer; there are {', '.join(KINDS)}", place=place)
        if not isinstance(lines, str) or not lines.strip():
            raise PolicyError(
                "expected one line per payer: its name, then any other names after semicolons", place=place
            )
        try:
            index = EntityIndex(read_lines(kind, lines, None, SOURCE), load_entities().words)
        except ValueError as error:
            raise PolicyError(str(error), place=place) from None
        if any(not one.entity.id.partition(".")[2] for one in index.listed):
            raise PolicyError("a payer's name contains no letter", place=place)
    return dict(given)


def entities_with(payers: Mapping[str, str]) -> EntityIndex:
    """Return the index of all known payers; those in the policy take precedence over those that come with the package."""
    return _index(tuple(sorted(payers.items()))) if payers else load_entities()


@lru_cache(maxsize=4)
def _index(payers: tuple[tuple[str, str], ...]) -> EntityIndex:
    shipped = load_entities()
    own = [one for kind, lines in payers for one in read_lines(kind, lines, KINDS[kind], SOURCE)]
    return EntityIndex([*own, *shipped.listed], shipped.words)


_OTHERS = {"currency": _to_currency, "levels": to_levels, "payers": to_payers}
