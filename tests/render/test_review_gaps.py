"""What page one lists as not known."""

from __future__ import annotations

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
