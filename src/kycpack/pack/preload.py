"""What every pack needs once: imported by the server that packs are forked from, so that none of them repeats it.

Only what starts no thread of its own: a thread does not come through a fork.
"""

from __future__ import annotations

from datetime import date

from kycpack.pack import write
from kycpack.render import review, statement_pdf
from kycpack.render.typefaces import Face, metrics
from kycpack.triage.addresses import Address, compare_addresses
from kycpack.triage.names import compare_names
from kycpack.wealth import classify_cadence
from kycpack.wealth.prepare.entities import load_entities
from kycpack.wealth.prepare.lexicon import load_lexicon

__all__ = ["review", "statement_pdf", "write"]

for _face in (Face.SANS, Face.STRONG, Face.SERIF, Face.WIDE, Face.WIDE_STRONG):
    metrics(_face)
load_lexicon()
load_entities()
classify_cadence([date(2025, month, 1) for month in range(1, 13)], country="GB")
compare_names("Łucja Żak", "Lucja Zakk")
_address = Address("1 High Street", "Leeds", "LS1 1AA", "GB")
compare_addresses(_address, _address)
