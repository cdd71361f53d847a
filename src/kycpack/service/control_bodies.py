"""Bodies of the control API."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from kycpack.models.money import known_currency
from kycpack.models.record import NamedText, Request
from kycpack.service.keys import AREAS, PERMISSIONS


def _is_currency(code: str) -> str:
    if not known_currency(code):
        raise ValueError("not an ISO 4217 currency code")
    return code


class ClockSetting(Request):
    """Move the clock by seconds, or set it to an instant."""

    advance_seconds: Annotated[Decimal | int | None, Field(alias="advance_seconds")] = None
    now: NamedText | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.advance_seconds is None) == (self.now is None):
            raise ValueError("exactly one of advance_seconds or now must be given")
        return self


class TenantCreate(Request):
    """A new organisation."""

    name: NamedText = "Organisation"
    currency: Annotated[str, AfterValidator(_is_currency)] = "GBP"
    merchant_onboarded: Annotated[bool, Field(alias="merchant_onboarded")] = True


class KeyCreate(Request):
    """A new key; `tenant_id` null makes one without account context."""

    tenant_id: Annotated[str | None, Field(alias="tenant_id")] = None
    permissions: list[str] | Literal["all"] = "all"
    areas: list[str] | Literal["all"] = "all"

    def wanted_permissions(self) -> list[str]:
        """Return the permissions by name."""
        return list(PERMISSIONS) if self.permissions == "all" else list(self.permissions)

    def wanted_areas(self) -> list[str]:
        """Return the areas by name."""
        return list(AREAS) if self.areas == "all" else list(self.areas)


class PartialResults(Request):
    """Partial results that are merged over the all-clear document; null deletes a member."""

    results: dict[str, Any] = Field(default_factory=dict)
