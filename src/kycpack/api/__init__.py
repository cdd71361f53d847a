"""The client of the service's interface, and `collect`, which fetches all data about a customer.

`operations` is the table of the interface. `exchange` is the protocol of a request without I/O, with the types in `protocol`.
`client` runs it over httpx; `wire` is the only module that handles httpx's exceptions. `calls` turns arguments into requests,
`answers` reads the responses, and `resources` has the public methods, each described once for both clients.
`collection_plan` and `collection` are what `collect` requests and how, `evidence_entries` is what is kept of an answer, and
`bulk_collection` collects for many customers.
"""

from __future__ import annotations

import logging

from kycpack.lazy_names import lazy_names

# Operations, statuses and request ids are logged at DEBUG; to see them, add a handler to the logger "kycpack".
logging.getLogger("kycpack").addHandler(logging.NullHandler())

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
