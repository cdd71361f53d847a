"""The columns of the frames that `derive` makes: what each is, and in which unit."""

from __future__ import annotations

from kycpack.frames.column import Column, Dtype, Schema

CUSTOMER = Column("customer_id", "string", "the customer", required=True)
_ACCOUNT = Column("account_id", "string", "the account", required=True)
_TXN = Column("txn_id", "string", "the transaction; unique within its account only", required=True)
_BOOKED = Column("booked_on", "date", "the date on which the bank booked it", required=True)
CURRENCY = Column("currency", "string", "ISO 4217", required=True)
_CREDIT = (
    CUSTOMER,
    _ACCOUNT,
    _TXN,
    _BOOKED,
    Column("amount_minor", "int64", "the amount paid in", required=True),
    CURRENCY,
)
_LEVEL = "the evidence for the type: code, entity, purpose, keyword, pattern, or none"
_DOUBTFUL = "whether other evidence speaks against the type"
_CONFIDENCE = "high, medium or low: "


def number(name: str, doc: str, dtype: Dtype = "int64") -> Column:
    """Return a column of numbers: counts, positions, or minor units; of any dtype but the default they may be missing."""
    return Column(name, dtype, doc, required=dtype == "int64")


def text(name: str, doc: str, *, required: bool = True) -> Column:
    """Return a column of texts."""
    return Column(name, "string", doc, required=required)


_ALL = (
    Schema(
        "credits",
        ("account_id", "txn_id"),
        (
            *_CREDIT,
            text("disposition", "how the credit is counted: stream, own_transfer, refund, one_off, small_other or unexplained"),
            text("stream_id", "its stream; NA if it is in none", required=False),
            text("pair_txn_id", "the matching debit, or a possible match", required=False),
            text("type", "the kind of money; other if the evidence does not show it"),
            text("evidence_level", _LEVEL),
            text("reason", "the reason for its disposition and type, in words"),
            text("evidence_key", "key of its pieces of evidence in frame evidence"),
            Column("doubtful", "bool", _DOUBTFUL, required=True),
            text("payer", "the payer, as the bank writes it; NA if the text names nobody", required=False),
            text("payer_key", "the payer in normal form, by which credits are grouped into streams", required=False),
            Column("bonus", "bool", "whether it is a bonus, commission or back pay", required=True),
            text("evidence_id", "the evidence entry from which the transaction was read", required=False),
            text("may_repeat_txn_id", "a credit in another account that it may duplicate; both are counted", required=False),
            number("may_be_twice_minor", "the amount if it may duplicate another credit; otherwise 0"),
            number("returned_minor", "the part of the amount, or all of it, that a later debit took back; 0 where the credit may be a duplicate"),
            number("may_be_returned_minor", "the part of the amount, or all of it, that a later debit may have taken back, by names, sums and dates alone"),
            number("least_minor", "the amount without what may be counted twice and without what was, or may have been, taken back"),
            number("most_minor", "the amount without what was taken back"),
            Column("pair_on", "date", "when the matching debit, or possible match, was booked; NA if there is none"),
        ),
    ),
    Schema(
        "streams",
        ("stream_id",),
        (
            text("stream_id", "the stream's id, stable for the same customer, payer and currency"),
            CUSTOMER,
            CURRENCY,
            text("payer", "the payer, as the bank writes it", required=False),
            text("type", "the kind of money; other if the evidence does not show it"),
            text("evidence_level", _LEVEL),
            text("cadence", "weekly, fortnightly, four_weekly, semi_monthly, monthly, quarterly, semi_annual, annual or irregular"),
            Column("cadence_score", "float64", "fit of the best calendar, 0 to 1", required=True),
            Column("cadence_margin", "float64", "its lead over the next best calendar, 0 to 1", required=True),
            number("count", "number of credits"),
            number("may_be_twice_count", "how many of them may be counted twice"),
            number("total_minor", "sum of the credits"),
            number("amount_minor", "average credit"),
            number("median_minor", "median credit"),
            Column("first_on", "date", "date of the first credit", required=True),
            Column("last_on", "date", "date of the last credit", required=True),
            Column("next_on", "date", "when the next credit is expected; NA if none is"),
            text("status", "early (too few payments to judge), active, late, ceased, or unknown if the data ends too soon"),
            text("confidence", _CONFIDENCE + "the stream as a whole"),
            text("type_confidence", _CONFIDENCE + "its type alone"),
            text("cadence_confidence", _CONFIDENCE + "its calendar alone"),
            Column("doubtful", "bool", _DOUBTFUL, required=True),
            text("pattern", "the pattern of amounts and dates that gave the type; empty if none did"),
            text("description", "a summary in one sentence"),
            Column("ambiguous", "bool", "whether a second calendar fits nearly as well; more history is needed", required=True),
            text("amount_class", "how its amounts vary: fixed, stable, variable or erratic"),
            number("bonus_count", "number of its credits that are a bonus"),
            text("follows_stream_id", "the stream of pay that ended where this one began", required=False),
            Column("follows_alike", "bool", "whether it continues that stream's calendar and nearly its amount", required=True),
            number("expected_count", "payments that its calendar expects from the first credit to the last"),
            Column("calendar_changed_on", "date", "the first payment on a new calendar; NA if it did not change"),
            text("earlier_cadence", "the cadence before that change", required=False),
            number("filled_count", "expected payments that were seen"),
            number("near_count", "of these, the payments that came some days early or late"),
            number("silent_count", "expected payments that fall into a hole in the feed"),
            number("latest_minor", "the last credit"),
            number("next_minor", "the median of the last three days' sums, without what may be counted twice, if another credit is expected", "Int64"),
            number("next_most_minor", "the same with what may be counted twice", "Int64"),
            number("monthly_3_minor", "monthly average of the last 3 months, in whole periods of its calendar, without what was taken back; NA without that much history, or for half-yearly and yearly credits", "Int64"),
            number("monthly_3_least_minor", "the same without what may be counted twice or may have been taken back", "Int64"),
            number("monthly_3_paid_minor", "the same with what was taken back", "Int64"),
            number("monthly_3_sum_minor", "the sum, without what was taken back, that `monthly_3_minor` is a month of", "Int64"),
            Column("monthly_3_from_on", "date", "the first day of that time; its last day is `data_to_on`"),
            number("monthly_12_minor", "monthly average of the last 12 months, in whole periods of its calendar, without what was taken back; NA without that much history", "Int64"),
            number("monthly_12_least_minor", "the same without what may be counted twice or may have been taken back", "Int64"),
            number("monthly_12_paid_minor", "the same with what was taken back", "Int64"),
            number("monthly_12_sum_minor", "the sum, without what was taken back, that `monthly_12_minor` is a month of", "Int64"),
            Column("monthly_12_from_on", "date", "the first day of that time; its last day is `data_to_on`"),
            text("trend", "the last 3 months compared with the last 12: rising, falling or level; NA if not known", required=False),
            text("trend_unknown", "why there is no trend, a key of `outlook_words.NOT_STATED`; NA if there is one", required=False),
            Column("silent_from_on", "date", "the last transaction before a time without any in an account that receives it: one for which there is no trend, or in which the next credit of a ceased stream was expected; NA without one"),
            Column("silent_to_on", "date", "the first transaction after that time, or the last day of the data"),
            Column("data_to_on", "date", "the last day with a transaction in any of the customer's accounts", required=True),
            number("least_total_minor", "the sum without what may be counted twice and without what was, or may have been, taken back"),
            number("most_total_minor", "the sum without what was taken back"),
            number("odd_count", "number of its credits that are far from its median: more than 3 times as much, or less than a third"),
            text("odd_words", "these credits in words, which a statement for the customer does not pick out; NA if there are none", required=False),
        ),
    ),
    Schema(
        "evidence",
        ("evidence_key", "number"),
        (
            text("evidence_key", "key of one combination of evidence, as in frame credits"),
            number("number", "1 for its first piece"),
            text("what", "what was seen"),
            text("says", "the type, or the kind of payer, that it supports"),
            text("force", "decides, supports, contradicts, hints or not counted"),
            text("place", "where it was seen"),
        ),
    ),
    Schema(
        "coverage",
        ("customer_id", "currency", "disposition"),
        (
            CUSTOMER,
            CURRENCY,
            text("disposition", "a disposition of credits; or duplicate or pending, which are set aside"),
            number("count", "number of credits"),
            number("total_minor", "sum of the credits"),
            Column("share", "Float64", "share of all credits that are not set aside, 0 to 1; NA for those that are"),
        ),
    ),
    Schema(
        "set_aside",
        ("account_id", "txn_id"),
        (
            *_CREDIT,
            text("disposition", "duplicate or pending"),
            text("kept_account_id", "the account of the credit that is counted instead", required=False),
            text("kept_txn_id", "the credit that is counted instead", required=False),
        ),
    ),
    Schema(
        "pairs",
        (),
        (
            CUSTOMER,
            CURRENCY,
            number("amount_minor", "the amount that left one account and entered another"),
            text("credit_account_id", "the account it came into"),
            text("credit_txn_id", "the credit"),
            Column("credit_on", "date", "when the credit was booked", required=True),
            text("debit_account_id", "the account it left"),
            text("debit_txn_id", "the debit"),
            Column("debit_on", "date", "when the debit was booked", required=True),
            text("verdict", "certain or probable (an own transfer), possible, ambiguous, or contradicted"),
        ),
    ),
    Schema(
        "rejects",
        (),
        (
            number("row", "number of the row in the index of the input"),
            *_CREDIT[:4],
            number("amount_minor", "the amount; plus is into the account"),
            Column("currency", "string", "ISO 4217, unless that is why the row is not used", required=True),
            text("code", "why the row is not used: future, info, rejected, status, zero, before_1970 or currency"),
            text("reason", "the same in words"),
        ),
    ),
    Schema(
        "balance_breaks",
        (),
        (
            *_CREDIT[:4],
            CURRENCY,
            number("opens_minor", "the balance of the account before this row"),
            text("reason", "why the running balance does not continue, in words"),
        ),
    ),
    Schema(
        "feed_holes",
        (),
        (
            CUSTOMER,
            _ACCOUNT,
            Column("from_on", "date", "the last transaction before the hole", required=True),
            Column("to_on", "date", "the first transaction after it", required=True),
            Column("days", "int64", "length of the hole", required=True, unit="days"),
            number("usual_count", "number of transactions usual in that many days"),
            text("verdict", "hole, or possible"),
            text("reason", "the reason for the verdict, in words"),
        ),
    ),
    Schema(
        "quiet_times",
        (),
        (
            CUSTOMER,
            _ACCOUNT,
            Column("from_on", "date", "the last transaction before it", required=True),
            Column("to_on", "date", "the first transaction after it", required=True),
            Column("days", "int64", "its length", required=True, unit="days"),
            number("usual_count", "number of transactions usual in that many days"),
        ),
    ),
    Schema(
        "flows",
        ("customer_id", "currency"),
        (
            CUSTOMER,
            CURRENCY,
            number("in_minor", "money in, without own transfers"),
            number("out_minor", "money out, without own transfers"),
            Column("first_on", "date", "date of the first transaction", required=True),
            Column("last_on", "date", "date of the last transaction", required=True),
        ),
    ),
    Schema(
        "flags",
        (),
        (
            CUSTOMER,
            text("code", "the kind of red flag"),
            text("severity", "the level that the policy gives this kind of flag"),
            text("message", "what was seen, in a sentence"),
            CURRENCY,
            text("limit_basis", "how a limit in the sentence is worked out, if it depends on the case", required=False),
            Column("facts", "object", "the numbers in the sentence, by name", required=True),
            Column("txn_ids", "object", "list of the transactions that raised it", required=True),
            Column("account_ids", "object", "list of the accounts of these transactions, in the same order", required=True),
            Column("evidence_ids", "object", "list of the evidence entries from which they were read", required=True),
        ),
    ),
)  # fmt: skip

DERIVED: dict[str, Schema] = {schema.name: schema for schema in _ALL}
