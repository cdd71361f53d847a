"""Packs: the review of one customer as a bag of evidence, frames and documents.

`order` holds the inputs of a pack, `compute` works out the review, `notebooks` runs its notebook, `seal` fills the bag and
puts it in its place, `check` verifies and replays it later; `sign`, `decide` and `redact` make something of a finished pack.

The names of `__init__.pyi` are imported when they are first used, because papermill imports its engine from this package
whenever papermill itself is imported.
"""

from kycpack.lazy_names import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
