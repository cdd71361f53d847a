"""All money that came in is known, or a gap says that its source is not established or that its stated nature is in doubt."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from tests.render.specimen_review import inputs_of
from tests.render.step_findings import NAMES, findings
from tests.render.test_same_matter import DAY, KINDS, evidence_of

from kycpack.frames.gaps import Gap
from kycpack.render.review.check_counts import unevaluated_cell
from kycpack.render.review.contents import build_contents
from kycpack.render.review.gap_titles import title_of
from kycpack.render.review.matters import also_words
from kycpack.render.review.reasons import Reason, Unknown, reasons_of
from kycpack.render.review.steps import with_consent
from kycpack.synthetic import generate
from kycpack.triage.paths import SOURCE_FOUND
from kycpack.wealth.judge.coverage import KNOWN

_NOT_ESTABLISHED = ("nature_not_known", "nature_below_limit")


def test_what_is_not_known_is_among_the_gaps_to_the_penny() -> None:
    in_doubt = []
    for kind in KINDS:
        for seed, days in ((7, 120), (11, 420)):
            (plan,) = generate(1, seed, DAY.date(), history_days=days, scenario=kind).customers
            contents = build_contents(inputs_of(evidence_of(plan, with_statement=True), DAY))
            for share in contents.shares:
                limits = contents.tables["limits"]
                mine = limits[limits["currency"] == share.currency]
                open_ = mine.loc[mine["code"].isin(_NOT_ESTABLISHED), "amount_minor"].sum()
                doubted = mine.loc[mine["code"] == "nature_in_doubt", "amount_minor"].sum()
                assert open_ == share.total_minor - share.natures[KNOWN], kind
                assert doubted == share.doubted[1], kind
                in_doubt += [kind] if doubted else []
    assert in_doubt


def test_the_title_of_money_in_doubt_has_its_sum_why_and_evidence() -> None:
    gap = Gap(
        "C1", "C1", "bank", "nature_in_doubt", "Some (E-07).", "E-07",
        part="in accounts held by others", amount_minor=39_989_88, currency="GBP", least_minor=39_989_88,
    )  # fmt: skip
    (row,) = pd.DataFrame([gap]).itertuples(index=False)
    assert title_of([row], NAMES) == (
        "Not counted as known: 39,989.88 GBP, nature stated but in accounts held by others (E-07)"
    )


def test_the_analyst_asks_about_a_possible_ground_for_a_report_with_the_consent_that_the_steps_wait_for() -> (
    None
):
    money = {
        "rule_id": "WLT-2",
        "owner": "Analyst",
        "action": "ask",
        "path": "wealth.flags.large_unexplained",
    }
    whole = reasons_of(
        findings(money, money | {"rule_id": "SES-2", "path": "session.identity_confirmed"}), NAMES
    )
    by_mlro = replace(whole[0], owner="MLRO")
    for waits in ("when the MLRO agrees", "only if the customer is not rejected and the MLRO agrees"):
        asked = {one.rule_id: one.about[1] for one in with_consent(whole, waits)}
        assert asked == {"WLT-2": "clarify when the MLRO agrees", "SES-2": "clarify"}
        assert with_consent((by_mlro,), waits) == (by_mlro,)
    assert with_consent(whole, "") == whole


def test_a_source_that_the_bank_data_does_not_show_was_looked_at_and_is_not_established() -> None:
    title = "Source of wealth for enhanced due diligence"
    cause = "The largest source of wealth in GBP (rent, 20.00 GBP) is supported only by the sender's words"
    one = Unknown(cause, (title,), "edd", "MLRO", (), ("E-07",), paths=frozenset({SOURCE_FOUND}))
    assert one.text == f"{cause}. Not established by the bank data: {title} (E-07)"
    other = replace(one, paths=frozenset({"age.years"}))
    assert [each.result for each in (one, other)] == ["not established", "not known"]
    first = Reason("WLT-1", "A red flag: 1.00 GBP (E-07)", "MLRO", "edd")
    said = also_words((first, replace(one, codes=("EDD-1",), owner="senior management")), "")
    assert said.endswith(f"{title} not established (EDD-1).")


@pytest.mark.parametrize(
    ("titles", "said"),
    [
        (("Source of wealth",), "1 of 2 checks has no established result: Source of wealth"),
        (("Age",), "1 of 2 checks could not be evaluated: Age"),
        (
            ("Age", "Source of wealth"),
            "2 of 2 checks could not be evaluated or have no established result: Age; Source of wealth",
        ),
    ],
)
def test_the_number_of_checks_without_a_result_says_which_was_looked_at(
    titles: tuple[str, ...], said: str
) -> None:
    paths = {"Age": "age.years", "Source of wealth": SOURCE_FOUND}
    outcomes = {title: "UNKNOWN" if title in titles else "CLEAR" for title in paths}
    rows = [
        {"rule_id": title, "title": title, "path": path, "outcome": outcomes[title]}
        for title, path in paths.items()
    ]
    unknowns = [Unknown("A cause", (title,), "review", "MLRO", (), ("E-07",)) for title in titles]
    assert unevaluated_cell(unknowns, findings(*rows)).text == f"{said} (see “Findings”)"
