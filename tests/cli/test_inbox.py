from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Town


def test_a_session_that_completed_without_a_delivery_becomes_work(town: Town) -> None:
    customer = town.customers[1]
    session = town.target.create_session({"customerId": customer}, timedelta())
    before = json.loads(town.run("inbox", "work", "--json").stdout)
    assert session not in {each["session_id"] for each in before["completions"]}
    town.target.finish_session(session, {})
    after = json.loads(town.run("inbox", "work", "--json").stdout)
    assert (session, customer) in {(each["session_id"], each["customer_id"]) for each in after["completions"]}
    assert town.run("inbox", "work").exit_code == 0
    assert json.loads(town.run("inbox", "list", "--json").stdout) == {}
