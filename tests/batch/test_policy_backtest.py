"""Two policies over the same evidence: who moves, by which rule, how much work, and what nobody has looked at."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.batch.test_finished_run import AS_OF, rejected
from tests.frames.evidence_maker import RECORD, EvidenceMaker, clear_customer

import kycpack as kp
from kycpack.batch.policy_memo import policy_memo
from kycpack.batch.report import RunEntry, RunReport
from kycpack.errors import InputError
from kycpack.pack.check.pdf import read_pdf
from kycpack.render import render_index_html, render_memo_html, render_memo_pdf
from kycpack.triage import Policy, load_policy, read_policy
from kycpack.triage.customers.duplicates import PastDecision
from kycpack.triage.customers.workload import Workload, waiting
from kycpack.triage.policies.policy_differences import explain_rule, policy_differences

VERSION = load_policy().version
NEW_VERSION = f"{VERSION}.1"


def edited(*changes: tuple[str, str]) -> Policy:
    text = load_policy().source.decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return read_policy(text.encode(), "edited.yaml")


NEW_RULE = """rules:
  - id: NEW-1
    title: "Name of the record"
    when: {path: session.status, equals: complete}
    raise_to: edd
    owner: Analyst
    reason: "A new rule"
    basis: "The firm's standard"
"""


def harder() -> Policy:
    return edited(("\nrules:\n", "\n" + NEW_RULE), (f"version: {VERSION}", f"version: {NEW_VERSION}"))


def written(out: Path, run_id: str, as_of: str, *makers: EvidenceMaker | None) -> Path:
    out.mkdir()
    entries = []
    for evidence in (clear_customer(), *(one.make() for one in makers if one is not None)):
        pack = kp.write_pack(evidence, out, as_of=as_of)
        entries.append(
            RunEntry(evidence.customer_id, "produced", pack.path.name, pack.level, pack.top_reason)
        )
    entries.append(RunEntry("customer-9", "failed", note="no answer"))
    report = RunReport(run_id, as_of, as_of, as_of, "0.1.0", 1, tuple(entries))
    (out / "run.json").write_text(json.dumps(report.to_document()))
    return out


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("runs") / "one", "run-1", AS_OF, rejected())


def test_the_same_policy_moves_nobody(run: Path) -> None:
    result = kp.backtest(load_policy(), load_policy(), [run])
    assert set(result.customers["change"]) == {"same"}
    assert result.moved.empty
    assert result.differences == ()
    assert result.cases("before") == result.cases("now")
    assert result.customers["level_now"].tolist() == kp.open_run(run).triage.recommendations["level"].tolist()


def test_a_new_rule_moves_those_it_hits_and_is_named(run: Path) -> None:
    result = kp.backtest(load_policy(), harder(), [run])
    by_id = result.customers.set_index("customer_id")
    clear = kp.flatten(clear_customer()).customers["customer_id"].iloc[0]
    assert (by_id.loc[clear, "change"], by_id.loc[clear, "level_now"]) == ("harder", "edd")
    assert by_id.loc[clear, "because"] == ["NEW-1"]
    # What is rejected stays rejected, and is hit by the new rule as well.
    assert by_id.loc["customer-2", "change"] == "other findings"
    assert "NEW-1" in by_id.loc["customer-2", "because"]
    rule = result.rules.set_index("rule_id").loc["NEW-1"]
    assert (rule["hits_before"], rule["hits_now"], rule["harder"]) == (0, 2, 1)
    assert result.not_tested.to_dict("records") == [
        {"run_id": "run-1", "customer_id": "customer-9", "why": "no pack: failed"}
    ]


def test_the_other_way_round_is_the_mirror_image(run: Path) -> None:
    there, back = kp.backtest(load_policy(), harder(), [run]), kp.backtest(harder(), load_policy(), [run])
    assert (there.count("harder"), there.count("softer")) == (back.count("softer"), back.count("harder"))
    assert there.cases("before") == back.cases("now")
    assert there.minutes("now") == back.minutes("before")
    assert back.moved["because"].tolist() == there.moved["because"].tolist()


def test_moves_and_work_add_up_to_the_customers_and_cases(run: Path) -> None:
    result = kp.backtest(load_policy(), harder(), [run])
    assert result.moves["customers"].sum() == len(result.customers) == 2
    for which in ("before", "now"):
        assert result.work[f"cases_{which}"].sum() == result.cases(which)
    expected = sum(
        result.workload.minutes[level]
        for level, case in zip(result.customers["level_now"], result.customers["case_now"], strict=True)
        if case
    )
    assert result.minutes("now") == expected


def test_the_latest_review_of_a_customer_counts_once(run: Path, tmp_path: Path) -> None:
    later = written(tmp_path / "two", "run-2", "2026-06-05T23:59:59Z")
    result = kp.backtest(load_policy(), harder(), [run, later])
    clear = kp.flatten(clear_customer()).customers["customer_id"].iloc[0]
    assert result.customers.set_index("customer_id").loc[clear, "run_id"] == "run-2"
    assert (len(result.customers), result.earlier_reviews) == (2, 1)
    with pytest.raises(InputError, match="given twice"):
        kp.backtest(load_policy(), harder(), [run, run])


def test_a_pack_with_altered_evidence_is_named_and_judged_by_nobody(tmp_path: Path) -> None:
    place = written(tmp_path / "three", "run-3", AS_OF, rejected())
    pack = place / kp.open_run(place).entries["customer-2"].pack
    file = next((pack / "data" / "evidence").glob("E-*.json"))
    file.write_bytes(file.read_bytes() + b" ")
    result = kp.backtest(load_policy(), harder(), [place])
    assert "customer-2" not in set(result.customers["customer_id"])
    assert set(result.not_tested["customer_id"]) == {"customer-2", "customer-9"}


def test_the_sample_below_the_line_says_what_may_be_missed(run: Path) -> None:
    clear = kp.flatten(clear_customer()).customers["customer_id"].iloc[0]
    unseen = kp.backtest(harder(), load_policy(), [run])
    assert unseen.sample["customer_id"].tolist() == [clear]
    row = unseen.below_line.iloc[0]
    assert (row["stratum"], row["cleared"], row["reviewed"]) == ("case before, none now", 1, 0)
    assert (row["low_share"], row["high_share"]) == (0.0, 1.0)
    assert "Nobody has checked the sample yet" in render_memo_html(policy_memo(unseen))
    seen = kp.backtest(harder(), load_policy(), [run], verdicts={clear: "disagrees"}).below_line.iloc[0]
    assert (seen["missed"], seen["high_share"], seen["most_missed"]) == (1, 1.0, 1)
    assert seen["low_share"] == pytest.approx(0.025)


def test_a_verdict_on_somebody_outside_the_sample_is_refused(run: Path) -> None:
    with pytest.raises(InputError, match="not in the sample"):
        kp.backtest(load_policy(), harder(), [run], verdicts={"customer-2": "agrees"})
    with pytest.raises(InputError, match="expected one of"):
        kp.backtest(load_policy(), harder(), [run], verdicts={"customer-2": "fine"})


def test_the_memo_says_it_all_and_is_the_same_each_time(run: Path) -> None:
    decisions = {"customer-2": PastDecision("reject", "2026-05-01T00:00:00Z")}
    result = kp.backtest(load_policy(), harder(), [run], decisions=decisions)
    memo = policy_memo(result, analysts=2, hours_a_day=6)
    pdf, html = render_memo_pdf(memo), render_memo_html(memo)
    assert render_memo_pdf(policy_memo(result, analysts=2, hours_a_day=6)) == pdf
    text = " ".join(read_pdf(pdf, "memo.pdf").text.split())
    for words in (
        f"default-uk {VERSION}",
        f"default-uk {NEW_VERSION}",
        "NEW-1",
        "customer-9",
        "Below the line",
        "Minutes for each case",
    ):
        assert words in text, words
        assert words in html, words
    assert "<script" not in html
    assert RECORD["lastName"] not in html


def test_differences_are_told_in_words_and_softer_ones_are_marked() -> None:
    first = load_policy()
    second = edited(
        ("large_credit: 10000", "large_credit: 5000"),
        ("if_unknown: edd", "if_unknown: review"),
        (f"version: {VERSION}", f"version: {NEW_VERSION}"),
    )
    found = {each.subject: each for each in policy_differences(first, second)}
    assert found["large_credit"].sentence == "Threshold large_credit: was 10000; now 5000."
    softer = [each for each in found.values() if each.softer]
    assert [(each.before, each.now) for each in softer] == [("edd", "review")]
    assert "level when not known" in softer[0].sentence
    assert len(found) == 3
    assert policy_differences(first, read_policy(first.source + b"\n# a comment\n")) == ()


def test_who_may_decide_alone_or_for_longer_is_softer_as_well() -> None:
    first = load_policy()
    second = edited(
        ("alone_up_to: review", "alone_up_to: edd"),
        ("override_days: 365", "override_days: 400"),
        ("senior_approval: [PEP-1, ", "senior_approval: ["),
        ("checklist: [source_of_wealth, ", "checklist: ["),
    )
    softer = {"alone_up_to", "override_days", "senior_approval", "checklist"}
    for before, now, marked in ((first, second, softer), (second, first, set())):
        found = [each for each in policy_differences(before, now) if each.kind == "decisions"]
        assert {each.subject for each in found} == softer
        assert {each.subject for each in found if each.softer} == marked


def test_a_rule_that_is_gone_is_softer_and_a_new_one_is_not() -> None:
    found = [each for each in policy_differences(harder(), load_policy()) if each.kind == "rule"]
    assert [(each.subject, each.softer) for each in found] == [("NEW-1", True)]
    back = [each for each in policy_differences(load_policy(), harder()) if each.kind == "rule"]
    assert [(each.subject, each.softer) for each in back] == [("NEW-1", False)]


def test_every_rule_of_the_default_policy_can_be_explained() -> None:
    policy = load_policy()
    for rule in policy.rules:
        told = dict(explain_rule(policy, rule.id))
        assert told["Basis"] == rule.basis
        assert "none of none" not in " ".join(told.values())
        for leaf in rule.leaves:
            assert leaf.path in told["Hits when"] + told["Applies"]
    with pytest.raises(InputError, match="no such rule"):
        explain_rule(policy, "NO-SUCH-RULE")


@pytest.mark.parametrize(
    ("cases", "analysts", "days", "mean"),
    [
        ({}, 1, 0, 0.0),
        ({"review": 3}, 1, 1, 1.0),
        ({"review": 3, "edd": 2}, 1, 2, (2 * 1 + 3 * 2) / 5),
        ({"review": 3, "edd": 2}, 2, 1, 1.0),
        ({"escalate": 1}, 1, 2, 2.0),
    ],
)
def test_how_long_cases_wait(cases: dict[str, int], analysts: int, days: int, mean: float) -> None:
    minutes = {"approve": 0, "review": 40, "edd": 150, "escalate": 600, "reject": 30}
    found = waiting(cases, Workload(minutes, "a test"), analysts=analysts, hours_a_day=5)
    assert (found.days, found.mean_days) == (days, pytest.approx(mean))


def test_the_days_of_work_agree_with_its_hours(run: Path) -> None:
    result = kp.backtest(load_policy(), harder(), [run])
    needed = result.minutes("now") / 60
    text = " ".join(read_pdf(render_memo_pdf(policy_memo(result, hours_a_day=1)), "memo.pdf").text.split())
    days = int(re.search(r"the work takes (\d+) working days?", text)[1])
    assert days - 1 < needed <= days


APPROVED = {"state": "approved", "by": "sam", "at": "2026-05-01T10:00:00.000000Z", "seq": 12, "signed": True}
NOT_APPROVED = {"state": "not approved", "by": "", "at": "", "seq": 0, "signed": False}


@pytest.mark.parametrize(
    ("approval", "words"),
    [
        (NOT_APPROVED, f"The policy default-uk {VERSION} was not approved when this run was created."),
        (APPROVED, f"The policy default-uk {VERSION} was approved by sam on 1 May 2026 (ledger entry 12)."),
    ],
)
def test_page_one_says_whether_the_policy_was_approved(
    tmp_path: Path, approval: dict[str, object], words: str
) -> None:
    pack = kp.write_pack(clear_customer(), tmp_path, as_of=AS_OF, policy_approval=approval).path
    first = read_pdf((pack / "data" / "report" / "review.pdf").read_bytes(), "review.pdf").pages[0]
    assert words in " ".join(first.split())
    assert words in (pack / "data" / "report" / "review.html").read_text()
    assert kp.verify_pack(pack).ok
    assert kp.replay_pack(pack).identical


@pytest.mark.parametrize(
    ("approval", "words"),
    [
        (NOT_APPROVED, "The policy was not approved when this run was created."),
        (APPROVED, "The policy was approved by sam"),
        (None, "is not known"),
    ],
)
def test_the_index_of_a_run_says_whether_its_policy_was_approved(
    approval: dict[str, object] | None, words: str
) -> None:
    report = RunReport("run-1", AS_OF, AS_OF, AS_OF, "0.1.0", 1, (), policy_approval=approval)
    assert words in render_index_html(report.to_document())
