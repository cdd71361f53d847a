"""What is done to the signature of a pack is found by everybody, by a reader with a trust file, or named as not shown."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.pack.signature_tampering import (
    FOUND,
    NAME,
    NOBODY,
    SIGNATURE_KINDS,
    SignatureKind,
    Vault,
    _signed_anew,
)

from kycpack.pack import PackResult, verify_pack


@pytest.fixture(scope="module")
def sealed(made: PackResult, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Vault]:
    vault = Vault(tmp_path_factory.mktemp("vault"))
    pack = Path(shutil.copytree(made.path, tmp_path_factory.mktemp("sealed") / made.path.name))
    _signed_anew(pack, vault.key)
    return pack, vault


@pytest.mark.parametrize("kind", SIGNATURE_KINDS, ids=lambda kind: kind.name)
def test_what_is_done_to_a_signature_is_found(
    sealed: tuple[Path, Vault], tmp_path: Path, kind: SignatureKind
) -> None:
    pack, firm = sealed
    vault = Vault.__new__(Vault)
    vault.__dict__.update(firm.__dict__, _folder=tmp_path)
    copy = Path(shutil.copytree(pack, tmp_path / pack.name))
    kind.act(copy, vault)
    alone = verify_pack(copy, hashes_only=True)
    assert alone.ok == (kind.found != FOUND), alone.problems
    assert any("Who made the pack is not shown" in sentence for sentence in alone.not_shown)
    answer = verify_pack(copy, hashes_only=True, trust=vault.trust, require_signature=True, signer=NAME)
    assert answer.ok == (kind.found == NOBODY), answer.problems
    said = answer.not_shown if kind.found == NOBODY else answer.problems
    assert any(kind.words in sentence for sentence in said), said
