"""A customer's own name in a text: what is the whole name, what only speaks of it, and what is somebody else."""

from __future__ import annotations

import pytest

from kycpack.wealth.match.own_names import MENTIONED, NAMED, NOT_NAMED, PART, find_own_name, to_own_name

ANNA = (("anna", "maria"), ("van", "der", "berg"))
WILL = (("william",), ("whitlock",))
GARCIA = (("lucia",), ("garcia", "moreno"))
JORG = (("joerg",), ("mueller",))
SEUN = (("oluwaseun",), ("bakare",))


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        (ANNA, "anna berg", NAMED),
        (ANNA, "berg anna maria", NAMED),
        (ANNA, "anna maria van der berg", NAMED),
        (ANNA, "a m van der berg", NAMED),
        (ANNA, "am berg", NAMED),
        (ANNA, "annaberg", NAMED),
        (ANNA, "annavanderberg", NAMED),
        (ANNA, "anna v berg", NAMED),
        (ANNA, "berg", PART),
        (ANNA, "aberg", NOT_NAMED),
        (ANNA, "anna", PART),
        (ANNA, "van der anna", PART),
        (ANNA, "peter berg", NOT_NAMED),
        (ANNA, "p berg", NOT_NAMED),
        (ANNA, "anna peter berg", NOT_NAMED),
        (ANNA, "rent anna berg flat", MENTIONED),
        (ANNA, "rent anna maria van der berg flat", MENTIONED),
        (ANNA, "rent berg flat", NOT_NAMED),
        (WILL, "william whitlock", NAMED),
        (WILL, "w whitlock", NAMED),
        (WILL, "william j whitlock", NAMED),
        (WILL, "wj whitlock", NAMED),
        (WILL, "wu whitlock", NOT_NAMED),
        (WILL, "jw whitlock", NOT_NAMED),
        (WILL, "wjk whitlock", NOT_NAMED),
        (WILL, "to william j whitlock", MENTIONED),
        (WILL, "william whit", MENTIONED),
        (WILL, "william whi", NOT_NAMED),
        (WILL, "whitlock will", MENTIONED),
        (WILL, "bill whitlock", MENTIONED),
        (WILL, "bill j whitlock", NOT_NAMED),
        (WILL, "mary whitlock", NOT_NAMED),
        (WILL, "william john whitlock", MENTIONED),
        (WILL, "whitlock william john peter", MENTIONED),
        (WILL, "william roofing whitlock", NOT_NAMED),
        (WILL, "john mary whitlock", NOT_NAMED),
        (GARCIA, "lucia garcia moreno", NAMED),
        (GARCIA, "lucia garcia", MENTIONED),
        (GARCIA, "l moreno", MENTIONED),
        (GARCIA, "pablo garcia", NOT_NAMED),
        (JORG, "jorg muller", NAMED),
        (JORG, "j mueller", NAMED),
        (JORG, "muller", PART),
        (SEUN, "o bakare", NAMED),
        (SEUN, "b oluwaseun", MENTIONED),
        (SEUN, "oluwaseun b", MENTIONED),
        (SEUN, "k oluwaseun", NOT_NAMED),
        (SEUN, "b oluwaseun ltd", NOT_NAMED),
        (SEUN, "oluwaseun", PART),
        (SEUN, "bo", PART),
        (SEUN, "bakare ltd", NOT_NAMED),
        (ANNA, "anna maria v", MENTIONED),
        (ANNA, "b anna", MENTIONED),
    ],
)
def test_a_name_in_a_text_is_found_as_banks_and_customers_write_it(
    name: tuple[tuple[str, ...], tuple[str, ...]], text: str, found: int
) -> None:
    own = to_own_name(*name)
    assert own is not None
    assert find_own_name(text.split(), own, known_words={"wu", "john", "peter", "mary"}) == found


@pytest.mark.parametrize(("firsts", "surname"), [((), ("berg",)), (("anna",), ())])
def test_half_a_name_is_not_looked_for(firsts: tuple[str, ...], surname: tuple[str, ...]) -> None:
    assert to_own_name(firsts, surname) is None
