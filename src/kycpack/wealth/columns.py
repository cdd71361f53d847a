"""The columns of the frames that `derive` makes: what each is, and in which unit."""

from __future__ import annotations

from kycpack.frames.column import Column, Dtype, Schema

_CUSTOMER = Column("customer_id", "string", "the customer", required=True)
_ACCOUNT = Column("account_id", "string", "the account", required=True)
_TXN = Column("txn_id", "string", "the transaction; unique within its account only", required=True)
_BOOKED = Column("booked_on", "date", "the date on which the bank booked it", required=True)
_CURRENCY = Column("currency", "string", "ISO 4217", required=True)
_CREDIT = (
    _CUSTOMER,
    _ACCOUNT,
    _TXN,
    _BOOKED,
    Column("amount_minor", "int64", "the amount paid in", required=True),
    _CURRENCY,
)
_LEVEL = "the evidence for the type: code, entity, purpose, keyword, pattern, or none"
_DOUBTFUL = "whether other evidence speaks against the type"
_CONFIDENCE = "high, medium or low: "


def _count(name: str, doc: str) -> Column:
    return Column(name, "int64", doc, required=True)


def _minor(name: str, doc: str, dtype: Dtype = "int64") -> Column:
    return Column(name, dtype, doc, required=dtype == "int64")


def _text(name: str, doc: str, *, required: bool = True) -> Column:
    return Column(name, "string", doc, required=required)


_ALL = (
    Schema(
        "credits",
        ("account_id", "txn_id"),
        (
            *_CREDIT,
            _text("disposition", "how the credit is counted: stream, own_transfer, refund, one_off, small_other or unexplained"),
            _text("stream_id", "its stream; NA if it is in none", required=False),
            _text("pair_txn_id", "the matching debit, or a possible match", required=False),
            _text("type", "the kind of money; other if the evidence does not show it"),
            _text("evidence_level", _LEVEL),
            _text("reason", "the reason for its disposition and type, in words"),
            _text("evidence_key", "key of its pieces of evidence in frame evidence"),
            Column("doubtful", "bool", _DOUBTFUL, required=True),
            _text("payer", "the payer, as the bank writes it; NA if the text names nobody", required=False),
            _text("payer_key", "the payer in normal form, by which credits are grouped into streams", required=False),
            Column("bonus", "bool", "whether it is a bonus, commission or back pay", required=True),
            _text("evidence_id", "the evidence entry from which the transaction was read", required=False),
            _text("may_repeat_txn_id", "a credit in another account that it may duplicate; both are counted", required=False),
            _minor("may_be_twice_minor", "the amount if it may duplicate another credit; otherwise 0"),
            _minor("returned_minor", "the part of the amount, or all of it, that a later debit took back; 0 where the credit may be a duplicate"),
            _minor("may_be_returned_minor", "the part of the amount, or all of it, that a later debit may have taken back, by names, sums and dates alone"),
            _minor("least_minor", "the amount without what may be counted twice and without what was, or may have been, taken back"),
            _minor("most_minor", "the amount without what was taken back"),
            Column("pair_on", "date", "when the matching debit, or possible match, was booked; NA if there is none"),
        ),
    ),
    Schema(
        "streams",
        ("stream_id",),
        (
            _text("stream_id", "the stream's id, stable for the same customer, payer and currency"),
            _CUSTOMER,
            _CURRENCY,
            _text("payer", "the payer, as the bank writes it", required=False),
            _text("type", "the kind of money; other if the evidence does not show it"),
            _text("evidence_level", _LEVEL),
            _text("cadence", "weekly, fortnightly, four_weekly, semi_monthly, monthly, quarterly, semi_annual, annual or irregular"),
            Column("cadence_score", "float64", "fit of the best calendar, 0 to 1", required=True),
            Column("cadence_margin", "float64", "its lead over the next best calendar, 0 to 1", required=True),
            _count("count", "number of credits"),
            _count("may_be_twice_count", "how many of them may be counted twice"),
            _minor("total_minor", "sum of the credits"),
            _minor("amount_minor", "average credit"),
            _minor("median_minor", "median credit"),
            Column("first_on", "date", "date of the first credit", required=True),
            Column("last_on", "date", "date of the last credit", required=True),
            Column("next_on", "date", "when the next credit is expected; NA if none is"),
            _text("status", "early (too few payments to judge), active, late, ceased, or unknown if the data ends too soon"),
            _text("confidence", _CONFIDENCE + "the stream as a whole"),
            _text("type_confidence", _CONFIDENCE + "its type alone"),
            _text("cadence_confidence", _CONFIDENCE + "its calendar alone"),
            Column("doubtful", "bool", _DOUBTFUL, required=True),
            _text("pattern", "the pattern of amounts and dates that gave the type; empty if none did"),
            _text("description", "a summary in one sentence"),
            Column("ambiguous", "bool", "whether a second calendar fits nearly as well; more history is needed", required=True),
            _text("amount_class", "how its amounts vary: fixed, stable, variable or erratic"),
            _count("bonus_count", "number of its credits that are a bonus"),
            _text("follows_stream_id", "the stream of pay that ended where this one began", required=False),
            Column("follows_alike", "bool", "whether it continues that stream's calendar and nearly its amount", required=True),
            _count("expected_count", "payments that its calendar expects from the first credit to the last"),
            Column("calendar_changed_on", "date", "the first payment on a new calendar; NA if it did not change"),
            _text("earlier_cadence", "the cadence before that change", required=False),
            _count("filled_count", "expected payments that were seen"),
            _count("near_count", "of these, the payments that came some days early or late"),
            _count("silent_count", "expected payments that fall into a hole in the feed"),
            _minor("latest_minor", "the last credit"),
            _minor("next_minor", "the median of the last three days' sums, without what may be counted twice, if another credit is expected", "Int64"),
            _minor("next_most_minor", "the same with what may be counted twice", "Int64"),
            _minor("monthly_3_minor", "monthly average of the last 3 months, in whole periods of its calendar, without what was taken back; NA without that much history, or for half-yearly and yearly credits", "Int64"),
            _minor("monthly_3_least_minor", "the same without what may be counted twice or may have been taken back", "Int64"),
            _minor("monthly_3_paid_minor", "the same with what was taken back", "Int64"),
            _minor("monthly_3_sum_minor", "the sum, without what was taken back, that `monthly_3_minor` is a month of", "Int64"),
            Column("monthly_3_from_on", "date", "the first day of that time; its last day is `data_to_on`"),
            _minor("monthly_12_minor", "monthly average of the last 12 months, in whole periods of its calendar, without what was taken back; NA without that much history", "Int64"),
            _minor("monthly_12_least_minor", "the same without what may be counted twice or may have been taken back", "Int64"),
            _minor("monthly_12_paid_minor", "the same with what was taken back", "Int64"),
            _minor("monthly_12_sum_minor", "the sum, without what was taken back, that `monthly_12_minor` is a month of", "Int64"),
            Column("monthly_12_from_on", "date", "the first day of that time; its last day is `data_to_on`"),
            _text("trend", "the last 3 months compared with the last 12: rising, falling or level; NA if not known", required=False),
            _text("trend_unknown", "why there is no trend, a key of `outlook_words.NOT_STATED`; NA if there is one", required=False),
            Column("silent_from_on", "date", "the last transaction before a time without any in an account that receives it: one for which there is no trend, or in which the next credit of a ceased stream was expected; NA without one"),
            Column("silent_to_on", "date", "the first transaction after that time, or the last day of the data"),
            Column("data_to_on", "date", "the last day with a transaction in any of the customer's accounts", required=True),
            _minor("least_total_minor", "the sum without what may be counted twice and without what was, or may have been, taken back"),
            _minor("most_total_minor", "the sum without what was taken back"),
            _count("odd_count", "number of its credits that are far from its median: more than 3 times as much, or less than a third"),
            _text("odd_words", "these credits in words, which a statement for the customer does not pick out; NA if there are none", required=False),
        ),
    ),
    Schema(
        "evidence",
        ("evidence_key", "number"),
        (
            _text("evidence_key", "key of one combination of evidence, as in frame credits"),
            _count("number", "1 for its first piece"),
            _text("what", "what was seen"),
            _text("says", "the type, or the kind of payer, that it supports"),
            _text("force", "decides, supports, contradicts, hints or not counted"),
            _text("place", "where it was seen"),
        ),
    ),
    Schema(
        "coverage",
        ("customer_id", "currency", "disposition"),
        (
            _CUSTOMER,
            _CURRENCY,
            _text("disposition", "a disposition of credits; or duplicate or pending, which are set aside"),
            _count("count", "number of credits"),
            _minor("total_minor", "sum of the credits"),
            Column("share", "Float64", "share of all credits that are not set aside, 0 to 1; NA for those that are"),
        ),
    ),
    Schema(
        "set_aside",
        ("account_id", "txn_id"),
        (
            *_CREDIT,
            _text("disposition", "duplicate or pending"),
            _text("kept_account_id", "the account of the credit that is counted instead", required=False),
            _text("kept_txn_id", "the credit that is counted instead", required=False),
        ),
    ),
    Schema(
        "pairs",
        (),
        (
            _CUSTOMER,
            _CURRENCY,
            _minor("amount_minor", "the amount that left one account and entered another"),
            _text("credit_account_id", "the account it came into"),
            _text("credit_txn_id", "the credit"),
            Column("credit_on", "date", "when the credit was booked", required=True),
            _text("debit_account_id", "the account it left"),
            _text("debit_txn_id", "the debit"),
            Column("debit_on", "date", "when the debit was booked", required=True),
            _text("verdict", "certain or probable (an own transfer), possible, ambiguous, or contradicted"),
        ),
    ),
    Schema(
        "rejects",
        (),
        (
            _count("row", "number of the row in the index of the input"),
            *_CREDIT[:4],
            _minor("amount_minor", "the amount; plus is into the account"),
            Column("currency", "string", "ISO 4217, unless that is why the row is not used", required=True),
            _text("code", "why the row is not used: future, info, rejected, status, zero, before_1970 or currency"),
            _text("reason", "the same in words"),
        ),
    ),
    Schema(
        "balance_breaks",
        (),
        (
            *_CREDIT[:4],
            _CURRENCY,
            _minor("opens_minor", "the balance of the account before this row"),
            _text("reason", "why the running balance does not continue, in words"),
        ),
    ),
    Schema(
        "feed_holes",
        (),
        (
            _CUSTOMER,
            _ACCOUNT,
            Column("from_on", "date", "the last transaction before the hole", required=True),
            Column("to_on", "date", "the first transaction after it", required=True),
            Column("days", "int64", "length of the hole", required=True, unit="days"),
            _count("usual_count", "number of transactions usual in that many days"),
            _text("verdict", "hole, or possible"),
            _text("reason", "the reason for the verdict, in words"),
        ),
    ),
    Schema(
        "quiet_times",
        (),
        (
            _CUSTOMER,
            _ACCOUNT,
            Column("from_on", "date", "the last transaction before it", required=True),
            Column("to_on", "date", "the first transaction after it", required=True),
            Column("days", "int64", "its length", required=True, unit="days"),
            _count("usual_count", "number of transactions usual in that many days"),
        ),
    ),
    Schema(
        "flows",
        ("customer_id", "currency"),
        (
            _CUSTOMER,
            _CURRENCY,
            _minor("in_minor", "money in, without own transfers"),
            _minor("out_minor", "money out, without own transfers"),
            Column("first_on", "date", "date of the first transaction", required=True),
            Column("last_on", "date", "date of the last transaction", required=True),
        ),
    ),
    Schema(
        "flags",
        (),
        (
            _CUSTOMER,
            _text("code", "the kind of red flag"),
            _text("severity", "the level that the policy gives this kind of flag"),
            _text("message", "what was seen, in a sentence"),
            _CURRENCY,
            _text("limit_basis", "how a limit in the sentence is worked out, if it depends on the case", required=False),
            Column("facts", "object", "the numbers in the sentence, by name", required=True),
            Column("txn_ids", "object", "list of the transactions that raised it", required=True),
            Column("account_ids", "object", "list of the accounts of these transactions, in the same order", required=True),
            Column("evidence_ids", "object", "list of the evidence entries from which they were read", required=True),
        ),
    ),
)  # fmt: skip

DERIVED: dict[str, Schema] = {schema.name: schema for schema in _ALL}
