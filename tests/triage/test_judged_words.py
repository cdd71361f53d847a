"""The words that results are judged by: one that is taken out of the vocabulary or the policy is missed here."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from tests.triage.test_evaluate import changed, finding, triage

from kycpack.triage.case_file import Observation
from kycpack.triage.results.identity_documents import type_form
from kycpack.triage.results.leaf_details import detail_of
from kycpack.triage.results.trouble_words import reads_as_forged
from kycpack.triage.results.unlisted_leaves import DATA, read_leaf
from kycpack.triage.results.vocabulary_file import load_vocabulary

TROUBLE_VALUES = "attention consider warning reject rejected fail failed failure mismatch no_match not_matched suspected suspicious suspect detected fraud fraudulent forged forgery fake faked counterfeit tampered altered manipulated compromised stolen lost revoked expired invalid not_valid denied declined blocked blacklisted sanctioned wanted deceased high_risk alert hit positive void specimen".split()  # noqa: SIM905 - a table of words
TROUBLE_NAMES = "tamper forg counterfeit falsif copied substitut imperson reject decline refus fail anomal warn risk duress coerc stole missing reported mule insolv bankrupt crime criminal death watchlist underage emulat replay synthetic fake fraud stolen compromis manipulat altered deepfake spoof suspici suspect sanction blacklist wanted deceased revoked expired mismatch alert hit failure".split()  # noqa: SIM905 - a table of words
OF_SCREENING = "match matches hits terror launder traffick crime criminal".split()  # noqa: SIM905 - a table of words
GOOD_NAMES = "genuine authentic valid verified passed confirmed approved legit live".split()  # noqa: SIM905 - a table of words
FORGERY = [
    "forg",
    "counterfeit",
    "fake",
    "falsif",
    "tamper",
    "manipulat",
    "altered",
    "stolen",
    "compromis",
    "deepfake",
    "fraud",
    "spoof",
]
VERDICTS = "red amber orange yellow ko nok stop hold refer escalate review high medium low severe critical bad poor weak cancelled canceled withdrawn seized sample template replaced cut edited printout photocopy copy screen generated mannequin doll covered blurred unreadable torn cloned rooted different not someone nobody two multiple virtual unverified unlikely unknown partial recheck retry no non nicht kein keine pas ne nie unsure stale old drop print child minor".split()  # noqa: SIM905 - a table of words
TURNING = "not no non un without never neither except excluded exclude ruled out absence absent free clear cleared failed unable cannot if unless else".split()  # noqa: SIM905 - a table of words
PLACEHOLDERS = [
    "n/a",
    "not available",
    "not applicable",
    "not known",
    "unknown",
    "unbekannt",
    "inconnu",
    "desconocido",
    "tbc",
    "tba",
    "to be confirmed",
    "not given",
    "not provided",
    "no data",
]
NO_DOCUMENTS = "toy play fantasy fantasie novelty souvenir replica camouflage library membership loyalty gym world draft mock demo test dummy muster".split()  # noqa: SIM905 - a table of words
NOTHING = "not detected; none detected; not found; none found; nothing found".split("; ")  # noqa: SIM905 - a table of words
MATCH_TROUBLE = "attention match matched match_confirmed confirmed hit potential_match possible_match found listed positive consider warning rejected".split()  # noqa: SIM905 - a table of words
CHECK_TROUBLE = "attention consider warning rejected failed fail mismatch no_match not_matched partial_match suspected fraudulent forged expired invalid".split()  # noqa: SIM905 - a table of words
OTHERS = "mother father mothers fathers parent parents spouse partner guardian child children witness operator reviewer agent issuer issuing authority provider vendor employer previous former maiden alias aliases old link url token session media download upload cache retention file image mailing billing ip device office next renewal".split()  # noqa: SIM905 - a table of words
CRIMES = "crime criminal fraud corrupt brib launder traffick terror narcot drug theft violen tax".split()  # noqa: SIM905 - a table of words
VOCABULARY = load_vocabulary()


def read(path: str, value: Any) -> str:
    return read_leaf(Observation(path, value, ("E-03",), of_results=True), VOCABULARY)


@pytest.mark.parametrize("word", TROUBLE_VALUES)
def test_a_value_that_is_trouble_is_a_hit_below_any_name(word: str) -> None:
    assert read("document.checks.hologram", word) == "HIT"
    assert read("device.result", word.upper().replace("_", " ")) == "HIT"


@pytest.mark.parametrize("stem", TROUBLE_NAMES)
def test_a_name_of_trouble_is_a_hit_where_it_is_affirmed(stem: str) -> None:
    for value in (True, "yes", Decimal(1)):
        assert read(f"document.checks.{stem}", value) == "HIT"


@pytest.mark.parametrize("stem", [*OF_SCREENING, *TROUBLE_NAMES])
def test_a_name_of_trouble_below_screening_is_a_hit_where_it_is_affirmed(stem: str) -> None:
    assert read(f"screening.{stem}", True) == "HIT"


@pytest.mark.parametrize("word", MATCH_TROUBLE)
def test_a_match_is_a_hit_of_a_listed_search_and_of_an_unlisted_one(word: str) -> None:
    assert VOCABULARY.judge("match", word) == ("HIT", True)
    assert read("screening.summary.crypto.wallets", word) == "HIT"


@pytest.mark.parametrize("word", CHECK_TROUBLE)
def test_a_check_that_does_not_hold_is_a_hit(word: str) -> None:
    assert VOCABULARY.judge("check", word) == ("HIT", True)


@pytest.mark.parametrize("stem", GOOD_NAMES)
def test_a_name_of_good_is_a_hit_where_it_is_denied(stem: str) -> None:
    assert read(f"identity.checks.{stem}", False) == "HIT"


@pytest.mark.parametrize("stem", FORGERY)
def test_a_word_of_forgery_is_read_as_forged_in_a_name_and_in_a_value(stem: str) -> None:
    assert reads_as_forged(Observation(f"document.checks.{stem}", True), VOCABULARY)
    assert reads_as_forged(Observation("document.checks.photo", stem), VOCABULARY)


@pytest.mark.parametrize("word", VERDICTS)
def test_a_text_with_a_word_of_a_verdict_is_no_data(word: str) -> None:
    assert read("document.provider.name", "Acme Passport") == DATA
    assert read("document.provider.name", f"Acme {word} Passport") in {"UNKNOWN", "HIT"}


@pytest.mark.parametrize("words", NOTHING)
def test_that_nothing_was_found_is_fine_of_trouble_and_of_nothing_else(words: str) -> None:
    assert read("document.checks.fraudSuspected", words) == "CLEAR"
    assert read("document.checks.hologram", words) == "UNKNOWN"


@pytest.mark.parametrize("word", TURNING)
def test_a_word_that_turns_the_meaning_round_makes_a_denial_unknown(word: str) -> None:
    assert read("document.checks.fraudSuspected", False) == "CLEAR"
    assert read(f"document.{word}.fraudSuspected", False) != "CLEAR"


@pytest.mark.parametrize("words", PLACEHOLDERS)
def test_what_only_fills_a_place_is_no_value(words: str) -> None:
    assert VOCABULARY.is_placeholder(words.upper())
    assert not VOCABULARY.is_placeholder(f"{words} Smith")


@pytest.mark.parametrize("word", NO_DOCUMENTS)
def test_a_word_that_makes_a_type_no_document_of_a_state(word: str) -> None:
    assert type_form(f"{word} passport") != "plausible"
    assert type_form("national passport") == "plausible"


@pytest.mark.parametrize("word", OTHERS)
def test_details_in_a_group_of_somebody_else_are_not_the_persons(word: str) -> None:
    assert detail_of("document.chip.surname", VOCABULARY) == "family_name"
    assert detail_of(f"document.{word}.surname", VOCABULARY) == ""


@pytest.mark.parametrize("stem", CRIMES)
def test_adverse_media_of_each_kind_of_crime_asks_for_enhanced_diligence(stem: str) -> None:
    made = triage(results=changed(f"screening.summary.adverseMedia.{stem}Cases", "attention"))
    assert finding(made, "ADV-1")["level"] == "edd"


@pytest.mark.parametrize("stem", ["sanction", "terror", "control", "ownership"])
def test_each_word_of_a_grave_category_escalates(stem: str) -> None:
    made = triage(results=changed(f"screening.summary.further{stem.title()}", "attention"))
    assert finding(made, "SAN-3")["level"] == "escalate"
