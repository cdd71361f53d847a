"""Source of wealth: credits, cadence, streams, types, statement, sufficiency, reconciliation; pure."""

from __future__ import annotations

from kycpack.wealth.derivation import derive
from kycpack.wealth.result import Wealth
from kycpack.wealth.streams.cadence import CADENCES, Cadence, classify_cadence
from kycpack.wealth.thresholds import DEFAULT_THRESHOLDS, Thresholds

__all__ = ["CADENCES", "DEFAULT_THRESHOLDS", "Cadence", "Thresholds", "Wealth", "classify_cadence", "derive"]
