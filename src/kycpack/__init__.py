"""kycpack: review packs from a customer-verification and payments service.

The names below are the public API. They are imported when they are first used, so that `import kycpack` stays
fast for command lines and schedulers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kycpack.lazy_names import lazy_names

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
    "AsyncClient": "api",
    "Client": "api",
    "CollectJob": "api",
    "Evidence": "evidence",
    "Frames": "frames",
    "backtest": "batch",
    "build_review": "pack",
    "classify_cadence": "wealth",
    "collect": "api",
    "collect_async": "api",
    "collect_many": "api",
    "collect_many_async": "api",
    "derive": "wealth",
    "describe": "wealth.dictionary",
    "evaluate": "triage",
    "flatten": "frames",
    "load_evidence": "evidence",
    "load_policy": "triage",
    "open_run": "batch",
    "open_workspace": "workspace",
    "plot_balance": "render.plots",
    "plot_credits": "render.plots",
    "plot_own_transfers": "render.plots",
    "plot_streams": "render.plots",
    "plot_timeline": "render.plots",
    "read_statement": "frames",
    "replay_pack": "pack",
    "show": "render.frame_display",
    "verify_pack": "pack",
    "write_pack": "pack",
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - the table above is the list

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
