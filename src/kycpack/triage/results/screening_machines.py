"""What the screening says of the provider's own machines and of its request, and not of anybody who was found."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from kycpack.triage.results.data_groups import needs_review
from kycpack.triage.results.data_leaves import DATE
from kycpack.triage.results.leaf_names import name_words
from kycpack.triage.results.neutral_facts import is_possible_day
from kycpack.triage.results.vocabulary import Vocabulary, text_words

_MAKERS = frozenset({"provider", "vendor", "engine", "service", "system", "platform", "sdk", "api"})
_MACHINES = _MAKERS | {
    "request",
    "response",
    "metadata",
    "meta",
    "links",
    "link",
    "client",
    "server",
    "timing",
    "timings",
}
_TOKENS = frozenset(
    {
        "name",
        "version",
        "id",
        "region",
        "dataset",
        "build",
        "environment",
        "zone",
        "cluster",
        "locale",
        "language",
    }
)
_DEEDS = frozenset(
    {"sent", "received", "created", "requested", "responded", "completed", "started", "finished", "updated"}
)
_WHEN = frozenset({"at", "on", "timestamp", "time"})
_UNITS = frozenset({"ms", "millis", "milliseconds", "seconds", "bytes"})
_MEASURED = _UNITS | {
    "duration",
    "latency",
    "elapsed",
    "response",
    "processing",
    "size",
    "took",
    "total",
    "in",
    "time",
}
_LINKS = frozenset({"url", "href", "link", "self", "pdf"})
_LINKED = _LINKS | {"report", "api", "provider", "request", "documentation", "docs", "schema"}
_OF_OWN = (_MACHINES - {"link"}) | {"self", "report", "documentation", "docs", "schema"}
_OF_THRESHOLD = frozenset({"match", "matching", "score", "minimum", "min", "name", "threshold"})
# What a provider may be called.
_OF_MAKERS = frozenset({"list", "lists", "watch", "screen"})
_LINK = re.compile(r"https?://[^\s<>\"]+")
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def is_of_screening_machine(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf of the screening gives a link to its own report, a threshold, or a name, time or measure of the provider's machines.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its words for searches, findings and trouble.
    """
    section, *steps = path.split(".")
    groups, said = steps[:-1], {*own}
    around = {part for step in groups for part in name_words(step)}
    if section != "screening" or not own or not around <= _MACHINES:
        return False
    if isinstance(value, Decimal):
        of_threshold = own[-1] == "threshold" and said <= _OF_THRESHOLD and value > 0
        of_machine = bool(groups) and own[-1] in _UNITS and said <= _MEASURED and value >= 0
        return of_threshold or of_machine
    if isinstance(value, str) and _LINK.fullmatch(value):
        # A bare link may be to an entry that was found.
        is_own = not (said | around).isdisjoint(_OF_OWN)
        return is_own and own[-1] in _LINKS and said <= _LINKED and _says_nothing(value, vocabulary)
    if not isinstance(value, str) or not groups:
        return False
    if DATE.fullmatch(value):
        return own[-1] in _WHEN and said <= _DEEDS | _WHEN and is_possible_day(value)
    return (
        own[-1] in _TOKENS
        and said <= _TOKENS | _MACHINES
        # Anybody may have a name; only a machine has one here.
        and (own[-1] != "name" or not around.isdisjoint(_MAKERS))
        and (any(map(str.isdigit, value)) or not around.isdisjoint(_MAKERS))
        and _TOKEN.fullmatch(value) is not None
        and _says_nothing(value, vocabulary)
    )


def _says_nothing(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether no word of a text tells of trouble, of a search for it or of somebody who was found."""
    words = vocabulary.words
    wrong = words["searches_for_trouble"] - words["searches_of_anything"] | words["found_texts"]
    wrong |= words["trouble_values"] | words["verdict_words"] | words["answers"]
    return not needs_review(text, vocabulary) and all(
        (wrong - _OF_MAKERS).isdisjoint(said)
        and not vocabulary.has_stem(said, "trouble_names")
        and not vocabulary.has_stem(said, "trouble_names_of_screening")
        for said in (text_words(text), name_words(text))
    )
