"""One contract for the arguments that public functions share: `as_of`, `policy` and evidence."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.evidence import Evidence
from kycpack.workspace.entries.verify_ledger import case_id_of

DAY = date(2026, 6, 30)
AS_OF = (DAY, datetime(2026, 6, 30, 23, 59, 59, tzinfo=UTC), "2026-06-30", "2026-06-30T23:59:59Z")
SAMPLE = asset_path("samples/evidence/index.json").parent
POLICY = asset_path("policies/default-uk.yaml")


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return kp.load_evidence(SAMPLE)


def test_every_function_takes_each_form_of_as_of_and_means_the_same_instant(evidence: Evidence) -> None:
    frames = kp.flatten(evidence)
    derived = {kp.derive(frames.transactions, as_of=given).generated_at for given in AS_OF}
    evaluated = {kp.evaluate(frames, as_of=given).as_of for given in AS_OF}
    assert derived == {"2026-06-30T23:59:59Z"}
    assert evaluated == {datetime(2026, 6, 30, 23, 59, 59, tzinfo=UTC)}
    assert {kp.build_review(evidence, as_of=given).as_of for given in AS_OF[:2]} == evaluated


def test_evidence_is_taken_as_an_object_a_path_and_the_text_of_a_path(evidence: Evidence) -> None:
    forms: list[Any] = [evidence, SAMPLE, str(SAMPLE)]
    rows = [
        len(kp.flatten(form).transactions) for form in (*forms, [SAMPLE], iter([evidence]), (str(SAMPLE),))
    ]
    assert len(set(rows)) == 1
    assert rows[0] > 0
    assert {kp.build_review(form, as_of=DAY).order.case_id for form in forms[:2]} == {
        case_id_of(evidence.customer_id, "onboarding")
    }


def test_a_policy_is_taken_as_an_object_a_path_text_and_nothing(evidence: Evidence) -> None:
    frames = kp.flatten(evidence)
    forms: list[Any] = [kp.load_policy(), POLICY, str(POLICY), None]
    assert len({kp.evaluate(frames, form, as_of=DAY).policy.digest for form in forms}) == 1


def test_a_pack_is_written_from_the_folder_of_its_evidence(tmp_path: Path) -> None:
    pack = kp.write_pack(SAMPLE, tmp_path, policy=str(POLICY), as_of="2026-06-30")
    assert kp.verify_pack(str(pack.path)).ok


WRONG: tuple[tuple[Callable[[Evidence], object], str], ...] = (
    (lambda _: kp.flatten(7), "evidence must be"),
    (lambda _: kp.flatten([None]), "evidence must be"),
    (lambda _: kp.build_review(None, as_of=DAY), "evidence must be"),
    (lambda _: kp.write_pack({}, "out", as_of=DAY), "evidence must be"),
    (lambda _: kp.load_policy(7), "policy must be"),
    (lambda one: kp.evaluate(kp.flatten(one), {}, as_of=DAY), "policy must be"),
    (lambda one: kp.build_review(one, 7, as_of=DAY), "policy must be"),
    (lambda one: kp.write_pack(one, "out", policy=[], as_of=DAY), "policy must be"),
    (lambda one: kp.evaluate(one, as_of=DAY), "frames must be"),
    (lambda one: kp.evaluate(kp.flatten(one), as_of=20260630), "as_of must be"),
    (lambda one: kp.derive(kp.flatten(one).transactions, as_of=None), "as_of must be"),
    (lambda one: kp.build_review(one, as_of=None), "as_of must be"),
    (lambda one: kp.write_pack(one, "out", as_of=None), "as_of must be"),
    (lambda one: kp.derive(kp.flatten(one), as_of=DAY), "transactions must be"),
    (lambda one: kp.derive(kp.flatten(one).transactions, accounts=[], as_of=DAY), "accounts must be"),
    (lambda one: kp.derive(kp.flatten(one).transactions, thresholds=3, as_of=DAY), "thresholds must be"),
)


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_a_wrong_type_is_a_type_error_that_says_what_is_wanted(
    call: Callable[[Any], object],
    message: str,
    evidence: Evidence,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match=message):
        call(evidence)
    assert not list(tmp_path.iterdir())
