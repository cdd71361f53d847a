"""Reviews of many customers, each in a separate process: run, resume, report."""

from kycpack.lazy_names import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
