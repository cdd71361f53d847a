"""Numbers that cannot be what their name says: no pages, a fractional id, a person three centimetres tall, a video of no length."""

from __future__ import annotations

from decimal import Decimal

from kycpack.triage.results.vocabulary import Vocabulary, name_words, words_of

# Nobody photographs a document and a face in less time; of the session only, since a provider's total may be that of its machines.
_SHORTEST_SESSION = {
    "ms": 15_000,
    "millis": 15_000,
    "milliseconds": 15_000,
    "seconds": 15,
    "secs": 15,
    "sec": 15,
}
_WORDS = words_of("impossible_numbers")
_SHORTEST_ACT = {
    "ms": 500,
    "millis": 500,
    "milliseconds": 500,
    "seconds": 3,
    "secs": 3,
    "sec": 3,
    "minutes": 1,
}
_HEIGHTS = ((Decimal("0.9"), Decimal("2.4")), (Decimal(90), Decimal(240)))
_WEIGHTS = (Decimal(30), Decimal(600))


def is_impossible(path: str, parts: list[str], value: Decimal, vocabulary: Vocabulary) -> bool:  # noqa: PLR0911 - one return for each kind of number
    """Return whether a number is impossible for its name: no pages, a fractional id, a person three centimetres tall, a video of no length.

    Args:
        path: Path of the leaf.
        parts: The words of its name.
        value: The number.
        vocabulary: Its words of times and of what a person does.
    """
    last, around = parts[-1], name_words(path)
    timed = not vocabulary["timed_groups"].isdisjoint(around)
    unit = next(
        (part for part in (*reversed(parts), *around) if part in _SHORTEST_ACT), "ms" if timed else ""
    )
    is_session = parts[:-1] in (
        [],
        ["duration"],
        ["total"],
        ["total", "duration"],
        ["session"],
        ["session", "duration"],
    )
    if (
        unit in _SHORTEST_SESSION
        and is_session
        and not _WORDS["whole_sessions"].isdisjoint(around)
        and _WORDS["of_machines"].isdisjoint(around)
    ):
        return value < _SHORTEST_SESSION[unit]
    if unit and _WORDS["pieces"].isdisjoint(around) and not vocabulary["acts_of_person"].isdisjoint(around):
        return value < _SHORTEST_ACT[unit]
    if last == "fps" or "accuracy" in parts or (parts == ["frames"] and path.startswith("identity.")):
        return value <= 1
    if last in _WORDS["elapsed"]:
        return value < 0
    if last in _WORDS["counted"] or "page" in parts:
        return value <= 0
    if last in _WORDS["whole"]:
        return value != value.to_integral_value()
    if ".holder." not in path:
        return False
    of_height, of_weight = "height" in parts, "weight" in parts
    return (of_height and not any(low <= value <= high for low, high in _HEIGHTS)) or (
        of_weight and not _WEIGHTS[0] <= value <= _WEIGHTS[1]
    )
