"""Frames: schemas, and flattening of evidence into pandas frames.

`catalogue` describes each frame, `schema` checks it and `flatten` fills it, with one module for each part of the evidence:
`customers`, `register`, `onboarding` and `results`, `payments`, `bank_data` and `transactions`, `statements`, `gaps`.
`adapters` reads the formats of banks and providers.
"""

from __future__ import annotations

from kycpack.frames.adapters import read_statement
from kycpack.frames.flatten import Frames, flatten

__all__ = ["Frames", "flatten", "read_statement"]
