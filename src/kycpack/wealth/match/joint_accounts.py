"""Joint accounts, recognised by the holder's name as the bank gives it. Money through a joint account is never netted between customers."""

from __future__ import annotations

import re

import pandas as pd

from kycpack.wealth.prepare.entities import load_entities
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.parties import FIRM, STATE, party_of
from kycpack.wealth.prepare.plain_text import to_words

JOINT_COLUMNS = ("account_id", "holder_name", "holder_count")

_TITLES = r"(?:mr|mrs|ms|miss|mx|dr|prof|sir|dame|herr|frau|mme|mlle|madame|monsieur)\b"
# A comma separates a surname from first names, except between two names with titles.
_TITLED = re.compile(rf"\s*{_TITLES}[^,]*,\s*{_TITLES}", re.IGNORECASE)
_BETWEEN_TITLED = re.compile(rf",(?=\s*{_TITLES})", re.IGNORECASE)
_BETWEEN_HOLDERS = re.compile(r"\s*(?:[&/+;]|\b(?:and|und|et|y|e|or|oder|ou)\b)\s*", re.IGNORECASE)


def joint_accounts_of(accounts: pd.DataFrame | None, customer_id: str) -> pd.DataFrame:
    """Return a customer's accounts whose holder name names several people.

    Args:
        accounts: Frame `accounts`; without holder names no account is known to be joint.
        customer_id: Customer id.

    Returns:
        `JOINT_COLUMNS`, by account id.
    """
    listed = []
    if accounts is not None and "holder_name" in accounts.columns:
        mine = accounts[accounts["customer_id"] == customer_id].drop_duplicates("account_id", keep="last")
        for account_id, name in zip(mine["account_id"], mine["holder_name"], strict=True):
            count = 0 if pd.isna(name) else count_holders(str(name))
            if count > 1:
                listed.append((str(account_id), str(name), count))
    frame = pd.DataFrame(sorted(listed), columns=list(JOINT_COLUMNS))
    return frame.astype({"account_id": "string", "holder_name": "string", "holder_count": "int64"})


def count_holders(name: str) -> int:
    """Return the number of people named as holders of an account; a firm counts as one, whatever its name."""
    words = to_words([name])[0].split()
    known = load_entities().find(name, is_name=True)
    if known is not None or party_of(words, load_lexicon()) in (FIRM, STATE):
        return 1
    if _TITLED.match(name):
        name = _BETWEEN_TITLED.sub(";", name)
    return max(sum(bool(part.strip(" .")) for part in _BETWEEN_HOLDERS.split(name)), 1)
