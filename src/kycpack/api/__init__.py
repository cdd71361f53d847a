"""The client of the service's interface, and `collect`, which fetches all data about a customer.

`operations` is the table of the interface. `exchange` is the protocol of a request without I/O, with the types in `protocol`.
`client` runs it over httpx; `wire` is the only module that handles httpx's exceptions. `calls` turns arguments into requests,
`answers` reads the responses, and `resources` has the public methods, each described once for both clients.
`collection_plan` and `collection` are what `collect` requests and how, `evidence_entries` is what is kept of an answer, and
`bulk_collection` collects for many customers.
"""

from __future__ import annotations

import logging

from kycpack.api.answers import Answer, Listing
from kycpack.api.bulk_collection import Collected, collect_many, collect_many_async
from kycpack.api.calls import UNSET
from kycpack.api.client import AsyncClient, Client
from kycpack.api.collection import CollectionProgress, collect, collect_async
from kycpack.api.collection_plan import CollectJob
from kycpack.api.operations import OPERATIONS, Operation, Repeat
from kycpack.api.pace import Pace, SharedPace
from kycpack.api.recording import Recorder
from kycpack.api.signers import HmacSigner, Signer, UnsignedRequest

# Operations, statuses and request ids are logged at DEBUG; to see them, add a handler to the logger "kycpack".
logging.getLogger("kycpack").addHandler(logging.NullHandler())

__all__ = [
    "OPERATIONS",
    "UNSET",
    "Answer",
    "AsyncClient",
    "Client",
    "CollectJob",
    "Collected",
    "CollectionProgress",
    "HmacSigner",
    "Listing",
    "Operation",
    "Pace",
    "Recorder",
    "Repeat",
    "SharedPace",
    "Signer",
    "UnsignedRequest",
    "collect",
    "collect_async",
    "collect_many",
    "collect_many_async",
]
