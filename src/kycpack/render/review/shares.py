"""The share of a customer's credits whose nature is known, and the evidence for it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from kycpack.frames.rows import records, rows
from kycpack.models.money import format_minor
from kycpack.render.charts import NATURE_FILLS
from kycpack.render.document_parts import Cell
from kycpack.render.origin import Origin, Origins, calculated, count_of, share_of, value_of
from kycpack.render.palette import Colour
from kycpack.render.review.coverage import by_count
from kycpack.render.review.weak_natures import (
    weak_kind,
    weak_words,
)
from kycpack.render.wording import ADJUSTED, is_adjusted, range_words, share_words
from kycpack.triage.paths import QUESTIONS_OF_MONEY
from kycpack.wealth.judge.coverage import (
    BY_EVIDENCE,
    CASH_OR_NAMED,
    IRREGULAR,
    KNOWN,
    REGULAR,
    natures_of,
)
from kycpack.wealth.judge.outlook_words import LESS
from kycpack.wealth.judge.pay_beside_benefits import PAY, questioned_pay
from kycpack.wealth.judge.support import CLAIMED_BY, SHOWN_BY, WORDS
from kycpack.wealth.judge.unexplained import (
    NOT_EXAMINED,
    SMALL,
    UNEXPLAINED,
    Unexplained,
    unexplained_of,
    unexplained_words,
)

_WORDS = "keyword"  # of the evidence levels of frame `credits`
NATURE_WORDS = {
    KNOWN: "nature known",
    REGULAR: "regular, nature not established",
    CASH_OR_NAMED: f"cash, contradicted, or {CLAIMED_BY[WORDS]}",
    IRREGULAR: "irregular, nature not established",
}
"""The parts of the bar on page one, in order."""

NO_CREDITS = "No booked credits were seen: no nature is known, and there is no chart of credits by month."

_UNSURE = ("may_be_twice_minor", "may_be_returned_minor", "returned_minor")
_TWICE, _PERHAPS_BACK, _BACK = LESS
Span = tuple[int, int]
"""The least and the greatest of a sum, in minor units."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Booked credits of one currency, in minor units, without duplicates, own transfers and what was taken back.

    Attributes:
        currency: ISO 4217 code.
        natures: Minor units by nature, in the order of `NATURE_WORDS`.
        evidence: Minor units of known nature by evidence level, the strongest first.
        own_transfer_minor: Own transfers in minor units, which are not in any of the parts.
        own_twice_minor: The part of these that may be counted twice, in minor units.
        may_be_twice_minor: The part of all of them that may be counted twice, in minor units.
        may_be_returned_minor: The part of all of them that may have been taken back, in minor units.
        returned_minor: What was taken back, in minor units, which is not in any of the parts.
        unexplained: The single credits whose nature is not established; None if there are none.
        refunds: The least and the most of known nature that is refunds, in minor units: known to be no source of wealth.
        questioned: The findings that question pay of known nature, each by its title and its rule; empty where there is no such pay.
        wages: The least and the most of known nature that is pay which these question, in minor units.
        is_of_customer: Whether all accounts are held in the customer's name, as far as is known.
        weak: What the credits of `CASH_OR_NAMED` are, as `weak_kind` returns it; empty if that is not known.
        least: Minor units by nature, without what may be counted twice or may have been taken back; empty if that is not known.
    """

    currency: str
    natures: dict[str, int]
    evidence: dict[str, int]
    own_transfer_minor: int
    may_be_twice_minor: int = 0
    may_be_returned_minor: int = 0
    returned_minor: int = 0
    unexplained: Unexplained | None = None
    refunds: Span = (0, 0)
    questioned: tuple[str, ...] = ()
    wages: Span = (0, 0)
    is_of_customer: bool = True
    weak: frozenset[str] = frozenset()
    least: Mapping[str, int] = field(default_factory=dict)
    own_twice_minor: int = 0

    @property
    def total_minor(self) -> int:
        """All credits except own transfers and what was taken back, in minor units."""
        return sum(self.natures.values())

    @property
    def total_words(self) -> str:
        """All credits except own transfers and what was taken back: a range if some may be counted twice or may have been taken back."""
        unsure = self.may_be_twice_minor + self.may_be_returned_minor
        return range_words(self.total_minor - unsure, self.total_minor, self.currency)

    @property
    def questioned_words(self) -> str:
        """How much of the total is pay that findings question, as what follows the total; empty if none is."""
        if not (self.questioned and self.natures[KNOWN]):
            return ""
        return f", of which {range_words(*self.wages, self.currency)} is questioned"

    @property
    def rounding(self) -> str:
        """What stands beside the shares by nature if they are not each rounded on their own; empty if they are."""
        return ADJUSTED if is_adjusted(list(self.natures.values())) else ""

    @property
    def twice_words(self) -> str:
        """How much of the total may be counted twice or may have been taken back; empty if nothing may."""
        parts = ((self.may_be_twice_minor, _TWICE), (self.may_be_returned_minor, _PERHAPS_BACK))
        said = [f"{format_minor(minor, self.currency)} of it {what}" for minor, what in parts if minor]
        other = "other " if " to " in self.known_percent else ""
        return f"{' and '.join(said)}; the {other}shares are of the larger total" if said else ""

    @property
    def percents(self) -> dict[str, str]:
        """The share of each nature in percent, as text; together 100.0%."""
        return dict(zip(self.natures, share_words(list(self.natures.values())), strict=True))

    @property
    def parts(self) -> tuple[tuple[str, int, Colour], ...]:
        """Words, minor units and fill of each part, for the bar."""
        words = NATURE_WORDS | ({CASH_OR_NAMED: weak_words(self.weak)} if self.weak else {})
        return tuple(
            (words[nature], minor, NATURE_FILLS[nature][0]) for nature, minor in self.natures.items()
        )

    @property
    def legend(self) -> tuple[tuple[str, Colour], ...]:
        """The share and the words of each part that is not empty, with its fill."""
        shown = zip(self.percents.values(), self.parts, strict=True)
        return tuple((f"{percent} {words}", fill) for percent, (words, minor, fill) in shown if minor)

    @property
    def known_percent(self) -> str:
        """The share of known nature as text, such as `82.4%`; of both ends of the total, if that is a range."""
        most = self.percents[KNOWN]
        if not self.least or sum(self.least.values()) == self.total_minor:
            return most
        least = "0.0%"
        if any(self.least.values()):
            least = dict(zip(self.least, share_words(list(self.least.values())), strict=True))[KNOWN]
        ends = sorted((least, most), key=lambda said: float(said.split(" ")[-1].rstrip("%")))
        return most if least == most else " to ".join(ends)

    @property
    def caveats(self) -> str:
        """What lessens the share of known nature: findings that question it, and refunds, in sentences; empty if nothing does."""
        sentences = []
        if self.questioned and self.natures[KNOWN]:
            pay = range_words(*self.wages, self.currency)
            sentences.append(
                f"{pay} of what is known is pay that is questioned: {'; '.join(self.questioned)}."
            )
        if self.refunds[1]:
            refunds = range_words(*self.refunds, self.currency)
            is_all = self.refunds[1] == self.natures[KNOWN]
            which = f"All of what is known ({refunds})" if is_all else f"{refunds} of what is known"
            whose = "customer" if self.is_of_customer else "account holder"
            sentences.append(
                f"{which} is refunds: the {whose}'s own money coming back, and no source of wealth."
            )
        return " ".join(sentences)

    @property
    def known_by(self) -> dict[str, str]:
        """The share of each evidence level in what is known, as text, the strongest first; empty if nothing is known."""
        shown = {level: minor for level, minor in self.evidence.items() if minor}
        return dict(zip(shown, share_words(list(shown.values())), strict=True))

    @property
    def on_page_one(self) -> str:
        """What page one says beside the share of known nature: how much of it rests on the sender's words, and `caveats`."""
        words = self.known_by.get(_WORDS)
        rests = f"{words} of what is known rests on {SHOWN_BY[_WORDS]}." if words else ""
        return " ".join(filter(None, (rests, self.caveats)))

    @property
    def sentence(self) -> str:
        """The evidence for the known nature, and the amounts that are left out."""
        shown = {level: minor for level, minor in self.evidence.items() if minor}
        known = "No credit has a known nature."
        if shown:
            whole = sum(shown.values())
            little = f" ({format_minor(whole, self.currency)})" if 100 * whole < self.total_minor else ""
            known = (
                f"What is known{little} rests on "
                + ", ".join(f"{SHOWN_BY[level]} ({part})" for level, part in self.known_by.items())
                + "."
            )
        sentences = [known, *filter(None, (self.caveats,))]
        if self.own_transfer_minor:
            once = self.own_transfer_minor - self.own_twice_minor
            own = range_words(once, self.own_transfer_minor, self.currency)
            sentences.append(f"Own transfers of {own} are left out.")
        if self.returned_minor:
            returned = format_minor(self.returned_minor, self.currency)
            sentences.append(f"{returned} that {_BACK} is left out.")
        if is_adjusted(list(shown.values())):
            sentences.append(ADJUSTED)
        return " ".join(sentences)

    @property
    def in_words(self) -> str:
        """All of it in sentences, for a currency without a bar on page one."""
        of = f"{self.known_percent} of {self.total_words} has a known nature{self.questioned_words}"
        legend = "; ".join(words for words, _ in self.legend)
        said = (of, self.twice_words, legend, self.rounding.removesuffix("."), self.on_page_one)
        return ". ".join(filter(None, said))

    @property
    def largest_words(self) -> str:
        """The largest single credits whose nature is not established, and the sum of small ones, in a sentence; empty if there are none."""
        return " ".join(
            unexplained_words(() if self.unexplained is None else (self.unexplained,), with_small=True)
        )

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The printed texts, with the origins of their numbers."""
        rows = {"currency": self.currency}
        whole = {**rows, "nature": tuple(self.natures)}
        known = {**rows, "nature": KNOWN}
        # A part that is empty is not printed, except for the share of known nature.
        parts = (
            Cell(self.percents[nature], origins=(_share({**rows, "nature": nature}, whole),))
            for nature, minor in self.natures.items()
            if minor or nature == KNOWN
        )
        by = tuple(_share({**known, "known_by": level}, known) for level in self.evidence)
        of_own = {**rows, "disposition": "own_transfer"}
        own = (
            calculated("sum", "credits", "amount_minor", **of_own),
            calculated("sum", "credits", "amount_minor", **of_own, may_be_twice_minor=0),
        )
        refunds, pay = (
            tuple(calculated("sum", "credits", f"{end}_minor", **known, **of) for end in ("least", "most"))
            for of in ({"disposition": "refund"}, {"type": PAY})
        )
        asked = value_of("findings", outcome="HIT", path=f"{QUESTIONS_OF_MONEY}pay_beside_benefit")
        most, least, twice, perhaps, returned = (
            calculated("sum", "credits", f"{name}_minor", **whole)
            for name in ("most", "least", "may_be_twice", "may_be_returned", "returned")
        )
        both = (_share(known, whole), share_of("credits", "least_minor", known, whole))
        ends = [Cell(self.known_percent, origins=both)] if self.known_percent != self.percents[KNOWN] else []
        return (
            Cell(self.total_words, origins=(most, least)),
            *parts,
            *ends,
            Cell(self.sentence, origins=(*by, *pay, asked, *refunds, *own, returned)),
            Cell(self.twice_words, origins=(twice, perhaps)),
            Cell(self.largest_words, origins=self._origins_of_largest()),
        )

    def _origins_of_largest(self) -> Origins:
        if self.unexplained is None:
            return ()
        each = (
            value_of("credits", account_id=one.account_id, txn_id=one.txn_id)
            for one in self.unexplained.largest
        )
        rows = {"currency": self.currency, "disposition": UNEXPLAINED, "type": self.unexplained.types}
        beside = {"currency": self.currency, "disposition": SMALL, "type": sorted(NOT_EXAMINED)}
        small = (calculated("sum", "credits", f"{end}_minor", **beside) for end in ("least", "most"))
        return (count_of("credits", **rows), count_of("credits", **rows, may_be_twice_minor=0), *each, *small)

    def figures(self) -> dict[str, Any]:
        """Return the numbers as data."""
        return {
            "currency": self.currency,
            "total_minor": self.total_minor,
            **{f"{nature}_minor": minor for nature, minor in self.natures.items()},
            "known_by": self.evidence,
            "own_transfer_minor": self.own_transfer_minor,
            "known_share": self.percents[KNOWN],
        }


def _share(rows: Mapping[str, Any], whole: Mapping[str, Any]) -> Origin:
    return share_of("credits", "most_minor", rows, whole)


def shares_of(
    nature: pd.DataFrame,
    coverage: pd.DataFrame,
    credits_: pd.DataFrame | None = None,
    base_currency: str | None = None,
    streams: pd.DataFrame | None = None,
) -> tuple[Shares, ...]:
    """Return the shares by currency: the base currency, then the one with the most credits; equal ones in alphabetical order.

    Args:
        nature: `Wealth.nature` of one customer: currency, nature, evidence_level, count, total_minor.
        coverage: Frame `coverage` of the customer, for the own transfers.
        credits_: The customer's rows of frame `credits`, for what may be counted twice, what was or may have been taken back, and the largest
            single credits whose nature is not established; None if these are not needed.
        base_currency: The currency that comes first.
        streams: The customer's rows of frame `streams`, for the same except the largest; None if these are not needed.
    """
    natures: Counter[tuple[str, str]] = Counter()
    least: Counter[tuple[str, str]] = Counter()
    known: Counter[tuple[str, str]] = Counter()
    counts: Counter[str] = Counter()
    for row in rows(nature, "currency", "nature", "evidence_level", "count", "total_minor", "least_minor"):
        counts[row.currency] += row.count
        natures[row.currency, row.nature] += row.total_minor
        least[row.currency, row.nature] += row.least_minor
        if row.nature == KNOWN:
            known[row.currency, row.evidence_level] += row.total_minor
    own: Counter[str] = Counter()
    for row in rows(coverage, "currency", "disposition", "total_minor"):
        if row.disposition == "own_transfer":
            own[row.currency] += row.total_minor
    unsure: Counter[tuple[str, str]] = Counter()
    weak: dict[str, set[str]] = defaultdict(set)
    for part, nature_of in () if credits_ is None or streams is None else _parts(credits_, streams):
        currency = part["currency"]
        if part["disposition"] == "own_transfer":
            unsure[currency, "own_twice"] += part["may_be_twice_minor"]
            continue
        unsure.update({(currency, name): part[name] for name in _UNSURE})
        for what, is_part in (("refunds", part["disposition"] == "refund"), ("wages", part["questioned"])):
            if nature_of == KNOWN and is_part:
                unsure.update(
                    {(currency, f"{end} {what}"): part[f"{end}_minor"] for end in ("least", "most")}
                )
        if nature_of == CASH_OR_NAMED and part["most_minor"]:
            weak[currency].add(weak_kind(part))
    single = () if credits_ is None else unexplained_of(credits_)
    unexplained = {one.currency: one for one in single}
    return tuple(
        Shares(
            currency,
            {name: natures[currency, name] for name in NATURE_WORDS},
            {level: known[currency, level] for level in BY_EVIDENCE},
            own[currency],
            may_be_twice_minor=unsure[currency, _UNSURE[0]],
            may_be_returned_minor=unsure[currency, _UNSURE[1]],
            returned_minor=unsure[currency, _UNSURE[2]],
            unexplained=unexplained.get(currency),
            refunds=(unsure[currency, "least refunds"], unsure[currency, "most refunds"]),
            wages=(unsure[currency, "least wages"], unsure[currency, "most wages"]),
            weak=frozenset(weak[currency]),
            least={name: least[currency, name] for name in NATURE_WORDS},
            own_twice_minor=unsure[currency, "own_twice"],
        )
        for currency in by_count(counts, base_currency)
    )


def _parts(credits_: pd.DataFrame, streams: pd.DataFrame) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each credit with its nature, and whether it is pay that is questioned."""
    columns = ("currency", "disposition", "type", "doubtful", "least_minor", "most_minor", *_UNSURE)
    natures = natures_of(credits_, streams)
    asked = questioned_pay(credits_).tolist()
    for part, (nature, _), is_asked in zip(records(credits_, *columns), natures, asked, strict=True):
        yield part | {"questioned": is_asked}, nature
