"""What every pack needs once: imported by a server that packs are forked from, so that none of them does it again."""

from __future__ import annotations

from kycpack.pack import engine, write
from kycpack.render.typefaces import Face, metrics
from kycpack.wealth.lexicon import load_lexicon

__all__ = ["engine", "write"]

for _face in Face:
    metrics(_face)
load_lexicon()
