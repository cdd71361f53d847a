"""What the firm's own file says about each customer's risk: country, product, channel, purpose, and whether they are a PEP."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import Connection, select

from kycpack.errors import InputError
from kycpack.triage.diligence import read_risk_file
from kycpack.workspace.database import Workspace
from kycpack.workspace.learning import put_row
from kycpack.workspace.rows import check_id, read_json
from kycpack.workspace.schema import risk_profiles


def import_risk_profiles(workspace: Workspace, path: Path) -> int:
    """Import the firm's risk file into the register; a customer's earlier profile is replaced.

    Args:
        workspace: The open workspace.
        path: UTF-8 CSV with a header line: `customer_id`, and any of `country`, `product`, `channel`, `purpose` and `pep`.

    Returns:
        Number of customers in the file.

    Raises:
        InputError: The file cannot be read, or a line is wrong; nothing of it was imported.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text), strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"the file cannot be read as CSV ({type(error).__name__})", place=path.name
        ) from error
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise InputError("more or fewer values than columns", place=f"{path.name}, row {number}")
    profiles = read_risk_file(rows, path.name)
    with workspace.transaction() as connection:
        now = workspace.timestamp()
        for customer_id, profile in profiles.items():
            row = {"customer_id": check_id(customer_id), "profile": json.dumps(profile, sort_keys=True)}
            put_row(connection, risk_profiles, row | {"read_at": now})
    return len(profiles)


def profiles_of(connection: Connection, customer_ids: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return what the file says about customers, by customer; those not in the file are left out."""
    found = connection.execute(
        select(risk_profiles).where(risk_profiles.c.customer_id.in_(list(customer_ids)))
    ).mappings()
    return {str(row["customer_id"]): read_json(row["profile"], "profile") for row in found}
