"""Who is in scope of a run beside the lists that say who should be, and what a reader can rely on years later."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kycpack.batch import RunEntry, RunReport
from kycpack.batch.population import compare_population, population_problems, population_sentence

IDS = st.frozensets(st.sampled_from([f"c-{number}" for number in range(12)]))


def manifest_of(population: Any, *customers: str) -> dict[str, Any]:
    said = asdict(population) if population is not None else None
    return {"population": said, "customers": [{"customer_id": name} for name in customers]}


def test_customers_without_a_known_session_are_counted_and_named() -> None:
    ids = [f"c-{number:03d}" for number in range(300)]
    known = {f"s-{number}": ids[number] for number in range(40)}
    found = compare_population("all", ids, register=ids, sessions=known.items(), listed=ids)
    (sentence,) = found.sentences()
    assert sentence.startswith("260 of 300 customers have no known session")
    assert "c-040" in sentence
    assert "and 240 more" in sentence
    assert len(found.without_session) == 260


def test_one_customer_and_one_session_are_spoken_of_as_one() -> None:
    found = compare_population(
        "file", ["a"], register=["b"], sessions={"s-3": None}.items(), held=["s-9"], listed=["a"]
    )
    assert [sentence.partition(";")[0].partition(":")[0] for sentence in found.sentences()] == [
        "1 of 1 customer has no known session, so the review cannot have verification results",
        "1 customer in scope is not in the register",
        "1 customer of the register is not in scope",
        "1 session has no known customer",
        "1 session named in deliveries is not in the register",
    ]


def test_who_is_missing_and_who_is_extra_is_named() -> None:
    found = compare_population(
        "file",
        ["both", "only-here"],
        register=["both", "only-register"],
        sessions={"s-1": "both", "s-2": "only-here", "s-3": None}.items(),
        held=["s-9"],
        listed=["both", "only-service"],
    )
    assert found.missing_from_register == found.missing_from_service == ("only-here",)
    assert found.left_out_of_register == ("only-register",)
    assert found.left_out_of_service == ("only-service",)
    said = "\n".join(found.sentences())
    assert all(name in said for name in ("only-here", "only-register", "only-service", "s-3", "s-9"))


def test_a_few_chosen_customers_are_not_said_to_lack_the_others() -> None:
    found = compare_population("chosen", ["a"], register=["a", "b"], sessions={"s": "a"}.items())
    assert list(found.sentences()) == []
    assert found.left_out_of_register is None


def test_a_service_that_gives_no_list_is_named() -> None:
    found = compare_population(
        "all", ["a"], sessions={"s": "a"}.items(), not_listed_because="the service answered 403"
    )
    assert list(found.sentences()) == [
        "the customers were not compared with the service's list: the service answered 403"
    ]


@given(scope=IDS, register=IDS, listed=IDS)
def test_every_customer_is_on_one_side(
    scope: frozenset[str], register: frozenset[str], listed: frozenset[str]
) -> None:
    found = compare_population("file", sorted(scope), register=register, listed=listed)
    assert len(scope) - len(found.missing_from_register) == len(register) - len(
        found.left_out_of_register or ()
    )
    assert len(scope) - len(found.missing_from_service) == len(listed) - len(found.left_out_of_service or ())
    assert not list(population_problems(manifest_of(found, *scope)))


def test_an_account_of_the_population_that_does_not_fit_its_customers_is_a_problem() -> None:
    found = compare_population("file", ["a", "b"], register=["a", "b", "c"], sessions={"s": "b"}.items())
    assert not list(population_problems(manifest_of(found, "a", "b")))
    assert len(list(population_problems(manifest_of(found, "b", "c")))) == 2  # a is gone, and c was left out
    assert list(population_problems(manifest_of(found, "a")))
    assert not list(population_problems(manifest_of(None, "a")))


def test_the_sentence_for_a_reader_says_how_many_and_whose_word_it_is() -> None:
    found = compare_population(
        "all", ["a", "b"], register=["a", "b"], sessions={"s": "b"}.items(), listed=["a", "b", "c"]
    )
    assert population_sentence(manifest_of(found, "a", "b")) == (
        "When the run began: 2 customers were in scope, the register had 2 (0 of them not in scope), the service listed 3 "
        "(1 of them not in scope), 1 had no known session. These are the run's own figures."
    )
    assert population_sentence({"customers": []}) == ""


def test_a_session_whose_customer_nobody_knows_is_in_the_exit_code() -> None:
    def report(scope: Any, **found: Any) -> RunReport:
        population = compare_population(scope, ["a"], **found)
        return RunReport("r", "", "", "", "", 1, (RunEntry("a", "produced"),), population=population)

    assert report("completed").exit_code == 0
    assert report("completed", completed_of_nobody=["s-1"]).exit_code == 3
    assert report("completed", held=["s-2"]).exit_code == 3
    assert report("completed", held=["s-2"]).to_document()["sessions_without_pack"] == 1
    assert report("all", held=["s-2"]).exit_code == 0
