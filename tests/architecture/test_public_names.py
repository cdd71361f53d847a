"""The public face is a decision: a name that comes or goes is written down here."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

import kycpack as kp
from kycpack import errors

PUBLIC = [
    "AsyncClient",
    "Client",
    "CollectJob",
    "Evidence",
    "Frames",
    "__version__",
    "backtest",
    "build_review",
    "classify_cadence",
    "collect",
    "collect_async",
    "collect_many",
    "collect_many_async",
    "derive",
    "describe",
    "evaluate",
    "flatten",
    "load_evidence",
    "load_policy",
    "open_run",
    "open_workspace",
    "plot_balance",
    "plot_credits",
    "plot_own_transfers",
    "plot_streams",
    "plot_timeline",
    "read_statement",
    "replay_pack",
    "show",
    "verify_pack",
    "write_pack",
]

RESOURCES = {
    "customers": ["create", "get", "iter", "list", "update"],
    "payments": ["create", "get"],
    "payments.attempts": ["create", "finalize"],
    "banks": ["iter", "list"],
    "bank_accounts": ["balance", "iter", "iter_transactions", "list", "transactions"],
    "source_of_wealth": ["get"],
    "onboarding": ["create", "download", "get", "media", "results"],
    "webhooks": ["create", "delete", "iter", "list"],
}

SIGNATURES = {
    "classify_cadence": ["dates", "country"],
    "derive": ["transactions", "customers", "accounts", "balances", "country", "thresholds", "as_of"],
    "evaluate": ["frames", "policy", "wealth", "as_of"],
    "flatten": ["evidence"],
    "load_evidence": ["path", "root"],
    "load_policy": ["path"],
    "read_statement": [
        "source",
        "layout",
        "customer_id",
        "account_id",
        "only_account",
        "currency",
        "zone",
        "evidence_id",
        "on_misfit",
    ],
    "verify_pack": [
        "path",
        "hashes_only",
        "trust",
        "require_signature",
        "signer",
        "at",
        "anchors",
        "ledger_keys",
        "full",
    ],
}


def test_the_public_names() -> None:
    assert sorted(kp.__all__) == PUBLIC
    assert set(PUBLIC) <= set(dir(kp))


@pytest.mark.parametrize("name", [name for name in PUBLIC if name != "__version__"])
def test_a_public_name_resolves_and_says_what_it_does(name: str) -> None:
    value = getattr(kp, name)
    documentation = inspect.getdoc(value) or ""
    assert documentation.partition("\n")[0].endswith("."), f"{name} has no first sentence"
    if inspect.isfunction(value) and inspect.signature(value).parameters:
        assert "Args:" in documentation, f"{name} does not document its arguments"


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        kp.no_such_name  # noqa: B018 - the access is the test


@pytest.mark.parametrize(("name", "parameters"), SIGNATURES.items())
def test_the_arguments_of_a_public_function(name: str, parameters: list[str]) -> None:
    assert list(inspect.signature(getattr(kp, name)).parameters) == parameters


@pytest.mark.parametrize("kind", ["Client", "AsyncClient"])
def test_a_client_has_the_resources_of_the_interface(kind: str) -> None:
    client = getattr(kp, kind)(
        "http://127.0.0.1:9", key_id="k", secret="MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
    )
    for path, methods in RESOURCES.items():
        resource = client
        for part in path.split("."):
            resource = getattr(resource, part)
        for method in methods:
            assert callable(getattr(resource, method)), f"{path}.{method}"
            assert inspect.getdoc(getattr(resource, method)), f"{path}.{method} says nothing"


def test_the_tree_of_errors_is_drawn_whole() -> None:
    classes = [
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, errors.KycpackError)
    ]
    for name in classes:
        assert name in (errors.__doc__ or ""), f"{name} is not in the drawing"


@pytest.mark.parametrize("stub", sorted(Path(kp.__file__).parent.rglob("__init__.pyi")), ids=str)
def test_every_lazy_name_is_there_and_no_module_hides_it(stub: Path) -> None:
    folder = stub.parent
    package = importlib.import_module(".".join(folder.relative_to(Path(kp.__file__).parents[1]).parts))
    modules = {path.stem for path in folder.iterdir()}
    assert [name for name in package.__all__ if not hasattr(package, name) or name in modules] == []
