"""kycpack: review packs from a customer-verification and payments service.

The names below are the public API. They are imported when they are first used, so that `import kycpack` stays
fast for command lines and schedulers.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kycpack.api import AsyncClient as AsyncClient
    from kycpack.api import Client as Client
    from kycpack.api import CollectJob as CollectJob
    from kycpack.api import collect as collect
    from kycpack.api import collect_async as collect_async
    from kycpack.api import collect_many as collect_many
    from kycpack.api import collect_many_async as collect_many_async
    from kycpack.batch import backtest as backtest
    from kycpack.batch import open_run as open_run
    from kycpack.evidence import Evidence as Evidence
    from kycpack.evidence import load_evidence as load_evidence
    from kycpack.frames import Frames as Frames
    from kycpack.frames import flatten as flatten
    from kycpack.frames import read_statement as read_statement
    from kycpack.pack import build_review as build_review
    from kycpack.pack import replay_pack as replay_pack
    from kycpack.pack import verify_pack as verify_pack
    from kycpack.pack import write_pack as write_pack
    from kycpack.render.frame_display import show as show
    from kycpack.render.plots import plot_balance as plot_balance
    from kycpack.render.plots import plot_credits as plot_credits
    from kycpack.render.plots import plot_own_transfers as plot_own_transfers
    from kycpack.render.plots import plot_streams as plot_streams
    from kycpack.render.plots import plot_timeline as plot_timeline
    from kycpack.triage import evaluate as evaluate
    from kycpack.triage import load_policy as load_policy
    from kycpack.wealth import classify_cadence as classify_cadence
    from kycpack.wealth import derive as derive
    from kycpack.wealth.dictionary import describe as describe
    from kycpack.workspace import open_workspace as open_workspace

__version__ = "0.1.0"

_HOMES = {
    "AsyncClient": "kycpack.api",
    "Client": "kycpack.api",
    "CollectJob": "kycpack.api",
    "Evidence": "kycpack.evidence",
    "Frames": "kycpack.frames",
    "backtest": "kycpack.batch",
    "build_review": "kycpack.pack",
    "classify_cadence": "kycpack.wealth",
    "collect": "kycpack.api",
    "collect_async": "kycpack.api",
    "collect_many": "kycpack.api",
    "collect_many_async": "kycpack.api",
    "derive": "kycpack.wealth",
    "describe": "kycpack.wealth.dictionary",
    "evaluate": "kycpack.triage",
    "flatten": "kycpack.frames",
    "load_evidence": "kycpack.evidence",
    "load_policy": "kycpack.triage",
    "open_run": "kycpack.batch",
    "open_workspace": "kycpack.workspace",
    "plot_balance": "kycpack.render.plots",
    "plot_credits": "kycpack.render.plots",
    "plot_own_transfers": "kycpack.render.plots",
    "plot_streams": "kycpack.render.plots",
    "plot_timeline": "kycpack.render.plots",
    "read_statement": "kycpack.frames",
    "replay_pack": "kycpack.pack",
    "show": "kycpack.render.frame_display",
    "verify_pack": "kycpack.pack",
    "write_pack": "kycpack.pack",
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - the table above is the list


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'kycpack' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
