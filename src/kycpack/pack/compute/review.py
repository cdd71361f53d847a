"""The review of one customer: everything computed from the evidence, and the files written from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.errors import PackError
from kycpack.evidence import Evidence, to_evidence
from kycpack.frames import Frames, flatten
from kycpack.frames.plain_table import PlainTable, plain_table
from kycpack.models.cards import card
from kycpack.models.dates import instant_words
from kycpack.models.instants import format_seconds, read_as_of
from kycpack.models.json import canonical_json
from kycpack.models.wealth import SourceOfWealth
from kycpack.pack.compute.decision import record_of
from kycpack.pack.compute.notebook_display import Shown, shown_counts, shown_section, shown_summary
from kycpack.pack.compute.parquet import table_bytes
from kycpack.pack.figures.figure_check import MAP
from kycpack.pack.figures.figure_map import figure_map
from kycpack.pack.figures.statement_origins import with_origins
from kycpack.pack.order import Order
from kycpack.render import (
    CasePeople,
    ReviewContents,
    ReviewInputs,
    build_contents,
    cover_lines,
    render_review_pdf,
    render_statement_absent_pdf,
    render_statement_pdf,
    render_workbook,
)
from kycpack.render.document_parts import Cell, Section
from kycpack.render.plots import (
    Plot,
    plot_balance,
    plot_credits,
    plot_own_transfers,
    plot_streams,
    plot_timeline,
)
from kycpack.render.review.account_names import account_names, in_other_names
from kycpack.render.review.latin_names import without_evidence
from kycpack.render.review.short_names import account_numbers
from kycpack.render.statement_pdf import statement_sections
from kycpack.triage import Policy, Triage, evaluate, to_policy
from kycpack.wealth import Wealth, derive
from kycpack.wealth.judge.coverage import with_nature
from kycpack.wealth.judge.statement import amount_of, primary_source
from kycpack.wealth.judge.support import marks_of
from kycpack.wealth.judge.unexplained import beside_sources_of

_NO_CREDITS = (
    "No incoming payments were available for the period reviewed, so no source of wealth can be stated."
)
_NO_ACCOUNT = (
    "No bank account is linked, so no payment could be looked at, and no source of wealth can be stated."
)


@dataclass(frozen=True, repr=False)
class Review(ReviewInputs):
    """The review of one customer.

    Attributes:
        order: The order of the review.
    """

    order: Order

    def __repr__(self) -> str:
        level = self.triage.recommendations["level"].iloc[0]
        return f"Review({self.evidence.customer_id} as of {instant_words(self.as_of)}: {level})"

    def _repr_html_(self) -> str:
        return card(
            repr(self),
            ("part", "what is in it"),
            [("triage", repr(self.triage)), ("wealth", repr(self.wealth)), ("evidence", repr(self.evidence))],
            following=(
                ".summary",
                ".plot_credits()",
                ".plot_streams()",
                ".section('findings')",
                ".write(folder)",
                "kp.write_pack(evidence, ...)",
            ),
        )

    @cached_property
    def contents(self) -> ReviewContents:
        """The review in words and numbers."""
        return build_contents(self)

    @property
    def summary(self) -> Shown:
        """Page one, for a notebook."""
        return shown_summary(self.contents)

    def section(self, key: str) -> Shown:
        """Return a section for a notebook.

        Args:
            key: `customer`, `decision`, `changes`, `findings`, `consistency`, `results`, `screening`, `streams`, `coverage`, `flags`, `accounts`,
                `payments`, `statement`, `limits`, `clear` or `evidence`.

        Raises:
            PackError: There is no such section.
        """
        try:
            return shown_section(self.contents.section(key))
        except KeyError:
            keys = ", ".join(section.key for section in self.contents.sections)
            raise PackError(f"a review has no section {key!r}; it has {keys}") from None

    @cached_property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Every frame of the review: first those of the evidence and their limits, then credits and streams, then findings."""
        return {
            **dict(self.frames.items()),
            "credits": with_nature(self.wealth.credits, self.wealth.streams),
            **{name: getattr(self.wealth, name) for name in ("streams", "coverage", "flags")},
            **self.contents.tables,
            **{name: getattr(self.triage, name) for name in ("recommendations", "findings", "consistency")},
        }

    def plot_credits(self, currency: str | None = None, *, of_type: str | None = None) -> Plot:
        """Plot credits by month and source; see `render.plots.plot_credits`."""
        return plot_credits(self.wealth, self.evidence.customer_id, currency, of_type=of_type)

    def plot_streams(self) -> Plot:
        """Plot the streams as a calendar of expected, seen and missing payments."""
        return plot_streams(self.wealth, self.evidence.customer_id)

    def plot_balance(self, currency: str | None = None) -> Plot:
        """Plot the balance of each account, and cash in and out by month."""
        return plot_balance(self.frames.transactions, self.evidence.customer_id, currency, as_of=self.as_of)

    def plot_own_transfers(self, currency: str | None = None) -> Plot:
        """Plot the transfers between the customer's own accounts by month."""
        return plot_own_transfers(self.wealth, self.evidence.customer_id, currency)

    def plot_timeline(self) -> Plot:
        """Plot when checks, bank access and payments took place."""
        return plot_timeline(self.frames, self.as_of, self.evidence.customer_id)

    @property
    def counts(self) -> Shown:
        """The number of rows and columns of each frame, for a notebook."""
        return shown_counts(self.tables.items())

    def write(self, folder: Path | str) -> Written:
        """Write frames, workbook, figures and documents.

        Args:
            folder: Files go into it and into its subfolders `frames/` and `report/`; it is made if it does not exist.

        Raises:
            PackError: The folder cannot be made, or holds a review already.
        """
        target = Path(folder)
        _make_folders(target)
        tables = {name: plain_table(frame) for name, frame in self.tables.items()}
        for name, table in tables.items():
            (target / "frames" / f"{name}.parquet").write_bytes(table_bytes(table.arrow))
        (target / "workbook.xlsx").write_bytes(
            render_workbook(tables.items(), as_of=self.as_of, about=cover_lines(self.contents))
        )
        (target / "figures.json").write_bytes(canonical_json(self.contents.figures()) + b"\n")
        (target / MAP).write_bytes(canonical_json(self.figure_map(tables)) + b"\n")
        (target / "report" / "review.pdf").write_bytes(render_review_pdf(self.contents))
        (target / "report" / "statement.pdf").write_bytes(self.statement_pdf())
        return Written(tuple(sorted(p.relative_to(target).as_posix() for p in _files(target))))

    def figure_map(self, tables: Mapping[str, PlainTable]) -> dict[str, Any]:
        """Return the figure map: where each printed number comes from.

        Args:
            tables: The frames, as they are written.
        """
        return figure_map(
            self.contents.summary, self.contents.sections, self._statement(), tables, self.evidence
        )

    @cached_property
    def statement(self) -> SourceOfWealth:
        """The customer's statement of the source of wealth; fails without credits."""
        return self.wealth.statement(self.evidence.customer_id)

    @cached_property
    def _stated(self) -> dict[str, Any]:
        """What the statement's own members do not say: the currency, the totals and the numbers of payments of its sources, which of them are not known, whose accounts they are, and what the other credits are."""
        customer_id = self.evidence.customer_id
        sources = self.wealth.sources(customer_id)
        beside = [
            amount_of(kind, sum_, code)
            for (code, kind), sum_ in sorted(beside_sources_of(self.credits).items())
        ]
        return {
            "currencies": self.wealth.statement_currencies(customer_id),
            "totals": self.wealth.statement_totals(customer_id),
            "counts": self.wealth.statement_counts(customer_id),
            "marks": marks_of(sources, primary_source(sources, self.wealth.base_currency(customer_id))),
            "whose_money": self._whose_money,
            "unlisted": f"In none of the listed sources: {'; '.join(beside)}." if beside else "",
        }

    @cached_property
    def _whose_money(self) -> tuple[Cell, ...]:
        """In whose name accounts are held, where that is not the customer's, in the words of page one."""
        numbers = account_numbers(self.frames.accounts)
        return account_names(self.triage.consistency, self.triage.findings, numbers, in_review=False)

    def _statement(self) -> tuple[Section, ...]:
        customer_id, credits_ = self.evidence.customer_id, self.wealth.credits
        if credits_.empty:
            return ()
        sources = self.wealth.sources(customer_id)
        sections = statement_sections(self.statement, **self._stated)
        accounts = self.frames.accounts["account_id"].astype(str).unique().tolist()
        primary = primary_source(sources, self.wealth.base_currency(customer_id))
        return with_origins(sections, sources, self.wealth.of(credits_, customer_id), primary, accounts)

    def statement_pdf(self) -> bytes:
        """Return the statement for the customer, or the page that says why there is none."""
        customer_id = self.evidence.customer_id
        if self.wealth.credits.empty:
            reason = _NO_ACCOUNT if (self.frames.gaps["code"] == "no_accounts").any() else _NO_CREDITS
            return render_statement_absent_pdf(
                reason,
                as_of=self.as_of,
                name=self.contents.name,
                reference=customer_id,
                latin_form=without_evidence(self.contents.latin_name),
                demonstration=self.contents.is_demonstration,
            )
        return render_statement_pdf(
            self.statement,
            **self._stated,
            reference=customer_id,
            latin_form=without_evidence(self.contents.latin_name),
            demonstration=self.contents.is_demonstration,
        )


@dataclass(frozen=True)
class Written:
    """The files that a review wrote, relative to its folder."""

    files: tuple[str, ...]

    def __repr__(self) -> str:
        return "Written: " + ", ".join(name for name in self.files if name.startswith("report/"))


def build_review(
    evidence: Evidence | Path | str,
    policy: Policy | Path | str | None = None,
    *,
    as_of: date | datetime | str,
    case_id: str | None = None,
    prepared_by: str | None = None,
    reviewed_by: str | None = None,
    country: str = "GB",
) -> Review:
    """Compute the review of one customer: frames, source of wealth, triage.

    Args:
        evidence: The requests and their answers, or the folder they were saved to.
        policy: A policy or its file; None for the policy that comes with kycpack.
        as_of: The instant everything is measured against; a bare date means the end of that day, UTC.
        case_id: Id of the case; None for the customer's onboarding case.
        prepared_by: Who prepares it; None if nobody was named.
        reviewed_by: The second person; None if nobody was named.
        country: The country whose business days and words apply, such as `GB`.

    Returns:
        The review; the same arguments give the same review.

    Raises:
        InputError: `as_of` is not a date or an instant with an offset, or part of the evidence cannot be read.
        EvidenceError: The folder holds no evidence, or the evidence was altered.
        TypeError: An argument has the wrong type.
    """
    evidence = to_evidence(evidence)
    order = order_of(
        evidence,
        as_of=as_of,
        case_id=case_id,
        prepared_by=prepared_by,
        reviewed_by=reviewed_by,
        country=country,
    )
    return order_review(evidence, policy, order)


def order_of(
    evidence: Evidence,
    *,
    as_of: date | datetime | str,
    case_id: str | None,
    prepared_by: str | None,
    reviewed_by: str | None,
    country: str,
) -> Order:
    """Return the order for the arguments of `build_review`; a case without an id is the customer's onboarding case."""
    # Slow to import (the database), and a case is mostly named.
    from kycpack.workspace.entries.verify_ledger import case_id_of  # noqa: PLC0415

    case = case_id or case_id_of(evidence.customer_id, "onboarding")
    return Order(format_seconds(read_as_of(as_of)), case, prepared_by or "", reviewed_by or "", country)


def order_review(evidence: Evidence, policy: Policy | Path | str | None, order: Order) -> Review:
    """Compute the review that an order asks for; see `build_review`."""
    rules = to_policy(policy)
    as_of = order.instant
    frames: Frames = flatten(evidence)
    wealth: Wealth = derive(
        frames.transactions,
        customers=frames.customers,
        accounts=frames.accounts,
        balances=frames.balances,
        country=order.country,
        thresholds=rules.thresholds,
        as_of=as_of,
    )
    triage: Triage = evaluate(frames, rules, wealth=wealth, as_of=as_of)
    case = CasePeople(
        order.case_id,
        order.prepared_by,
        order.reviewed_by,
        record=record_of(order.excerpt, order.newer),
        run_head=_head_words(order.ledger_head),
        policy_approval=order.policy_approval,
        earlier=order.earlier,
    )
    whose = replace(wealth, in_other_names=in_other_names(triage.consistency))
    return Review(evidence, frames, whose, triage, rules, as_of, case, order)


def _head_words(head: Mapping[str, Any] | None) -> str:
    return "" if head is None else f"{head['hash']} ({head['size']:,} entries)"


def _make_folders(target: Path) -> None:
    try:
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        (target / "frames").mkdir()
        (target / "report").mkdir()
    except OSError as error:
        if target.is_dir() and isinstance(error, FileExistsError):
            raise PackError(f"{target}: already holds a review; give another folder") from None
        raise PackError(f"{target}: the folder cannot be made ({error.strerror})") from error


def _files(folder: Path) -> Iterator[Path]:
    for name in ("frames", "report"):
        yield from (folder / name).iterdir()
    yield from (folder / name for name in ("workbook.xlsx", "figures.json", MAP))
