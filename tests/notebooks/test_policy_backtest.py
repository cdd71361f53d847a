"""The notebook for a change of policy: it names who moves and why, and writes the memo, from any folder."""

from __future__ import annotations

import json
from pathlib import Path

from tests.batch.test_policy_backtest import harder
from tests.notebooks.test_portfolio import executed

import kycpack as kp
from kycpack.pack.check.pdf import read_pdf


def test_a_harder_policy_is_shown_with_who_moves_and_the_memo_is_written(
    run_folder: Path, tmp_path: Path
) -> None:
    proposed = tmp_path / "proposed.yaml"
    # Without the policy's own tests: the new rule contradicts them, and a policy that fails its tests is refused.
    proposed.write_bytes(harder().source.partition(b"\ntests:\n")[0] + b"\n")
    outputs = executed(
        "policy_backtest.ipynb", tmp_path, run_path=run_folder, policy_now=proposed, memo_folder="memo"
    )
    shown = json.dumps(outputs)
    result = kp.backtest(kp.load_policy(), kp.load_policy(proposed), [run_folder])
    changed = result.customers[result.customers["change"] != "same"]
    assert len(changed) > 0
    for customer_id in changed["customer_id"]:
        assert str(customer_id) in shown
    assert "NEW-1" in shown
    assert "no pack: failed" in shown  # customer-3 of the run is named as not tested
    assert "Both policies are the same" not in shown
    memo = (tmp_path / "memo" / "change-memo.pdf").read_bytes()
    assert "NEW-1" in read_pdf(memo, "change-memo.pdf").text
    person = kp.open_run(run_folder).frames.customers.iloc[0]
    assert str(person["last_name"]) not in shown
    assert str(person["email_address"]) not in shown


def test_without_a_second_policy_it_says_so_and_writes_nothing(run_folder: Path, tmp_path: Path) -> None:
    shown = json.dumps(executed("policy_backtest.ipynb", tmp_path, run_path=run_folder))
    assert "Both policies are the same" in shown
    assert [path.name for path in tmp_path.iterdir()] == ["executed.ipynb"]
