"""Frames: schemas, and flattening of evidence into pandas frames.

`catalogue` says what each frame holds; `schema` checks it.
"""

from __future__ import annotations
