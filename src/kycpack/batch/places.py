"""Names of folders that are made from ids."""

from __future__ import annotations

import hashlib
import re

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def folder_name(customer_id: str) -> str:
    """Return a customer's folder name: the id itself where it is plain, else one made from its hash.

    An id comes from outside: as it stands it might be a path, or a name that a file system folds into another's.
    """
    if _PLAIN.fullmatch(customer_id) and customer_id == customer_id.lower():
        return customer_id
    return f"id-{hashlib.sha256(customer_id.encode()).hexdigest()[:32]}"
