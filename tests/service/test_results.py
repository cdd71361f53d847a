"""Laws of results: what was not ordered is absent, what is merged is there, and nulls delete."""

from __future__ import annotations

from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kycpack.models.onboarding import Results
from kycpack.service.results import OUTCOMES, SECTIONS, WORDS, Subject, compose_results, magic_parts

TODAY = date(2026, 5, 25)
SUBJECT = Subject("seed", "Ada", "Byron", "ada@example.com", "1990-02-28", {"country": "GB"}, {})
names = st.sampled_from(["outcome", "holder", "document", "summary", "pep", "level1", "new", "matchCount"])
leaves = st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5)
parts = st.dictionaries(
    st.sampled_from([*SECTIONS, "unheard"]),
    st.recursive(leaves, lambda inner: st.dictionaries(names, inner, max_size=3), max_leaves=6),
    max_size=4,
)


def compose(ordered: Any, *merged: Any) -> dict[str, Any]:
    return compose_results(SUBJECT, ordered, "extensive", merged, TODAY)


@given(st.sets(st.sampled_from(SECTIONS)), parts)
def test_what_was_not_ordered_is_absent(ordered: set[str], part: dict[str, Any]) -> None:
    assert compose(ordered, part).keys() <= ordered


@given(parts)
def test_merging_twice_is_merging_once(part: dict[str, Any]) -> None:
    assert compose(SECTIONS, part, part) == compose(SECTIONS, part)


@given(parts)
def test_a_part_is_not_changed_and_no_null_remains(part: dict[str, Any]) -> None:
    before = repr(part)

    def leaves_of(value: Any) -> list[Any]:
        return (
            [leaf for member in value.values() for leaf in leaves_of(member)]
            if isinstance(value, dict)
            else [value]
        )

    assert None not in leaves_of(compose(SECTIONS, part))
    assert repr(part) == before


def test_every_magic_word_gives_results_of_the_interface() -> None:
    tags = [*WORDS, *(f"{section}-{outcome}" for section in SECTIONS for outcome in OUTCOMES)]
    for tag in tags:
        assert magic_parts(f"ada+{tag}@example.com")
        subject = Subject("seed", "Ada", "Byron", f"ada+{tag}@example.com", "", {}, {})
        document = compose_results(subject, SECTIONS, "standard", (), TODAY)
        assert Results.read(document).wire() == document
    assert magic_parts("ada@example.com") == []
    assert magic_parts("no address at all") == []
