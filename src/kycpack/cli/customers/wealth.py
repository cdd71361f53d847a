"""`kycpack wealth`: the sources of money in bank transactions, without a service."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import kycpack as kp
from kycpack.cli.options import AsJson, AsOf, Country, read_as_of
from kycpack.cli.terminal import answer_table, print_json, print_table, say
from kycpack.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


def wealth(
    transactions: Annotated[
        Path | None,
        typer.Option(
            "--transactions",
            metavar="FILE",
            help="CSV or Parquet in the normal form, or with --layout a statement.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(
            "--layout",
            metavar="LAYOUT",
            help="Layout of the statement, such as monzo, camt053 or plaid. `--layout list` shows all.",
        ),
    ] = None,
    account_id: Annotated[
        str | None,
        typer.Option(
            "--account-id",
            metavar="ACCOUNT_ID",
            help="With --layout: the account, if the file does not name it.",
        ),
    ] = None,
    customer_id: Annotated[
        str,
        typer.Option(
            "--customer-id", metavar="CUSTOMER_ID", help="With --layout: the customer who holds the account."
        ),
    ] = "customer",
    currency: Annotated[
        str | None,
        typer.Option(
            "--currency",
            metavar="CURRENCY",
            help="With --layout: the account's currency, if the file does not name it.",
        ),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(
            "--zone",
            metavar="ZONE",
            help="With --layout: the bank's time zone, such as Europe/Berlin, to convert times to dates.",
        ),
    ] = None,
    accounts: Annotated[
        Path | None,
        typer.Option(
            "--accounts",
            metavar="FILE",
            help="The customer's accounts, CSV or Parquet, to recognise own transfers.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    customers: Annotated[
        Path | None,
        typer.Option(
            "--customers",
            metavar="FILE",
            help="The customers, CSV or Parquet, to recognise a customer's own name.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    as_of: AsOf = None,
    country: Country = "GB",
    as_json: AsJson = False,
) -> None:
    """Explain the credits of bank transactions.

    The results are streams of income, coverage and red flags; with --json also every credit and a statement.
    The normal form needs the columns customer_id, account_id, txn_id, booked_on (yyyy-mm-dd), amount_minor (positive for a
    credit), currency and description_raw. With --layout the file is a statement from a bank or provider. Every credit gets
    exactly one explanation or is called unexplained.
    """
    if layout == "list":
        _list_layouts(as_json=as_json)
        return
    if transactions is None:
        raise typer.BadParameter("a file is needed", param_hint="--transactions")

    frame = (
        _read_normal(transactions)
        if layout is None
        else _read_statement(transactions, layout, customer_id, account_id, currency, zone)
    )
    found = kp.derive(
        frame,
        customers=None if customers is None else _read(customers),
        accounts=None if accounts is None else _read(accounts),
        country=country,
        as_of=read_as_of(as_of),
    )
    if as_json:
        ids = sorted({str(customer) for customer in found.coverage["customer_id"]})
        print_json(
            {
                "streams": _records(found.streams),
                "credits": _records(found.credits),
                "coverage": _records(found.coverage),
                "set_aside": _records(found.set_aside),
                "flags": _records(found.flags),
                "rejects": _records(found.rejects),
                "balance_breaks": _records(found.balance_breaks),
                "statements": {customer: found.statement(customer).wire() for customer in ids},
            }
        )
        return
    columns: tuple[str, ...] = (
        "customer_id",
        "payer",
        "type",
        "cadence",
        "count",
        "total_minor",
        "currency",
        "status",
    )
    seen = frame["booked_on"].astype("string").dropna().str[:10]
    if len(seen):
        say(f"transactions from {seen.min()} to {seen.max()}")
    rows = [_cells(row, columns) for row in found.streams.to_dict("records")]
    print_table(
        "Streams", ("customer", "payer", "type", "cadence", "count#", "total#", "currency", "status"), rows
    )
    columns = ("customer_id", "currency", "disposition", "count", "total_minor", "share")
    rows = [_cells(row, columns) for row in found.coverage.to_dict("records")]
    print_table("Coverage", ("customer", "currency", "disposition", "count#", "total#", "share#"), rows)
    flags = [(row["customer_id"], row["severity"], row["message"]) for row in found.flags.to_dict("records")]
    if flags:
        print_table("Red flags", ("customer", "calls for", "what"), flags)
    else:
        say("no red flag was found")
    if len(found.rejects):
        say(f"{len(found.rejects)} rows were rejected ({_reasons(found.rejects)}); --json lists them")
    if len(found.balance_breaks):
        say(f"at {len(found.balance_breaks)} rows the running balance does not continue; --json lists them")


def _read(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        if path.suffix.lower() == ".parquet":
            return pd.read_parquet(path)
        # Read as text: the schema decides what a number means, not a float.
        return pd.read_csv(path, dtype="string", keep_default_na=False, na_values=[""])
    except (ValueError, OSError) as error:
        raise InputError(f"cannot be read ({type(error).__name__})", place=path.name) from error


def _read_normal(path: Path) -> pd.DataFrame:
    frame = _read(path)
    if "customer_id" not in frame.columns:
        raise InputError(
            "the file has no column customer_id, so it is not in the normal form; name its layout with --layout "
            "(`--layout list` shows those that are known)",
            place=path.name,
        )
    return frame


def _read_statement(
    path: Path, layout: str, customer_id: str, account_id: str | None, currency: str | None, zone: str | None
) -> pd.DataFrame:
    # A file that names no account is about one account.
    read = kp.read_statement(
        path,
        layout,
        customer_id=customer_id,
        account_id=account_id,
        only_account="account",
        currency=currency,
        zone=zone,
    )
    return read.rows


def _list_layouts(*, as_json: bool) -> None:
    from kycpack.frames.adapters import list_layouts

    layouts = list_layouts()
    columns = ("name", "format", "dates", "sign", "currency")
    rows = [(one.name, one.title, one.date_form, one.sign, one.currency) for one in layouts]
    answer_table([asdict(one) for one in layouts], "Layouts", columns, rows, as_json=as_json)


def _cells(row: Mapping[Any, Any], columns: Sequence[str]) -> list[object]:
    """Return a row for display: money in major units, shares in percent."""
    import pandas as pd

    from kycpack.models.money import format_minor

    shown = dict(row)
    shown["total_minor"] = format_minor(int(row["total_minor"]), row["currency"]).removesuffix(
        f" {row['currency']}"
    )
    if "share" in shown:
        shown["share"] = None if pd.isna(row["share"]) else f"{row['share']:.1%}"
    return [shown[name] for name in columns]


def _reasons(rejects: pd.DataFrame) -> str:
    counts = rejects["reason"].astype("string").fillna("no reason given").value_counts()
    return "; ".join(f"{count}: {reason}" for reason, count in counts.items())


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame for JSON, with every date as yyyy-mm-dd, those in the facts of a flag too."""
    days = {name: frame[name].dt.strftime("%Y-%m-%d") for name in frame.columns if name.endswith("_on")}
    if "facts" in frame.columns:
        days["facts"] = frame["facts"].map(_with_dates)
    records: list[dict[str, Any]] = json.loads(frame.assign(**days).to_json(orient="records"))
    return records


def _with_dates(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a flag; their days are counted from 1970-01-01."""
    first = dt.date(1970, 1, 1)
    return {
        name: str(first + dt.timedelta(days=value))
        if name.endswith("_on") and isinstance(value, int)
        else value
        for name, value in facts.items()
    }
