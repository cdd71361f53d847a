from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.case_material import MEDIA, Office, decision, open_cases, open_office, said

from kycpack.errors import InputError, WorkspaceError
from kycpack.workspace.samples.binomial import exact_interval
from kycpack.workspace.samples.samples import REPEATED, Samples, draw_customers

WHY = "Read the pack from the first page to the last"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    for office in open_office(tmp_path / "kycpack.db", tmp_path, keys=False, is_honest=True):
        customers = {f"c-{number:02}": ("approve", []) for number in range(40)}
        open_cases(office, {**customers, "c-99": ("review", [MEDIA])})
        yield office


def test_a_sample_is_of_cleared_customers_alone_and_comes_again_with_its_seed(office: Office) -> None:
    samples = Samples(office.ledger, office.people["anna"])
    one, again, other = (
        samples.draw("run-1", 10, "7"),
        samples.draw("run-1", 10, "7"),
        samples.draw("run-1", 10, "8"),
    )
    assert one == again
    assert one.customers != other.customers
    assert len(samples.members(one.sample_id)) == 10
    assert "c-99" not in set(samples.members(one.sample_id)["customer_id"])
    assert [each["payload"]["kind"] for each in office.ledger.entries()].count("sample.drawn") == 2
    assert office.ledger.verify().ok


def test_the_result_says_who_agreed_and_how_much_may_have_been_missed(office: Office) -> None:
    samples = Samples(office.ledger, office.people["anna"])
    sample = samples.draw("run-1", 10, "7")
    names = samples.members(sample.sample_id)["customer_id"].tolist()
    for place, name in enumerate(names):
        verdict = "disagrees" if place == 0 else "agrees"
        samples.review(sample.sample_id, name, verdict, WHY, actor=office.people["ben"])
    members = samples.members(sample.sample_id)
    assert set(members["reviewed_by"]) == {"ben"}
    assert members["verdict"].tolist().count("disagrees") == 1
    for row in samples.result(sample.sample_id).to_dict("records"):
        assert (row["cleared"], row["sampled"], row["reviewed"], row["missed"]) == (40, 10, 10, 1)
        assert row["missed_share"] == pytest.approx(0.1)
        # The published values for 1 of 10.
        assert (row["low_share"], row["high_share"]) == pytest.approx((0.002529, 0.445016), abs=1e-6)
        assert row["most_missed"] == 1 + math.ceil(30 * 0.445016)


def test_a_disagreement_opens_a_case_that_somebody_has_to_decide(office: Office) -> None:
    samples = Samples(office.ledger, office.people["ben"])
    sample = samples.draw("run-1", 10, "7")
    first, second, *_ = samples.members(sample.sample_id)["customer_id"]
    assert samples.review(sample.sample_id, second, "agrees", WHY) == ""
    case_id = samples.review(
        sample.sample_id, first, "disagrees", "The employer on the payslip is not the payer"
    )
    (case,) = office.cases.of_customer(first)
    assert (case.case_id, case.state, case.occasion, case.level) == (case_id, "open", "event", "review")
    (finding,) = case.open_findings
    assert sample.sample_id in finding.sentence
    assert not office.cases.of_customer(second)
    with pytest.raises(InputError, match="F-1 has no verdict yet"):
        office.cases.decide(case_id, decision("approve", "REVIEWED"), version=1, actor=office.people["anna"])
    closed = office.cases.decide(
        case_id, decision("approve", "REVIEWED", F_1=said("accepted")), version=1, actor=office.people["anna"]
    )
    assert closed.state == "closed"
    other = samples.draw("run-1", 40, "8")
    samples.review(other.sample_id, first, "disagrees", "Still not the payer")
    again = office.cases.get(case_id)
    assert (again.state, [each.finding_id for each in again.open_findings]) == ("open", ["F-1", "F-2"])
    assert office.ledger.verify().ok


def test_a_later_run_does_not_take_a_disagreement_away(office: Office) -> None:
    samples = Samples(office.ledger, office.people["ben"])
    sample = samples.draw("run-1", 10, "7")
    name = samples.members(sample.sample_id)["customer_id"][0]
    case_id = samples.review(sample.sample_id, name, "disagrees", WHY)
    open_cases(office, {name: ("approve", [])}, run="run-2", root="2" * 64, occasion="event")
    assert [each.rule_id for each in office.cases.get(case_id).open_findings] == ["SAMPLE"]


def test_a_sample_nobody_has_looked_at_says_nothing(office: Office) -> None:
    samples = Samples(office.ledger, office.people["anna"])
    row = samples.result(samples.draw("run-1", 5, "1").sample_id).to_dict("records")[-1]
    assert (row["low_share"], row["high_share"], row["most_missed"]) == (0.0, 1.0, 40)
    assert row["missed_share"] is None or math.isnan(row["missed_share"])


def test_what_cannot_be_done_is_refused_and_nothing_is_written(office: Office) -> None:
    samples = Samples(office.ledger, office.people["anna"])
    sample = samples.draw("run-1", 5, "1")
    name = samples.members(sample.sample_id)["customer_id"][0]
    samples.review(sample.sample_id, name, "agrees", WHY)
    size = office.ledger.head()
    with pytest.raises(WorkspaceError, match="already"):
        samples.review(sample.sample_id, name, "disagrees", WHY)
    with pytest.raises(WorkspaceError, match="not in"):
        samples.review(sample.sample_id, "c-99", "agrees", WHY)
    with pytest.raises(InputError, match="agrees, disagrees"):
        samples.review(sample.sample_id, name, "maybe", WHY)
    with pytest.raises(InputError, match="empty"):
        samples.review(sample.sample_id, name, "agrees", " ")
    with pytest.raises(WorkspaceError, match="there is no run run-9"):
        samples.draw("run-9", 5, "1")
    with pytest.raises(InputError, match="no analyst is named"):
        Samples(office.ledger).draw("run-1", 5, "1")
    assert office.ledger.head() == size


def test_approvals_with_a_text_that_was_used_before_are_drawn_more_and_looked_at_by_others(
    office: Office,
) -> None:
    alike, own = [f"d-{number:02}" for number in range(20)], "e-01"
    open_cases(office, dict.fromkeys([*alike, own], ("review", [MEDIA])), run="run-1")
    for name in [*alike, own]:
        case = office.cases.of_customer(name)[0]
        wanted = decision("approve", "REVIEWED", F_1=said("accepted"))
        if name == own:
            wanted = replace(wanted, text="F-1: the article is about a firm that was sold in 2019")
        office.cases.decide(case.case_id, wanted, version=1, actor=office.people["anna"])
    samples = Samples(office.ledger, office.people["ben"])
    sample = samples.draw("run-1", 12, "7")
    drawn = {stratum: len(customers) for stratum, customers in sample.customers.items()}
    assert drawn == {"not known": 8, REPEATED: 8}  # of 40 and of 20
    assert own not in sample.customers[REPEATED]
    name = sample.customers[REPEATED][0]
    with pytest.raises(WorkspaceError, match="anna decided on customer"):
        samples.review(sample.sample_id, name, "agrees", WHY, actor=office.people["anna"])
    case_id = samples.review(sample.sample_id, name, "disagrees", WHY)
    assert office.cases.get(case_id).evidence_root == office.cases.of_customer(name)[-1].evidence_root
    assert samples.draw("run-1", 12, "7") == sample
    sizes = samples.result(sample.sample_id).set_index("stratum")["cleared"].to_dict()
    assert sizes == {"not known": 40, REPEATED: 20, "all": 60}
    assert office.ledger.verify().ok


@given(
    st.dictionaries(st.sampled_from(["simplified", "standard", "enhanced"]), st.integers(1, 60), min_size=1),
    st.integers(1, 80),
    st.text(min_size=1),
)
def test_each_stratum_has_its_part_and_the_order_does_not_matter(
    sizes: dict[str, int], size: int, seed: str
) -> None:
    population = {name: [f"{name}-{number}" for number in range(count)] for name, count in sizes.items()}
    turned = {name: list(reversed(customers)) for name, customers in reversed(population.items())}
    drawn = draw_customers(population, size, seed)
    assert drawn == draw_customers(turned, size, seed)
    assert drawn.keys() == population.keys()
    total = sum(sizes.values())
    assert sum(map(len, drawn.values())) >= min(size, total)
    for name, customers in drawn.items():
        assert set(customers) <= set(population[name])
        assert (
            len(customers)
            == len(set(customers))
            == min(sizes[name], max(1, math.ceil(size * sizes[name] / total)))
        )


@pytest.mark.parametrize(
    ("found", "of", "expected"),
    # Published tables of exact 95% intervals.
    [
        (0, 10, (0.0, 0.308497)),
        (5, 10, (0.187086, 0.812914)),
        (10, 10, (0.691503, 1.0)),
        (0, 300, (0.0, 0.012221)),
    ],
)
def test_the_interval_is_the_exact_one(found: int, of: int, expected: tuple[float, float]) -> None:
    assert exact_interval(found, of) == pytest.approx(expected, abs=1e-6)


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_interval_holds_what_was_found_and_is_symmetric(found: int, more: int) -> None:
    of = found + more
    low, high = exact_interval(found, of)
    assert 0 <= low <= (found / of if of else 0) <= high <= 1
    if of:
        assert exact_interval(more, of) == pytest.approx((1 - high, 1 - low), abs=1e-9)
