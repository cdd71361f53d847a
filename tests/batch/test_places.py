from __future__ import annotations

from pathlib import PurePosixPath

from hypothesis import given
from hypothesis import strategies as st

from kycpack.batch.places import folder_name


@given(st.text(min_size=1))
def test_a_folders_name_is_never_a_path(customer_id: str) -> None:
    name = folder_name(customer_id)
    assert PurePosixPath(name).parts == (name,)
    assert name not in {".", ".."}
    assert not name.startswith(".")


def test_a_plain_id_is_its_own_name_and_others_differ() -> None:
    assert folder_name("0f7c-1") == "0f7c-1"
    assert len({folder_name(name) for name in ("a/b", "A-B", "a-b", "a:b")}) == 4
