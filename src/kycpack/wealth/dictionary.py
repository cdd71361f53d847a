"""The frame dictionary: the meaning of each column of each frame, read from the schemas of the frames.

The schemas here are those of frames that methods of `Wealth`, `evaluate` and `build_review` make from the frames of `flatten` and `derive`.

`python -m kycpack.wealth.dictionary` prints `docs/frames.md`.
"""

from __future__ import annotations

import sys

import pandas as pd

from kycpack.errors import FrameError
from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.column import Column, Schema
from kycpack.models.arguments import require_text
from kycpack.wealth.columns import CURRENCY, CUSTOMER, DERIVED, number, text

_MAJOR = "major units of the currency with most of the customer's credits"
_EVIDENCE_IDS = Column("evidence_ids", "object", "list of the evidence entries that show it", required=True)


def _list(name: str, doc: str) -> Column:
    return Column(name, "object", f"list of {doc}", required=True)


def _major(name: str, doc: str) -> Column:
    return Column(name, "decimal", doc, unit=_MAJOR)


_OF_WEALTH = (
    Schema(
        "own_sources",
        ("source_id",),
        (
            text("source_id", "the stream's id, or account/transaction of a single credit"),
            CURRENCY,
            text("type", "the kind of money, as in frame streams"),
            number("count", "number of credits"),
            number("total_minor", "sum of the credits"),
            number("least_total_minor", "the sum without what may be counted twice and without what was, or may have been, taken back"),
            number("most_total_minor", "the sum without what was taken back"),
            number("may_be_twice_minor", "the part of the sum that may be counted twice"),
            number("may_be_twice_count", "how many of its payments may be counted twice"),
            number("amount_minor", "average credit"),
            text("status", "as in frame streams; active for a single credit"),
            Column("first_on", "date", "date of the first credit", required=True),
            Column("last_on", "date", "date of the last credit", required=True),
            text("cadence", "as in frame streams; irregular for a single credit"),
            text("evidence_level", "the evidence for the type, as in frame streams"),
            text("support", "what supports its nature: proven; or words or purpose, the sender's words or purpose code alone; pattern, that of the payments alone; or weak, not sure or contradicted"),
            Column("doubtful", "bool", "whether other evidence speaks against the type, or a check questions the pay", required=True),
            text("held_by", "in whose name other accounts are into which some of it was paid; empty if all are in the customer's"),
            text("description", "a summary in one sentence"),
        ),
    ),
    Schema(
        "nature",
        ("currency", "nature", "evidence_level"),
        (
            CURRENCY,
            text("nature", "known, regular_unknown, cash_or_named or irregular_unknown"),
            text("evidence_level", "the evidence for a known nature; otherwise none"),
            number("count", "number of credits, without own transfers"),
            number("total_minor", "sum of these credits, without what was taken back"),
            number("least_minor", "the same without what may be counted twice or may have been taken back"),
            Column("share", "Float64", "share of the customer's credits in this currency, without own transfers, 0 to 1", required=True),
        ),
    ),
    Schema(
        "joint_accounts",
        ("account_id",),
        (
            text("account_id", "an account whose holder's name names several people"),
            text("holder_name", "the holder's name, as the bank gives it"),
            number("holder_count", "number of people in the name"),
        ),
    ),
)  # fmt: skip

_OF_TRIAGE = (
    Schema(
        "recommendations",
        ("customer_id",),
        (
            CUSTOMER,
            text("level", "the recommended level: the highest of any finding that still applies"),
            text("top_reason", "the first reason, with any that is escalated to the MLRO; or that no finding stands against approval, and whether the risk file is complete"),
            _list("reasons", "the reasons, one sentence each, the highest level first"),
            _list("fired", "the rules that were hit, without those that stay inside the firm"),
            _list("unknown", "the rules that could not be evaluated, without those that stay inside the firm"),
            _list("routes", "the owners of every hit and every unknown"),
            _list("actions", "what has to be done"),
            _list("not_looked_at", "titles of the rules that do not apply"),
            _list("internal", "the rules that stay inside the firm: never for the customer, a webhook or a log"),
            text("diligence", "how much due diligence the policy asks for"),
            _list("required_checks", "the checks that this due diligence requires"),
            Column("next_review_on", "string", "when the next review is due", required=True, unit="date, YYYY-MM-DD"),
            text("policy_id", "id of the policy"),
            text("policy_version", "version of the policy"),
            text("policy_digest", "SHA-256 of the policy"),
        ),
    ),
    Schema(
        "findings",
        (),
        (
            CUSTOMER,
            text("session_id", "the session; NA for a rule about the customer", required=False),
            text("rule_id", "the rule"),
            text("outcome", "HIT, UNKNOWN, CLEAR or NOT_APPLICABLE"),
            text("level", "the level that it raises the recommendation to"),
            text("owner", "who works on it"),
            text("action", "what has to be done; empty for nothing"),
            Column("internal", "bool", "whether it stays inside the firm: never for the customer, a webhook or a log", required=True),
            text("title", "what was checked, in a few words"),
            text("reason", "one sentence with the value and the evidence"),
            text("sentence", "the same sentence as reason"),
            text("cause", "why it is UNKNOWN, one sentence; empty otherwise; findings with the same cause belong together"),
            text("basis", "the law, guidance or standard behind the rule"),
            text("path", "what was checked, for programs"),
            text("value", "the value, for programs; NA if there is none", required=False),
            _EVIDENCE_IDS,
            text("superseded_by", "the later session that replaces it; NA if it still applies", required=False),
        ),
    ),
    Schema(
        "consistency",
        (),
        (
            CUSTOMER,
            text("field", "name, date_of_birth, address or town"),
            text("left", "the first source: record, document, address, bank or statement; with an id if there are several"),
            text("right", "the second source"),
            text("verdict", "equal, similar, different, missing or unreadable"),
            Column("score", "Float64", "likeness, 0 to 1; NA if a value is missing"),
            text("reason", "the reason for the verdict, in words"),
            text("kinds", "how the two differ although they agree, separated by commas; empty if they are the same text, or different"),
            _EVIDENCE_IDS,
            text("left_value", "what was compared; NA if the source has no value", required=False),
            text("right_value", "the same for the second source", required=False),
        ),
    ),
    Schema(
        "supersessions",
        ("customer_id", "session_id"),
        (
            CUSTOMER,
            text("session_id", "the session that is replaced"),
            text("superseded_by", "the later session"),
            text("kind", "complete if a complete session replaces an unfinished one; renewal if a document was renewed"),
            number("attempts", "number of sessions up to and including the later one"),
            _list("gave_way", "the rules whose findings were dropped"),
            text("sentence", "what happened, in words"),
            _EVIDENCE_IDS,
        ),
    ),
)  # fmt: skip

_OF_REVIEW = (
    Schema(
        "limits",
        (),
        (
            CUSTOMER,
            text("subject", "the id it is about"),
            text("area", "as in frame gaps"),
            text("code", "what kind of limit, for programs; stable"),
            text("message", "what the bank data does not show, as a sentence"),
            text("evidence_id", "the evidence entry it was read from; empty if it was read from none"),
            text("part", "as in frame gaps"),
            text("cause", "as in frame gaps"),
            number("number", "as in frame gaps", "Int64"),
            number("amount_minor", "as in frame gaps", "Int64"),
            text("currency", "as in frame gaps", required=False),
            number("least_minor", "as in frame gaps", "Int64"),
        ),
    ),
    Schema(
        "sufficiency",
        ("payment_id",),
        (
            CUSTOMER,
            text("payment_id", "the payment"),
            text("answer", "supported, partly supported, not supported or cannot tell"),
            number("amount_minor", "amount of the payment"),
            CURRENCY,
            number("supported_minor", "the part of it that is supported: at most so much where balances are known, because other money is taken to have been spent first, and otherwise at least so much"),
            number("shortfall_minor", "the rest"),
            Column("from_on", "date", "first day of the data used; NA if there is none"),
            Column("to_on", "date", "last day of the data used; NA if there is none"),
            _list("basis", "what supports the payment and what does not, one sentence each"),
            _list("source_ids", "the streams and single credits that were used"),
            _list("assumptions", "what was assumed, one sentence each"),
        ),
    ),
    Schema(
        "reconciliation",
        ("evidence_id", "position"),
        (
            CUSTOMER,
            text("evidence_id", "the evidence entry of the service's statement"),
            number("position", "the row's place in the comparison with this statement, from 0", "Int64"),
            text("verdict", "equal, explained, unexplained, only_ours or only_theirs"),
            text("our_source_id", "our source, as in frame own_sources; NA without one", required=False),
            number("their_position", "place of the source in their statement, the main source being 0; NA without one", "Int64"),
            text("our_type", "our kind of money; NA without our source", required=False),
            text("their_type", "their kind of money; NA without their source", required=False),
            _major("our_amount", "our average credit"),
            _major("their_amount", "their amount; a statement does not state its currency"),
            number("our_frequency", "number of credits that we observed", "Int64"),
            number("their_frequency", "frequency in their statement", "Int64"),
            _major("our_total", "our sum"),
            _major("their_total", "their total"),
            _major("difference", "our total minus theirs; NA if only one side has the source"),
            text("explanation", "the reason for the verdict, in words"),
        ),
    ),
)  # fmt: skip

FURTHER: dict[str, Schema] = {schema.name: schema for schema in (*_OF_WEALTH, *_OF_TRIAGE, *_OF_REVIEW)}
MADE_BY = {
    **{schema.name: "a method of `Wealth`" for schema in _OF_WEALTH},
    **{schema.name: "`kp.evaluate`" for schema in _OF_TRIAGE},
    **{schema.name: "`kp.build_review`" for schema in _OF_REVIEW},
    "own_sources": "`Wealth.sources(customer_id)`, and written into each pack",
    "nature": "`Wealth.nature(customer_id)`",
    "joint_accounts": "`Wealth.joint_accounts(customer_id)`",
}
"""What makes each of these frames, for the dictionary's page."""


_FRAMES = SCHEMAS | DERIVED | FURTHER

_UNITS = {
    "_minor": "minor units of the row's currency",
    "_share": "share, 0 to 1",
    "_days": "days",
}
_UNITS_BY_DTYPE = {"date": "date, no time zone", "instant": "UTC instant"}
_COLUMNS = ("column", "dtype", "unit", "required", "meaning")

_HEAD = """# Frame dictionary

Every frame that `kp.flatten`, `kp.derive`, `kp.evaluate` and `kp.build_review` make, column by column. This page is generated from the
schemas of the frames: `python -m kycpack.wealth.dictionary > docs/frames.md`. A test fails when the two differ. In a notebook,
`kp.describe("transactions")` gives one of these tables as a frame.

- A column that is not required may be empty. Empty means not known; it never means zero or clear.
- Money is a whole number of minor units (pence for GBP) beside a currency column. It is never a floating-point number.
- Dates (`_on`) are those of the bank or the document and have no time zone. Instants (`_at`) are UTC.
- A meaning that is a path, such as `document.holder.firstName`, names the member of the response that [the interface](interface.md)
  describes. Columns have snake_case names where the wire has camelCase: `firstName` is `first_name`.
- In a pack and a review, frame `credits` has two more columns: `nature`, as in frame `nature`, and `known_by`, the evidence if the nature
  is known. Both are empty for own transfers.
"""


def describe(name: str) -> pd.DataFrame:
    """Return the dictionary of one frame.

    Args:
        name: Name of the frame, as in `transactions` or `streams`.

    Returns:
        One row per column, in order: column, dtype (as in pandas), unit, required, meaning; the unit is empty
        if the column has none.

    Raises:
        FrameError: There is no frame of this name.
    """
    require_text("name", name)
    if name not in _FRAMES:
        raise FrameError(f"no frame {name!r}; there are {', '.join(sorted(_FRAMES))}")
    rows = [
        (column.name, str(column.pandas_dtype), _unit(column), column.required, column.doc)
        for column in _FRAMES[name].columns
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def dictionary_page() -> str:
    """Return the frame dictionary of all frames, as Markdown."""
    return "\n".join([_HEAD, *(_section(name) for name in _FRAMES)])


def _unit(column: Column) -> str:
    if column.unit:
        return column.unit
    for suffix, unit in _UNITS.items():
        if column.name.endswith(suffix):
            return unit
    return _UNITS_BY_DTYPE.get(column.dtype, "")


def _section(name: str) -> str:
    key = ", ".join(f"`{column}`" for column in _FRAMES[name].key)
    made_by = [f"Made by {MADE_BY[name]}.", ""] if name in MADE_BY else []
    lines = [f"## {name}", "", *made_by, f"Key: {key}." if key else "Rows have no key.", ""]
    lines += ["| column | dtype | unit | required | meaning |", "|---|---|---|---|---|"]
    for row in describe(name).itertuples(index=False):
        required = "yes" if row.required else ""
        meaning = str(row.meaning).replace("|", "\\|")
        lines.append(f"| `{row.column}` | `{row.dtype}` | {row.unit} | {required} | {meaning} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.stdout.write(dictionary_page())
