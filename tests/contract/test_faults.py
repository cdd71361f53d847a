"""A sample of `make faults`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.contract.faults import KINDS, OPERATIONS, UNSEEN, run_fork, run_kind


@pytest.mark.parametrize("client", ["sync", "async"])
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_told_is_so(kind: str, operation: str, client: str, tally: Callable[..., None]) -> None:
    row = run_kind(kind, operation, client, 2)
    assert row.calls == 2
    if (kind, operation) in UNSEEN:
        assert row.wrong == 2  # named in docs/faults.md: nothing in this answer could show it
        return
    assert row.wrong == 0, row.outcomes
    tally("fault matrix, told and true", "calls", row.calls)


def test_a_client_on_both_sides_of_a_fork_mixes_nothing_up() -> None:
    row = run_fork(40)
    assert (row.calls, row.wrong) == (40, 0)
