"""The strip of checks on page one says no more than the evidence does."""

from __future__ import annotations

import copy
from dataclasses import replace

import pandas as pd
import pytest
from tests.frames.evidence_maker import RECORD, RESULTS, STATUS, EvidenceMaker, clear_customer
from tests.render.strips import strip_of

from kycpack.frames import Frames, flatten
from kycpack.render.document_parts import Cell
from kycpack.render.palette import Tone
from kycpack.render.review.check_strip import check_strip, is_source_open, session_states
from kycpack.render.review.shares import NATURE_WORDS, Shares
from kycpack.render.review.subjects import subjects_of
from kycpack.render.wording import level_cell
from kycpack.triage.judge.findings import Finding, findings_frame
from kycpack.triage.levels import LEVELS
from kycpack.triage.paths import OF_CUSTOMERS, OF_SESSIONS
from kycpack.wealth.judge.coverage import IRREGULAR, KNOWN

CELLS = ("document", "address", "identity", "screening", "bank", "payment")


def _finding(
    path: str, outcome: str = "HIT", level: str = "review", superseded: str | None = None
) -> Finding:
    return Finding(
        customer_id="C-1", session_id=None, rule_id="X-1", outcome=outcome, level=level, owner="Analyst", action="ask", internal=False,
        title="", reason="", sentence="", cause="", basis="", path=path, value=None, evidence_ids=(), superseded_by=superseded,
    )  # fmt: skip


def _absent_category(path: str, title: str) -> Finding:
    return _finding(path, "CLEAR")._replace(session_id="ses_1", title=title)


def test_a_screening_that_is_clear_says_what_it_does_not_cover(sound: Frames) -> None:
    (session,) = {*map(str, sound.results["session_id"])}
    other = [
        _absent_category("screening.summary.watchlist.**", "Other watchlists")._replace(session_id=session),
        _absent_category("screening.summary.pep.**", "Other PEP levels")._replace(session_id=session),
    ]
    findings = findings_frame(other)
    cell = session_states(sound, findings)[session]["screening"].cell
    assert (cell.text, cell.tone) == ("Clear by provider, 2 categories not seen", Tone.UNKNOWN)
    of_interface = _absent_category("screening.summary.pep.level1", "PEP level 1")
    findings = findings_frame([*other, of_interface._replace(session_id=session)])
    cell = session_states(sound, findings)[session]["screening"].cell
    assert (cell.text, cell.tone) == ("Clear by provider, 3 categories not seen", Tone.UNKNOWN)
    state = session_states(sound, findings, name_in_doubt=True)[session]["screening"]
    assert (state.cell.text, state.cell.tone) == ("Clear by provider, name used not shown", Tone.UNKNOWN)
    assert state.place < session_states(sound, findings_frame([]))[session]["screening"].place


def test_the_colour_of_what_could_not_be_evaluated_is_said_to_be_of_that(sound: Frames) -> None:
    flags = pd.DataFrame({"severity": ["review"], "account_ids": [["A"]], "txn_ids": [["t1"]]})
    flag = _finding("wealth.flags.large_unexplained")
    open_ = _finding("wealth.source_found", "UNKNOWN", "edd")
    bank = dict(strip_of(sound, flags, [], findings_frame([flag])))["Bank"]
    assert (bank.text, bank.tone) == ("1 red flag", Tone.WATCH)
    bank = dict(strip_of(sound, flags, [], findings_frame([flag, open_])))["Bank"]
    assert (bank.text, bank.tone) == ("1 red flag, 1 check open", Tone.ALARM)
    edd = _finding("wealth.flags.pass_through", level="edd")
    bank = dict(strip_of(sound, flags, [], findings_frame([edd, open_])))["Bank"]
    assert (bank.text, bank.tone) == ("1 red flag", Tone.ALARM)


def test_a_bank_without_a_red_flag_is_red_only_while_the_policy_holds_the_case(sound: Frames) -> None:
    open_ = _finding("wealth.source_found", "UNKNOWN", "edd")

    def shown(*found: Finding) -> tuple[str, Tone]:
        bank = dict(strip_of(sound, pd.DataFrame(), [], findings_frame([*found])))["Bank"]
        return bank.text, bank.tone

    assert shown(open_) == ("1 check open, no red flag", Tone.WATCH)
    held = ("On hold, 1 check open, no red flag", Tone.ALARM)
    assert shown(open_._replace(action="hold")) == held
    assert shown(_finding("wealth.source_found", level="edd")) == ("Open question", Tone.ALARM)


def test_a_supported_payment_is_not_shown_as_fine_and_an_answer_is_in_words_of_the_trade(
    sound: Frames,
) -> None:
    none = findings_frame([])
    said = [
        dict(strip_of(sound, pd.DataFrame(), [one], none))["Payment"].text
        for one in ("supported", "cannot tell")
    ]
    assert said == ["Supported, payee not known", "Not determined"]


def _tones(frames: Frames, *found: Finding) -> dict[str, Tone]:
    cells = strip_of(frames, pd.DataFrame(), ["supported"], findings_frame(found))
    # A payment is never shown as fine, because the service names no payee.
    fine = Cell("Supported, payee not known", Tone.WATCH)
    return {label.casefold(): Tone.GOOD if cell == fine else cell.tone for label, cell in cells}


@pytest.fixture(scope="module")
def sound() -> Frames:
    """A customer all of whose parts are well."""
    frames = flatten(clear_customer())
    some = pd.DataFrame({"seen": [1]})
    made = replace(frames, transactions=some, payments=some)
    assert set(_tones(made).values()) == {Tone.GOOD}
    return made


PATHS = [
    "document.contentAnalysis.dataIntegrity", "address.outcome", "identity.faceAnalysis.facialSimilarityScore", "screening.matchCount",
    "screening.summary.pep.level1", "wealth.flags.pass_through", "gaps.payment.refused", "gaps.bank.timeout", "gaps.register.document_shared",
    "gaps.screening.section_missing", "gaps.session.wrong_subject", *OF_SESSIONS, *OF_CUSTOMERS,
]  # fmt: skip
OF_NO_PART = {
    "session.status", "age.record", "country.record", "country.residences", "diligence.completion", "triage.level",
}  # fmt: skip


@pytest.mark.parametrize("path", [one for one in PATHS if "*" not in one])
def test_no_part_looks_well_beside_a_finding_about_it(sound: Frames, path: str) -> None:
    about = subjects_of(path)
    assert bool(about) == (path not in OF_NO_PART)
    for outcome in ("HIT", "UNKNOWN"):
        for level in LEVELS[1:]:
            tones = _tones(sound, _finding(path, outcome, level))
            assert {part for part, tone in tones.items() if tone != Tone.GOOD} == about


def test_every_part_has_findings_of_its_own() -> None:
    assert set().union(*map(subjects_of, PATHS)) == set(CELLS)


def test_findings_that_are_clear_or_gave_way_leave_a_part_as_it_is(sound: Frames) -> None:
    path = "consistency.name.record.document"
    for found in (_finding(path, "CLEAR"), _finding(path, "NOT_APPLICABLE"), _finding(path, superseded="S2")):
        assert set(_tones(sound, found).values()) == {Tone.GOOD}


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("name", "Name does not match"),
        ("name.likeness", "Name in part different"),
        ("date_of_birth", "Date of birth does not match"),
    ],
)
def test_a_document_of_another_person_takes_the_word_clear_from_document_and_identity(
    sound: Frames, field: str, words: str
) -> None:
    found = findings_frame([_finding(f"consistency.{field}.record.document")])
    strip = dict(strip_of(sound, pd.DataFrame(), [], found))
    assert (strip["Document"].text, strip["Identity"].text) == (words, words)
    assert strip["Address"].text == "Clear"


def test_an_account_in_the_name_of_another_person_is_not_shown_as_without_a_red_flag(sound: Frames) -> None:
    found = findings_frame([_finding("consistency.name.record.bank"), _finding("bank.currency")])
    assert dict(strip_of(sound, pd.DataFrame(), [], found))["Bank"].text == "Name does not match"
    not_known = findings_frame([_finding("consistency.name.record.bank", "UNKNOWN")])
    bank = dict(strip_of(sound, pd.DataFrame(), [], not_known))["Bank"]
    assert bank.text == "1 check open, no red flag"


def test_a_name_that_does_not_match_stands_beside_a_state_that_is_worse_already(sound: Frames) -> None:
    found = findings_frame(
        [_finding("consistency.name.record.bank"), _finding("consistency.name.record.document")]
    )
    flags = pd.DataFrame({"severity": ["edd"], "account_ids": [["A"]], "txn_ids": [["t1"]]})
    bank = dict(strip_of(sound, flags, [], found))["Bank"]
    assert (bank.text, bank.tone) == ("1 red flag, name does not match", Tone.ALARM)
    results = copy.deepcopy(RESULTS)
    results["document"]["outcome"] = "rejected"
    document = dict(strip_of(flatten(clear_customer(results)), pd.DataFrame(), [], found))["Document"]
    assert (document.text, document.tone) == ("Rejected, name does not match", Tone.ALARM)


def test_no_red_flag_is_not_shown_as_well_while_most_money_has_no_known_source(sound: Frames) -> None:
    none = findings_frame([])

    def tile(known: int, *asked: str) -> tuple[str, Tone]:
        shares = Shares("GBP", dict.fromkeys(NATURE_WORDS, 0) | {KNOWN: known, IRREGULAR: 100}, {}, 0)
        limits = pd.DataFrame({"code": ["nature_not_known"] * len(asked), "currency": asked}, dtype="string")
        is_open = is_source_open((shares,), limits)
        states = session_states(sound, none)
        cell = dict(check_strip(sound, none, (), none, states, is_source_open=is_open))["Bank"]
        return cell.text, cell.tone

    assert tile(99, "GBP") == ("Source not known, no red flag", Tone.UNKNOWN)
    for other in (tile(100, "GBP"), tile(99), tile(99, "EUR")):
        assert other == ("No red flag", Tone.GOOD)


@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_tile_has_the_tone_of_the_level_that_its_cause_calls_for(sound: Frames, level: str) -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"]["matchCount"] = 1
    matched = flatten(clear_customer(results))
    assert _tones(sound, _finding("document.outcome", level=level))["document"] is level_cell(level).tone
    assert (
        _tones(matched, _finding("screening.matchCount", level=level))["screening"] is level_cell(level).tone
    )


@pytest.mark.parametrize("severities", [["review"], ["review", "edd"]])
def test_red_flags_have_the_tone_of_the_hardest_level_they_call_for(
    sound: Frames, severities: list[str]
) -> None:
    flags = pd.DataFrame(
        {"severity": severities, "account_ids": [[]] * len(severities), "txn_ids": [[]] * len(severities)}
    )
    bank = dict(strip_of(sound, flags, [], findings_frame([])))["Bank"]
    assert bank.tone is level_cell(severities[-1]).tone


def test_a_part_with_a_finding_keeps_its_state_in_words(sound: Frames) -> None:
    paths = ("document.outcome", "wealth.flags.pass_through", "wealth.payment_support")
    found = findings_frame([_finding(path, level="edd") for path in paths])
    strip = dict(strip_of(sound, pd.DataFrame(), ["supported"], found))
    assert strip["Document"].text == "See findings, clear"
    assert strip["Bank"].text == "Open question"
    assert strip["Payment"].text == "See findings, supported"
    assert strip["Document"].tone is Tone.ALARM


@pytest.mark.parametrize(
    ("kind", "said"), [("number_missing", "Clear, in part different"), ("format", "Clear"), (None, "Clear")]
)
def test_an_address_of_which_a_part_is_missing_is_shown_as_that_and_stays_clear(
    sound: Frames, kind: str | None, said: str
) -> None:
    shown = tuple(sound.results["evidence_id"])
    found = _finding("consistency.address.likeness.record.address", "CLEAR")
    found = found._replace(value=kind, evidence_ids=shown)
    cell = dict(strip_of(sound, pd.DataFrame(), [], findings_frame([found])))["Address"]
    assert (cell.text, cell.tone) == (said, Tone.GOOD)
    hit = _finding("address.contentAnalysis.documentAgeOutcome")
    cell = dict(strip_of(sound, pd.DataFrame(), [], findings_frame([found, hit])))["Address"]
    assert cell.text == "See findings, clear"


@pytest.mark.parametrize(
    ("kind", "said"),
    [("extra_name", ", name in part different"), ("initial", ", name in part different"), ("format", "")],
)
def test_a_name_of_which_only_one_paper_has_a_part_is_shown_as_that_and_stays_clear(
    sound: Frames, kind: str, said: str
) -> None:
    shown = tuple(sound.results["evidence_id"])
    found = [
        _finding(f"consistency.name.likeness.record.{source}", "CLEAR")._replace(
            value=kind, evidence_ids=shown
        )
        for source in ("document", "bank")
    ]
    strip = dict(strip_of(sound, pd.DataFrame(), ["supported"], findings_frame(found)))
    assert (strip["Document"].text, strip["Document"].tone) == (f"Clear{said}", Tone.GOOD)
    assert (strip["Bank"].text, strip["Bank"].tone) == (f"No red flag{said}", Tone.GOOD)
    assert (strip["Identity"].text, strip["Address"].text) == ("Clear", "Clear")


def test_an_account_of_another_person_says_nothing_of_the_identity_check(sound: Frames) -> None:
    found = findings_frame([_finding("consistency.name.record.bank")])
    strip = dict(strip_of(sound, pd.DataFrame(), [], found))
    assert strip["Identity"].text == "Clear"


def test_what_a_replaced_session_left_open_is_not_missing() -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer("onboarding.get", {**STATUS, "id": "s1", "status": "expired"}, session_id="s1")
    made.session(RESULTS, {**STATUS, "id": "s2"}, session_id="s2")
    frames = flatten(made.make())
    left_open = _finding("document.outcome", "UNKNOWN", superseded="s2")._replace(session_id="s1")

    def strip(*found: Finding) -> dict[str, str]:
        cells = strip_of(frames, pd.DataFrame(), [], findings_frame(found))
        return {label: cell.text for label, cell in cells if label in {"Document", "Screening"}}

    assert strip() == {"Document": "No result", "Screening": "No result"}
    assert strip(left_open) == {"Document": "Clear", "Screening": "Clear, list date not shown"}
