"""Trouble in names and shapes that nobody planned is never approved, and an odd value never hides what stands beside it."""

from __future__ import annotations

import copy
import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.frames.evidence_maker import RECORD, RESULTS, SESSION, STATUS, EvidenceMaker
from tests.triage.result_shapes import telling, troubled
from tests.triage.test_evaluate import AS_OF, PATHS, POLICY, changed, level, triage

from kycpack.frames import flatten
from kycpack.triage import Triage, evaluate
from kycpack.triage.levels import rank
from kycpack.triage.results.identity_documents import number_form, type_form

SEED = 20_261_122

FEW = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

NOUNS = [
    "fraud", "tamper", "forgery", "spoof", "deepfake", "mask", "replay", "screen recapture", "blacklist", "stolen document", "alert",
    "risk", "anomaly", "duplicate face", "impersonation", "mule", "synthetic identity", "virtual camera", "emulator", "watchlist", "sanction",
    "death record", "insolvency", "criminal record", "coercion", "photo swap", "hologram", "velocity", "bot",
]  # fmt: skip
ENDS = [
    "", "type", "code", "level", "reason", "score", "result", "status", "flag", "count", "date", "on", "reference", "name", "country",
    "number", "id", "page", "details", "verdict", "list", "at", "version", "provider", "place", "file", "kind",
]  # fmt: skip
VALUES = [
    True, "yes", "DETECTED", "HIGH_RISK", "severe", "photo substituted", "A12", "OFAC-SDN-9921", "2021-03-04", "2021-03-04T10:00:00Z", 1, 3, 0.97,
    "0.97", "1e3", "failed", "not ok", "abgelehnt", "gefälscht", "rechazado", "подделка", "不合格", "مرفوض", "有", "はい", "да", "oui", "!", -1, 1e9, "IR",
]  # fmt: skip
STYLES = (
    lambda words: words[0] + "".join(word.title() for word in words[1:]),
    "_".join,
    "-".join,
    lambda words: "_".join(words).upper(),
    lambda words: "".join(word.title() for word in words),
)
NAMES = st.builds(
    lambda noun, end, style: style(f"{noun} {end}".split()),
    st.sampled_from(NOUNS),
    st.sampled_from(ENDS),
    st.sampled_from(STYLES),
)


def _wrapped(value: Any) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.just(value),
        st.just([value]),
        st.just({"items": [value]}),
        st.just({"details": value}),
        NAMES.map(lambda name: {name: value}),
    )


TROUBLE = st.sampled_from(VALUES).flatmap(_wrapped)
PLACES = [
    "document.contentAnalysis", "document", "document.document", "document.holder", "address", "address.extractedAddress",
    "address.geoLocationAnalysis", "identity", "identity.faceAnalysis", "identity.newGroup", "", "device", "riskAnalysis",
]  # fmt: skip
SCREENING = ["screening", "screening.summary", "screening.summary.watchlist", "screening.summary.crypto", "screening.details"]  # fmt: skip


def put(place: str, name: str, value: Any) -> Any:
    made = copy.deepcopy(RESULTS)
    group: Any = made
    for step in filter(None, place.split(".")):
        group = group.setdefault(step, {})
    group[name] = value
    return made


@FEW
@given(st.sampled_from(PLACES), NAMES, TROUBLE)
def test_trouble_that_nobody_has_named_is_never_approved(place: str, name: str, value: Any) -> None:
    assert level(triage(results=put(place, name, value))) != "approve"


@FEW
@given(st.sampled_from(SCREENING), NAMES, TROUBLE)
def test_trouble_in_screening_asks_for_enhanced_diligence(place: str, name: str, value: Any) -> None:
    assert rank(level(triage(results=put(place, name, value)))) >= rank("edd")


def test_trouble_in_shapes_that_no_list_names_is_not_approved() -> None:
    approved = [
        where for where, results in troubled(SEED, 120) if level(triage(results=results)) == "approve"
    ]
    assert not approved


def test_results_that_only_tell_more_stay_approved() -> None:
    held = [what for what, results in telling(SEED, 80) if level(triage(results=results)) != "approve"]
    assert not held


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.type", "photocopy"),
        ("identity.id", "virtual camera"),
        ("document.name", "RED"),
        ("document.resultCode", "E12"),
        ("identity.sessionInfo.side", "template"),
        ("document.document.documentType", "toy passport"),
        ("document.holder.deviceType", "mail drop"),
        ("vendor.details.code", "printout"),
        ("document.checkedOn", "not yet"),
    ],
)
def test_a_name_that_only_tells_hides_no_verdict(path: str, value: str) -> None:
    place, _, name = path.rpartition(".")
    assert level(triage(results=put(place, name, value))) != "approve"


@pytest.mark.parametrize(
    ("path", "at_least"),
    [
        ("screening.ofac", "escalate"),
        ("screening.Summary.Watchlist.SanctionsLists", "escalate"),
        ("screening.summary.rca", "escalate"),
        ("screening.results.un", "escalate"),
        ("sanctionsLists", "review"),
        ("data.screening.summary.watchlist.sanctionsLists", "review"),
        ("document.fraudRegister", "edd"),
        ("identity.faceAnalysis.blacklistFace", "review"),
        ("identity.denyList", "review"),
        ("address.hotlist", "review"),
        ("pep.level1", "review"),
    ],
)
def test_a_confirmed_match_is_fine_only_where_a_list_says_so(path: str, at_least: str) -> None:
    place, _, name = path.rpartition(".")
    for word in ("match_confirmed", "MATCH-CONFIRMED", "matched", "confirmed"):
        assert rank(level(triage(results=put(place, name, word)))) >= rank(at_least), word


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("entities", [{"id": 44}]),
        ("summary.results", [{"id": 12}, {"id": 13}]),
        ("person", {"id": "Q42"}),
        ("candidates", [{"reference": "33", "date": "1999-01-01"}]),
        ("media", {"2020-01-01": {"id": 1}}),
        ("matchId", "778"),
        ("id", ["Q1", "Q2"]),
    ],
)
def test_the_id_of_somebody_whom_a_screening_found_is_not_only_telling(path: str, value: Any) -> None:
    place, _, name = f"screening.{path}".rpartition(".")
    assert rank(level(triage(results=put(place, name, value)))) >= rank("edd")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("screening.provider", {"id": "P-1", "version": "4.1"}),
        ("screening.summary.searchedAt", "2026-05-02T09:00:00Z"),
        ("document.document.dateOfIssue", "2021-01-01"),
        ("document.document.issuingAuthority", "HMPO"),
        ("document.document.serialNumber", "0012993"),
        ("document.document.validFrom", "2021-01-01"),
        ("document.holder.mothersMaidenName", "Faulkner"),
        ("document.holder.eyeColour", None),
        ("document.holder.residentCountry", "GB"),
        ("document.checkedAt", "2026-05-02T09:00:00Z"),
        ("identity.sessionReference", "8831-A"),
        ("identity.engineVersion", "4.1.2"),
        ("address.extractedAddress.houseNumber", "12b"),
        ("address.document_type", "utility_bill"),
        ("document.fraudDetection", {"result": "clear", "checkedAt": "2026-05-02T09:00:00Z"}),
        ("screening.searchId", "93-2219"),
        ("screening.lastUpdatedAt", "2026-05-02T09:00:00Z"),
    ],
)
def test_a_new_member_that_tells_something_sends_nobody_to_review(path: str, value: Any) -> None:
    assert level(triage(results=changed(path, value))) == "approve"


@FEW
@given(
    st.sampled_from(
        [path for path in PATHS if path.endswith(("utcome", "Check", "Similarity", "Detection", "Integrity"))]
    ),
    st.text(min_size=1, max_size=12).filter(
        lambda text: (
            text.strip().casefold().replace("_", "")
            not in {"clear", "pass", "passed", "ok", "match", "matched", "matchconfirmed", "confirmed"}
        )
    ),
)
def test_a_word_that_nobody_knows_is_never_approved(path: str, word: str) -> None:
    assert level(triage(results=changed(path, word))) != "approve"


ODD = [
    b'"extra": 1e999', b'"extra": -0.0', b'"extra": "\\udfff"', b'"extra": ' + b"8" * 60, b'"extra": ' + b'{"a":' * 300 + b"1" + b"}" * 300,
    b'"outcome": "clear", "outcome": "clear"', b'"extra": Infinity', b'"\\ud800": 1', b'"extra": "\\u0000"',
]  # fmt: skip
GRAVE = [
    ("screening", "summary", {"watchlist": {"sanctionsLists": "match_confirmed"}}, "escalate"),
    ("screening", "summary", {"pep": {"level1": True}}, "edd"),
    ("document", "outcome", "rejected", "reject"),
    ("address", "outcome", "rejected", "reject"),
    ("document", "contentAnalysis", {"forged": True}, "edd"),
]


@FEW
@given(
    st.sampled_from(GRAVE),
    st.sampled_from(ODD),
    st.sampled_from(["document", "address", "identity", "screening"]),
)
def test_what_cannot_be_read_hides_nothing(
    grave: tuple[str, str, Any, str], odd: bytes, section: str
) -> None:
    name, member, value, at_least = grave
    results = copy.deepcopy(RESULTS)
    results[name][member] = value
    body = json.dumps(results).encode()
    start = f'"{section}": {{'.encode()
    body = body.replace(start, start + odd + b", ", 1)
    assert rank(level(_of_body(body))) >= rank(at_least)


def _of_body(body: bytes) -> Triage:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.answer("onboarding.get", STATUS, session_id=SESSION)
    made.answer("onboarding.results", body, session_id=SESSION)
    made.answer("bank_accounts.list", {"items": []})
    made.known()
    return evaluate(flatten(made.make()), POLICY, as_of=AS_OF)


@FEW
@given(st.dates(dt.date(1800, 1, 1), dt.date(2060, 1, 1)))
def test_only_an_age_that_a_customer_can_have_is_approved(born: dt.date) -> None:
    record = {**RECORD, "dateOfBirth": born.isoformat()}
    made = triage(record=record, results=changed("document.holder.dateOfBirth", born.isoformat()))
    years = AS_OF.year - born.year - ((AS_OF.month, AS_OF.day) < (born.month, born.day))
    assert (level(made) == "approve") == (18 <= years <= 110)


@FEW
@given(st.integers(-4000, 4000))
def test_only_results_that_are_neither_old_nor_from_the_future_are_approved(days: int) -> None:
    moment = dt.datetime.combine(AS_OF, dt.time(), dt.UTC) - dt.timedelta(days=days)
    said = moment.isoformat().replace("+00:00", "Z")
    progress = {
        "identity": {"completed": True, "confirmed": True, "completedAt": said},
        "ais": {"completed": False},
    }
    made = triage(status={**STATUS, "created": said, "updated": said, "progress": progress})
    if not 0 <= days <= 365:
        assert level(made) != "approve"


@FEW
@given(
    st.dictionaries(
        st.sampled_from(PATHS), st.sampled_from([None, "", [], {}, "not_processed", "unknown"]), max_size=4
    )
)
def test_every_finding_that_is_not_known_has_an_owner(holes: dict[str, Any]) -> None:
    results: Any = RESULTS
    for path, value in holes.items():
        results = changed(path, value, results)
    made = triage(results=results)
    unknown = made.findings[made.findings["outcome"] == "UNKNOWN"]
    assert unknown["owner"].str.len().gt(0).all()
    if any(path.startswith(("screening.summary.watchlist", "screening.summary.pep")) for path in holes):
        assert rank(level(made)) >= rank("edd")
        assert "MLRO" in made.recommendations.iloc[0]["routes"]


@pytest.mark.parametrize(
    ("number", "form"),
    [
        ("X1234567", "plausible"), ("AB 12 34 56", "plausible"), ("****4821", "masked"), ("XXXXX4821", "masked"), ("XXXXXXXXX", "empty"),
        ("********", "empty"), ("never", "no_digits"), ("United Kingdom", "no_digits"), ("TEST123456", "placeholder"), ("SPECIMEN01", "placeholder"),
        ("2015-01-01", "date"), ("10.12.1985", "date"), ("000000000", "placeholder"), ("123456789", "placeholder"), ("A1", "too_short"), ("--", "empty"),
    ],
)  # fmt: skip
def test_a_number_of_a_document_is_a_number(number: str, form: str) -> None:
    assert number_form(number) == form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("passport", "plausible"), ("ID_CARD", "plausible"), ("drivingLicence", "plausible"), ("Personalausweis", "plausible"),
        ("residence-permit", "plausible"), ("DRIVER_LICENSE", "plausible"), ("none", "placeholder"), ("--", "placeholder"), ("specimen", "placeholder"),
        ("1985", "placeholder"), ("clear/rejected", "not_known"), ("0.99", "placeholder"), ("banana", "not_known"),
    ],
)  # fmt: skip
def test_a_type_of_a_document_is_a_document(text: str, form: str) -> None:
    assert type_form(text) == form


@pytest.mark.parametrize("word", ["n/a", "N/A", "not available", "--", "Unknown"])
def test_a_word_that_fills_a_place_is_no_name(word: str) -> None:
    assert level(triage(results=changed("document.holder.firstName", word))) != "approve"


def _slips(document: dict[str, Any], of: str, by: str) -> list[bytes]:
    """Return a results document whose syntax is wrong in different places, none of which is the judgement `by`."""
    text = json.dumps(document)
    assert f'"{of}": "{by}"' in text
    score = '"facialSimilarityScore": '
    at = text.index(score) + len(score)
    end = text.index("}", at)
    return [
        *((text[:at] + odd + text[end:]).encode() for odd in (".5", "+1", "00", "nil", "0x1", "5%")),
        text.replace('", "holder"', '" "holder"', 1).encode(),
        (text + " x").encode(),
        text[:-1].encode(),
        text.encode("utf-16"),
        text.replace("Byron", "By\\gron", 1).encode(),
    ]


@pytest.mark.parametrize(
    ("path", "word", "least"),
    [
        ("document.outcome", "rejected", "reject"),
        ("screening.summary.watchlist.sanctionsLists", "match_confirmed", "escalate"),
    ],
)
def test_a_slip_of_syntax_hides_no_judgement(path: str, word: str, least: str) -> None:
    for body in _slips(changed(path, word), path.rpartition(".")[2], word):
        assert rank(level(triage(results=body))) >= rank(least), body


def test_a_slip_of_syntax_is_never_approved() -> None:
    whole = json.dumps(RESULTS)
    for body in _slips(RESULTS, "outcome", "clear"):
        if body != whole.encode("utf-16"):
            assert level(triage(results=body)) != "approve", body
