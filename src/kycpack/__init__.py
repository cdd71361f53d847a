"""kycpack: review packs from a customer-verification and payments service.

The names of `__init__.pyi` are the public API. They are imported when they are first used, so that `import kycpack` stays
fast for command lines and schedulers.
"""

from __future__ import annotations

from kycpack.lazy_names import lazy_names

__version__ = "0.1.0"

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
__all__ += ["__version__"]
