"""The source of wealth statement as a PDF that can be shown to the customer.

It states what the bank data shows and nothing else: no screening, no triage, no red flags.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

from kycpack.errors import RenderError
from kycpack.models.dates import instant_words
from kycpack.models.json import dump_json
from kycpack.models.money import ROUNDING, exponent, known_currency
from kycpack.models.wealth import AdditionalSource, PrimarySource, SourceOfWealth, StatementAccount
from kycpack.render.document_parts import Cell, Paragraph, Section, TableColumn, facts, table
from kycpack.render.palette import Tone
from kycpack.render.pdf_pages import PAGE_HEIGHT, Sheet, Stamp
from kycpack.render.pdf_sections import set_block, set_section, set_small_print
from kycpack.render.wording import DEMONSTRATION, DEMONSTRATION_WORDS
from kycpack.wealth.judge.support import MAIN_SOURCE_CHOICE, MAIN_SOURCE_RULE, NOT_EVIDENCED
from kycpack.wealth.judge.wording import NO_NATURE, NOT_ESTABLISHED, count_words
from kycpack.wealth.judge.wording import type_words as plain_type_words
from kycpack.wealth.prepare.lexicon import OTHER, load_lexicon

Range = tuple[Decimal, Decimal]
"""The least and the greatest amount, in major units."""
Counts = tuple[int, int]
"""The least and the greatest number of payments."""
STATEMENT_TITLE = "Source of wealth statement"
"""The title of a statement, on its page and in its metadata."""
_CLASSIFICATION = "Personal and confidential"
_LIMITS = (
    "This statement covers only credits seen in the bank accounts listed above, in the periods shared. It is not a statement of net worth, "
    "and is not corroborated by documents."
)
_FOR_WHOM = "Made for the file of the firm that asked for it."
_RANGE = (
    "A number of payments or a total is a range if some of it may be counted twice. The average amount is that of all payments, "
    "with those that may be counted twice."
)
_NO_SOURCE = (
    "Of these, cash, gifts, winnings, crypto-assets, loans, tax refunds, transfers from persons and money whose nature is not established are listed "
    "only because they came in: they show no source of wealth."
)
_TWICE = (
    "Accounts with the same bank, holder and number may be one account that was linked twice: its balance is then listed "
    "twice. Whether its payments are counted twice is said with the sources."
)


def type_words(kind: str) -> str:
    """Return a source's type in words; an unknown type is returned unchanged."""
    if kind not in load_lexicon().says:
        return kind
    whose = {OTHER: "other"}.get(kind) or plain_type_words(kind)
    said = f"{whose}, {NO_NATURE}" if kind in NOT_ESTABLISHED else whose
    return said[:1].upper() + said[1:]


def render_statement_pdf(  # noqa: PLR0913 - what the statement's own members do not say, all by keyword
    statement: SourceOfWealth,
    *,
    currencies: Sequence[str] = (),
    totals: Sequence[Range] = (),
    counts: Sequence[Counts] = (),
    marks: Sequence[str] = (),
    whose_money: Sequence[Cell] = (),
    unlisted: str = "",
    reference: str = "",
    latin_form: str = "",
    demonstration: bool = False,
) -> bytes:
    """Render a statement.

    Args:
        statement: The statement; `generated_at` dates the document.
        currencies: ISO 4217 code of each source, the primary one first, as returned by `Wealth.statement_currencies`; empty if
            they are not known, since the interface has no field for them.
        totals: Least and greatest total of each source, as returned by `Wealth.statement_totals`; empty if not known.
        counts: Least and greatest number of payments of each source, as returned by `Wealth.statement_counts`; empty if not known.
        marks: Why the nature of each further source is not known, as returned by `marks_of`; empty if not known.
        whose_money: In whose name accounts are held, where that is not the customer's, as the review says it; empty if not known.
        unlisted: Which credits are in no source, in a sentence; empty for none.
        reference: The caller's reference, such as a customer or case id; empty for none.
        latin_form: The Latin form of a name in another script, with its source; empty for none.
        demonstration: Whether it is about an invented person.

    Returns:
        A PDF/A-3u document with the statement's JSON attached as `statement.json`.

    Raises:
        RenderError: `generated_at` is not an instant, or the document could not be written.
    """
    as_of = _instant(statement.generated_at)
    person = facts(
        *_names(_name(statement), latin_form),
        ("City", statement.customer.city or "Not given"),
        ("As of", instant_words(as_of)),
        *(
            [("Payment amount", amount_words(statement.payment_amount))]
            if statement.payment_amount is not None
            else []
        ),
        across=4,
    )
    sections = statement_sections(statement, currencies, totals, counts, marks, whose_money, unlisted)
    # In one block, so that no single note is left on a page of its own.
    notes = Paragraph(" ".join(_notes(statement, counts)), Tone.QUIET)
    for begins_page in (None, sections[-1]):  # the accounts go with the notes that have no room below them
        sheet = _opened(as_of, reference, demonstration=demonstration)
        set_block(sheet, person)
        for section in sections:
            sheet.need(PAGE_HEIGHT if section is begins_page else 0.0)
            set_section(sheet, section)
        page = sheet.pdf.page
        set_small_print(sheet, "How to read this statement", notes)
        if sheet.pdf.page == page:
            break
    sheet.embed("statement.json", dump_json(statement.wire()), "application/json", "The statement as data")
    return sheet.finish()


def statement_sections(
    statement: SourceOfWealth,
    currencies: Sequence[str] = (),
    totals: Sequence[Range] = (),
    counts: Sequence[Counts] = (),
    marks: Sequence[str] = (),
    whose_money: Sequence[Cell] = (),
    unlisted: str = "",
) -> tuple[Section, ...]:
    """Return the sections of a statement: its main source, the other money observed, accounts.

    Args:
        statement: The statement.
        currencies: ISO 4217 code of each source, the primary one first; empty if they are not known.
        totals: Least and greatest total of each source, in the same order; empty if they are not known.
        counts: Least and greatest number of payments of each source, in the same order; empty if they are not known.
        marks: As in `render_statement_pdf`.
        whose_money: As in `render_statement_pdf`.
        unlisted: As in `render_statement_pdf`.
    """
    primary = statement.primary_source
    start = 0 if primary is None else 1
    return (
        _primary(primary, "".join(currencies[:start]), totals[:start], counts[:start], statement.context),
        _additional(statement, currencies[start:], totals[start:], counts[start:], marks, unlisted),
        _accounts(statement.accounts, whose_money),
    )


def render_statement_absent_pdf(
    reason: str,
    *,
    as_of: datetime,
    name: str = "",
    reference: str = "",
    latin_form: str = "",
    demonstration: bool = False,
) -> bytes:
    """Render the document that takes the place of a statement that cannot be made.

    Args:
        reason: Why there is nothing to state, in words a customer may read.
        name: The customer's name; empty if it is not known.
        as_of: The instant of what it says.
        reference: The caller's reference; empty for none.
        latin_form: As in `render_statement_pdf`.
        demonstration: Whether it is about an invented person.

    Returns:
        A PDF/A-3u document of one page.
    """
    sheet = _opened(as_of, reference, demonstration=demonstration)
    set_block(
        sheet,
        facts(
            *_names(name or "Not given", latin_form),
            ("As of", instant_words(as_of)),
        ),
    )
    blocks = (
        Paragraph(reason, Tone.UNKNOWN),
        Paragraph(_FOR_WHOM, Tone.QUIET),
    )
    set_section(sheet, Section("absent", "No statement can be made", blocks))
    return sheet.finish()


def amount_words(amount: Decimal, currency: str = "") -> str:
    """Return an amount for printing, with all its digits and at least the decimals of its currency.

    Args:
        amount: The amount in major units.
        currency: ISO 4217 code; if empty, two decimals are used.
    """
    decimals = exponent(currency) if known_currency(currency) else 2
    is_whole = amount == amount.quantize(Decimal(1).scaleb(-decimals))
    return f"{amount:,.{decimals}f}" if is_whole else f"{amount:,f}"


def _names(name: str, latin_form: str) -> tuple[tuple[str, Cell | str], ...]:
    return (("Name", Cell(name, strong=True)), *((("Latin form", latin_form),) if latin_form else ()))


def _total_words(source: AdditionalSource, currency: str, totals: Sequence[Range], unit: str = "") -> str:
    """Return what was observed in all: without what was taken back, with the sum as paid beside it; a range if part of it is not sure.

    Args:
        source: The source.
        currency: ISO 4217 code; empty if not known.
        totals: The least and the greatest total of the source; empty if not known.
        unit: What follows each amount.
    """
    paid = amount_words(source.total_value, currency) + unit
    for least, most in totals:
        said = amount_words(most, currency) + unit
        if least != most:
            said = f"{amount_words(least, currency)} to {said}"
        return said if most == source.total_value else f"{said}; as paid {paid}"
    return paid


def _payments(source: AdditionalSource, counts: Sequence[Counts]) -> str:
    """Return the number of payments: a range if some of them may be counted twice."""
    return next((count_words(*one) for one in counts), str(source.frequency))


def _notes(statement: SourceOfWealth, counts: Sequence[Counts]) -> tuple[str, ...]:
    """Return how the statement is to be read; without a main source it already says why there is none."""
    return (
        *((f"{MAIN_SOURCE_RULE} {MAIN_SOURCE_CHOICE}",) if statement.primary_source else ()),
        *((_RANGE,) if any(least != most for least, most in counts) else ()),
        *((ROUNDING,) if statement.primary_source or statement.additional_sources else ()),
        _LIMITS,
        _FOR_WHOM,
    )


def _opened(as_of: datetime, reference: str, *, demonstration: bool) -> Sheet:
    footer = (
        f"As of {instant_words(as_of)}",
        *([f"Reference {reference}"] if reference else []),
    )
    classification = f"{_CLASSIFICATION} · {DEMONSTRATION}" if demonstration else _CLASSIFICATION
    sheet = Sheet(Stamp(STATEMENT_TITLE, classification, footer, as_of))
    sheet.put_title(STATEMENT_TITLE)
    if demonstration:
        set_block(sheet, Paragraph(DEMONSTRATION_WORDS, Tone.WATCH))
    return sheet


def _instant(text: str) -> datetime:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise RenderError("the statement's generatedAt is not a time") from None
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)


def _name(statement: SourceOfWealth) -> str:
    parts = (statement.customer.first_name, statement.customer.last_name)
    return " ".join(part for part in parts if part) or "Not given"


def _primary(
    source: PrimarySource | None,
    currency: str,
    totals: Sequence[Range],
    counts: Sequence[Counts],
    context: str | None,
) -> Section:
    if source is None:
        why = "." if context else ": no source was observed."
        absent = Paragraph(f"No main source can be stated{why}", Tone.UNKNOWN)
        seen = (Paragraph(context, Tone.QUIET),) if context else ()
        return Section("primary", "Main source", (absent, *seen))
    return Section(
        "primary",
        "Main source",
        (
            facts(
                ("Type", Cell(type_words(source.type), strong=True)),
                (
                    "Average amount",
                    Cell(f"{amount_words(source.amount, currency)} {currency}".rstrip(), strong=True),
                ),
                ("Payments observed", Cell(_payments(source, counts), strong=True)),
                (
                    "Total observed",
                    Cell(
                        _total_words(source, currency, totals, f" {currency}" if currency else ""),
                        strong=True,
                    ),
                ),
                across=4,
            ),
            Paragraph(source.description),
            *([Paragraph(source.context, Tone.QUIET)] if source.context else []),
        ),
    )


def _additional(
    statement: SourceOfWealth,
    currencies: Sequence[str],
    totals: Sequence[Range],
    counts: Sequence[Counts],
    marks: Sequence[str],
    unlisted: str,
) -> Section:
    sources = statement.additional_sources
    known = len(currencies) == len(sources)
    columns = (
        TableColumn("Source", 4.0),
        TableColumn("Type", 1.7),
        TableColumn("Payments", 1.0, right=True),
        *((TableColumn("Currency", 0.9),) if known else ()),
        TableColumn("Average amount", 1.3, right=True),
        TableColumn("Total observed", 1.3, right=True),
    )
    rows = [
        _source_row(
            source,
            currencies[place : place + 1] if known else (),
            totals[place : place + 1],
            counts[place : place + 1],
            "".join(marks[place : place + 1]),
        )
        for place, source in enumerate(sources)
    ]
    listed = table(columns, rows, "No further source could be established.")
    shows_none = any(source.type in NOT_EVIDENCED for source in sources)
    notes = (Paragraph(one) for one in (_NO_SOURCE if shows_none else "", unlisted) if one)
    title = "Money observed" if statement.primary_source is None else "Other money observed"
    return Section("additional", title, (listed, *notes))


def _source_row(
    source: AdditionalSource,
    currency: Sequence[str],
    totals: Sequence[Range],
    counts: Sequence[Counts],
    mark: str,
) -> tuple[str, ...]:
    code = "".join(currency)
    return (
        source.description,
        ", ".join(filter(None, (type_words(source.type), mark))),
        _payments(source, counts),
        *currency,
        amount_words(source.amount, code),
        _total_words(source, code, totals),
    )


def _accounts(accounts: list[StatementAccount], whose_money: Sequence[Cell]) -> Section:
    columns = (
        TableColumn("Bank", 1.8),
        TableColumn("Account holder", 2.0),
        TableColumn("Account", 1.5),
        TableColumn("Currency", 0.8),
        TableColumn("Balance", 1.3, right=True),
        TableColumn("Data seen", 1.9),
    )
    rows = [
        (
            item.account.bank_name or "Not given",
            item.account.account_holder_name or "Not given",
            " ".join(part for part in (item.account.sort_code, item.account.account_number) if part)
            or "Not given",
            item.account.currency or "Not given",
            "Not available"
            if item.current_balance is None
            else amount_words(item.current_balance, item.account.currency or ""),
            _seen(item),
        )
        for item in accounts
    ]
    seen = [row[:4] for row in rows if row[2] != "Not given"]
    notes = [Paragraph(f"{one.text}.", Tone.UNKNOWN, one.origins) for one in whose_money]
    if len(set(seen)) < len(seen):
        notes.append(Paragraph(_TWICE, Tone.UNKNOWN))
    return Section("accounts", "Accounts", (table(columns, rows, "No accounts were linked."), *notes))


def _seen(item: StatementAccount) -> str:
    seen = item.data_availability
    if seen.balance_available and seen.transactions_available:
        return "Balance and transactions"
    if seen.transactions_available:
        return "Transactions only"
    return "Balance only" if seen.balance_available else "None"
