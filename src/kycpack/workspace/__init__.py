"""The workspace: one database for everything that the interface cannot list.

The interface lists neither the sessions nor the payments of a customer. The register stores them, each with its source:
created here, announced by a webhook, imported, or made through the control API of an embedded service. The inbox stores
webhook deliveries, and turns them into work only when the service confirms them. `cases` are what people decide, `entries`
of the `ledger` record it, and `entries.verify_ledger` checks that record, also as a stand-alone program.
"""

from kycpack.lazy_names import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
