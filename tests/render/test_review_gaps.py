"""What page one lists as not known."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from kycpack.render.review.gaps import headlines
from kycpack.render.review.reasons import Unknown
from kycpack.render.review.short_names import ShortNames


def test_a_check_that_could_not_be_evaluated_stands_among_what_is_not_known() -> None:
    columns = ("area", "code", "message", "subject", "evidence_id")
    none = pd.DataFrame({name: pd.Series([], dtype="string") for name in columns})
    one = Unknown("More came in than is shown", ("Source of wealth",), "edd", ("MLRO",), (), ("E-07",))
    (line,) = headlines(none, ShortNames(()), 6, {}, (one,))
    assert line.text == "Checks: Source of wealth could not be evaluated, as given under “Why”"
    gap = none.reindex([0]).assign(
        area="bank", code="refused", message="More came in than is shown.", subject="C1", evidence_id="E-07"
    )
    (line,) = headlines(gap, ShortNames(()), 6, {}, (one,))
    assert line.text.startswith("Bank data: More came in")


def test_a_check_is_among_the_gaps_already_if_it_is_about_the_payment_and_not_if_it_only_names_an_amount() -> (
    None
):
    row = {
        "area": "payment",
        "code": "payment_not_supported",
        "message": "P1, 10.00 GBP: none of it is supported by what was observed.",
        "subject": "P1",
        "evidence_id": "E-09",
    }
    gap = pd.DataFrame([row], dtype="string")
    cause = "Income of 500.00 GBP cannot be told from gifts"
    one = Unknown(
        cause, ("Source of wealth",), "edd", "MLRO", (), ("E-07",), paths=frozenset({"wealth.source_found"})
    )
    checks, payment = headlines(gap, ShortNames(()), 6, {}, (one,))
    assert checks.text == "Checks: Source of wealth could not be evaluated, as given under “Why”"
    assert payment.text.startswith("Payments: P1")
    about = replace(one, cause="The papers are missing", paths=frozenset({"wealth.payment_support"}))
    (payment,) = headlines(gap, ShortNames(()), 6, {}, (about,))
    assert payment.text.startswith("Payments: P1")


def test_one_limit_of_every_pack_applies_and_several_apply() -> None:
    row = {
        "area": "bank",
        "code": "not_linked",
        "message": "Not linked.",
        "subject": "C1",
        "evidence_id": "E-01",
    }
    for rows, said in (
        ([row], "1 limit of the service that applies"),
        ([row, row], "1 limit of the service that applies"),
        ([row, {**row, "code": "not_listable"}], "2 limits of the service that apply"),
    ):
        (line,) = headlines(pd.DataFrame(rows, dtype="string"), ShortNames(()), 6, {})
        assert line.text == f"{said} to every pack: see “What this pack cannot show”"
