"""The layouts of banks' own exports: data in `data/layouts`, each with the public sample that it was made from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

import yaml

from kycpack.assets import asset_names, asset_text
from kycpack.errors import ConfigurationError, StatementFileError
from kycpack.frames.adapters.cell_values import DATE_FORMS
from kycpack.frames.columnar import STATUSES
from kycpack.frames.labels import spoken
from kycpack.models.money import known_currency

_ROLES = frozenset(
    {
        "account",
        "amount",
        "balance",
        "counterparty",
        "counterparty_account",
        "currency",
        "date",
        "description",
        "direction",
        "fee",
        "money_in",
        "money_out",
        "status",
        "txn_id",
        "type",
        "value_date",
    }
)
_SEVERAL_COLUMNS = frozenset({"account", "direction"})
_LABELLED = "labelled lines"
_REFUSED = frozenset({"currency", "direction", "fee", "status"})


@dataclass(frozen=True, slots=True)
class CsvLayout:
    """How one bank's export is read.

    Args:
        name: The name that callers give, as in `monzo`.
        title: Bank and kind of export, for people.
        country: ISO 3166-1 alpha-2 code of the bank.
        sources: Public samples or importers that the layout was made from.
        date_form: One of `cell_values.DATE_FORMS`.
        sign: The sign rule in words.
        columns: For each role, the columns it is read from, in order; for a layout without `headers`, the possible names.
        headers: Known headers of the export; empty for a layout that finds its columns by name.
        optional_last: Columns that newer exports add at the end.
        currency: ISO 4217 code of amounts without one in their row; None if the caller must give it.
        decimal_mark: A full stop or a comma.
        delimiter: The character between fields.
        amounts_are: `in` if plus is into the account, `out` if plus is out of it.
        statuses: Maps the words of the status column, in lower case, to a status of the normal form.
        directions: Maps the words of the direction columns, in lower case, to `in` or `out`, which the amount must agree with;
            other words say nothing.
        refused_words: For a layout without `headers`, words by what they speak of: a file is refused if the name of a column that is
            not read has one.
        lines_before_header: How many records may come before the header.
        empty_last_fields: Whether rows may end with extra empty fields that the header does not have.
        leading_apostrophe: Whether the bank writes an apostrophe before text to keep spreadsheets from changing it.
        balance_lines: Whether a line may have a balance and no amount; it is listed as a reject, not as a transaction.
        labelled_lines: Whether the file is blocks of `Label: value` instead of a table.
    """

    name: str
    title: str
    country: str
    sources: tuple[str, ...]
    date_form: str
    sign: str
    columns: Mapping[str, tuple[str, ...]]
    headers: tuple[tuple[str, ...], ...] = ()
    optional_last: tuple[str, ...] = ()
    currency: str | None = None
    decimal_mark: str = "."
    delimiter: str = ","
    amounts_are: str = "in"
    statuses: Mapping[str, str] = field(default_factory=dict)
    directions: Mapping[str, str] = field(default_factory=dict)
    refused_words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lines_before_header: int = 0
    empty_last_fields: bool = False
    leading_apostrophe: bool = False
    balance_lines: bool = False
    labelled_lines: bool = False

    def find_columns(self, header: Sequence[str], place: str) -> dict[str, tuple[int, ...]]:
        """Return the positions of the columns of each role.

        Raises:
            StatementFileError: The header is not that of this layout; the message shows both.
        """
        titles = [title.strip() for title in header]
        if not self.headers:
            return self._find_by_name(titles, place)
        while titles and not titles[-1] and self.empty_last_fields:
            titles.pop()
        if not self.matches(header):
            raise StatementFileError(
                f"this is not the header of {self.name}. The file has: {_shown(titles)}. "
                f"The layout expects: {' | or | '.join(', '.join(one) for one in self.headers)}",
                place=place,
            )
        return {
            role: tuple(titles.index(title) for title in names if title in titles)
            for role, names in self.columns.items()
        }

    def matches(self, header: Sequence[str]) -> bool:
        """Return whether a record is one of this layout's headers."""
        titles = [title.strip() for title in header]
        while titles and not titles[-1] and self.empty_last_fields:
            titles.pop()
        known = tuple(titles)
        return any(
            known == one + self.optional_last[:count]
            for one in self.headers
            for count in range(len(self.optional_last) + 1)
        )

    def _find_by_name(self, titles: Sequence[str], place: str) -> dict[str, tuple[int, ...]]:
        columns: dict[str, tuple[int, ...]] = {}
        for index, title in enumerate(titles):
            plain = plain_title(title)
            role = next((role for role, names in self.columns.items() if plain in names), None)
            if role in _SEVERAL_COLUMNS:
                columns[role] = (*columns.get(role, ()), index)
                continue
            if role in columns:
                raise StatementFileError(f"two columns could be {spoken(str(role))}", place=place)
            if role is not None:
                columns[role] = (index,)
        missing = [role for role in ("date", "description") if role not in columns]
        if missing:
            raise StatementFileError(f"the header has no column for {' and '.join(missing)}", place=place)
        sides = {"money_in", "money_out"} & columns.keys()
        if bool(sides) == ("amount" in columns) or len(sides) == 1:
            raise StatementFileError(
                "the header must have money in and money out, or one amount", place=place
            )
        return columns


def plain_title(title: str) -> str:
    """Return the name of a column in lower case, words apart, without a unit in pounds."""
    return " ".join(re.sub(r"\((?:£|gbp)\)|[_\-./()?!:*#&,;\s]+", " ", title.lower()).split())


@cache
def load_layouts() -> Mapping[str, CsvLayout]:
    """Return the layouts that come with the package, by name.

    Raises:
        ConfigurationError: A file in `data/layouts` is not a valid layout.
    """
    layouts = [read_layout(asset_text(name), name) for name in asset_names("layouts")]
    return MappingProxyType({layout.name: layout for layout in layouts})


def read_layout(text: str, place: str) -> CsvLayout:
    """Return the layout described by a YAML text; what it leaves out is as in the layout that it is `like`.

    Raises:
        ConfigurationError: Something is missing, unknown or contradicts itself; the message names it.
    """
    document: dict[str, Any] = yaml.safe_load(text)
    if "like" in document:
        document = yaml.safe_load(asset_text(f"layouts/{document.pop('like')}.yaml")) | document
    shape = document.pop("shape", "table")
    columns = {
        role: tuple([names] if isinstance(names, str) else names)
        for role, names in document.pop("columns").items()
    }
    headers = tuple(tuple(header) for header in document.pop("headers", ()))
    tuples: dict[str, Any] = {name: tuple(document.pop(name, ())) for name in ("sources", "optional_last")}
    words: dict[str, Any] = {
        name: {str(word).casefold(): meaning for word, meaning in document.pop(name, {}).items()}
        for name in ("statuses", "directions")
    }
    try:
        layout = CsvLayout(
            **document, **tuples, **words, columns=columns, headers=headers, labelled_lines=shape == _LABELLED
        )
    except TypeError as error:
        raise ConfigurationError(f"{place}: {error}") from None
    known = {title for header in headers for title in header}
    problems = [
        (shape not in {"table", _LABELLED}, f"no shape {shape!r}"),
        (layout.date_form not in DATE_FORMS, f"no date form {layout.date_form!r}"),
        (layout.decimal_mark not in {".", ","}, f"no decimal mark {layout.decimal_mark!r}"),
        (layout.amounts_are not in {"in", "out"}, f"amounts are in or out, not {layout.amounts_are!r}"),
        (not columns.keys() <= _ROLES, f"unknown roles {sorted(columns.keys() - _ROLES)}"),
        (not set(layout.statuses.values()) <= STATUSES, "a status that the normal form does not have"),
        (not set(layout.directions.values()) <= {"in", "out"}, "a direction is in or out"),
        (not layout.refused_words.keys() <= _REFUSED, "refused words of an unknown kind"),
        (layout.currency is not None and not known_currency(layout.currency), "currency is not ISO 4217"),
        (layout.currency is None and "currency" not in columns, "neither a currency nor a column for it"),
        (bool(headers) and not tuples["sources"], "a bank's layout must cite a public source"),
        (
            bool(headers) and any(name not in known for names in columns.values() for name in names),
            "a column that no header has",
        ),
    ]
    for wrong, why in problems:
        if wrong:
            raise ConfigurationError(f"{place}: {why}")
    return layout


def _shown(titles: Sequence[str]) -> str:
    """Return a file's header for an error; a first line of data is not shown because it may name people."""
    if any(any(letter.isdigit() for letter in title) for title in titles):
        return "(a first line with digits in it, which is data and is not shown)"
    return ", ".join(title[:40] for title in titles[:40]) or "(nothing)"
