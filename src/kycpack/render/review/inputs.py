"""What a review is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import pandas as pd

from kycpack.evidence import Evidence
from kycpack.frames import Frames
from kycpack.frames.demonstration import is_demonstration
from kycpack.frames.gaps import Gap
from kycpack.frames.rows import records
from kycpack.render.review.bank_limits import citing, limits_of, with_more
from kycpack.render.review.check_gaps import payee_limits, proof_limits
from kycpack.render.review.check_strip import States, session_states
from kycpack.render.review.consistency import is_name_in_doubt
from kycpack.render.review.decision import CaseRecord
from kycpack.render.review.movements import PartMonths, part_months
from kycpack.render.review.open_matches import open_matches
from kycpack.render.review.risk_file import risk_limits
from kycpack.render.review.screening import screening_limits
from kycpack.render.review.short_names import ShortNames, short_names
from kycpack.triage import Policy, Triage
from kycpack.wealth import Wealth
from kycpack.wealth.judge.open_questions import open_questions

_CLASSIFICATION = "Confidential: customer due diligence"


@dataclass(frozen=True, slots=True)
class CasePeople:
    """Whose work it is.

    Attributes:
        case_id: Id of the case.
        prepared_by: Who prepared it; empty when nobody was named.
        reviewed_by: The second person; empty when nobody was named.
        classification: Words at top and bottom of each page.
        record: What the ledger says about the case; None if the pack is made without it.
        run_head: The ledger's head when the run was created, in words; empty where there was no ledger.
        policy_approval: Whether the policy was approved when the run was created; None where no workspace was asked.
        earlier: What is kept of the earlier pack that this one follows; None where it follows none.
    """

    case_id: str
    prepared_by: str = ""
    reviewed_by: str = ""
    classification: str = _CLASSIFICATION
    record: CaseRecord | None = None
    run_head: str = ""
    policy_approval: Mapping[str, Any] | None = None
    earlier: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ReviewInputs:
    """What a review is made from.

    Attributes:
        evidence: What was asked and answered.
        frames: The evidence as frames.
        wealth: What the credits are made of.
        triage: What the policy recommends.
        policy: The policy.
        as_of: The instant everything is measured against.
        case: Whose work it is.
    """

    evidence: Evidence
    frames: Frames
    wealth: Wealth
    triage: Triage
    policy: Policy
    as_of: datetime
    case: CasePeople

    @property
    def customer_id(self) -> str:
        """The customer."""
        return self.evidence.customer_id

    @cached_property
    def credits(self) -> pd.DataFrame:
        """The customer's credits."""
        return self.wealth.of(self.wealth.credits, self.customer_id)

    @cached_property
    def flags(self) -> pd.DataFrame:
        """The customer's red flags."""
        return self.wealth.of(self.wealth.flags, self.customer_id)

    @cached_property
    def base_currency(self) -> str | None:
        """The currency that comes first; None without credits."""
        return self.wealth.base_currency(self.customer_id)

    @cached_property
    def part_months(self) -> PartMonths:
        """Months that the bank data covers only in part, by currency."""
        return part_months(self.frames.transactions, self.as_of)

    @cached_property
    def is_demonstration(self) -> bool:
        """Whether the review is about an invented person."""
        return is_demonstration(self.evidence)

    @cached_property
    def limits(self) -> pd.DataFrame:
        """What the bank data does not reach as of the date, what it leaves open, what the firm's file leaves open, what was not screened, and what records of the service do not say, in the columns of frame `gaps`."""
        of_file = risk_limits(self.frames.customers, self.evidence)
        of_screening = screening_limits(
            self.frames.results,
            self.triage.findings,
            name_in_doubt=is_name_in_doubt(self.triage.consistency),
        )
        asked = tuple(
            Gap(
                self.customer_id,
                one.account_id or self.customer_id,
                "bank",
                one.code,
                citing(one.message, one.evidence_ids),
                next(iter(one.evidence_ids), ""),
                one.part,
                amount_minor=one.amount_minor,
                currency=one.currency,
                least_minor=one.least_minor,
            )
            for one in open_questions(
                self.frames.transactions,
                self.frames.balances,
                self.credits,
                self.wealth.streams,
                self.wealth.thresholds,
            )
        )
        return with_more(
            limits_of(self.evidence, self.frames, self.credits, self.as_of),
            (
                *asked,
                *of_file,
                *of_screening,
                *proof_limits(self.frames.checks, self.frames.media),
                *payee_limits(self.frames.payments),
            ),
        )

    @cached_property
    def names(self) -> ShortNames:
        """Short names of sessions and accounts."""
        return short_names(self.frames)

    @cached_property
    def recommendation(self) -> dict[Any, Any]:
        """The customer's row of frame `recommendations`."""
        every = records(self.triage.recommendations)
        return next(row for row in every if str(row["customer_id"]) == self.customer_id)

    @cached_property
    def states(self) -> States:
        """How each check of each session stands."""
        return session_states(
            self.frames, self.triage.findings, name_in_doubt=is_name_in_doubt(self.triage.consistency)
        )

    @cached_property
    def open_matches(self) -> Mapping[str, str]:
        """What is said of the categories of the screening that are not clear although the provider calls them so, by session."""
        return open_matches(self.frames, self.triage.findings)
