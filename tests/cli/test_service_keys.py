from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kycpack.api import Client
from kycpack.cli import app
from kycpack.errors import AuthenticationError, PermissionDeniedError
from kycpack.service.embedded import EmbeddedService


def _run(db: str, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["service-keys", *arguments, "--db", db])


def test_a_key_is_made_limited_rotated_and_revoked(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/service.db"
    with EmbeddedService(db) as service:
        limits = ("--tenant", service.tenant_id, "--permission", "create_customer", "--area", "customers")
        key = json.loads(_run(db, "create", *limits, "--json").stdout)
        with Client(service.base_url, key_id=key["key_id"], secret=key["secret"]) as client:
            made = client.customers.create(first_name="Ada")
            with pytest.raises(PermissionDeniedError):
                client.customers.get(made.id)

        newer = json.loads(_run(db, "rotate", key["key_id"], "--json").stdout)
        assert _run(db, "rotate", key["key_id"]).exit_code == 2
        assert json.loads(_run(db, "retire", key["key_id"], "--json").stdout) == {"retired": 1}
        old = Client(service.base_url, key_id=key["key_id"], secret=key["secret"])
        new = Client(service.base_url, key_id=newer["key_id"], secret=newer["secret"])
        with old, new:
            with pytest.raises(AuthenticationError):
                old.customers.create(first_name="Ada")
            assert new.customers.create(first_name="Ada").id
            assert _run(db, "revoke", key["key_id"]).exit_code == 0
            with pytest.raises(AuthenticationError):
                new.customers.create(first_name="Ada")

        listed = _run(db, "list")
        assert key["key_id"] in listed.stdout
        assert key["secret"] not in listed.stdout
        assert len(json.loads(_run(db, "list", "--json").stdout)["items"]) == 2


def test_what_is_not_known_is_wrong_input(tmp_path: Path) -> None:
    assert _run(f"sqlite:///{tmp_path}/none.db", "list").exit_code == 2
    assert not (tmp_path / "none.db").exists()
    db = f"sqlite:///{tmp_path}/service.db"
    with EmbeddedService(db):
        assert _run(db, "create", "--permission", "everything").exit_code == 2
        assert _run(db, "rotate", "key_nope").exit_code == 2
