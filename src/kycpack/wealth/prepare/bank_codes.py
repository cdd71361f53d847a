"""What banks' booking codes say about a payment, from `data/lexicon/bank_codes.yaml`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kycpack.errors import ConfigurationError

BANK_CODES = "lexicon/bank_codes.yaml"
_PAYERS = ("", "firm", "state")
_BREAKS = re.compile(r"[\s./_(),]+")  # "LOHN / GEHALT", "BAREINZ.", "CARD_REFUND" and "Bacs (Direct Credit)"
_UMLAUTS = str.maketrans({"Ä": "AE", "Ö": "OE", "Ü": "UE"})


@dataclass(frozen=True)
class BankCode:
    """The meaning of a code.

    Args:
        means: Its meaning in words.
        type: The type of wealth that the code implies; empty if it implies none.
        one_of: The types that the code leaves open; empty if it may be any.
        mark: `refund` for money that comes back; empty otherwise.
        payer: `firm` or `state` if only they pay with this code; empty if anybody may.
        abroad: The money came from another country.
        by_card: It was booked on a card: what a shop books so, it gives back.
    """

    means: str
    type: str = ""
    one_of: tuple[str, ...] = ()
    mark: str = ""
    payer: str = ""
    abroad: bool = False
    by_card: bool = False


UNKNOWN_CODE = BankCode("")


def read_bank_codes(document: Mapping[str, Any], types: frozenset[str]) -> dict[str, BankCode]:
    """Return the codes of all schemes.

    Args:
        document: Content of the file.
        types: The types of wealth that a code may name.

    Raises:
        ConfigurationError: Two schemes give a code different meanings, or a code names a type or a payer that does not exist.
    """
    codes: dict[str, BankCode] = {}
    for scheme in document["schemes"]:
        for name, entry in scheme["codes"].items():
            code = BankCode(**{**entry, "one_of": tuple(entry.get("one_of", ()))})
            said = {one for one in (code.type, *code.one_of) if one}
            if name in codes or not said <= types or code.payer not in _PAYERS:
                raise ConfigurationError(
                    f"{BANK_CODES}: code {name} of the scheme {scheme['scheme']!r} stands there twice, or says what does not exist"
                )
            codes[str(name)] = code
    return codes


def bank_code_of(value: str, codes: Mapping[str, BankCode]) -> BankCode:
    """Return the meaning of the longest known prefix of a code; `UNKNOWN_CODE` if no prefix is known.

    Args:
        value: The code as the bank gave it, as in `PMNT-RCDT-SALA`, `153`, `BGC` or `Lastschriftrückgabe`.
        codes: All codes.
    """
    letters = unicodedata.normalize("NFKD", value.upper().translate(_UMLAUTS))
    plain = letters.encode("ascii", "ignore").decode("ascii")
    key = _BREAKS.sub(" ", plain).strip().removeprefix("GVC ")
    while key:
        if key in codes:
            return codes[key]
        key = key.rpartition("-")[0]
    return UNKNOWN_CODE
