"""How the nature of a payment is known, the weakest evidence first."""

from __future__ import annotations

EVIDENCE_LEVELS = ("none", "pattern", "keyword", "purpose", "entity", "code")
"""The evidence for a nature, the weakest first. `purpose` and `keyword` are the sender's own words."""

NONE, PATTERN, KEYWORD, PURPOSE, ENTITY, CODE = range(len(EVIDENCE_LEVELS))

ONLY_POSSIBLE = (("employment", "none"), ("rental_income", "pattern"), ("savings", "pattern"))
"""Types and evidence of payments that look like rent by day, amount and person alone, like pay by the payer's name, day and amount alone, or like own money by the payer's name alone: no word or debit bears it out, so the nature is not known."""
