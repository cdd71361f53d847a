"""What a review says that it cannot show: each limit with its evidence, every gap a sentence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest
from tests.render.specimen_review import AS_OF, contents_of

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.render import ReviewContents
from kycpack.render.review.bank_limits import limits_of
from kycpack.render.review.gap_titles import title_of
from kycpack.render.review.gaps import limits_section, with_unprintable
from kycpack.render.review.short_names import ShortNames
from kycpack.wealth import derive


def test_what_cannot_be_shown_has_a_section_with_refusals_and_timeouts(pages: list[str]) -> None:
    text = " ".join(pages)
    assert "What this pack cannot show" in text
    assert "refused with status 403" in text
    assert "did not arrive in time" in text
    assert "Accounts that the customer did not link cannot be seen." in text


def test_limits_of_the_bank_data_are_told_as_of_the_date(specimen: Evidence) -> None:
    late = contents_of(specimen, as_of=datetime(2026, 12, 1, tzinfo=UTC))
    text = " ".join(
        cell.text for b in late.section("limits").blocks for row in getattr(b, "rows", ()) for cell in row
    )
    assert "Access to account **-**-27 ****4471 expired on 18 Sep 2026." in text
    assert "No transactions of account **-**-27 ****4471 were seen after 23 Jun 2026" in text


def limits_without(specimen: Evidence, account: str, months: set[str]) -> list[str]:
    """Return what the limits say when an account has no transactions in some months."""
    frames = flatten(specimen)
    booked = frames.transactions["booked_on"].dt.strftime("%Y-%m")
    gone = booked.isin(months) & (frames.transactions["account_id"].astype("string") == account)
    left = replace(frames, transactions=frames.transactions[~gone])
    credits_ = derive(left.transactions, as_of=AS_OF).credits
    return list(limits_of(specimen, left, credits_, AS_OF)["message"])


def test_months_without_transactions_are_named_with_the_account(specimen: Evidence) -> None:
    said = "No transactions of account **-**-27 ****4471 were seen in 2 months of the period that its data covers: Jul 2025 to Aug 2025 (E-11, E-12)."
    assert said in limits_without(specimen, "acc_main", {"2025-07", "2025-08"})


def test_an_account_with_fewer_than_two_transactions_a_month_is_said_to_be_seldom_used(
    specimen: Evidence,
) -> None:
    frames = flatten(specimen)
    is_main = frames.transactions["account_id"].astype("string") == "acc_main"
    by_month = frames.transactions.assign(month=frames.transactions["booked_on"].dt.strftime("%Y-%m"))
    firsts = ~by_month.duplicated(["account_id", "month"]) & ~by_month["month"].isin({"2025-07", "2025-08"})
    left = replace(frames, transactions=frames.transactions[~is_main | firsts])
    credits_ = derive(left.transactions, as_of=AS_OF).credits
    (found,) = limits_of(specimen, left, credits_, AS_OF).query("code == 'months_missing'").itertuples()
    count = int((is_main & firsts).sum())
    assert (found.cause, found.part, found.number) == ("seldom", f"{count} transactions", 2)
    said = f"Jul 2025 to Aug 2025. It has only {count} transactions in all, so that a month without one may be usual (E-11, E-12)."
    assert found.message.endswith(said)
    names = ShortNames(())
    assert title_of([found], names).endswith(
        f": no transactions in 2 months, only {count} transactions in all (E-11, E-12)"
    )


def test_each_limit_cites_what_shows_it(specimen: Evidence) -> None:
    limits = contents_of(specimen, as_of=datetime(2026, 12, 1, tzinfo=UTC)).tables["limits"]
    cited = {(row.code, row.subject): (row.evidence_id, row.message) for row in limits.itertuples()}
    assert cited["access_expired", "acc_main"][0] == "E-09"
    entry, message = cited["silent", "acc_main"]
    assert entry == "E-11"
    assert message.endswith("(E-11, E-12).")
    entry, message = cited["silent", "acc_save"]
    assert entry == "E-14"
    assert "E-" not in message
    frames = flatten(specimen)
    of_main = frames.transactions["account_id"].astype("string") == "acc_main"
    left = replace(frames, transactions=frames.transactions[~of_main])
    credits_ = derive(left.transactions, as_of=AS_OF).credits
    empty = limits_of(specimen, left, credits_, AS_OF)
    assert empty.loc[empty["code"] == "no_transactions", "evidence_id"].tolist() == ["E-11"]


def test_a_limit_that_was_read_from_no_entry_has_an_empty_one(specimen: Evidence) -> None:
    frames = flatten(specimen)
    limits = limits_of(specimen, frames, derive(frames.transactions, as_of=AS_OF).credits, AS_OF)
    found = with_unprintable(limits, "C-1", ("U+A9B2 JAVANESE LETTER HA",))
    assert found["evidence_id"].tolist()[-1] == ""
    assert found["evidence_id"].notna().all()


def test_accounts_with_the_same_visible_number_are_told_apart(specimen: Evidence) -> None:
    frames = flatten(specimen)
    numbers = frames.accounts.assign(sort_code="**-**-27", account_number="****4471")
    alike = replace(frames, accounts=numbers)
    credits_ = derive(alike.transactions, as_of=AS_OF).credits
    said = limits_of(specimen, alike, credits_, datetime(2026, 12, 1, tzinfo=UTC))
    named = said[said["message"].str.contains(r"\*\*-", regex=True)]
    assert len(named)
    for row in named.itertuples():
        assert f"account **-**-27 ****4471 ({row.subject})" in row.message


def test_all_missing_months_of_a_quarterly_account_are_one_sentence(specimen: Evidence) -> None:
    quarters = {"2025-01", "2025-04", "2025-07", "2025-10", "2026-01", "2026-04", "2026-06"}
    every = {f"{year}-{month:02d}" for year in (2025, 2026) for month in range(1, 13)}
    about = [line for line in limits_without(specimen, "acc_save", every - quarters) if "****9020" in line]
    (sentence,) = (line for line in about if "of the period that its data covers" in line)
    assert sentence.startswith("No transactions of account **-**-27 ****9020 were seen in 11 months of")
    assert sentence.endswith(
        "Feb 2025 to Mar 2025, May 2025 to Jun 2025, Aug 2025 to Sep 2025, Nov 2025 to Dec 2025, Feb 2026 to Mar 2026, "
        "May 2026. It has only 8 transactions in all, so that a month without one may be usual."
    )


def test_of_very_many_gaps_the_first_are_printed_and_all_are_counted(specimen: Evidence) -> None:
    gaps = pd.DataFrame(
        {
            "area": ["bank"] * 500,
            "code": ["transaction_misfit"] * 500,
            "message": [f"transaction {number} of page E-11: it has no currency" for number in range(500)],
            "subject": ["acc_main"] * 500,
            "evidence_id": ["E-11"] * 500,
            "cause": [""] * 500,
            "part": [""] * 500,
            "least_minor": [None] * 500,
        }
    )
    section = limits_section(gaps, ShortNames(()))
    rows = [row for block in section.blocks for row in getattr(block, "rows", ())]
    said = " ".join(block.text for block in section.blocks if hasattr(block, "text"))
    assert 0 < len(rows) < 500
    assert "the others are in the workbook, sheets gaps and limits" in said
    assert "500 transaction misfit" in said


def test_every_gap_is_a_sentence_with_a_full_stop(contents: ReviewContents) -> None:
    rows = [row for block in contents.section("limits").blocks for row in getattr(block, "rows", ())]
    assert len(rows) > 3
    assert [row[1].text for row in rows if not row[1].text.endswith(".") or row[1].text.endswith("..")] == []


def codes_of(specimen: Evidence, days: list[str], as_of: datetime) -> set[str]:
    """Return the limits of an account with one transaction on each of some days."""
    frames = flatten(specimen)
    of_main = frames.transactions["account_id"].astype("string") == "acc_main"
    booked = frames.transactions[of_main].head(len(days)).assign(booked_on=pd.to_datetime(days))
    credits_ = derive(booked, as_of=as_of).credits
    limits = limits_of(specimen, replace(frames, transactions=booked), credits_, as_of)
    return set(limits.loc[limits["subject"] == "acc_main", "code"])


@pytest.mark.parametrize(("first", "is_short"), [("2026-01-01", False), ("2026-01-02", True)])
def test_a_history_is_short_if_less_than_180_days_lie_between_its_ends(
    specimen: Evidence, first: str, *, is_short: bool
) -> None:
    said = codes_of(specimen, [first, "2026-06-30"], datetime(2026, 6, 30, 12, tzinfo=UTC))
    assert ("history_short" in said) == is_short


@pytest.mark.parametrize(("day", "is_silent"), [(14, False), (15, True)])
def test_an_account_is_silent_after_more_than_45_days_without_a_transaction(
    specimen: Evidence, day: int, *, is_silent: bool
) -> None:
    said = codes_of(specimen, ["2025-12-01", "2026-06-30"], datetime(2026, 8, day, tzinfo=UTC))
    assert ("silent" in said) == is_silent


@pytest.mark.parametrize(("seconds", "is_over"), [(-1, False), (0, True)])
def test_access_to_an_account_is_over_at_the_second_at_which_it_ends(
    specimen: Evidence, seconds: int, *, is_over: bool
) -> None:
    accounts = flatten(specimen).accounts.set_index("account_id")
    ends = accounts.loc["acc_main", "token_expires_at"].to_pydatetime()
    said = codes_of(specimen, ["2026-06-30"], ends + timedelta(seconds=seconds))
    assert ("access_expired" in said) == is_over
