"""A task and what it is about: a request in words, and a kind where something follows from that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, auto

from kycpack.render.review.payment_keys import Key


class Kind(StrEnum):
    """What a task is about where something follows from that; the words of a task are only words."""

    OTHER = auto()
    COMPLETION = auto()
    """The customer completes an open session."""
    PAYMENT = auto()
    """A payment is not released before its source is shown."""
    MEANING = auto()
    """What a rejected result means, which comes before a decline."""
    CREDITS = auto()
    """The background of credits, each named by amount, payer and day."""
    BENEFIT = auto()
    """What the payments beside a benefit are."""
    ACCOUNTS = auto()
    """Bank accounts, by their short names."""
    CHECKS = auto()
    """Checks that could not be evaluated, by their titles."""
    NAMES = auto()
    """Whether names of several sources are of one person."""
    MATCH = auto()
    """Whether the match on a list is this person."""
    WHICH_LIST = auto()
    """On which list a match is, and whether it is this person."""
    COUNTED = auto()
    """The same of matches of which each is in a category that the results name."""
    OFFICE = auto()
    """Whether a match is this person, and for which public office."""
    ENTRIES = auto()
    """Whether entries of lists in the results are about this person."""
    SCREENING = auto()
    """What stands behind the outcome of the screening."""
    REPORT = auto()
    """Whether there is reason to report, which the checks could not show."""
    SECTION = auto()
    """What is wrong with another section as a whole."""


_OF_LISTS = frozenset({Kind.MATCH, Kind.WHICH_LIST, Kind.COUNTED, Kind.ENTRIES, Kind.SCREENING})


@dataclass(frozen=True, slots=True)
class Task:
    """What has to be found out or obtained.

    Attributes:
        words: A request without its subject, such as `find out who lives at {}`, with `{}` in place of what it is about.
        things: What it is about.
        before: What has to be there first, which is the Analyst's to get; None if nothing has to.
        kind: What it is about where something follows from that.
        txns: The accounts and ids of the transactions that it asks about.
        is_contact: Whether the customer may be contacted for it.
        rules: What asks for it, if that is another finding than the one that governs the matter; empty if it is not.
    """

    words: str
    things: tuple[str, ...] = ()
    before: Task | None = None
    kind: Kind = Kind.OTHER
    txns: frozenset[Key] = frozenset()
    is_contact: bool = True
    rules: tuple[str, ...] = ()

    @property
    def is_of_lists(self) -> bool:
        """Whether it shows if a match is a person whose funds have to be frozen."""
        return self.kind in _OF_LISTS
