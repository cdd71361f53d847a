"""Request bodies of the control API."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from kycpack.models.record import NamedText, Request
from kycpack.service.bank_bodies import LaterTransactions, require_currency
from kycpack.service.completion import ReviewTime
from kycpack.service.keys import AREAS, PERMISSIONS

_LONGEST_WAIT = 100 * 366 * 86_400


class ControlBody(Request):
    """A body with names in the style of the control API: `advance_seconds`."""

    model_config = ConfigDict(alias_generator=None)


class ClockSetting(ControlBody):
    """Move a clock by seconds, or set it to an instant."""

    advance_seconds: Decimal | int | None = None
    now: NamedText | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.advance_seconds is None) == (self.now is None):
            raise ValueError("exactly one of advance_seconds or now must be given")
        return self


class TenantCreate(ControlBody):
    """A new organisation."""

    name: NamedText = "Organisation"
    currency: Annotated[str, AfterValidator(require_currency)] = "GBP"
    merchant_onboarded: bool = True


class KeyCreate(ControlBody):
    """A new key; with `tenant_id` null it has no account context."""

    tenant_id: str | None = None
    permissions: list[str] | Literal["all"] = "all"
    areas: list[str] | Literal["all"] = "all"

    def wanted_permissions(self) -> list[str]:
        """Return the permissions by name."""
        return list(PERMISSIONS) if self.permissions == "all" else list(self.permissions)

    def wanted_areas(self) -> list[str]:
        """Return the areas by name."""
        return list(AREAS) if self.areas == "all" else list(self.areas)


class PartialResults(ControlBody):
    """Partial results to merge over the all-clear document; null deletes a member.

    With `after_seconds` the session is in review for that long before it is complete; with `hold` it stays in review until it is
    finished again. Meanwhile it is `inprogress`, its steps are completed, and it has no results.
    """

    results: dict[str, Any] = Field(
        default_factory=dict,
        description="Members of the answer of GET /v1/onboard/sessions/{sessionId}/results to change.",
    )
    after_seconds: Annotated[int, Field(ge=0, le=_LONGEST_WAIT)] | None = None
    hold: bool = False

    @model_validator(mode="after")
    def _at_most_one(self) -> Self:
        if self.hold and self.after_seconds is not None:
            raise ValueError("at most one of after_seconds and hold can be given")
        return self

    @property
    def review(self) -> ReviewTime | None:
        """The requested review; None if none is requested."""
        return ReviewTime(self.after_seconds) if self.hold or self.after_seconds is not None else None


class BookTransactions(LaterTransactions):
    """Transactions for the bank of a linked account to book: after some seconds, at an instant, or at once.

    The balance is updated with them, unless `balance` is given. `account_id` may be omitted if the customer has one account.
    """

    after_seconds: Annotated[
        Annotated[int, Field(ge=0, le=_LONGEST_WAIT)] | None, Field(alias="after_seconds")
    ] = None
    at: NamedText | None = None

    @model_validator(mode="after")
    def _at_most_one(self) -> Self:
        if self.after_seconds is not None and self.at is not None:
            raise ValueError("at most one of after_seconds and at can be given")
        return self


class BankState(ControlBody):
    """The condition of a bank: its pages and data are served at once, late by some seconds, or not at all."""

    state: Literal["up", "slow", "down"]
    seconds: Annotated[Decimal, Field(ge=0, le=60, strict=False)] = Decimal(5)


class SnapshotName(ControlBody):
    """The name of a snapshot: letters, digits, dots, dashes and underscores."""

    name: NamedText
